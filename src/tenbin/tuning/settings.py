"""The settings of a metric: which parameters, over which values, in which order."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from itertools import product
from math import prod

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import SpecError, UsageError, shortened
from tenbin.core.metric import Metric
from tenbin.core.spec import Spec, SpecValue, format_value
from tenbin.metrics.registry import load

Setting = tuple[tuple[str, SpecValue], ...]
"""Values of some parameters; those that are not named stay as the metric has them."""

Objective = Callable[[Sequence[Setting]], FloatArray]
"""The measure of each setting, NaN where it is undefined."""

DEFAULT_TRIALS = 100
MOST_SETTINGS = 10_000
_MOST_ROUNDS = 20
_MOST_VALUES = 10_000
_MOST_DIGITS = 300
_NAMED = re.compile(r"\s*(?P<name>[A-Za-z]\w*)(?:\[(?P<entry>\d+)\])?\s*=(?P<values>.*)", re.DOTALL)
_BARE_WORD = re.compile(r"[\w.+:/-]+")
_OPENING, _CLOSING = "([{", ")]}"
_GRAMMAR = (
    "Write NAME=START:STOP:STEP, for example threshold=0:1:0.05, or NAME=VALUE,VALUE,..., or "
    "NAME[2]=... for the second entry of a list."
)


class Search(StrEnum):
    """How settings are searched."""

    GRID = "grid"
    COORDINATE = "coordinate"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class TunedParameter:
    """A parameter and the values it may take.

    Attributes:
        name: The parameter, or ``name[2]`` for the second entry of a list of values.
        values: The values, each once, in the order given.
    """

    name: str
    values: tuple[SpecValue, ...]

    @classmethod
    def parse(cls, text: str) -> "TunedParameter":
        """Return the parameter that a text names.

        >>> TunedParameter.parse("threshold=0:0.3:0.1").values
        (0.0, 0.1, 0.2, 0.3)
        >>> TunedParameter.parse("rejected=zero,survivors").values
        ('zero', 'survivors')
        >>> TunedParameter.parse("weights=(1, 0.5),(1, 1)").values
        ((1, 0.5), (1, 1))
        >>> TunedParameter.parse("weights[2]=0:2:1")
        TunedParameter(name='weights[2]', values=(0, 1, 2))

        Raises:
            UsageError: It cannot be read, or names no value.
        """
        found = _NAMED.fullmatch(text)
        if found is None:
            raise UsageError(f"cannot read the parameter {_shown(text)}. {_GRAMMAR}")
        written = found["values"].strip()
        numbers = [_decimal(part) for part in written.split(":")]
        if len(numbers) == 3 and None not in numbers:  # noqa: PLR2004 - start, stop, step
            values = _range(text, *(number for number in numbers if number is not None))
        else:
            values = tuple(_value(part, text) for part in _split(written))
        if not values:
            raise UsageError(f"the parameter {_shown(text)} names no value. {_GRAMMAR}")
        entry = "" if found["entry"] is None else f"[{int(found['entry'])}]"
        if entry == "[0]":
            raise UsageError(f"the parameter {_shown(text)}: entries are counted from 1.")
        # True and 1 are equal and are not the same value.
        distinct = {(type(value), value): value for value in values}
        return cls(f"{found['name']}{entry}", tuple(distinct.values()))


def parse_parameters(texts: Sequence[str]) -> tuple[TunedParameter, ...]:
    """Return all parameters; none may be named twice, nor a list and an entry of it."""
    if not texts:
        raise UsageError(f"there is no parameter to tune. {_GRAMMAR}")
    parameters = tuple(TunedParameter.parse(text) for text in texts)
    names = [parameter.name for parameter in parameters]
    lists = {_parts(name)[0] for name in names if _parts(name)[1] is not None}
    twice = {name for name in names if names.count(name) > 1 or name in lists}
    if twice:
        raise UsageError(f"the parameter {', '.join(sorted(twice))} is tuned twice.")
    return parameters


def grid_size(parameters: Sequence[TunedParameter]) -> int:
    """Return the number of settings of a grid."""
    return prod(len(parameter.values) for parameter in parameters)


def grid(parameters: Sequence[TunedParameter]) -> list[Setting]:
    """Return every combination of values, the last parameter changing fastest."""
    names = [parameter.name for parameter in parameters]
    combined = product(*(parameter.values for parameter in parameters))
    return [tuple(zip(names, values, strict=True)) for values in combined]


def with_value(
    setting: Setting, name: str, value: SpecValue, parameters: Sequence[TunedParameter]
) -> Setting:
    """Return a setting with one value changed, names in the order of the parameters."""
    changed = {**dict(setting), name: value}
    return tuple((one.name, changed[one.name]) for one in parameters if one.name in changed)


def spec_of(base: Spec, setting: Setting, language: str) -> Spec:
    """Return the metric with a setting; entries of lists change what the metric has there.

    >>> str(spec_of(Spec.parse("was(threshold=0.1)"), (("threshold", 0.5),), "en"))
    'was(threshold=0.5)'
    """
    whole = {name: value for name, value in setting if _parts(name)[1] is None}
    spec = Spec(base.name, tuple({**dict(base.parameters), **whole}.items()))
    entries = [(*_parts(name), value) for name, value in setting if _parts(name)[1] is not None]
    if not entries:
        return spec
    metric = load(spec).bind(language)
    lists: dict[str, list[SpecValue]] = {}
    for name, entry, value in entries:
        present = getattr(metric, name, None)
        if not isinstance(present, tuple):
            raise UsageError(f"{name} of {spec} is no list, so that it has no entry {entry}.")
        values = lists.setdefault(name, list(present))
        if entry is None or entry > len(values):
            shown = format_value(tuple(values))
            raise UsageError(f"{name} of {spec} has no entry {entry}; it is {shown}.")
        values[entry - 1] = value
    changed = {name: tuple(values) for name, values in lists.items()}
    return Spec(spec.name, tuple({**dict(spec.parameters), **changed}.items()))


def value_of(metric: Metric, name: str) -> SpecValue:
    """Return what a bound metric has for a parameter, or an entry of it."""
    parameter, entry = _parts(name)
    value: SpecValue = getattr(metric, parameter)
    if entry is not None and isinstance(value, tuple):
        return value[entry - 1]
    return value


def check_values(
    base: Spec, parameters: Sequence[TunedParameter], languages: Sequence[str]
) -> None:
    """Raise if a metric has no such parameter, or a value is not possible; list all problems."""
    load(base)
    problems: dict[str, None] = {}
    for parameter in parameters:
        for value in parameter.values:
            for language in languages:
                try:
                    load(spec_of(base, ((parameter.name, value),), language)).bind(language)
                except (SpecError, UsageError) as error:
                    problems[str(error)] = None
    if problems:
        first = list(problems)[:5]
        more = len(problems) - len(first)
        raise UsageError("\n".join(first) + (f"\nand {more} more" if more else ""))


def setting_text(setting: Setting) -> str:
    """Return a setting as text.

    >>> setting_text((("alpha", 0.5), ("rejected", "zero")))
    'alpha=0.5, rejected=zero'
    """
    return ", ".join(f"{name}={written(value)}" for name, value in setting) or "as it is"


def written(value: SpecValue) -> str:
    """Return a value for a table: texts without quotes."""
    return value if isinstance(value, str) else format_value(value)


def listed_settings(
    parameters: Sequence[TunedParameter], search: Search, trials: int, rng: np.random.Generator
) -> list[Setting]:
    """Return the settings that are tried whatever their values are; none in coordinate search.

    Raises:
        UsageError: The grid is too large.
    """
    if search is Search.COORDINATE:
        return []
    size = grid_size(parameters)
    if search is Search.RANDOM and min(trials, size) > MOST_SETTINGS:
        raise UsageError(f"`trials={trials}`: try at most {MOST_SETTINGS:,} settings.")
    if search is Search.RANDOM and trials < size:
        return _drawn(parameters, trials, rng)
    if size > MOST_SETTINGS:
        raise UsageError(
            f"the grid has {counted(size, 'setting')}, more than {MOST_SETTINGS:,}; take larger "
            "steps, or search by coordinate or at random."
        )
    return grid(parameters)


def ascent(
    parameters: Sequence[TunedParameter], objective: Objective, start: Setting = ()
) -> Setting:
    """Return where changing one parameter at a time leads to, as long as the measure rises.

    Every round goes through the parameters in their order and takes the best value of each, the
    others staying as they are.
    """
    current, height = start, float(objective([start])[0])
    for _ in range(_MOST_ROUNDS):
        before = current
        for parameter in parameters:
            tried = [with_value(current, parameter.name, v, parameters) for v in parameter.values]
            values = objective(tried)
            best = best_place(values)
            if best is not None and not values[best] <= height:
                current, height = tried[best], float(values[best])
        if current == before:
            break
    return current


def best_place(values: FloatArray) -> int | None:
    """Return the place of the highest value, the first of equals; None if all are undefined."""
    if np.isnan(values).all():
        return None
    return int(np.nanargmax(values))


def _parts(name: str) -> tuple[str, int | None]:
    parameter, bracket, entry = name.partition("[")
    return parameter, int(entry.rstrip("]")) if bracket else None


def _shown(text: str) -> str:
    return repr(shortened(text))


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    # What is larger or finer than any floating-point number is no value of a parameter.
    fits = number.is_finite() and abs(number.adjusted()) <= _MOST_DIGITS
    return number if fits or number == 0 else None


def _range(text: str, start: Decimal, stop: Decimal, step: Decimal) -> tuple[SpecValue, ...]:
    if step == 0 or (stop - start) / step < 0:
        raise UsageError(
            f"the parameter {_shown(text)} names no value: STEP must lead from START on."
        )
    if (stop - start) / step >= _MOST_VALUES:
        raise UsageError(
            f"the parameter {_shown(text)} names more than {counted(_MOST_VALUES, 'value')}; take "
            "a larger STEP."
        )
    count = int((stop - start) / step) + 1
    # In decimal numbers, so that 0.1 + 0.2 is 0.3.
    values = [start + place * step for place in range(count)]
    if all(number == number.to_integral_value() for number in (start, step)):
        return tuple(int(value) for value in values)
    return tuple(float(value) for value in values)


def _split(text: str) -> list[str]:
    """Return the parts between commas that stand in no brackets and no quotes."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        depth += (character in _OPENING) - (character in _CLOSING) if not quote else 0
        if character == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _value(text: str, parameter: str) -> SpecValue:
    try:
        return Spec.parse(f"any(value={text})").parameters[0][1]
    except (SpecError, IndexError) as error:
        if _BARE_WORD.fullmatch(text):
            return text  # 13a and ja-mecab are names that Python could not read
        raise UsageError(
            f"cannot read {_shown(text)} in {_shown(parameter)}. {_GRAMMAR}"
        ) from error


def _drawn(
    parameters: Sequence[TunedParameter], trials: int, rng: np.random.Generator
) -> list[Setting]:
    """Return distinct settings, drawn evenly."""
    sizes = [len(parameter.values) for parameter in parameters]
    if grid_size(parameters) <= MOST_SETTINGS:
        places = rng.permutation(grid_size(parameters))[:trials]
        rows = np.stack(np.unravel_index(places, sizes), axis=1).tolist()
    else:
        distinct: dict[tuple[int, ...], None] = {}
        while len(distinct) < trials:
            distinct[tuple(rng.integers(sizes).tolist())] = None
        rows = [list(row) for row in distinct]
    return [
        tuple((one.name, one.values[p]) for one, p in zip(parameters, row, strict=True))
        for row in rows
    ]
