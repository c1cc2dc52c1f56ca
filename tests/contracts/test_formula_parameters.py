"""Parameters that a metric declares to be of its formula alone leave its statistics as they are."""

from dataclasses import fields, replace

import numpy as np
import pytest

from tenbin.core.metric import Metric, formula_parameters, statistics_key
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

DECLARING = [
    name
    for name in registry.metric_names()
    if formula_parameters(registry.metric_class(name)) and not registry.load(name).needs.parameters
]
REFERENCES = (
    "The cat sat quietly on the old mat.",
    "Rain fell on the town all night long.",
    "She wrote three letters to her brother.",
)
HYPOTHESES = (
    "On the old mat the cats sat quietly.",
    "All night rain was falling on a town.",
    "Three letters she wrote her brother.",
)
TEXTS = TestSet(hypotheses={"one": HYPOTHESES}, references=tuple((r,) for r in REFERENCES))


def other_value(value: object) -> object:
    """Return another value of a number or a list of numbers, within the usual range of 0 to 1."""
    if isinstance(value, tuple):
        return tuple(other_value(part) for part in value)
    assert isinstance(value, int | float)
    return 0.9 * value + 0.01 if value > 0 else 0.5


def statistics(metric: Metric) -> np.ndarray:
    return chunk_statistics(TEXTS, [metric])[0]


def test_some_metric_declares_such_parameters() -> None:
    assert "meteor" in DECLARING


@pytest.mark.parametrize("name", DECLARING)
def test_statistics_stay_and_scores_change(name: str) -> None:
    metric = registry.load(name).bind("en")
    rows = statistics(metric)
    for parameter in formula_parameters(type(metric)):
        changed = replace(metric, **{parameter: other_value(getattr(metric, parameter))})  # type: ignore[type-var]
        assert np.array_equal(statistics(changed), rows), parameter
        assert statistics_key(changed) == statistics_key(metric)
        assert not np.array_equal(changed.score(rows), metric.score(rows)), parameter


@pytest.mark.parametrize("name_of_metric", registry.metric_names())
def test_the_key_tells_apart_all_that_is_not_declared(name_of_metric: str) -> None:
    chosen = registry.metric_class(name_of_metric)
    named = {field.name for field in fields(chosen)}  # type: ignore[arg-type]
    kept = {entry[0] for entry in statistics_key(registry.load(name_of_metric))[1:]}  # type: ignore[index]
    assert kept == named - formula_parameters(chosen)
