"""Describes metrics from what their classes declare, for listings and documentation."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import cast, get_type_hints

from tenbin.core.errors import ResourceError, UsageError
from tenbin.core.metric import (
    BaseMetric,
    Metric,
    MetricInfo,
    Needs,
    ScoreBounds,
    bounds_of,
    type_in_words,
)
from tenbin.core.part import Part
from tenbin.core.spec import Spec, SpecValue, format_value
from tenbin.metrics.registry import ALIASES, load, metric_class, metric_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a metric."""

    name: str
    kind: str
    default: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDescription:
    """All that is known about a metric without running it."""

    name: str
    aliases: tuple[str, ...]
    info: MetricInfo
    bounds: ScoreBounds
    definition: str
    parameters: tuple[Parameter, ...]
    needs: Needs
    signature: str
    package: str


@dataclass(frozen=True, slots=True)
class MetricCatalog:
    """The descriptions of several metrics.

    Attributes:
        metrics: One after the other.
        by_language: Metrics of meaning that agree best with people, by target language.
    """

    metrics: tuple[MetricDescription, ...]
    by_language: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def describe_all() -> list[MetricDescription]:
    """Describe every installed metric."""
    return [describe_metric(name) for name in metric_names()]


def describe_metric(text: str) -> MetricDescription:
    """Describe the metric that a spec or alias names."""
    metric = load(text)
    spec = Spec.parse(text)
    alias = ALIASES.get(spec.name.lower())
    name = spec.name.lower() if alias is None else alias.name
    chosen = metric_class(name)
    definition, helps = _docstring(chosen)
    return MetricDescription(
        name=name,
        aliases=tuple(
            f"{other} = {meaning}" for other, meaning in ALIASES.items() if meaning.name == name
        ),
        info=chosen.info,
        bounds=bounds_of(metric),
        definition=definition,
        parameters=tuple(_parameters(chosen, helps)),
        needs=metric.needs,
        signature=_signature(metric),
        package=chosen.__module__.partition(".")[0],
    )


def _signature(metric: Metric) -> str:
    if metric.needs.parameters:
        return str(metric.signature())
    try:
        return str(metric.bind("en").signature())
    except ResourceError as missing:
        return f"({missing})"
    except UsageError:  # it is for other languages
        return str(metric.signature())


def _parameters(chosen: type[Metric], helps: dict[str, str]) -> list[Parameter]:
    hints = get_type_hints(chosen, include_extras=True)
    return [
        Parameter(
            name=field.name,
            kind=type_in_words(hints[field.name]),
            default="" if field.default is MISSING else _written(field.default),
            help=helps.get(field.name, ""),
        )
        for field in fields(chosen)  # type: ignore[arg-type]
    ]


def _written(value: object) -> str:
    """Return a default as a user would type it in a spec; texts without quotes.

    >>> _written(False), _written(None), _written(("exact", "stem"))
    ('False', 'None', '("exact", "stem")')
    """
    return str(value) if isinstance(value, str) else format_value(cast("SpecValue", value))


def _docstring(chosen: type) -> tuple[str, dict[str, str]]:
    """Return the definition in a class's docstring, and the help of each parameter."""
    helps: dict[str, str] = {}
    for kind in (chosen, *_part_kinds(chosen)):
        for ancestor in kind.__mro__:
            text = inspect.cleandoc(ancestor.__dict__.get("__doc__") or "")
            _, _, listed = text.partition("Attributes:")
            for name, meaning in re.findall(r"^ {4}(\w+): ((?:.|\n {5,})+)", listed, re.MULTILINE):
                helps.setdefault(name, " ".join(meaning.split()))
    own = inspect.cleandoc(chosen.__doc__ or "")
    return own.partition("Attributes:")[0].strip(), helps


def _part_kinds(chosen: type) -> Iterator[type[Part]]:
    """Yield the parts that a metric is composed of, each before those that it is composed of."""
    for kind in chosen.part_kinds() if issubclass(chosen, BaseMetric) else ():
        yield kind
        yield from kind.composed_of
