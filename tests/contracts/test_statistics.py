"""Contracts on statistics: order, addition, company, needs, and the same number every time."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import MadeUp

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics, gather_statistics
from tenbin.metrics import registry


def rows_of(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return statistics, shape (systems, segments, K)."""
    return chunk_statistics(test_set, [metric])[0]


def reordered(test_set: TestSet, order: Sequence[int]) -> TestSet:
    return TestSet(
        hypotheses={
            name: tuple(texts[position] for position in order)
            for name, texts in test_set.hypotheses.items()
        },
        references=tuple(test_set.references[position] for position in order),
        source=tuple((test_set.source or ())[position] for position in order),
    )


def assert_close(found: FloatArray, expected: FloatArray, test_set: TestSet) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=str(test_set))


def test_segment_order_does_not_matter(metric: Metric, made_up: tuple[MadeUp, ...]) -> None:
    for one in made_up:
        rows = one.rows(metric)
        moved = rows_of(metric, reordered(one.test_set, one.order))
        total, expected = (metric.score(some.sum(axis=1)) for some in (moved, rows))
        assert_close(total, expected, one.test_set)
        segments = metric.segment_score(rows)[:, one.order]
        assert_close(metric.segment_score(moved), segments, one.test_set)


def test_reference_order_does_not_matter_where_declared(
    free_of_reference_order: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    metric = free_of_reference_order
    for one in made_up:
        references = tuple(texts[::-1] for texts in one.test_set.references)
        if references == one.test_set.references:
            continue
        rows = one.rows(metric)
        moved = rows_of(metric, replace(one.test_set, references=references))
        total, expected = (metric.score(some.sum(axis=1)) for some in (moved, rows))
        assert_close(total, expected, one.test_set)
        assert_close(metric.segment_score(moved), metric.segment_score(rows), one.test_set)


def test_statistics_of_a_concatenation_are_the_rows_of_both(
    segment_by_segment: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    metric = segment_by_segment
    for one in made_up:
        bounds = [(0, one.place), (one.place, one.test_set.segment_count)]
        parts = [rows_of(metric, one.test_set.part(a, b)) for a, b in bounds if a < b]
        np.testing.assert_array_equal(
            np.concatenate(parts, axis=1), one.rows(metric), str(one.test_set)
        )


def test_a_segment_scores_the_same_in_any_batch(
    segment_by_segment: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    metric = segment_by_segment
    for one in made_up:
        rows = one.rows(metric)
        for system, (name, texts) in enumerate(one.test_set.hypotheses.items()):
            alone = replace(one.test_set, hypotheses={name: texts})
            for segment in range(one.test_set.segment_count):
                row = rows_of(metric, alone.part(segment, segment + 1))[0, 0]
                np.testing.assert_array_equal(row, rows[system, segment], str(one.test_set))


def test_corpus_statistics_are_the_sum_of_the_rows(metric: Metric, test_set: TestSet) -> None:
    (gathered,) = gather_statistics(test_set, [metric], keep_rows=True)
    rows = rows_of(metric, test_set)
    np.testing.assert_array_equal(gathered.rows, rows)
    np.testing.assert_allclose(gathered.totals, rows.sum(axis=1), rtol=1e-12)


def test_other_metrics_change_nothing(
    full_specs: tuple[str, ...], language: str, test_set: TestSet
) -> None:
    metrics = [registry.load(spec).bind(language) for spec in full_specs]
    together = chunk_statistics(test_set, metrics)
    for metric, rows in zip(metrics, together, strict=True):
        np.testing.assert_array_equal(rows, rows_of(metric, test_set))


def test_a_metric_reads_all_it_needs_and_nothing_more(metric: Metric, test_set: TestSet) -> None:
    needs = metric.needs
    given_texts = test_set if needs.source else replace(test_set, source=None)
    batch = build_batch(given_texts, needs.annotations)
    assert set(batch.columns) == needs.annotations
    rows = metric.statistics(batch)
    assert rows.shape[0] == len(batch)
    assert rows.dtype == np.float64
    for annotation in needs.annotations:
        fewer = {key: column for key, column in batch.columns.items() if key != annotation}
        with pytest.raises(KeyError, match="was not declared"):
            metric.statistics(replace(batch, columns=fewer))


class Spy:
    """Stands in for a metric and keeps what it was shown."""

    def __init__(self, metric: Metric) -> None:
        self.needs, self.info = metric.needs, metric.info
        self.seen: list[Batch] = []

    def statistics(self, batch: Batch) -> FloatArray:
        self.seen.append(batch)
        return np.zeros((len(batch), 1))


def test_a_metric_is_shown_only_what_it_declares(
    full_specs: tuple[str, ...], language: str, test_set: TestSet
) -> None:
    metrics = [registry.load(spec).bind(language) for spec in full_specs]
    spies = [Spy(metric) for metric in metrics]
    chunk_statistics(test_set, spies)  # type: ignore[arg-type]
    for spy in spies:
        (batch,) = spy.seen
        assert set(batch.columns) == spy.needs.annotations
        assert (batch.sources is not None) == spy.needs.source


@contextmanager
def kernels(choice: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        yield


def test_plain_and_compiled_kernels_agree_to_the_last_bit(
    metric: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    for one in made_up:
        with kernels("plain"):
            plain = rows_of(metric, one.test_set)
        with kernels("compiled"):
            compiled = rows_of(metric, one.test_set)
        np.testing.assert_array_equal(compiled, plain, str(one.test_set))


_SCORE_ALL = """
import json, sys, tenbin
for request in json.load(sys.stdin):
    table = tenbin.score(**request, segments=True, ci=True, resamples=10)
    sys.stdout.write(table.to_json())
"""


def test_same_scores_under_another_hash_seed(
    corpora: dict[str, TestSet], specs_by_language: dict[str, tuple[str, ...]]
) -> None:
    requests: list[dict[str, Any]] = [
        {
            "hypotheses": dict(test_set.hypotheses),
            "references": test_set.references,
            "source": test_set.source,
            "metrics": specs_by_language[language],
            "language": language,
        }
        for language, test_set in corpora.items()
    ]
    # This process has a seed that nobody chose, or the one of its environment.
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = subprocess.run(
        [sys.executable, "-c", _SCORE_ALL],
        input=json.dumps(requests),
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    ).stdout
    own = [tenbin.score(**one, segments=True, ci=True, resamples=10) for one in requests]
    assert other == "".join(table.to_json() for table in own)
    assert other.count('"signature"') == 2 * len(requests) * len(requests[0]["metrics"])
