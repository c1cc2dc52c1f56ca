"""What tuning found, as values and as plain data."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tenbin.core.spec import SpecValue
from tenbin.reports.data import Row

MEAN = "mean"
_ROLES = ("default", "oracle")


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedSetting:
    """A setting of a metric and how far it agrees with people.

    Attributes:
        values: The value of each tuned parameter, in their order.
        spec: The metric with this setting, as it can be written anywhere; None where it differs
            between languages.
        value: The measure on all data, the mean over language pairs; NaN where it is undefined.
        by_pair: The measure on each language pair.
        by_fold: The measure on each held-out fold; empty without cross-validation.
    """

    values: tuple[SpecValue, ...]
    spec: str | None
    value: float
    by_pair: tuple[float, ...]
    by_fold: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidation:
    """What tuning gives on data that it has not seen.

    Attributes:
        folds: How many.
        unit: What they are made of: ``segments`` or ``documents``.
        chosen: For each fold, the setting that is best on all others.
        by_fold: The measure of that setting on the fold; NaN where it is undefined.
        left_out: Folds on which one of the following is undefined, which all means leave out.
        value: Mean of ``by_fold``.
        default: Mean over folds of the metric as it is.
        oracle: Mean over folds of the setting that is best on all data.
        difference: Mean over folds of ``by_fold`` less the metric as it is.
        interval: 95 % interval of that difference by Student's t over folds; None for fewer than 3.
    """

    folds: int
    unit: str
    chosen: tuple[tuple[SpecValue, ...], ...]
    by_fold: tuple[float, ...]
    left_out: int
    value: float
    default: float
    oracle: float
    difference: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The tuning of one metric.

    Attributes:
        metric: Spec of the metric as it was given.
        signature: Of the metric as it was given.
        parameters: Names of the tuned parameters.
        measure: Name of the measure.
        human: Kind of judgement by language pair.
        places: The test set and language pair of each place that the mean is over.
        n: What the measure was computed from, by language pair.
        counted: What ``n`` counts.
        settings: All that were tried, in the order of the grid.
        default: The metric as it was given.
        oracle: The best setting on all data: tuned on the test data.
        validation: Cross-validation, where it was asked for.
    """

    metric: str
    signature: str
    parameters: tuple[str, ...]
    measure: str
    human: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    n: tuple[int, ...]
    counted: str
    settings: tuple[TriedSetting, ...]
    default: TriedSetting
    oracle: TriedSetting
    validation: CrossValidation | None

    @property
    def pairs(self) -> tuple[str, ...]:
        """What each place is called: its language pair, after the test set if there are several."""
        several = len({test_set for test_set, _ in self.places}) > 1
        return tuple(f"{test_set} {pair}" if several else pair for test_set, pair in self.places)

    @property
    def where(self) -> str:
        """All places in words."""
        sets: dict[str, list[str]] = {}
        for test_set, pair in self.places:
            sets.setdefault(test_set, []).append(pair)
        return "; ".join(f"{test_set} {', '.join(pairs)}" for test_set, pairs in sets.items())

    def role(self, setting: TriedSetting) -> str:
        """Return what a setting is: ``default``, ``oracle``, both, or nothing in particular."""
        places = zip(_ROLES, (self.default, self.oracle), strict=True)
        return ", ".join(role for role, one in places if one is setting)


def tuning_payload(tuning: Tuning) -> dict[str, Any]:
    """Return a tuning as plain data, ready for JSON; undefined numbers are null."""
    found = tuning.validation
    return {
        "metric": tuning.metric,
        "signature": tuning.signature,
        "parameters": list(tuning.parameters),
        "measure": tuning.measure,
        "pairs": [
            {"set": place[0], "pair": place[1], "human": kind, "n": n, "counted": tuning.counted}
            for place, kind, n in zip(tuning.places, tuning.human, tuning.n, strict=True)
        ],
        "default": _setting(tuning, tuning.default),
        "oracle": {**_setting(tuning, tuning.oracle), "tuned_on_test_data": True},
        "cross_validated": None if found is None else _validation(tuning, found),
        "curve": [_setting(tuning, one) for one in tuning.settings],
    }


def tuning_columns(tuning: Tuning) -> tuple[str, ...]:
    """Return the columns of the rows of `tuning_tsv_rows`."""
    return ("metric", "measure", "pair", *tuning.parameters, "value", "role", "spec")


def tuning_tsv_rows(tuning: Tuning) -> Iterator[Row]:
    """Yield a row for each setting and language pair, then what cross-validation gave."""
    places = [*tuning.pairs, MEAN] if len(tuning.pairs) > 1 else list(tuning.pairs)
    own = (tuning.metric, tuning.measure)
    for one in tuning.settings:
        numbers = [*one.by_pair, one.value] if len(tuning.pairs) > 1 else [one.value]
        for place, value in zip(places, numbers, strict=True):
            cells = map(plain_value, one.values)
            yield (*own, place, *cells, value, tuning.role(one) or None, one.spec)
    found = tuning.validation
    if found is None:
        return
    for fold, (chosen, value) in enumerate(zip(found.chosen, found.by_fold, strict=True), 1):
        role = f"held-out fold {fold} of {found.folds}"
        yield (*own, places[-1], *map(plain_value, chosen), value, role, None)
    none = [None] * len(tuning.parameters)
    for role, value in (
        ("cross-validated", found.value),
        ("default, mean over folds", found.default),
        ("oracle, mean over folds", found.oracle),
    ):
        yield (*own, places[-1], *none, value, role, None)


def plain_value(value: SpecValue) -> str | int | float | None:
    """Return a value for one cell: lists of values in brackets."""
    if isinstance(value, tuple):
        return "(" + ", ".join(str(plain_value(part)) for part in value) + ")"
    if isinstance(value, bool):
        return str(value)
    return value


def _setting(tuning: Tuning, one: TriedSetting) -> dict[str, Any]:
    return {
        "setting": dict(zip(tuning.parameters, map(_listed, one.values), strict=True)),
        "spec": one.spec,
        "value": _number(one.value),
        "by_pair": dict(zip(tuning.pairs, map(_number, one.by_pair), strict=True)),
    }


def _validation(tuning: Tuning, found: CrossValidation) -> dict[str, Any]:
    return {
        "value": _number(found.value),
        "default": _number(found.default),
        "oracle": _number(found.oracle),
        "difference": _number(found.difference),
        "ci": None if found.interval is None else [_number(end) for end in found.interval],
        "folds": found.folds,
        "left_out": found.left_out,
        "unit": found.unit,
        "by_fold": [
            {
                "setting": dict(zip(tuning.parameters, map(_listed, chosen), strict=False)),
                "value": _number(value),
                "default": _number(default),
            }
            for chosen, value, default in zip(
                found.chosen, found.by_fold, tuning.default.by_fold, strict=True
            )
        ],
    }


def _listed(value: SpecValue) -> Any:  # noqa: ANN401 - what JSON can hold
    return [_listed(part) for part in value] if isinstance(value, tuple) else value


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None
