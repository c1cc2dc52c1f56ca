"""Contracts on scores: the best one, the range, the direction, stacks, empty texts."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric, bounds_of
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics

EXAMPLES = 12  # of each contract, for each metric and language
BLANKS = ("", " ", "\t", "\u3000 \u00a0")


def rows_of(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return statistics, shape (systems, segments, K)."""
    return chunk_statistics(test_set, [metric])[0]


def both_levels(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return all segment scores and corpus scores as one row of numbers."""
    rows = rows_of(metric, test_set)
    segments, corpus = metric.segment_score(rows), metric.score(rows.sum(axis=1))
    return np.concatenate([segments.reshape(-1), corpus.reshape(-1)])


def best_score(metric: Metric) -> float:
    low, high = bounds_of(metric)
    return high if metric.info.higher_is_better else low


def assert_in_range(metric: Metric, scores: FloatArray) -> None:
    # exp(log(100)) is 100.00000000000004, in sacrebleu as here.
    low, high = bounds_of(metric)
    slack = 1e-9 if math.isinf(high) else 1e-12 * abs(high)
    assert np.isfinite(scores).all(), scores
    assert (scores >= low - slack).all(), scores
    assert (scores <= high + slack).all(), scores


def answered_by(test_set: TestSet, choice: int) -> TestSet:
    """Return the test set with one system that repeats a reference of each segment."""
    repeated = tuple(alternatives[choice] for alternatives in test_set.references)
    return replace(test_set, hypotheses={"same": repeated})


@pytest.mark.parametrize("choice", [0, -1])
def test_identity_is_best_where_declared(
    best_at_identity: Metric, test_set: TestSet, choice: int
) -> None:
    scores = both_levels(best_at_identity, answered_by(test_set, choice))
    np.testing.assert_allclose(scores, best_score(best_at_identity), rtol=1e-12, atol=1e-12)


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_identity_is_best_of_made_up_segments(
    best_at_identity: Metric, sentences: st.SearchStrategy[str], data: st.DataObject
) -> None:
    references = data.draw(st.lists(st.lists(sentences, min_size=1, max_size=3), min_size=1))
    test_set = TestSet(
        hypotheses={"same": tuple(data.draw(st.sampled_from(texts)) for texts in references)},
        references=tuple(map(tuple, references)),
        source=tuple(texts[0] for texts in references),
    )
    scores = both_levels(best_at_identity, test_set)
    np.testing.assert_allclose(scores, best_score(best_at_identity), rtol=1e-12, atol=1e-12)


def test_direction_is_as_declared(metric: Metric, test_set: TestSet) -> None:
    shuffled = test_set.references[1:] + test_set.references[:1]
    wrong = TestSet(
        hypotheses={"wrong": tuple(alternatives[0] for alternatives in shuffled)},
        references=test_set.references,
        source=test_set.source,
    )
    right = rows_of(metric, answered_by(test_set, 0)).sum(axis=1)
    difference = metric.score(right) - metric.score(rows_of(metric, wrong).sum(axis=1))
    assert (difference > 0) == metric.info.higher_is_better


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_scores_are_in_the_declared_range(
    metric: Metric, test_sets: st.SearchStrategy[TestSet], data: st.DataObject
) -> None:
    assert_in_range(metric, both_levels(metric, data.draw(test_sets)))


def test_empty_sides_are_defined(metric: Metric, test_set: TestSet) -> None:
    text = test_set.references[0][0]
    for hypothesis, reference in product((*BLANKS, text), repeat=2):
        for references in ((reference,), (reference, text)):
            for source in ("", text):
                one = TestSet(
                    hypotheses={"system": (hypothesis,)}, references=(references,), source=(source,)
                )
                assert_in_range(metric, both_levels(metric, one))


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_corpus_is_mean_of_segments_where_declared(
    mean_of_segments: Metric, test_sets: st.SearchStrategy[TestSet], data: st.DataObject
) -> None:
    rows = rows_of(mean_of_segments, data.draw(test_sets))
    means = mean_of_segments.segment_score(rows).mean(axis=1)
    np.testing.assert_allclose(mean_of_segments.score(rows.sum(axis=1)), means, rtol=1e-12)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 4), (2, 1, 3), (0,), (2, 0)])
def test_score_of_a_stack_is_the_stack_of_scores(
    metric: Metric, test_set: TestSet, shape: tuple[int, ...]
) -> None:
    rows = rows_of(metric, test_set)[0]
    draws = np.random.default_rng(1).integers(0, 3, size=(*shape, len(rows)))
    draws[..., 0] += 1  # a resample is never empty
    stack = draws @ rows
    for function in (metric.score, metric.segment_score):
        scores = function(stack)
        assert np.shape(scores) == shape
        single = [function(stack[position]) for position in np.ndindex(shape)]
        assert all(np.shape(score) == () for score in single)
        expected = np.array(single, dtype=np.float64).reshape(shape)
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)
