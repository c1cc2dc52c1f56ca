"""Samples: those in which nothing can be measured, those that are equal, and what is drawn."""

import numpy as np
import pytest

from tenbin.core.judgments import ScoreMatrix
from tenbin.meta.comparing import _bootstrap_p_values
from tenbin.meta.measures.coefficients import PEARSON
from tenbin.meta.measures.measurement import Averaging, weighted_mean
from tenbin.meta.measures.segment_level import DifferenceCorrelation
from tenbin.meta.measures.tie_calibration import TieAccuracy

HUMAN = ScoreMatrix.by_segment("human", {"A": [1.0, 2.0, 3.0], "B": [2.0, 1.0, 3.0]})
METRIC = ScoreMatrix.by_segment("metric", {"A": [0.1, 0.3, 0.2], "B": [0.2, 0.1, 0.2]})


def test_a_mean_over_nothing() -> None:
    values = np.array([np.nan, 1.0, 3.0])
    counts = np.array([[3.0, 0, 0], [1, 1, 1], [0, 1, 3], [0, 0, 0]])
    found = weighted_mean(values, counts)
    np.testing.assert_array_equal(found, [np.nan, 2.0, 2.5, np.nan])


@pytest.mark.parametrize("as_tau", [False, True])
@pytest.mark.parametrize("averaging", list(Averaging))
def test_nothing_drawn(averaging: Averaging, *, as_tau: bool) -> None:
    prepared = TieAccuracy.prepare(averaging, HUMAN, METRIC, as_tau=as_tau)
    nothing, everything = prepared.resampled(np.array([[0.0, 0, 0], [1, 1, 1]]))
    assert np.isnan(nothing)
    assert everything == pytest.approx(prepared.value().value)


def test_a_group_without_pairs_is_not_counted() -> None:
    # By system, one segment makes no pair of segments: neither system has a value.
    prepared = TieAccuracy.prepare(Averaging.SYSTEM, HUMAN, METRIC)
    one, two = prepared.resampled(np.array([[1.0, 0, 0], [1, 1, 0]]))
    assert np.isnan(one)
    assert two == 1


def test_metrics_that_are_equal_in_every_sample_do_not_differ() -> None:
    samples = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.0, 0.3, 0.4], [0.0, 0.1, 0.2]])
    found = _bootstrap_p_values(samples, samples.mean(axis=1))
    assert found[0, 1] == found[1, 0] == 1
    # Behind in one sample of three, and in none; the data count as one more.
    assert found[0, 2] == pytest.approx(2 / 4)
    assert found[0, 3] == pytest.approx(1 / 4)


def test_what_is_tested_is_the_lead_that_is_shown() -> None:
    # Samples that are not exact may put the other metric ahead: no evidence for the leader.
    samples = np.array([[0.1] * 49, [0.2] * 49])
    assert _bootstrap_p_values(samples, np.array([0.1, 0.2]))[0, 1] == pytest.approx(1 / 50)
    assert _bootstrap_p_values(samples, np.array([0.2, 0.1]))[0, 1] == 1


def test_what_is_drawn_are_segments() -> None:
    human = ScoreMatrix.by_segment("human", {"A": [1.0, 2, 3], "B": [2.0, 1, 3]})
    assert DifferenceCorrelation.prepare(PEARSON, human, METRIC).units == 3
