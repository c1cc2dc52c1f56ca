"""The metric protocol: additive statistics first, then a vectorized score."""

from collections.abc import Collection, Hashable
from dataclasses import dataclass, fields
from enum import StrEnum
from math import isfinite
from pathlib import PurePath
from types import MappingProxyType
from typing import ClassVar, Protocol, Self, get_args, get_origin, get_type_hints, runtime_checkable

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, Batch
from tenbin.core.errors import InvalidParameter
from tenbin.core.explanation import Explanation
from tenbin.core.resource import ResourceKind
from tenbin.core.signature import Signature
from tenbin.version import __version__

AUTO = "auto"
"""Value of a parameter that is set by the target language before scoring."""


_NAMES_DATA = "names data"
NAMES_DATA = MappingProxyType({_NAMES_DATA: True})
"""Metadata of a parameter whose value is a resource or a file.

A signature has the name of a file without its folder, and the hash of its content."""

_IN_FORMULA = "in formula"
IN_FORMULA = MappingProxyType({_IN_FORMULA: True})
"""Metadata of a parameter that the score of a bound metric depends on, but not its statistics.

With several references it may still decide which of them the statistics are of."""


class Property(StrEnum):
    """Traits a metric declares; the contract suite tests each one that is declared."""

    IDENTITY_IS_BEST = "identical texts get the best score"
    REFERENCE_ORDER_FREE = "the order of references does not matter"
    MEAN_OF_SEGMENTS = "the corpus score is the mean of the segment scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """What a reader should know about a metric before using it."""

    title: str
    summary: str
    citation: str
    higher_is_better: bool
    minimum: float
    maximum: float
    decimals: int
    properties: frozenset[Property]
    weaknesses: str
    oracle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What must be supplied before a metric can run.

    Attributes:
        source: Whether source texts are read.
        references: Whether references are read.
        annotations: The columns the metric reads.
        source_annotations: Those of them that it reads of sources alone, which are in another
            language.
        resources: What kinds of data are looked up.
        collection: Whether the statistics of one segment depend on all texts, so that the whole
            test set must be one batch (NIST's information weights).
        parameters: Parameters without a default of their own that were not given.
    """

    source: bool = False
    references: bool = True
    annotations: frozenset[Annotation] = frozenset()
    source_annotations: frozenset[Annotation] = frozenset()
    resources: frozenset[ResourceKind] = frozenset()
    collection: bool = False
    parameters: frozenset[str] = frozenset()


@runtime_checkable
class Metric(Protocol):
    """Turns a batch of segments into additive statistics, and statistics into scores."""

    info: ClassVar[MetricInfo]

    @property
    def needs(self) -> Needs:
        """What must be supplied; may depend on the parameters."""
        ...

    def bind(self, language: str) -> Self:
        """Return the metric with every ``auto`` parameter set for a target language."""
        ...

    def statistics(self, batch: Batch) -> FloatArray:
        """Return one row of K numbers per item; rows of a corpus add up to its statistics."""
        ...

    def score(self, statistics: FloatArray) -> FloatArray:
        """Map corpus statistics of shape (..., K) to scores of shape (...)."""
        ...

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Map the statistics of single segments, shape (..., K), to scores of shape (...)."""
        ...

    def signature(self) -> Signature:
        """Name every choice that can change the score."""
        ...


@runtime_checkable
class ExplainableMetric(Metric, Protocol):
    """A metric that can explain its score by the tokens that it matched."""

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was matched between an item and its best reference."""
        ...

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the alignment of an item and the arithmetic from it to the score."""
        ...


@runtime_checkable
class SweepableMetric(Metric, Protocol):
    """A metric with a threshold that can be scored at many thresholds at once."""

    @property
    def threshold(self) -> float:
        """The threshold that plain scoring uses."""
        ...

    def sweep_statistics(self, batch: Batch, thresholds: FloatArray) -> FloatArray:
        """Return the statistics of each item at each threshold, shape (items, thresholds, K)."""
        ...


@runtime_checkable
class CheckingMetric(Metric, Protocol):
    """A metric that checks a sample of the texts before they are scored."""

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on texts that hardly suit the metric; raise if they do not suit it."""
        ...


class BaseMetric:
    """Defaults that most metrics share; a metric is a frozen dataclass of its parameters."""

    info: ClassVar[MetricInfo]
    name: ClassVar[str]

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            checked = _of_type(value, hints[field.name])
            if checked is _WRONG:
                expected = type_in_words(hints[field.name])
                raise InvalidParameter(self.name, field.name, value, expected)
            object.__setattr__(self, field.name, checked)

    def bind(self, language: str) -> Self:  # noqa: ARG002 - part of the protocol
        """Return the metric itself: nothing here depends on the language."""
        return self

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Score single segments with the formula of the corpus."""
        return self.score(statistics)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores from rows ``(score, 1)``; no segment gives NaN."""
        total, count = statistics[..., 0], statistics[..., 1]
        mean: FloatArray = np.full(np.shape(total), np.nan)
        np.divide(total, count, out=mean, where=count > 0)
        return mean

    def signature(self) -> Signature:
        """Return a signature with one field per parameter."""
        return Signature(
            metric=self.name,
            fields=self.signature_fields(),
            versions=(*self.signature_versions(), ("tenbin", __version__)),
        )

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters as text, in the order of the class."""
        return parameter_fields(self)

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the versions of other programs that shape the score."""
        return ()

    def require(self, parameter: str, *, valid: bool, expected: str) -> None:
        """Raise `InvalidParameter` unless a parameter is in its range."""
        if not valid:
            raise InvalidParameter(self.name, parameter, getattr(self, parameter), expected)


def parameter_fields(
    metric: BaseMetric, *, without: Collection[str] = ()
) -> tuple[tuple[str, str], ...]:
    """Return the parameters of a metric as signatures write them; files without their folders.

    Args:
        metric: A dataclass.
        without: Parameters that are left out.
    """
    found = []
    for field in fields(metric):  # type: ignore[arg-type]
        value = getattr(metric, field.name)
        if field.metadata.get(_NAMES_DATA) and isinstance(value, str):
            value = PurePath(value).name
        if field.name not in without:
            found.append((field.name, signature_value(value)))
    return tuple(found)


def formula_parameters(kind: type[Metric]) -> frozenset[str]:
    """Return the parameters that enter only the formula; see `IN_FORMULA`."""
    named = [field.name for field in fields(kind) if field.metadata.get(_IN_FORMULA)]  # type: ignore[arg-type]
    return frozenset(named)


def statistics_key(metric: Metric) -> tuple[Hashable, ...]:
    """Return a key of all that the statistics of a bound metric depend on, with one reference.

    Two metrics with the same key have the same statistics, so that these are computed once and
    scored many times.
    """
    formula = formula_parameters(type(metric))
    names = [field.name for field in fields(metric) if field.name not in formula]  # type: ignore[arg-type]
    return (type(metric), *((name, getattr(metric, name)) for name in names))


_WRONG = object()


def _of_type(value: object, hint: object) -> object:
    """Return a value as its parameter's type, or `_WRONG`; 2 is a float, True is not a number."""
    for choice in _choices(hint):
        if choice is type(None) and value is None:
            return None
        if get_origin(choice) is tuple:
            if isinstance(value, tuple):
                parts = tuple(_of_type(part, get_args(choice)[0]) for part in value)
                return _WRONG if _WRONG in parts else parts
            continue
        if isinstance(choice, type) and issubclass(choice, StrEnum):
            if isinstance(value, str) and value in list(choice):
                return choice(value)
        elif choice is float:
            if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
                return value
        elif isinstance(choice, type) and type(value) is choice:
            return value
    return _WRONG


def _choices(hint: object) -> tuple[object, ...]:
    """Return the types that a hint allows; a list of values is one of them."""
    return (hint,) if get_origin(hint) is tuple else get_args(hint) or (hint,)


def type_in_words(hint: object) -> str:
    """Return a parameter's type in plain words."""
    words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    parts: list[str] = []
    for choice in _choices(hint):
        if isinstance(choice, type) and issubclass(choice, StrEnum):
            parts.append("one of " + ", ".join(choice))
        elif choice is type(None):
            parts.append("None")
        elif get_origin(choice) is tuple:
            parts.append(f"a list of values, each {type_in_words(get_args(choice)[0])}")
        else:
            parts.append(
                words.get(choice, str(choice)) if isinstance(choice, type) else str(choice)
            )
    return " or ".join(parts)


def signature_value(value: object) -> str:
    """Return a parameter value as signatures write it: booleans as yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return ",".join(signature_value(part) for part in value)
    return str(value)
