"""Best values at an edge of what was tried, and whether anything lies beyond."""

from collections.abc import Iterable, Sequence
from typing import TypeGuard

from tenbin.core.errors import SpecError
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.tuning import CrossValidation, GridEdge, GridSide, TriedSetting
from tenbin.metrics.registry import load
from tenbin.tuning.settings import TunedParameter, spec_of

# A value beyond an edge, as a share of the distance to the next value that was tried.
_BEYOND = 1e-3


def edges_of(
    base: Spec,
    parameters: Sequence[TunedParameter],
    language: str,
    tried: Iterable[TriedSetting],
    oracle: TriedSetting,
    validation: CrossValidation | None,
) -> tuple[GridEdge, ...]:
    """Return the edges at which the oracle lies, or that were chosen for folds.

    Texts, switches and lists of values have no edges, nor has a parameter with a single value.

    Args:
        base: The metric as it was given.
        parameters: What was tuned.
        language: A language that it was tuned for.
        tried: All settings.
        oracle: The best one on all data.
        validation: Cross-validation, where it was asked for.
    """
    settings = list(tried)
    chosen = () if validation is None else validation.chosen
    found = []
    for place, parameter in enumerate(parameters):
        given = (*parameter.values, *(one.values[place] for one in settings))
        numbers = [value for value in given if _is_number(value)]
        values = sorted(set(map(float, numbers)))
        if len(values) < 2 or len(numbers) < len(given):  # noqa: PLR2004 - two ends
            continue
        for side, at, beside in ((GridSide.LOWER, 0, 1), (GridSide.UPPER, -1, -2)):
            edge = values[at]
            is_oracle = oracle.values[place] == edge
            folds = sum(one[place] == edge for one in chosen)
            if is_oracle or folds:
                value = next(one for one in given if one == edge)
                beyond = edge + (edge - values[beside]) * _BEYOND
                if all(isinstance(one, int) for one in given):
                    beyond = int(edge) + (1 if side is GridSide.UPPER else -1)
                ends = not _is_possible(base, parameter.name, beyond, language)
                found.append(
                    GridEdge(
                        parameter=parameter.name,
                        side=side,
                        value=value,
                        ends_range=ends,
                        is_oracle=is_oracle,
                        folds=folds,
                    )
                )
    return tuple(found)


def _is_number(value: SpecValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_possible(base: Spec, name: str, value: float, language: str) -> bool:
    """Return whether a metric can have a value; metrics know their ranges, nobody else does."""
    try:
        load(spec_of(base, ((name, value),), language))
    except SpecError:
        return False
    return True
