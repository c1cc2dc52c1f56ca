"""YiSi-0, YiSi-1 and YiSi-2 against the scores of the reference implementation.

Provenance: chikiulo/yisi, commit fd07bfc: its scores of 22 German sentences and their translations
with its sample vectors, and values of its unit tests, in `tests/oracles/data/yisi`. Its own ten
test sentences are WMT's and lie in the shared folder; their scores are printed with six digits, so
5e-7 is agreement. T7 is in `tests/data/t7`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.arrays import FloatArray, Ragged
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.metrics.aggregations.windows import NgramWindows
from tenbin.metrics.registry import load
from tenbin.metrics.representations.lexical_weights import lexical_weights
from tenbin.metrics.yisi import Yisi1
from tenbin.resources.vectors import load_vectors

TOLERANCE = 5e-7
FINE = 5e-8  # ten digits are stored
T7_FILE = Path(__file__).resolve().parents[1] / "data" / "t7" / "segments.tsv"


@pytest.fixture(scope="module")
def folder(oracle_data: Path) -> Path:
    return oracle_data / "yisi"


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def columns(path: Path) -> dict[str, list[str]]:
    names, *rows = (line.split("\t") for line in lines(path))
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def stored(folder: Path, name: str) -> FloatArray:
    return np.array([float(value) for value in columns(folder / "scores.tsv")[name]])


def score(folder: Path, spec: str) -> FloatArray:
    """Return the segment scores of the stored texts."""
    texts = columns(folder / "inputs.tsv")
    metric = tenbin.load_metric(spec, language="en")
    return metric.score(texts["hypothesis"], texts["reference"], source=texts["source"]).segments


def vectors(folder: Path, language: str) -> str:
    return repr(str(folder / f"mini.d300.{language}.gz"))


def specs(folder: Path) -> dict[str, str]:
    english, german = vectors(folder, "en"), vectors(folder, "de")
    bilingual = f"tokenizer='none', vectors={english}, source_vectors={german}"
    return {
        "yisi0": "yisi0(tokenizer='none')",
        "yisi1": f"yisi1(tokenizer='none', vectors={english})",
        "yisi2": f"yisi2({bilingual}, source_tokenizer='none', idf='system')",
    }


@pytest.mark.parametrize("name", ["yisi0", "yisi1", "yisi2", "alpha0.5"])
def test_published_scores_of_its_own_sentences(folder: Path, shared: Path, name: str) -> None:
    sample = shared / "oracles" / "yisi"
    texts = (lines(sample / f"test_{file}") for file in ("hyp.en", "ref.en", "inp.de"))
    if name == "alpha0.5":
        spec, file = specs(folder)["yisi1"].replace(")", ", alpha=0.5)"), "yisiscorer-alpha0.5.txt"
    else:
        spec, file = specs(folder)[name], f"test_hyp.snt{name}"
    hypotheses, references, source = texts
    found = tenbin.load_metric(spec, language="en").score(hypotheses, references, source=source)
    expected = [float(line.split()[-1]) for line in lines(sample / file)]
    assert len(expected) == 10
    np.testing.assert_allclose(found.segments, expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(
    ("name", "document"),
    [("yisi0", 0.6144922231), ("yisi1", 0.6889768625), ("yisi2", 0.0900036903)],
)
def test_segments_and_document(folder: Path, name: str, document: float) -> None:
    found = score(folder, specs(folder)[name])
    expected = stored(folder, name)
    assert len(found) == len(expected) == 22
    np.testing.assert_allclose(found, expected, rtol=0, atol=FINE)
    assert found.mean() == pytest.approx(document, abs=FINE)


def test_balanced_weight_of_recall(folder: Path) -> None:
    spec = specs(folder)["yisi1"].replace(")", ", alpha=0.5)")
    expected = stored(folder, "yisi1_alpha0.5")
    np.testing.assert_allclose(score(folder, spec), expected, rtol=0, atol=FINE)


def test_negative_cosines_must_be_clipped(folder: Path) -> None:
    """What the specification says decides YiSi-2: this data has pairs that it concerns."""
    metric = load(specs(folder)["yisi2"]).bind("en")
    texts = columns(folder / "inputs.tsv")
    german = load_vectors(str(folder / "mini.d300.de.gz"), "de").look_up(texts["source"][0].split())
    english = metric.compares.table().look_up(texts["hypothesis"][0].split())  # type: ignore[attr-defined]
    assert (german.units @ english.units.T).min() < -0.05


def unit_values(folder: Path) -> list[tuple[str, str, list[float]]]:
    rows = [line.split("\t") for line in lines(folder / "unit-values.tsv")[1:]]
    return [(row[0], row[1], [float(value) for value in row[2].split()]) for row in rows]


def test_lexical_weights(folder: Path) -> None:
    values = [row for row in unit_values(folder) if row[0].startswith("lexical weight")]
    assert len(values) == 2
    for text, word, (expected,) in values:
        sentences = [part.split() for part in text.partition("sentences: ")[2].split(" | ")]
        assert weight(sentences, word) == pytest.approx(expected, abs=5e-6)


def weight(sentences: Sequence[Sequence[str]], word: str) -> float:
    vocabulary = tuple(dict.fromkeys(token for sentence in sentences for token in sentence))
    rows = Ragged.from_rows(
        [[vocabulary.index(token) for token in sentence] for sentence in sentences]
    )
    found = lexical_weights(rows, np.arange(len(sentences)), vocabulary)
    return float(found[vocabulary.index(word)])


def test_cosines(folder: Path) -> None:
    ((_, pair, (expected,)),) = [row for row in unit_values(folder) if row[0].startswith("cosine")]
    english = load_vectors(str(folder / "mini.d300.en.gz"), "en")
    one, other = english.look_up(pair.split()).units
    assert float(one @ other) == pytest.approx(expected, abs=TOLERANCE)
    ((_, pair, (expected,)),) = [row for row in unit_values(folder) if row[0].startswith("cross")]
    own, their = pair.split()
    german = load_vectors(str(folder / "mini.d300.de.gz"), "de").look_up([own]).units[0]
    # Six digits are printed, and float32 adds 300 products in an order that processors differ in.
    assert float(german @ english.look_up([their]).units[0]) == pytest.approx(expected, abs=2e-8)


def test_phrase_similarities(folder: Path) -> None:
    values = [row for row in unit_values(folder) if row[0].startswith("phrase")]
    assert len(values) == 2
    metric = Yisi1(vectors=str(folder / "mini.d300.en.gz"), tokenizer="none").bind("en")
    for _, pair, expected in values:
        reference, hypothesis = pair.split(" / ")
        test_set = TestSet(hypotheses={"a": (hypothesis,)}, references=((reference,),))
        batch = build_batch(test_set, metric.needs.annotations)
        (pairs,) = metric.compared(batch)
        # The unit test of the program has no weights.
        plain = pairs.weights._replace(
            own=np.ones(len(pairs.weights.own)), other=np.ones(len(pairs.weights.other))
        )
        means = metric.part(NgramWindows).sides(pairs, plain)
        np.testing.assert_allclose(means[0], expected, rtol=0, atol=TOLERANCE)


def test_published_pairs_with_their_own_weights() -> None:
    rows = [line.split("\t") for line in lines(T7_FILE)[1:]]
    found = tenbin.load_metric("yisi0", language="en").score(
        [hypothesis for hypothesis, _ in rows], [reference for _, reference in rows]
    )
    expected = [0.734159, 0.645943, 0.738073, 0.565137]
    np.testing.assert_allclose(found.segments, expected, rtol=0, atol=TOLERANCE)
