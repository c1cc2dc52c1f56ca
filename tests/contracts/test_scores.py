"""Contracts on scores: the best one, the range, the direction, stacks, empty texts."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.contracts.made_up import MadeUp

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric, bounds_of
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics

BLANKS = ("", " ", "\t", "\u3000 \u00a0")


def rows_of(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return statistics, shape (systems, segments, K)."""
    return chunk_statistics(test_set, [metric])[0]


def both_levels(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return all segment scores and corpus scores as one row of numbers."""
    return levels_of_rows(metric, rows_of(metric, test_set))


def levels_of_rows(metric: Metric, rows: FloatArray) -> FloatArray:
    segments, corpus = metric.segment_score(rows), metric.score(rows.sum(axis=1))
    return np.concatenate([segments.reshape(-1), corpus.reshape(-1)])


def best_score(metric: Metric) -> float:
    low, high = bounds_of(metric)
    return high if metric.info.higher_is_better else low


def assert_in_range(metric: Metric, scores: FloatArray, test_set: TestSet) -> None:
    # exp(log(100)) is 100.00000000000004, in sacrebleu as here.
    low, high = bounds_of(metric)
    slack = 1e-9 if math.isinf(high) else 1e-12 * abs(high)
    assert np.isfinite(scores).all(), (scores, test_set)
    assert (scores >= low - slack).all(), (scores, test_set)
    assert (scores <= high + slack).all(), (scores, test_set)


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


def test_identity_is_best_of_made_up_segments(
    best_at_identity: Metric, repeating: tuple[TestSet, ...]
) -> None:
    best = best_score(best_at_identity)
    for test_set in repeating:
        scores = both_levels(best_at_identity, test_set)
        np.testing.assert_allclose(scores, best, rtol=1e-12, atol=1e-12, err_msg=str(test_set))


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


def test_scores_are_in_the_declared_range(metric: Metric, made_up: tuple[MadeUp, ...]) -> None:
    for one in made_up:
        assert_in_range(metric, levels_of_rows(metric, one.rows(metric)), one.test_set)


def test_empty_sides_are_defined(metric: Metric, test_set: TestSet) -> None:
    text = test_set.references[0][0]
    # A metric that is shown no source cannot tell them apart.
    sources = ("", text) if metric.needs.source else (text,)
    whole: list[tuple[str, tuple[str, ...], str]] = []
    for hypothesis, reference in product((*BLANKS, text), repeat=2):
        whole += product((hypothesis,), ((reference,), (reference, text)), sources)
    # Together blanks are segments like others; alone, two of each kind are the whole corpus.
    for some in (whole, *([one] for one in whole if not {*BLANKS[1:-1]} & {one[0], *one[1]})):
        hypotheses, references, source = zip(*some, strict=True)
        one = TestSet(hypotheses={"system": hypotheses}, references=references, source=source)
        assert_in_range(metric, both_levels(metric, one), one)


def test_corpus_is_mean_of_segments_where_declared(
    mean_of_segments: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    for one in made_up:
        rows = one.rows(mean_of_segments)
        means = mean_of_segments.segment_score(rows).mean(axis=1)
        found = mean_of_segments.score(rows.sum(axis=1))
        np.testing.assert_allclose(found, means, rtol=1e-12, err_msg=str(one.test_set))


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
