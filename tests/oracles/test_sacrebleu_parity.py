"""BLEU, sentBLEU, chrF, chrF++ and TER equal sacrebleu, corpus and segments.

Provenance: sacrebleu 2.6.0 (mecab-python3 1.0.12, ipadic 1.0.0), its Python classes run here beside
ours, 2026-11-15. Texts: the bundled example, all systems and segments; sentences in six languages
of `tests/oracles/data/sentences`; and, where the shared folder is here, WMT sets. Of these BLEU,
chrF and chrF++ see every system and every segment of WMT20 en-de, though not every system on every
segment: sacrebleu takes a second per 2,000 segments. TER, whose edits cost a second per 200, and
the other language pairs see the systems and segments that each test names.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from sacrebleu import metrics as sacrebleu_metrics

import tenbin
from tenbin.cli.main import main
from tenbin.core.arrays import FloatArray

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

TOLERANCE = 1e-9
CLASSES = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}
SENTENCE = {"effective_order": True}
Settings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """Systems, and references as streams: one text per reference, None where one is missing."""

    language: str
    hypotheses: dict[str, list[str]]
    streams: list[list[str | None]]

    def references(self) -> list[list[str]]:
        """The references as our library takes them: one list per segment."""
        alternatives = zip(*self.streams, strict=True)
        return [[text for text in texts if text is not None] for texts in alternatives]


def read_segments(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@cache
def read_corpus(
    folder: Path,
    pair: str,
    references: tuple[str, ...],
    systems: tuple[str, ...] = (),
    *,
    first: int = 0,
    stop: int | None = None,
    step: int = 1,
) -> Corpus:
    """Read segments of some systems, of all where none is named; a slice says which segments."""
    chosen = slice(first, stop, step)
    outputs = folder / "system-outputs" / pair
    names = systems or tuple(sorted(path.stem for path in outputs.glob("*.txt")))
    return Corpus(
        language=pair.partition("-")[2],
        hypotheses={name: read_segments(outputs / f"{name}.txt")[chosen] for name in names},
        streams=[
            [*read_segments(folder / "references" / f"{pair}.{name}.txt")[chosen]]
            for name in references
        ],
    )


def expected_scores(
    family: str, corpus: Corpus, options: dict[str, Any], sentence_options: dict[str, Any]
) -> tuple[FloatArray, FloatArray]:
    """Return sacrebleu's corpus scores (systems,) and segment scores (systems, segments).

    `corpus_score` and `sentence_score` are these very steps; taking them apart extracts the
    statistics once instead of twice. `test_oracle_is_what_sacrebleu_prints` holds this to account.
    """
    return _expected_scores(
        family, corpus, tuple(options.items()), tuple({**options, **sentence_options}.items())
    )


@cache
def _expected_scores(
    family: str, corpus: Corpus, options: Settings, sentence_options: Settings
) -> tuple[FloatArray, FloatArray]:
    create = getattr(sacrebleu_metrics, CLASSES[family])
    metric = create(**dict(options), references=corpus.streams)
    sentence_metric = create(**dict(sentence_options))
    totals, segments = [], []
    for hypotheses in corpus.hypotheses.values():
        rows = metric._extract_corpus_statistics(hypotheses, None)
        totals.append(metric._aggregate_and_compute(rows).score)
        segments.append([sentence_metric._aggregate_and_compute([row]).score for row in rows])
    return np.array(totals), np.array(segments)


def assert_parity(specs: Sequence[str], corpus: Corpus, options: dict[str, Any]) -> None:
    """Compare specs of one family, whose statistics sacrebleu extracts once."""
    family = specs[0].partition("(")[0].rstrip("+").removeprefix("sent")
    sentence_options = SENTENCE if family == "bleu" else {}
    expected, expected_segments = expected_scores(family, corpus, options, sentence_options)
    table = tenbin.score(
        corpus.hypotheses,
        corpus.references(),
        metrics=specs,
        language=corpus.language,
        segments=True,
    )
    for result in table.score_set.results:
        totals = expected
        if result.metric.startswith("sentbleu"):
            totals = expected_segments.mean(axis=1)
        assert result.segments is not None
        np.testing.assert_allclose(result.scores, totals, rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(result.segments, expected_segments, rtol=0, atol=TOLERANCE)


FAMILIES = pytest.mark.parametrize(
    ("specs", "options"),
    [(("bleu", "sentbleu"), {}), (("chrf",), {}), (("chrf++",), {"word_order": 2})],
)
EXAMPLE_SYSTEMS = ("careful", "literal", "gloss")
PARTS = 5


@FAMILIES
@pytest.mark.parametrize(
    "references", [("refA",), ("refB",), ("refA", "refB"), ("refB", "refA")], ids="+".join
)
def test_every_system_and_segment_of_the_example(
    example_folder: Path,
    specs: tuple[str, ...],
    options: dict[str, Any],
    references: tuple[str, ...],
) -> None:
    corpus = read_corpus(example_folder, "ja-en", references)
    assert len(corpus.hypotheses) == 3
    assert_parity(specs, corpus, options)


@FAMILIES
def test_every_system_and_segment_of_wmt20_en_de(
    shared: Path, specs: tuple[str, ...], options: dict[str, Any]
) -> None:
    folder = shared / "data" / "wmt20"
    files = (folder / "system-outputs" / "en-de").glob("*.txt")
    systems = tuple(sorted(path.stem for path in files))
    assert len(systems) == 16  # 14 systems and both references as systems
    # Each fifth system on each fifth segment; after five steps all of both were seen.
    for first in range(PARTS):
        some = systems[first::PARTS]
        corpus = read_corpus(folder, "en-de", ("refA",), some, first=first, step=PARTS)
        assert_parity(specs, corpus, options)


# Our plain TER is sacrebleu's function, so only the compiled twin can differ from it.
COMPILED_TER = pytest.mark.usefixtures("compiled_kernels")


@pytest.fixture
def compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")


@COMPILED_TER
@pytest.mark.parametrize("references", [("refA",), ("refA", "refB")], ids="+".join)
def test_ter_of_the_example(example_folder: Path, references: tuple[str, ...]) -> None:
    assert_parity(["ter"], read_corpus(example_folder, "ja-en", references), {})


@COMPILED_TER
def test_ter_of_wmt20_en_de(shared: Path) -> None:
    systems = ("OPPO.1535", "Online-Z.1631", "refP")
    corpus = read_corpus(shared / "data" / "wmt20", "en-de", ("refA",), systems, stop=40)
    assert_parity(["ter"], corpus, {})


JAPANESE = pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("bleu", {"tokenize": "ja-mecab"}),
        ('bleu(tokenizer="char")', {"tokenize": "char"}),
        ("sentbleu(tokenizer=char)", {"tokenize": "char"}),
        ("chrf", {}),
        ("chrf++", {"word_order": 2}),
        ("ter", {}),
    ],
)


@JAPANESE
def test_japanese_of_the_example(example_folder: Path, spec: str, options: dict[str, Any]) -> None:
    corpus = read_corpus(example_folder, "en-ja", ("refA",))
    assert_parity([spec], corpus, options)


@JAPANESE
def test_wmt24_en_ja(shared: Path, spec: str, options: dict[str, Any]) -> None:
    systems = ("Claude-3.5", "IKUN-C", "ONLINE-B")
    corpus = read_corpus(shared / "data" / "wmt24", "en-ja", ("refA",), systems)
    assert_parity([spec], corpus, options)


@COMPILED_TER
def test_ter_of_japanese_characters(example_folder: Path) -> None:
    corpus = read_corpus(example_folder, "en-ja", ("refA",), ("careful",), stop=3)
    options = {"normalized": True, "asian_support": True}
    assert_parity(["ter(normalized=True, asian_support=True)"], corpus, options)


WMT22_SYSTEMS = ("LT22", "Online-W")


@pytest.mark.parametrize("references", [("refA",), ("refA", "refB")], ids="+".join)
@FAMILIES
def test_wmt22_de_en_with_one_and_two_references(
    shared: Path, specs: tuple[str, ...], options: dict[str, Any], references: tuple[str, ...]
) -> None:
    corpus = read_corpus(shared / "data" / "wmt22", "de-en", references, WMT22_SYSTEMS, step=4)
    assert_parity(specs, corpus, options)


@COMPILED_TER
@pytest.mark.parametrize("references", [("refA",), ("refA", "refB")], ids="+".join)
def test_ter_of_wmt22_de_en(shared: Path, references: tuple[str, ...]) -> None:
    corpus = read_corpus(shared / "data" / "wmt22", "de-en", references, WMT22_SYSTEMS, stop=75)
    assert_parity(["ter"], corpus, {})


@pytest.mark.parametrize(
    ("spec", "options"),
    [("bleu", {}), ("chrf", {}), ("chrf++", {"word_order": 2}), ("ter", {})],
)
def test_ragged_references(example_folder: Path, spec: str, options: dict[str, Any]) -> None:
    # sacrebleu takes None for a reference that a segment does not have; we take a shorter list.
    full = read_corpus(example_folder, "ja-en", ("refA", "refB"))
    thinned = [None if number % 3 else text for number, text in enumerate(full.streams[1])]
    corpus = Corpus(
        language="en", hypotheses=full.hypotheses, streams=[full.streams[0], [*thinned]]
    )
    assert_parity([spec], corpus, options)


@pytest.mark.parametrize(
    ("test_set", "pair", "reference", "system", "spec", "options"),
    [
        ("wmt22", "uk-en", "refA", "PROMT", "bleu", {}),
        ("wmt22", "uk-en", "refA", "PROMT", "chrf++", {"word_order": 2}),
        ("wmt23", "he-en", "refB", "GPT4-5shot", "bleu(tokenizer=intl)", {"tokenize": "intl"}),
        ("wmt24", "en-ru", "refA", "GPT-4", "bleu(tokenizer=intl)", {"tokenize": "intl"}),
        ("wmt24", "en-cs", "refA", "GPT-4", "bleu(lowercase=True)", {"lowercase": True}),
        ("wmt24", "en-is", "refA", "GPT-4", "chrf(lowercase=True)", {"lowercase": True}),
        ("mlqe-pe", "en-zh", "pe", "", "bleu", {"tokenize": "zh"}),
        ("mlqe-pe", "en-zh", "pe", "", "bleu(tokenizer=char)", {"tokenize": "char"}),
        ("mlqe-pe", "en-zh", "pe", "", "chrf", {}),
    ],
)
def test_other_languages_of_wmt_sets(
    shared: Path,
    test_set: str,
    pair: str,
    reference: str,
    system: str,
    spec: str,
    options: dict[str, Any],
) -> None:
    systems = (system,) if system else ()
    corpus = read_corpus(shared / "data" / test_set, pair, (reference,), systems, stop=500)
    assert_parity([spec], corpus, options)


@pytest.mark.parametrize(
    ("language", "spec", "options"),
    [
        ("de", "bleu", {}),
        ("de", "chrf++", {"word_order": 2}),
        ("ru", "bleu(tokenizer=intl)", {"tokenize": "intl"}),
        ("ru", "chrf", {}),
        ("cs", "bleu(lowercase=True)", {"lowercase": True}),
        ("is", "chrf(lowercase=True)", {"lowercase": True}),
        ("es", "sentbleu", {}),
        ("zh", "bleu", {"tokenize": "zh"}),
        ("zh", "bleu(tokenizer=char)", {"tokenize": "char"}),
        ("zh", "chrf", {}),
        ("ru", "ter", {}),
    ],
)
def test_other_languages(
    oracle_data: Path, language: str, spec: str, options: dict[str, Any]
) -> None:
    lines = read_segments(oracle_data / "sentences" / "sentences.tsv")
    rows = [line.split("\t") for line in lines if line.startswith(f"{language}\t")]
    assert len(rows) >= 8
    corpus = Corpus(
        language=language,
        hypotheses={"written": [row[2] for row in rows]},
        streams=[[row[3] for row in rows]],
    )
    assert_parity([spec], corpus, options)


def test_oracle_is_what_sacrebleu_prints(example_folder: Path) -> None:
    corpus = read_corpus(example_folder, "ja-en", ("refA", "refB"), ("literal",))
    hypotheses, streams = corpus.hypotheses["literal"], corpus.streams
    pairs = list(zip(hypotheses, corpus.references(), strict=True))

    def expected(family: str, sentence_options: dict[str, Any]) -> tuple[float, list[float]]:
        totals, segments = expected_scores(family, corpus, {}, sentence_options)
        return totals[0], segments[0].tolist()

    assert expected("bleu", SENTENCE) == (
        sacrebleu.corpus_bleu(hypotheses, streams).score,
        [sacrebleu.sentence_bleu(text, references).score for text, references in pairs],
    )
    assert expected("chrf", {}) == (
        sacrebleu.corpus_chrf(hypotheses, streams).score,
        [sacrebleu.sentence_chrf(text, references).score for text, references in pairs],
    )
    assert expected("ter", {}) == (
        sacrebleu.corpus_ter(hypotheses, streams).score,
        [sacrebleu.sentence_ter(text, references).score for text, references in pairs],
    )


def test_command_line_prints_the_numbers_of_sacrebleu(
    example_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, systems = example_folder, EXAMPLE_SYSTEMS
    specs = {"bleu": {}, "chrf": {}, "chrf++": {"word_order": 2}}
    arguments = ["score", "--set", str(folder), "--pair", "ja-en", "-r", "refA", "refB"]
    arguments += ["-t", *systems, "-m", *specs, "--segments", "-f", "json", "-q"]
    assert main(arguments) == 0
    results: Sequence[dict[str, Any]] = json.loads(capsys.readouterr().out)["results"]
    corpus = read_corpus(folder, "ja-en", ("refA", "refB"), systems)
    for spec, options in specs.items():
        family = spec.rstrip("+")
        sentence_options = SENTENCE if family == "bleu" else {}
        expected, segments = expected_scores(family, corpus, options, sentence_options)
        rows = [result for result in results if result["metric"] == spec]
        assert [row["system"] for row in rows] == list(systems)
        printed = [row["score"] for row in rows]
        np.testing.assert_allclose(printed, expected, rtol=0, atol=TOLERANCE)
        printed_segments = [row["segments"] for row in rows]
        np.testing.assert_allclose(printed_segments, segments, rtol=0, atol=TOLERANCE)
