"""YiSi-1 on pieces of a model: the numbers of YiSi-1 where pieces are words."""

from math import log, log2
from pathlib import Path

import pytest

import tenbin
from tenbin.building.idf import build_idf
from tenbin.core.errors import InvalidParameter, MissingExtra, MissingResource
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.metrics import registry
from tenbin.metrics.yisi import ContextYisi1

TABLE = """7 3
cat 1 0 0
kitten .8 .6 0
dog .6 .8 0
sat 0 0 1
sits 0 .28 .96
the .6 0 .8
a .48 .36 .8
"""
OWN = ("a kitten sits", "the dog sat", "the cat", "", "zzz cat")
OTHER = ("the cat sat", "a dog sits", "cat sat the", "a cat", "zzz kitten")


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return str(tmp_path / "toy.vec")


@pytest.mark.parametrize("parameters", ["", ", ngram=1", ", alpha=0.3, ngram=2"])
def test_words_of_static_vectors_score_as_yisi1(toy: str, parameters: str) -> None:
    words = tenbin.load_metric(f'yisi1(vectors="{toy}"{parameters})', language="en")
    pieces = tenbin.load_metric(f'yisi1-context(model="static:{toy}"{parameters})', language="en")
    expected = words.score(OWN, OTHER).segments
    assert pieces.score(OWN, OTHER).segments == pytest.approx(expected, abs=1e-7)


def test_weights(toy: str, tmp_path: Path) -> None:
    # Of the 1-grams of the reference cat is found, sat is not; cat is in all references.
    parameters = f'model="static:{toy}", ngram=1, alpha=1'

    def recall(more: str) -> float:
        metric = tenbin.load_metric(f"yisi1-context({parameters}{more})", language="en")
        return float(metric.score(["cat", "cat"], ["cat sat", "cat"]).segments[0])

    assert recall(", idf=False") == pytest.approx(1 / 2)
    cat, sat = log2(1 + 3 / 3), log2(1 + 3 / 2)
    assert recall("") == pytest.approx(cat / (cat + sat))
    dictionary = tmp_path / "x.idf"
    (tmp_path / "corpus.txt").write_text("cat sat\ncat dog\ndog the\n")
    build_idf([str(tmp_path / "corpus.txt")], "en", str(dictionary))
    rare, common = log(4 / 2), log(4 / 3)
    assert recall(f', idf="{dictionary}"') == pytest.approx(common / (common + rare))


def test_the_explanation_leads_to_the_score(toy: str) -> None:
    metric = ContextYisi1(model=f"static:{toy}").bind("en")
    texts = TestSet(hypotheses={"one": OWN}, references=tuple((text,) for text in OTHER))
    batch = build_batch(texts, [])
    scores = metric.segment_score(metric.statistics(batch))
    for item, score in enumerate(scores.tolist()):
        explained = metric.explain(batch, item)
        assert explained.steps[-1].value == pytest.approx(score, abs=1e-12)


def test_parameters() -> None:
    with pytest.raises(InvalidParameter, match="a number from 0 to 1"):
        registry.load("yisi1-context(alpha=2)")
    with pytest.raises(InvalidParameter, match="a whole number from 1 to 20"):
        registry.load("yisi1-context(ngram=0)")


def test_on_a_model() -> None:
    """Marks of the model take no part: a text of one word has no 1-gram but that word."""
    try:
        metric = tenbin.load_metric('yisi1-context(model="minilm-en", idf=False)', language="en")
    except (MissingResource, MissingExtra) as error:
        pytest.skip(str(error))
    bound = registry.load('bertscore(model="minilm-en")').bind("en")
    encoded = bound.compares.encoder().encode(["cat", "kitten"])  # type: ignore[attr-defined]
    own, other = (encoded.units[encoded.rows.row(row)[1]] for row in (0, 1))
    assert metric.score(["cat"], ["kitten"]).score == pytest.approx(float(own @ other), abs=1e-6)
