"""Tests metrics against each other and ranks them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tenbin.core.agreement import MetaComparison, MetaRow, MetricTest
from tenbin.core.arrays import FloatArray
from tenbin.meta.measures.measurement import Prepared
from tenbin.meta.measures.system_level import SystemLevel
from tenbin.meta.planning import MetaOptions, MetaTask, chosen_test
from tenbin.meta.significance.bootstrap import difference
from tenbin.meta.significance.permutation import rank_metrics
from tenbin.meta.significance.williams import not_outperformed, williams_matrix
from tenbin.stats.significance import significance_clusters


def compared_metrics(
    rows: Sequence[MetaRow],
    task: MetaTask,
    prepared: Mapping[str, Prepared],
    samples: Mapping[str, FloatArray],
    options: MetaOptions,
) -> tuple[list[MetaRow], tuple[MetaComparison, ...]]:
    """Return the rows with ranks, and every pair of metrics.

    Metrics without value take no part. A new rank begins with a metric that one of the rank above
    beats at p <= .05; a winner is one that no other beats (WMT20: "not outperformed").

    Args:
        rows: One per metric, by one measure on one language pair.
        task: The measure.
        prepared: The measure joined with the scores of each metric.
        samples: Bootstrap samples of each metric, where they were drawn.
        options: The test and its settings.
    """
    defined = [row for row in rows if not np.isnan(row.value)]
    if not defined:
        return list(rows), ()
    names = [row.metric for row in defined]
    values = np.array([row.value for row in defined])
    test = chosen_test(task.info, options.test)
    p_values = _p_values(test, names, values, prepared, samples, options)
    ranks = significance_clusters(values, p_values, higher_is_better=True).tolist()
    winners = set(not_outperformed(names, values, p_values))
    rank_of = dict(zip(names, ranks, strict=True))
    ranked = [
        replace(row, rank=rank_of[row.metric], is_winner=row.metric in winners)
        if row.metric in rank_of
        else row
        for row in rows
    ]
    order = np.argsort(-values, kind="stable")
    comparisons = [
        _comparison(defined[better], defined[worse], p_values[better, worse], test, samples)
        for place, better in enumerate(order)
        for worse in order[place + 1 :]
    ]
    return ranked, tuple(comparisons)


def _p_values(
    test: MetricTest,
    names: Sequence[str],
    values: FloatArray,
    prepared: Mapping[str, Prepared],
    samples: Mapping[str, FloatArray],
    options: MetaOptions,
) -> FloatArray:
    if test is MetricTest.BOOTSTRAP:
        return _bootstrap_p_values(np.stack([samples[name] for name in names]), values)
    measured = {name: prepared[name] for name in names}
    if test is MetricTest.WILLIAMS:
        systems = [one for one in measured.values() if isinstance(one, SystemLevel)]
        return williams_matrix(systems[0].gold, np.stack([one.scores for one in systems]))[1]
    advance = options.advance
    return rank_metrics(
        measured,
        rng=np.random.default_rng(options.seed),
        rounds=options.rounds,
        progress=None if advance is None else lambda _, __: advance(1),
    ).p_values


def _bootstrap_p_values(samples: FloatArray, values: FloatArray) -> FloatArray:
    """Return one-sided p: in how many samples the metric with the higher value is not ahead.

    The value decides and not the samples, which may point the other way where they are not exact:
    for scores of systems that are no means of those of segments.

    Args:
        samples: ``(metrics, samples)``.
        values: What is measured on the data themselves, ``(metrics,)``.
    """
    count = len(samples)
    p_values = np.ones((count, count))
    for one in range(count):
        for other in range(one):
            if values[one] == values[other]:
                continue
            gaps = (samples[one] - samples[other]) * np.sign(values[one] - values[other])
            gaps = gaps[~np.isnan(gaps)]
            behind = np.count_nonzero(gaps <= 0)
            # The data themselves count as one sample, so that p is never 0.
            p_value = (behind + 1) / (len(gaps) + 1) if len(gaps) else np.nan
            p_values[one, other] = p_values[other, one] = min(p_value, 1.0)
    return p_values


def _comparison(
    better: MetaRow,
    worse: MetaRow,
    p_value: float,
    test: MetricTest,
    samples: Mapping[str, FloatArray],
) -> MetaComparison:
    interval = None
    if better.ci is not None and better.metric in samples and worse.metric in samples:
        drawn = np.stack([samples[worse.metric], samples[better.metric]])
        interval = difference(drawn, 0, 1).percentile
    return MetaComparison(
        test_set=better.test_set,
        pair=better.pair,
        measure=better.measure,
        human=better.human,
        better=better.metric,
        worse=worse.metric,
        difference=better.value - worse.value,
        p_value=float(p_value),
        test=str(test),
        ci=interval,
    )
