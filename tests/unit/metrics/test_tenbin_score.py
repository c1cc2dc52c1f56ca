"""The preset `tenbin`: its parts on vectors that can be worked out by hand, and on a model."""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import InvalidParameter, MissingExtra, MissingResource
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.metrics import registry
from tenbin.metrics.aggregations.positions import less_apart
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.tenbin_score import TenbinScore

TABLE = """6 3
cat 1 0 0
kitten .8 .6 0
sat 0 0 1
sits 0 .28 .96
. 0 1 0
! 0 .8 .6
"""
# What makes it BERTScore.
OFF = {
    "penalty": '"none"',
    "position": "0",
    "punctuation": "1",
    "alpha": "0.5",
    "sentence": "0",
    "letters": "0",
}


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return f"static:{tmp_path / 'toy.vec'}"


def score(model: str, own: str, other: str, name: str = "tenbin", **parameters: str) -> float:
    listed = "".join(f", {key}={value}" for key, value in parameters.items())
    metric = tenbin.load_metric(f'{name}(model="{model}"{listed})', language="en")
    return metric.score([own], [other]).score


TEXTS = [
    ("kitten sits .", "cat sat !"),
    ("sat cat", "kitten sat ."),
    ("", "cat"),
    ("7 cats", "8 ."),
]


@pytest.mark.parametrize(("own", "other"), TEXTS)
def test_it_is_bertscore_with_something_added(toy: str, own: str, other: str) -> None:
    plain = score(toy, own, other, name="bertscore")
    assert score(toy, own, other, **OFF) == pytest.approx(plain, abs=1e-12)


def test_pieces_that_stand_apart_are_less_alike(toy: str) -> None:
    # Places 1/2 and 2/2 of two: half of the share is lost.
    chosen = {**OFF, "position": "0.4"}
    assert score(toy, "sat cat", "cat sat", **chosen) == pytest.approx(0.8, abs=1e-6)
    assert score(toy, "cat sat", "cat sat", **chosen) == 1
    block = Blocks.of(np.array([[-0.5, 0.5]], dtype=np.float32))
    found = less_apart(block, 0.4).values
    np.testing.assert_allclose(found, [-0.5, 0.5], atol=1e-7)  # 1/1 and 2/2 are one place


def test_punctuation_weighs_less(toy: str) -> None:
    # cat is found, the mark only as far as .8.
    chosen = {**OFF, "punctuation": "0.5"}
    assert score(toy, "cat .", "cat !", **OFF) == pytest.approx(1.8 / 2, abs=1e-6)
    assert score(toy, "cat .", "cat !", **chosen) == pytest.approx((1 + 0.4) / 1.5, abs=1e-6)
    for weight in ("0", "0.5"):
        only = {**OFF, "punctuation": weight}
        assert score(toy, ".", "!", **only) == pytest.approx(0.8, abs=1e-6)


def test_recall_weighs_more(toy: str) -> None:
    # Precision 1, recall .5.
    texts = "cat", "cat sat"
    assert score(toy, *texts, **OFF) == pytest.approx(2 / 3, abs=1e-6)
    chosen = {**OFF, "alpha": "0.6"}
    assert score(toy, *texts, **chosen) == pytest.approx(0.5 / (0.6 + 0.4 * 0.5), abs=1e-6)


def test_whole_texts(toy: str) -> None:
    # The mean of cat and sat is halfway between them.
    only = {**OFF, "sentence": "1"}
    assert score(toy, "cat", "cat sat", **only) == pytest.approx(0.5**0.5, abs=1e-6)
    assert score(toy, "sat cat", "cat sat", **only) == pytest.approx(1, abs=1e-6)
    assert score(toy, "", "cat", **only) == 0
    # Without a vector of the whole the pieces decide alone.
    metric = tenbin.load_metric(f'tenbin(model="{toy}", letters=0)', language="en")
    assert list(metric.score(["zzz", "cat sat"], ["zzz", "cat sat"]).segments) == [1, 1]
    moved = metric.score(["zzz yyy", "cat sat"], ["yyy zzz", "cat sat"]).segments
    assert moved[0] == pytest.approx(0.8, abs=1e-6)
    part = {**OFF, "sentence": "0.15"}
    expected = 0.85 * 2 / 3 + 0.15 * 0.5**0.5
    assert score(toy, "cat", "cat sat", **part) == pytest.approx(expected, abs=1e-6)


def test_letters_tell_texts_apart_that_are_the_same_to_the_vectors(toy: str) -> None:
    # Of three letters on either side two are in common: 2 × 2 / 6.
    chosen = {**OFF, "letters": "0.3"}
    assert score(toy, "Cat", "cat", **OFF) == pytest.approx(1, abs=1e-6)
    expected = 0.7 + 0.3 * 2 / 3
    assert score(toy, "Cat", "cat", **chosen) == pytest.approx(expected, abs=1e-6)
    assert score(toy, "cat", "cat", **chosen) == 1
    assert score(toy, "", "cat", **chosen) == 0
    assert score(toy, " ", "cat", **chosen) == 0
    assert score(toy, "Cat", "cat") < score(toy, "cat", "cat")


def test_wrong_figures_are_penalized(toy: str) -> None:
    chosen = {**OFF, "penalty": '"numbers"'}
    plain = score(toy, "cat sat 700", "cat sat 900", **OFF)
    assert score(toy, "cat sat 700", "cat sat 900", **chosen) == pytest.approx(0.95 * plain)


@pytest.mark.parametrize(("own", "other"), TEXTS)
def test_the_explanation_leads_to_the_score(toy: str, own: str, other: str) -> None:
    metric = TenbinScore(model=toy).bind("en")
    batch = build_batch(TestSet(hypotheses={"one": (own,)}, references=((other,),)), [])
    explained = metric.explain(batch, 0)
    assert explained.steps[-1].value == pytest.approx(explained.score, abs=1e-12)
    assert explained.score == pytest.approx(score(toy, own, other), abs=1e-12)
    whole = ["whole texts", "sense"] if own.startswith(("kitten", "sat")) else []
    labels = ["F", *whole, *(["letters"] if own else []), "score"]
    assert [step.label for step in explained.steps][2:] == labels


@pytest.mark.parametrize("name", ["position", "punctuation", "alpha", "sentence", "letters"])
def test_parameters(name: str) -> None:
    with pytest.raises(InvalidParameter, match="a number from 0 to 1"):
        registry.load(f"tenbin({name}=1.5)")


def test_on_a_model() -> None:
    """Both layers of one run are those that two runs give."""
    texts = "The kitten sat on a rug.", "The cat was sitting on the mat."
    try:
        plain = score("minilm-en", *texts, name="bertscore")
    except (MissingResource, MissingExtra) as error:
        pytest.skip(str(error))
    assert score("minilm-en", *texts, **OFF) == pytest.approx(plain, abs=1e-6)
    whole = score("minilm-en", *texts, **{**OFF, "sentence": "1"})
    metric = registry.load('bertscore(model="minilm-en", layer=6)').bind("en")
    encoded = metric.compares.encoder().encode(texts)  # type: ignore[attr-defined]
    means = [encoded.units[encoded.rows.row(row)[1:-1]].mean(axis=0) for row in (0, 1)]
    cosine = means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1])
    assert whole == pytest.approx(float(cosine), abs=1e-6)
