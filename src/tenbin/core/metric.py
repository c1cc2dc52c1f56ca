"""The metric protocol: additive statistics first, then a vectorized score."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import PurePath
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import AnnotationKind, Batch
from tenbin.core.errors import InvalidParameter
from tenbin.core.explanation import Explanation
from tenbin.core.limits import LengthLimit, Overlong, SegmentUnit
from tenbin.core.mean_references import MeanReferences
from tenbin.core.needs import Needs
from tenbin.core.parameters import (
    WRONG,
    declared_ranges,
    declared_types,
    in_range,
    of_type,
    signature_value,
    type_in_words,
)
from tenbin.core.part import AUTO, Entries, Part, differing, part_of
from tenbin.core.signature import Signature
from tenbin.version import __version__

__all__ = [
    "AUTO",
    "IN_FORMULA",
    "NAMES_DATA",
    "AggregatingMetric",
    "BaseMetric",
    "CheckingMetric",
    "CombinedMetric",
    "ExplainableMetric",
    "ExtendableMetric",
    "Metric",
    "MetricInfo",
    "Needs",
    "NotingMetric",
    "Property",
    "ScoreBounds",
    "SweepableMetric",
    "bounds_of",
    "formula_parameters",
    "mean_of_rows",
    "parameter_fields",
    "signature_value",
    "statistics_key",
    "type_in_words",
]

_NAMES_DATA = "names data"
NAMES_DATA = MappingProxyType({_NAMES_DATA: True})
"""Metadata of a parameter whose value is a resource or a file.

A signature has the name of a file without its folder, and the hash of its content."""

_IN_FORMULA = "in formula"
IN_FORMULA = MappingProxyType({_IN_FORMULA: True})
"""Metadata of a parameter that the score of a bound metric depends on, but not its statistics.

With several references it may still decide which of them the statistics are of."""


_SomePart = TypeVar("_SomePart", bound=Part)


class Property(StrEnum):
    """Traits a metric declares; the contract suite tests each one that is declared.

    A metric that declares no WEIGHTS gives a hypothesis and its references one score, whatever else
    is in the run. With weights from references or sources, the score depends on all of these too,
    but on no other hypothesis.
    """

    IDENTITY_IS_BEST = "identical texts get the best score"
    REFERENCE_ORDER_FREE = "the order of references does not matter"
    MEAN_OF_SEGMENTS = "the corpus score is the mean of the segment scores"
    WEIGHTS_FROM_REFERENCES = "weights come from all references of the test set"
    WEIGHTS_FROM_SOURCES = "weights come from all sources of the test set"
    WEIGHTS_FROM_HYPOTHESES = "weights of a hypothesis come from all hypotheses of its system"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """What a reader should know about a metric before using it.

    Attributes:
        title: What tables call it.
        summary: What it measures, in a sentence.
        citation: Where it was published.
        higher_is_better: The direction of its scores.
        minimum: The least score that it gives with its default parameters.
        maximum: The greatest one; both may be infinite. See `bounds_of` for other parameters.
        decimals: How many digits are printed.
        properties: Traits that the contract suite tests.
        weaknesses: What it is blind to.
        oracle: What its numbers were checked against.
        longest: The longest segment that it takes; None where time and memory grow with the segment
            and no faster.
    """

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
    longest: LengthLimit | None = None


class ScoreBounds(NamedTuple):
    """The least and the greatest score that are possible."""

    minimum: float
    maximum: float


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


@runtime_checkable
class NotingMetric(Metric, Protocol):
    """A metric that has something to say about the scores of a corpus."""

    def corpus_notes(self, totals: FloatArray) -> list[str]:
        """Return notes on the statistics of all systems, shape (systems, K)."""
        ...


@runtime_checkable
class CombinedMetric(Metric, Protocol):
    """A metric whose score is made of the scores of other metrics."""

    @property
    def members(self) -> tuple[Metric, ...]:
        """The other metrics, bound to the language."""
        ...


@runtime_checkable
class ExtendableMetric(Metric, Protocol):
    """A metric that could use more data than its defaults, which are the same on all machines."""

    def unused_resources(self, language: str) -> Mapping[str, str]:
        """Return resources that are installed and not used, by the parameter that would name them.

        It is asked of a metric that is not bound yet.
        """
        ...


@runtime_checkable
class AggregatingMetric(Metric, Protocol):
    """A metric that can compare a hypothesis with the mean of all its references at once.

    The score against the mean reference stands for the mean of the scores against each reference
    (DeNero, Chiang and Knight 2009; Vamvas and Sennrich 2024). It is the same number where all
    references have the same counts, and an approximation elsewhere: the score of counts is not a
    linear function of them.
    """

    def aggregated_statistics(self, batch: Batch, references: MeanReferences) -> FloatArray:
        """Return one row per item, of its hypothesis and the mean of its references.

        Args:
            batch: The hypotheses.
            references: Their references, in groups.
        """
        ...


class BaseMetric:
    """Defaults that most metrics share; a metric is a frozen dataclass of its parameters.

    A metric may be composed of parts (see `tenbin.core.part`), each of which knows what follows
    from some of the parameters.
    """

    info: ClassVar[MetricInfo]
    name: ClassVar[str]
    composed_of: ClassVar[tuple[type[Part], ...]] = ()

    @property
    def bounds(self) -> ScoreBounds:
        """The range of scores with these parameters."""
        return ScoreBounds(self.info.minimum, self.info.maximum)

    def __post_init__(self) -> None:
        own: type = type(self)
        hints, ranges = declared_types(own), declared_ranges(own)
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            checked = of_type(value, hints[field.name])
            if checked is WRONG:
                expected = type_in_words(hints[field.name])
                raise InvalidParameter(self.name, field.name, value, expected)
            allowed = ranges.get(field.name)
            if allowed is not None and not in_range(checked, allowed):
                raise InvalidParameter(self.name, field.name, value, str(allowed))
            object.__setattr__(self, field.name, checked)
        for kind in self.part_kinds():
            part = self.part(kind)
            # Parameters get the form in which the part has them.
            for name, value in differing(part, self).items():
                object.__setattr__(self, name, value)
            for parameter, expected in part.faults():
                self.require(parameter, valid=False, expected=expected)

    @classmethod
    def part_kinds(cls) -> tuple[type[Part], ...]:
        """Return the parts that the metric is composed of."""
        return cls.composed_of

    def part(self, kind: type[_SomePart]) -> _SomePart:
        """Return a part of the metric, made of its parameters."""
        return part_of(kind, self)

    def all_parts(self) -> list[Part]:
        """Return all parts of the metric."""
        return [self.part(kind) for kind in self.part_kinds()]

    def with_part(self, part: Part) -> Self:
        """Return the metric with the parameters of a part, as far as it has them."""
        changed = differing(part, self)
        return replace(self, **changed) if changed else self  # type: ignore[type-var]

    def bind(self, language: str) -> Self:
        """Return the metric with all settled that depends on the language.

        A metric that names its language itself keeps it.
        """
        own = getattr(self, "language", AUTO)
        bound = self
        for kind in self.part_kinds():
            part = bound.part(kind).bind(language if own == AUTO else own, self.name)
            bound = bound.with_part(part)
        return bound

    @property
    def needs(self) -> Needs:
        """What the parts of the metric need."""
        return Needs.of_all(part.needs for part in self.all_parts())

    def overlong(self, batch: Batch) -> Overlong | None:
        """Return a string of a batch that is longer than the metric takes, if there is one.

        Strings that only other metrics read may have any length.
        """
        limit = self.info.longest
        if limit is None or limit.unit is not SegmentUnit.TOKENS:
            return None
        needs = self.needs
        for annotation in needs.annotations:
            if annotation.kind is AnnotationKind.TOKENS:
                lengths = batch.column(annotation).rows.lengths
                if not len(lengths) or lengths.max() <= limit.most:
                    continue
                read = batch.positions(references=needs.references, sources=needs.source)
                longest = int(lengths[read].max(initial=0))
                if longest > limit.most:
                    return Overlong(int(read[lengths[read].argmax()]), longest, limit)
        return None

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Score single segments with the formula of the corpus."""
        return self.score(statistics)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores from rows ``(score, 1)``; no segment gives NaN."""
        return mean_of_rows(statistics)

    def signature(self) -> Signature:
        """Return a signature with one field per parameter, and the fingerprints of all data."""
        identities = [one for part in self.all_parts() for one in part.identities()]
        return Signature(
            metric=self.name,
            fields=self.signature_fields(),
            resources=tuple(identity.signature_entry for identity in identities),
            versions=(*self.signature_versions(), ("tenbin", __version__)),
        )

    def signature_fields(self) -> Entries:
        """Return the parameters as text, in the order of the class."""
        facts = [part.signature_facts() for part in self.all_parts()]
        plain = parameter_fields(self, without={name for one in facts for name in one.replaced})
        named = {key: name for one in facts for key, name in one.names.items()}
        return (
            *(entry for one in facts for entry in one.first),
            *((key, named.get(key, value)) for key, value in plain),
            *(entry for one in facts for entry in one.last),
        )

    def signature_versions(self) -> Entries:
        """Return the versions of other programs that shape the score."""
        found = (entry for part in self.all_parts() for entry in part.versions())
        return tuple(dict.fromkeys(found))  # two parts may use one program

    def require(self, parameter: str, *, valid: bool, expected: str) -> None:
        """Raise `InvalidParameter` unless a parameter is in its range."""
        if not valid:
            raise InvalidParameter(self.name, parameter, getattr(self, parameter), expected)


def mean_of_rows(statistics: FloatArray) -> FloatArray:
    """Return means from rows ``(sum, count, ...)``; NaN where nothing was counted."""
    total, count = statistics[..., 0], statistics[..., 1]
    mean: FloatArray = np.full(np.shape(total), np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


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


def bounds_of(metric: Metric) -> ScoreBounds:
    """Return the range of a metric's scores with its parameters; what it declares if it has none.

    The bounds of a metric over a baseline are known once it is bound and the file was read.
    """
    own = getattr(metric, "bounds", None)
    return (
        own
        if isinstance(own, ScoreBounds)
        else ScoreBounds(metric.info.minimum, metric.info.maximum)
    )
