"""Contracts on company: what else is in a run must not change the score of a translation.

A metric that declares no weights gives one score to a hypothesis and its references, whatever else
is scored; that is `test_a_segment_scores_the_same_in_any_batch`. Those that learn weights from the
references or sources of the test set declare it, and depend on nothing but these. To learn from
hypotheses is possible where a parameter asks for it, and by no default.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.contracts.made_up import MadeUp

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.core.metric import ExplainableMetric, Metric, Property
from tenbin.core.text import TestSet
from tenbin.evaluation import statistics
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

WEIGHTS = frozenset(one for one in Property if one.name.startswith("WEIGHTS_FROM"))


def segment_scores(metric: Metric, test_set: TestSet) -> FloatArray:
    """Return segment scores, shape (systems, segments)."""
    return metric.segment_score(chunk_statistics(test_set, [metric])[0])


@pytest.mark.parametrize("any_name", registry.metric_names())
def test_what_a_default_learns_is_declared(any_name: str) -> None:
    """All metrics, those included that cannot run before the user names data."""
    metric = registry.load(any_name)
    declared = WEIGHTS & metric.info.properties
    assert metric.needs.collection == bool(declared)
    assert not metric.needs.system_weights
    assert Property.WEIGHTS_FROM_HYPOTHESES not in declared


def test_the_same_segment_scores_the_same_in_every_system(
    metric: Metric, made_up: tuple[MadeUp, ...]
) -> None:
    for one in made_up:
        texts, shared = next(iter(one.test_set.hypotheses.values())), one.place
        mixed = tuple(
            own if place == shared else texts[other]
            for place, (own, other) in enumerate(zip(texts, one.order, strict=True))
        )
        worse = tuple(own if place == shared else "" for place, own in enumerate(texts))
        company = replace(one.test_set, hypotheses={"one": texts, "two": mixed, "three": worse})
        found = segment_scores(metric, company)[:, shared]
        np.testing.assert_array_equal(found, found[0], str(company))


def test_other_systems_change_nothing(metric: Metric, made_up: tuple[MadeUp, ...]) -> None:
    for one in made_up:
        name, texts = next(iter(one.test_set.hypotheses.items()))
        references = tuple(some[0] for some in one.test_set.references)
        company = {"first": references, name: texts, "last": texts[::-1]}
        together = segment_scores(metric, replace(one.test_set, hypotheses=company))
        # By itself, or beside one other system.
        own = metric.segment_score(one.rows(metric))[0]
        np.testing.assert_array_equal(together[1], own, str(one.test_set))


def scored(
    test_set: TestSet, specs: tuple[str, ...], language: str, jobs: int = 1
) -> dict[tuple[str, str], list[float]]:
    """Return the segment scores of each metric and system, through the library."""
    table = tenbin.score(test_set, metrics=list(specs), language=language, segments=True, jobs=jobs)
    return {
        (result.metric, name): result.segments[place].tolist()
        for result in table.results
        if result.segments is not None
        for place, name in enumerate(table.systems)
    }


def test_batches_systems_and_explanations_agree(
    full_spec: str, language: str, test_set: TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = scored(test_set, (full_spec,), language)
    monkeypatch.setattr(statistics, "_CHUNK_STRINGS", 1)
    assert scored(test_set, (full_spec,), language) == together, "a batch for each segment"
    for name, texts in test_set.hypotheses.items():
        alone = replace(test_set, hypotheses={name: texts})
        for key, found in scored(alone, (full_spec,), language).items():
            assert found == together[key]
    if isinstance(registry.load(full_spec), ExplainableMetric):
        last = test_set.systems[-1]
        (explained,) = tenbin.explain(
            test_set, language=language, metric=full_spec, segments=1, systems=[last]
        )
        (expected,) = (found[0] for (_, name), found in together.items() if name == last)
        assert explained.score == pytest.approx(expected, abs=1e-12)


def test_two_processes_agree_with_one(
    full_specs: tuple[str, ...],
    language: str,
    test_set: TestSet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    together = scored(test_set, full_specs, language)
    assert len(together) == len(full_specs) * len(test_set.systems)
    monkeypatch.setattr(statistics, "_CHUNK_STRINGS", 10)
    assert scored(test_set, full_specs, language, jobs=2) == together
