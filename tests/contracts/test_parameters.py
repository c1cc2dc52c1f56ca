"""Contracts on parameters: signatures, specs, binding to a language, and metrics as values.

Second values of a parameter are made up from its type. Where none is possible on its own (a value
that only one kind of smoothing takes) a change of one other parameter is tried before it, so a new
metric needs no entry here.
"""

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError, fields, replace
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from tenbin.annotation.tokenizers import tokenizer_names
from tenbin.core.errors import TenbinError
from tenbin.core.metric import AUTO, NAMES_DATA, Metric, bounds_of
from tenbin.core.run_glossary import RUN
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options, evaluate
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.metrics.catalogue import describe_metric

# None often stands for a round number; these are not round.
NUMBERS = (0.35, 0.625, 1.75, 3.5)
LANGUAGE = "fr"  # none of those that the metrics are bound to

# What several contracts ask of the same metrics.
SIGNATURES: dict[Metric, Signature] = {}
CHANGED: dict[tuple[Metric, str], list[Metric]] = {}
VARIANTS: dict[Metric, tuple[Metric, ...]] = {}


def parameter_names(metric: Metric) -> list[str]:
    return [field.name for field in fields(metric)]  # type: ignore[arg-type]


def second_values(metric: Metric, parameter: str) -> Iterator[object]:
    """Yield values of the parameter's type other than the one it has."""
    hint = get_type_hints(type(metric))[parameter]
    present = getattr(metric, parameter)
    for kind in get_args(hint) or (hint,):
        candidates: list[Any]
        if kind is bool:
            candidates = [True, False]
        elif kind is int:
            candidates = [(present or 0) + step for step in (1, -1, 2)]
        elif kind is float:
            candidates = list(NUMBERS)
        elif kind is str:
            # No resource has the name of a tokenizer, and to look for one takes long.
            names = ["none"] if names_data(metric, parameter) else tokenizer_names()
            candidates = [*names, LANGUAGE, "another"]
        elif kind is NoneType:
            candidates = [None]
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            candidates = list(kind)
        elif get_origin(kind) is tuple:
            candidates = second_lists(get_args(kind)[0], present or ())
        else:
            pytest.fail(f"no second values are known for parameters of the type {kind}")
        yield from (value for value in candidates if value != present)


def second_lists(kind: type, present: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Return lists as long as the present one, whose length other parameters may depend on."""
    if issubclass(kind, StrEnum):
        single = [(value,) for value in kind] if len(present) <= 1 else []
        return [tuple(reversed(present)), *single] if present else [*single]
    return [(value,) * max(len(present), 1) for value in NUMBERS]


def names_data(metric: Metric, parameter: str) -> bool:
    """Return whether a parameter is declared to name a resource: none can be made up."""
    declared = {field.name: field.metadata for field in fields(metric)}  # type: ignore[arg-type]
    return bool(declared[parameter].items() >= NAMES_DATA.items())


def bound_where_possible(metrics: Iterable[Metric], language: str) -> Iterator[Metric]:
    """Yield metrics bound to a language; a value that the language has no data for is refused."""
    for metric in metrics:
        try:
            yield metric.bind(language)
        except TenbinError:
            continue


def signature_of(metric: Metric) -> Signature:
    """Return the signature of a metric, found once for all that compare or read it."""
    if metric not in SIGNATURES:
        SIGNATURES[metric] = metric.signature()
    return SIGNATURES[metric]


def changed(metric: Metric, parameter: str) -> list[Metric]:
    """Return the metric with every possible second value of one parameter, made once for all."""
    key = metric, parameter
    if key not in CHANGED:
        CHANGED[key] = all_changed(metric, parameter)
    return CHANGED[key]


def all_changed(metric: Metric, parameter: str) -> list[Metric]:
    found = []
    for value in second_values(metric, parameter):
        try:
            other = replace(metric, **{parameter: value})  # type: ignore[type-var]
            signature_of(other)  # a tokenizer that is not installed shows here
        except TenbinError:
            continue
        found.append(other)
    return found


def families(metric: Metric, parameter: str) -> list[tuple[Metric, list[Metric]]]:
    """Return metrics, each with those that differ from it in the one parameter."""
    own = changed(metric, parameter)
    if own:
        return [(metric, own)]
    others = [name for name in parameter_names(metric) if name != parameter]
    bases = [base for name in others for base in changed(metric, name)]
    return [(base, found) for base in bases if (found := changed(base, parameter))]


def variants(metric: Metric) -> tuple[Metric, ...]:
    """Return the metric and all that differ from it in one parameter or two, each once."""
    if metric not in VARIANTS:
        found = [metric]
        for parameter in parameter_names(metric):
            for base, others in families(metric, parameter):
                found += [base, *others]
        VARIANTS[metric] = tuple(dict.fromkeys(found))
    return VARIANTS[metric]


def test_changing_any_one_field_changes_the_signature(metric: Metric) -> None:
    for parameter in parameter_names(metric):
        found = families(metric, parameter)
        assert found or names_data(metric, parameter), f"no second value of {parameter} is possible"
        for base, others in found:
            signatures = {str(signature_of(one)) for one in (base, *others)}
            assert len(signatures) == 1 + len(others), (parameter, signatures)


def test_signature_reads_back(metric: Metric) -> None:
    for one in variants(metric):
        signature = signature_of(one)
        assert Signature.parse(str(signature)) == signature
        assert signature.versions[-1][0] == "tenbin"


def test_spec_reads_back_and_loads_the_same_metric(spec: str) -> None:
    metric = registry.load(spec)
    assert str(Spec.parse(spec)) == spec
    assert registry.load(Spec.parse(spec)) == metric
    for one in variants(metric):
        values = tuple((name, getattr(one, name)) for name in parameter_names(one))
        written = Spec(spec, values)
        assert Spec.parse(str(written)) == written
        assert registry.load(str(written)) == one


def test_every_variant_is_finite_and_in_range(
    metric: Metric, language: str, test_set: TestSet
) -> None:
    emptied = replace(test_set, hypotheses=dict(test_set.hypotheses) | {"empty": ("", " ") * 2})
    for one in dict.fromkeys(bound_where_possible(variants(metric), language)):
        (rows,) = chunk_statistics(emptied, [one])
        for scores in (one.segment_score(rows), one.score(rows.sum(axis=1))):
            assert np.isfinite(scores).all(), one
            low, high = bounds_of(one)
            assert (scores >= low).all(), one
            assert (scores <= high + 1e-12 * abs(high)).all(), one


def test_signature_is_known_before_scoring(
    metric: Metric, full_spec: str, language: str, test_set: TestSet
) -> None:
    before = metric.signature()
    chunk_statistics(test_set, [metric])
    assert metric.signature() == before
    (result,) = evaluate(test_set, [full_spec], language, Options()).results
    # A run adds its own facts in front, and changes none.
    run_facts = (("lang", language), ("nrefs", "var"))
    assert result.signature == before.of_run(*run_facts)


def test_no_two_metrics_share_a_signature() -> None:
    names = registry.metric_names()
    signatures = [registry.load(name).signature() for name in names]
    assert [signature.metric for signature in signatures] == list(names)


def test_binding_settles_everything_once(full_spec: str, metric: Metric, language: str) -> None:
    assert metric.bind(language) == metric
    assert metric.bind("en") == metric, "a bound metric has nothing left to settle"
    assert AUTO not in [getattr(metric, name) for name in parameter_names(metric)]
    assert AUTO not in [annotation.method for annotation in metric.needs.annotations]
    assert AUTO not in [value for _, value in metric.signature().fields]
    for other in variants(registry.load(full_spec)):
        for bound in bound_where_possible([other], language):
            assert bound.bind(language) == bound
            # What stands for the glossary of the run is settled as well.
            chosen = [
                name
                for name in parameter_names(other)
                if getattr(other, name) not in {AUTO, RUN, None}
            ]
            assert all(getattr(bound, name) == getattr(other, name) for name in chosen)


def test_metrics_are_values(full_spec: str, metric: Metric, language: str) -> None:
    again = registry.load(full_spec).bind(language)
    assert (again, hash(again)) == (metric, hash(metric))
    copied = pickle.loads(pickle.dumps(metric))  # noqa: S301 - our own bytes
    assert (copied, copied.signature()) == (metric, metric.signature())
    for name in (*parameter_names(metric), "surprise"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(metric, name, None)


def test_declarations_are_complete(spec: str) -> None:
    metric = registry.load(spec)
    assert isinstance(metric, Metric)
    info = metric.info
    for text in (info.title, info.summary, info.citation, info.weaknesses, info.oracle):
        assert text.strip()
    assert info.minimum < info.maximum
    assert 0 <= info.decimals <= 6
    described = describe_metric(spec)
    assert described.definition
    assert [one.name for one in described.parameters] == parameter_names(metric)
    undocumented = [one.name for one in described.parameters if not one.help]
    assert not undocumented, "each parameter needs a line under 'Attributes:'"
