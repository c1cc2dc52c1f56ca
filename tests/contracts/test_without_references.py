"""Contracts on metrics that need no reference: none given, or any given, the scores are the same.

All metrics that declare it are tried, those of other packages included: no metric is named here.
"""

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import pytest

import tenbin
from tenbin.cli.main import main
from tenbin.core.errors import UsageError
from tenbin.core.metric import ExplainableMetric
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.text import TestSet
from tenbin.evaluation import statistics
from tenbin.metrics import registry

REFERENCE_FREE = [
    name for name in registry.metric_names() if not registry.load(name).needs.references
]
SOURCE = ("die Katze saß da", "der Hund schlief", "", "ein Hund", "die Katze")
SYSTEMS = {
    "a": ("the cat sat there", "the dog slept", "a", "one dog", "the cat"),
    "b": ("a cat", "the the dog sat", "", "dog", "cat the"),
}
REFERENCES = (("the cat was sitting",), ("a dog slept",), ("",), ("a dog",), ("cats",))
SEVERAL = tuple((*some, f"{some[0]} indeed", "quite") for some in REFERENCES)
WORDS = {
    "de": "die Katze saß da der Hund schlief ein",
    "en": "the cat sat there a dog slept one",
}


def vectors(language: str, folder: Path) -> str:
    """Write vectors of words that mean the same: alike, and not equal."""
    words = WORDS[language].split()
    lines = [f"{len(words)} 4"]
    for place, word in enumerate(words):
        numbers = [((place * 7 + axis * 3) % 11) / 10 + 0.1 for axis in range(4)]
        numbers[place % 4] += 0.05 if language == "de" else 0.1
        lines.append(f"{word} {' '.join(f'{number:.2f}' for number in numbers)}")
    path = folder / f"{language}.vec"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def terms(folder: Path) -> str:
    """Write a glossary of words of both languages."""
    path = folder / "terms.csv"
    path.write_text("de,en\nKatze,cat\nHund,dog\nsaß da,sat there\n", encoding="utf-8")
    return str(path)


def model(folder: Path) -> str:
    """Write a BERT with random weights that knows the words of both languages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        torch, transformers, tokenizers = (
            pytest.importorskip(name, reason="the extra 'neural' is not installed")
            for name in ("torch", "transformers", "tokenizers")
        )
    marks = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    words = " ".join(WORDS.values()).lower().split()
    pieces = {piece: place for place, piece in enumerate(dict.fromkeys([*marks, *words]))}
    cutter = tokenizers.BertWordPieceTokenizer(pieces, lowercase=True, strip_accents=False)
    path = folder / "model"
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter._tokenizer,
        model_max_length=32,
        **{f"{mark[1:-1].lower()}_token": mark for mark in marks},
    ).save_pretrained(path)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        initializer_range=0.4,
    )
    transformers.BertModel(config).eval().save_pretrained(path)
    return str(path)


# Data that only a user can name, made up, by the name of the parameter.
DATA: dict[str, Callable[[Path], str]] = {
    "vectors": lambda folder: vectors("en", folder),
    "source_vectors": lambda folder: vectors("de", folder),
    "model": model,
    "glossary": terms,
}


@pytest.fixture(scope="module", params=REFERENCE_FREE)
def reference_free(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The spec of a metric that needs no reference, with data to run."""
    metric = registry.load(request.param)
    folder = tmp_path_factory.mktemp("data")
    named: list[tuple[str, SpecValue]] = [
        (name, make(folder)) for name, make in DATA.items() if hasattr(metric, name)
    ]
    return str(Spec(request.param, tuple(named)))


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


def results(test_set: TestSet, specs: Sequence[str], jobs: int = 1) -> list[object]:
    """Return all about the first metric: signature, corpus scores and segment scores."""
    table = tenbin.score(test_set, metrics=specs, language="en", segments=True, jobs=jobs)
    one = table.results[0]
    assert one.segments is not None
    return [str(one.signature), one.scores.tolist(), list(map(defined, one.segments.tolist()))]


def defined(scores: Sequence[float]) -> list[float | None]:
    """Return scores, None where a segment has none: NaN is not equal to itself."""
    return [None if isnan(score) else score for score in scores]


NONE = TestSet(hypotheses=SYSTEMS, source=SOURCE)
ONE = replace(NONE, references=REFERENCES)
THREE = replace(NONE, references=SEVERAL)


def test_scores_and_signature_do_not_depend_on_references(reference_free: str) -> None:
    without = results(NONE, [reference_free])
    assert "|nrefs:0|" in str(without[0])
    assert results(ONE, [reference_free]) == without
    assert results(THREE, [reference_free]) == without
    assert results(THREE, [reference_free, "bleu", "ter"]) == without, "in the company of others"


def test_batches_and_processes_agree(reference_free: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without = results(NONE, [reference_free])
    monkeypatch.setattr(statistics, "_CHUNK_STRINGS", 6)
    parts = results(NONE, [reference_free])
    assert parts[2] == without[2]
    for texts in (NONE, ONE, THREE):
        assert results(texts, [reference_free], jobs=2) == parts


def test_texts_in_memory_need_no_references(reference_free: str) -> None:
    metric = tenbin.load_metric(reference_free, language="en")
    plain = metric.score(SYSTEMS["a"], source=SOURCE)
    assert plain.score == metric.score(SYSTEMS["a"], REFERENCES, source=SOURCE).score
    for references in (None, REFERENCES):
        options: dict[str, Any] = {"source": SOURCE, "language": "en"}
        compared = tenbin.compare(SYSTEMS, references, metrics=[reference_free], **options)
        assert compared.scores.results[0].scores[0] == plain.score
        assert compared.scores.results[0].signature.get("nrefs") == "0"
        if isinstance(registry.load(reference_free), ExplainableMetric):
            (one,) = tenbin.explain(
                {"a": SYSTEMS["a"]}, references, metric=reference_free, segments=2, **options
            )
            assert one.score == pytest.approx(float(plain.segments[1]), abs=1e-12)
            assert (one.reference, one.reference_count) == (0, 0)
            assert one.signature.get("nrefs") == "0"


def test_files_need_no_references(
    reference_free: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = {"source": SOURCE, "ref": [one for (one,) in REFERENCES], **SYSTEMS}
    paths = {name: tmp_path / f"{name}.txt" for name in columns}
    for name, lines in columns.items():
        paths[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    plain = ["score", "-s", str(paths["source"]), "-t", str(paths["a"]), str(paths["b"])]
    plain += ["-l", "en", "-m", reference_free, "--segments", "-f", "json"]
    printed = []
    for words in (plain, [*plain, "-r", str(paths["ref"])], [*plain, "--jobs", "2"]):
        assert main(words) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[1:] == printed[:1] * 2
    (first, *_) = printed[0]["results"]
    assert first["score"] == results(NONE, [reference_free])[1][0]  # type: ignore[index]


def test_tables_need_no_references(reference_free: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    spec = by_segment(reference_free)
    (written,) = [str(Spec.parse(spec))]
    columns: dict[str, Any] = {"hypothesis": SYSTEMS["b"], "source": SOURCE}
    found = []
    for references in (None, [one for (one,) in REFERENCES], [None] * len(SOURCE)):
        more = {} if references is None else {"reference": pa.array(references, pa.string())}
        parquet.write_table(pa.table({**columns, **more}), tmp_path / "own.parquet")
        out = tmp_path / "out.parquet"
        for jobs in (1, 2):
            table = tenbin.score_table(
                tmp_path / "own.parquet", out, metrics=[spec], language="en", jobs=jobs
            )
            rows = defined(parquet.read_table(out).column(written).to_pylist())
            found.append((rows, str(table.results[0].signature), table["own", written]))
    assert found == found[:1] * 6
    assert found[0][0] == results(NONE, [spec])[2][1]  # type: ignore[index]


def by_segment(spec: str) -> str:
    """Return a metric that learns nothing from other segments, as it must in a table."""
    parsed = Spec.parse(spec)
    if not registry.load(spec).needs.collection:
        return spec
    for value in (False, "none"):
        try:
            plain = Spec(parsed.name, (*parsed.parameters, ("idf", value)))
            if not registry.load(plain).needs.collection:
                return str(plain)
        except UsageError:
            continue
    return pytest.skip("it learns its weights from all segments")
