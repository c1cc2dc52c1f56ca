"""Compares systems: which differences are more than chance?"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.difference_curve import CurveTable, DifferenceCurve, fitting_curve
from tenbin.core.errors import UsageError
from tenbin.core.progress import step
from tenbin.core.scores import Comparison, MetricComparison, MetricScores, tested_pairs
from tenbin.core.text import SegmentSource
from tenbin.evaluation.run import Options, Scored, confidence_intervals, evaluate_units
from tenbin.resources.difference_curves import bundled_curves
from tenbin.stats.resampling import bootstrap_scores
from tenbin.stats.significance import (
    holm,
    paired_bootstrap,
    paired_randomization,
    significance_clusters,
)


class Test(StrEnum):
    """A two-sided test of the difference between two systems on the same segments."""

    __test__ = False  # not a pytest class

    RANDOMIZATION = "ar"
    BOOTSTRAP = "bootstrap"


DEFAULT_ROUNDS = {Test.RANDOMIZATION: 10_000, Test.BOOTSTRAP: 1_000}


def compare_systems(
    source: SegmentSource,
    specs: Sequence[str],
    language: str,
    options: Options,
    *,
    test: Test = Test.RANDOMIZATION,
    rounds: int | None = None,
    baseline: str | None = None,
    curves: CurveTable | None = None,
) -> Comparison:
    """Return every pairwise difference with its p-value, and ranks of systems that differ.

    Args:
        source: The test set; at least two systems.
        specs: The metrics.
        language: Target language.
        options: How to score; the seed feeds the test too. Resamples give the scores intervals,
            which have no part in the test.
        test: Approximate randomization, or the paired bootstrap.
        rounds: Random rounds; by default 10,000 (randomization) or 1,000 (bootstrap).
        baseline: Compare the others with this system alone; Holm's correction then counts these
            pairs only, and no ranks are given.
        curves: What differences mean to people; None for the curves that Tenbin has.
    """
    if len(source.systems) < 2:  # noqa: PLR2004 - a comparison takes two
        raise UsageError("a comparison needs at least two systems (`systems`); there is one.")
    if baseline is not None and baseline not in source.systems:
        listed = ", ".join(source.systems)
        raise UsageError(f"the baseline {baseline!r} is not among the systems: {listed}.")
    rounds = rounds or DEFAULT_ROUNDS[test]
    scored = evaluate_units(
        source, specs, language, replace(options, resamples=0), draws_units=True
    )
    # sacrebleu's keys: bs for the bootstrap, ar for randomization.
    key = "ar" if test is Test.RANDOMIZATION else "bs"
    run_fields = ((key, str(rounds)), ("unit", scored.unit), ("seed", str(options.seed)))
    intervals = confidence_intervals(scored.metrics, scored.units, options)
    results = tuple(
        replace(result, signature=result.signature.of_run(*run_fields), intervals=interval)
        for result, interval in zip(scored.scores.results, intervals, strict=True)
    )
    p_values = _p_values(scored, test, rounds, options.seed)
    curves = bundled_curves() if curves is None else curves
    spaced = parse_language(language).spaced
    return Comparison(
        scores=replace(scored.scores, results=results),
        metrics=tuple(
            compared(
                result,
                matrix,
                source.systems,
                baseline,
                fitting_curve(curves.curves, result.signature, spaced=spaced),
            )
            for result, matrix in zip(results, p_values, strict=True)
        ),
        test=str(test),
        rounds=rounds,
        seed=options.seed,
        unit=scored.unit,
        baseline=baseline,
        curve_source=curves.source,
        resamples=options.resamples,
    )


def _p_values(scored: Scored, test: Test, rounds: int, seed: int) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    scorers = [metric.score for metric in scored.metrics]
    with step("testing differences", rounds) as advance:
        if test is Test.RANDOMIZATION:
            return paired_randomization(
                scored.units, scorers, rounds=rounds, rng=rng, advance=advance
            )
        resampled = bootstrap_scores(
            scored.units, scorers, resamples=rounds, rng=rng, advance=advance
        )
    observed = [result.scores for result in scored.scores.results]
    return [paired_bootstrap(own, drawn) for own, drawn in zip(observed, resampled, strict=True)]


def compared(
    scores: MetricScores,
    p_values: FloatArray,
    systems: Sequence[str],
    baseline: str | None,
    curve: DifferenceCurve | None,
) -> MetricComparison:
    """Return the differences of scores with their p-values, corrected, and ranks.

    Args:
        scores: The scores.
        p_values: Of all pairs, shape (systems, systems).
        systems: Names of the systems.
        baseline: The one that the others are compared with; None for all pairs.
        curve: What differences mean to people, where known.
    """
    first, second = np.transpose(tested_pairs(systems, baseline))
    adjusted = np.full(p_values.shape, np.nan)
    adjusted[first, second] = holm(p_values[first, second])
    adjusted[second, first] = adjusted[first, second]
    tested = np.where(np.isnan(adjusted), np.nan, p_values)
    ranks = None
    if baseline is None:
        ranks = significance_clusters(
            scores.scores, adjusted, higher_is_better=scores.higher_is_better
        )
    return MetricComparison(
        scores=scores,
        differences=scores.scores[:, None] - scores.scores[None, :],
        p_values=tested,
        adjusted=adjusted,
        ranks=ranks,
        curve=curve,
    )
