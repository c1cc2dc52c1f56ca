"""Reranking without references, and the oracle with them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbin
from tenbin.core.candidates import CandidateLists
from tenbin.core.errors import ShapeError, UsageError

SCORED = CandidateLists(texts=(("a", "b", "c"), ("d", "e")), scores=((1.0, 3.0, 2.0), (5.0, 5.0)))
TEXTS = st.lists(st.sampled_from(["a", "cat", "sat", "dog"]), max_size=5).map(" ".join)


def test_given_scores_order_candidates() -> None:
    found = tenbin.rerank(SCORED, language="en", given=True)
    assert found.texts == ("b", "d")
    assert found.ranked(0).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "nothing to order"),
        ({"metrics": ["chrf"]}, "compares with references"),
        ({"given": True, "weights": [1, 2]}, "2 weights for 1 feature"),
        ({"given": True, "weights": [-1]}, "at least 0"),
        ({"given": True, "weights": [float("nan")]}, "at least 0"),
        ({"given": True, "weights": [0]}, "one above"),
        ({"metrics": ["sentence-source"]}, "source text"),
        ({"metrics": "chrf"}, "a list of specs"),
    ],
)
def test_wrong_features_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tenbin.rerank(SCORED, language="en", **options)


def test_lists_without_scores_have_no_given_ones() -> None:
    with pytest.raises(UsageError, match="came without scores"):
        tenbin.rerank([["a", "b"]], language="en", given=True)


def test_scores_must_be_of_all_candidates() -> None:
    with pytest.raises(ShapeError, match="2 candidates and 1 score"):
        CandidateLists(texts=(("a", "b"),), scores=((1.0,),))


def test_features_are_added_by_weight(tmp_path: Path) -> None:
    (tmp_path / "en.vec").write_text("2 2\ncat 1 0\ndog .6 .8\n")
    (tmp_path / "de.vec").write_text("2 2\nkatze 1 0\nhund 0 1\n")
    files = f'vectors="{tmp_path / "en.vec"}", source_vectors="{tmp_path / "de.vec"}"'
    metric = f'yisi2({files}, idf="none")'
    lists = CandidateLists(texts=(("dog", "cat"),), scores=((0.5, 0.0),))
    options: dict[str, Any] = {"language": "en", "source": ["Katze"], "metrics": [metric]}
    alone = tenbin.rerank(lists, **options)
    assert alone.texts == ("cat",)
    with pytest.raises(UsageError, match="need weights"):
        tenbin.rerank(lists, **options, given=True)
    both = tenbin.rerank(lists, **options, given=True, weights=[1, 100])
    assert both.texts == ("dog",)
    assert both.values is not None
    np.testing.assert_allclose(both.scores[0], both.values[0] @ [1, 100])


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=3), TEXTS)
@pytest.mark.parametrize("metric", ["chrf", "sentbleu", "wer"])
def test_no_candidate_is_better_than_the_oracle(
    metric: str, lists: list[list[str]], reference: str
) -> None:
    found = tenbin.oracle(lists, [reference] * len(lists), metric=metric, language="en")
    up = found.selection.higher_is_better
    for scores, chosen in zip(found.selection.scores, found.selection.chosen, strict=True):
        assert scores[chosen] == (np.max(scores) if up else np.min(scores))
    order = [found.worst.mean, found.first.mean, found.best.mean]
    assert order == sorted(order, reverse=not up) or np.isnan(order).any()
    assert found.gap >= 0 or np.isnan(found.gap)


def test_the_oracle_says_how_far_the_first_is() -> None:
    found = tenbin.oracle(
        [["a dog", "a cat"], ["the mat", "x"]], ["a cat", "the mat"], metric="chrf", language="en"
    )
    assert found.best.corpus == 100
    assert found.first_is_best == 1
    assert found.gap == pytest.approx(100 - found.first.mean)


def test_several_references_count() -> None:
    found = tenbin.oracle([["a dog"]], [["a cat", "a dog"]], metric="chrf", language="en")
    assert found.best.corpus == 100
    assert "nrefs:2" in str(found.selection.features[0].signature)


def test_an_oracle_sees_references() -> None:
    with pytest.raises(ShapeError, match="needs references"):
        tenbin.oracle([["a"]], None, metric="chrf", language="en")
    with pytest.raises(UsageError, match="no oracle"):
        tenbin.oracle([["a"]], ["a"], metric="sentence-source", language="en", source=["x"])
