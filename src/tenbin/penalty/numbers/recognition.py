"""Numbers, amounts, dates and times of a text, in a form that does not depend on their notation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tenbin.penalty.numbers.numerals import decimal_values, english_value, kanji_value, plain_signs
from tenbin.penalty.numbers.patterns import FigurePatterns, figure_patterns
from tenbin.penalty.numbers.spoken import spoken_readings
from tenbin.penalty.numbers.words import (
    MYRIAD_LANGUAGES,
    SPANS,
    FigureWords,
    Unit,
    load_figure_words,
)

_NOON, _DAY_HOURS, _HALF_HOUR = 12, 24, 30.0
_QUARTERS = {"一": 15.0, "三": 45.0}
_PERCENT, _PER_MILLE = 100, 1000
_HUNDRED = 100
_SHORT = {"m": 1e6, "k": 1e3}
_FIRST_YEAR = "元"
_MOST_DAYS = 31
_KANJI = re.compile("[\u3400-\u9fff々]")
# 几百 and 数千 are no figures.
_VAGUE = ("几", "数")
_DATE_JOINT = re.compile(r"[\s.]*(?:of|de|the)?\s*")
# In languages whose numerals in words are not known here, one text may write 3 and the other drei.
_SPELLED_UP_TO = 20


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        numbers: What the number may mean, as it is written.
        quantity: What is counted: ``length``, ``dollars``, ``share``, ``month`` …; empty where
            nothing is said or known.
        factor: How much of the base unit of the quantity one is.
        text: How it is written, after NFKC.
        firm: Whether it surely is a figure. One that is not (``one``, ``first``) may answer another
            figure, and its absence is no error.
    """

    numbers: tuple[float, ...]
    quantity: str
    factor: float
    text: str
    firm: bool = True


@lru_cache(maxsize=100_000)
def figures(text: str, language: str) -> tuple[Figure, ...]:
    """Return the figures of a text, in its order.

    Digits of any script and width and with separators, percent, currencies, units, dates, times and
    ordinals in all languages; numerals in words in English, in characters in Japanese and Chinese.

    >>> [(one.numbers, one.quantity) for one in figures("On 3 March she paid $1,200.", "en")]
    [((3.0,), 'day'), ((3.0,), 'month'), ((1200.0,), 'dollars')]
    >>> [(one.numbers, one.quantity) for one in figures("令和5年に三百二十人", "ja")]
    [((2023.0,), 'year'), ((320.0,), '')]
    """
    return tuple(_Reader(language).read(plain_signs(text)))


class _Reader:
    """Goes through a text from left to right, always taking the longest kind that fits."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words: FigureWords = load_figure_words(language)
        self.patterns: FigurePatterns = figure_patterns(language)

    def read(self, text: str) -> Iterator[Figure]:
        """Yield the figures of a text."""
        below = self.patterns.below_zero.search(text) is not None
        read = [
            (one, found.start(), found.end())
            for found in self.patterns.any.finditer(text)
            for one in self._figures(found, text)
        ]
        for place, (one, _, _) in enumerate(read):
            if below and one.quantity in {"", "degree", "temperature", "fahrenheit"}:
                opposite = tuple(-number for number in one.numbers)
                yield replace(one, numbers=(*one.numbers, *opposite))
            elif self._is_day(read, place, text):
                yield replace(one, quantity="day", firm=True)
            else:
                yield one

    def _is_day(self, read: list[tuple[Figure, int, int]], place: int, text: str) -> bool:
        """Return whether a bare number stands beside the name of a month: 3 March, March 3."""
        one, start, end = read[place]
        if one.quantity or not 1 <= one.numbers[0] <= _MOST_DAYS:
            return False
        after = read[place + 1 : place + 2]
        followed = bool(after) and after[0][0].quantity == "month"
        between = text[end : after[0][1]] if followed else ""
        if not (one.firm or one.text[0].isdecimal()):
            # The first of May, but not: in November one would.
            return one.text.lower() in self.words.ordinals and between.strip().lower() == "of"
        if followed and _joins(between):
            return True
        before = read[max(place - 1, 0) : place]
        if not (before and before[0][0].quantity == "month" and _joins(text[before[0][2] : start])):
            return False
        # '3 March 5': the first of them is the day already.
        earlier = [one for one in read[max(place - 2, 0) : place - 1] if one[0].quantity != "year"]
        return not (earlier and _joins(text[earlier[0][2] : before[0][1]]))

    def _figures(self, found: re.Match[str], text: str) -> Iterator[Figure]:
        kind = found.lastgroup or ""
        written = found[0]
        inner = self.patterns.parts[kind].fullmatch(text, found.start(), found.end())
        if inner is None:
            return
        part = inner.groupdict()
        match kind:
            case "date":
                yield from self._date(part, written)
            case "clock":
                yield from self._clock(part, written)
            case "month" | "weekday":
                yield from self._named_day(kind, written)
            case "number":
                yield from self._number(part, written)
            case "fraction":
                yield from self._fraction(part, written)
            case "kanji":
                yield from self._kanji(part, written, text, found.start())
            case "spelled":
                yield from self._spelled(part, written)
            case _:
                for one in spoken_readings(kind, part, written, self.words):
                    yield Figure(one.numbers, one.quantity, 1, written, one.firm)

    def _date(self, part: dict[str, str | None], written: str) -> Iterator[Figure]:
        named: tuple[tuple[str, str | None], ...]
        if part["y1"]:
            named = (("year", part["y1"]), ("month", part["m1"]), ("day", part["d1"]))
        else:
            # 3/4/2020: which is the month is known to readers of one country only.
            named = (("", part["a"]), ("", part["b"]), ("year", part["y2"]))
        for quantity, number in named:
            if number:
                yield Figure((float(number),), quantity, 1, written)

    def _clock(self, part: dict[str, str | None], written: str) -> Iterator[Figure]:
        half = (part["half"] or part["half2"] or "").lower()[:2]
        hour = self._value(part["h"] or part["h2"] or "")
        minutes = part["min"] or part.get("min_ja") or "0"
        minute = _HALF_HOUR if part.get("thirty") else self._value(minutes)
        minute = _QUARTERS.get(part.get("quarter") or "", minute)
        told = half or minute or part["h"] or part.get("sure")
        if part.get("hour") == "点" and not told:  # 三点意见
            yield Figure((hour,), "", 1, written, part["h2"] not in self.words.loose)
            return
        if hour > _DAY_HOURS:  # a result, or minutes and seconds
            yield Figure((hour,), "", 1, written)
            yield Figure((minute,), "", 1, written)
            return
        half = self.words.halves.get(half, half)
        if half in {"pm", "p."}:
            hours: tuple[float, ...] = (hour % _NOON + _NOON,)
        elif half in {"am", "a."}:
            hours = (hour % _NOON,)
        else:
            # Nobody says whether it is morning; what is written past noon is certain.
            hours = (hour, (hour + _NOON) % _DAY_HOURS) if hour <= _NOON else (hour,)
        yield Figure(hours, "hour", 1, written)
        if minute:
            yield Figure((minute,), "minute", 1, written)

    def _named_day(self, kind: str, written: str) -> Iterator[Figure]:
        name = written.rstrip(".").lower()
        if name in self.words.capital_only and not written[0].isupper():
            return
        table = self.words.months if kind == "month" else self.words.weekdays
        name = name if name in table else name.removesuffix("s")
        yield Figure((float(table[name]),), kind, 1, written)

    def _number(self, part: dict[str, str | None], written: str) -> Iterator[Figure]:
        values = decimal_values(part["digits"] or "", self.language)
        if part["parts"]:
            numerator, denominator = (float(one) for one in re.split("[/\u2044]", part["parts"]))
            values = tuple(value + numerator / (denominator or 1) for value in values)
        if part["slash"] and float(part["slash"]):
            values = tuple(value / float(part["slash"]) for value in values)
        if part["magnitude"]:
            factor = self.words.magnitudes[part["magnitude"].lower()]
            values = tuple(value * factor for value in values)
        if part["decade"]:  # the 1970s, the seventies
            values = (*values, *(value % _HUNDRED for value in values))
        elif part["short"]:  # 2m tons, a wall of 2m
            scale = _SHORT[part["short"].lower()]
            values = (*values, *(value * scale for value in values))
        if part["minus"]:
            values = tuple(-value for value in values)
        unit = self._unit(part["before"] or part["unit"] or "")
        small = len(values) == 1 and values[0].is_integer() and values[0] <= _SPELLED_UP_TO
        firm = self.words.spelled_out or unit is not None or not small
        # The other text may say the seventies, in words that are not known.
        firm = firm and (self.words.spelled_out or not part["decade"])
        yield _figure(values, unit, written, firm=firm)

    def _fraction(self, part: dict[str, str | None], written: str) -> Iterator[Figure]:
        """Yield a percentage: 百分之五; other fractions, 三分之一, are often written otherwise."""
        below, above = (self._value(part[name] or "") for name in ("below", "above"))
        if below in {_PERCENT, _PER_MILLE}:
            yield Figure((above * _PERCENT / below,), "share", 1, written)
        elif below:
            yield Figure((above / below,), "", 1, written, firm=False)

    def _kanji(
        self, part: dict[str, str | None], written: str, text: str, start: int
    ) -> Iterator[Figure]:
        number = part["numeral"] or ""
        value = 1.0 if number == _FIRST_YEAR else kanji_value(number, self.words)
        if value is None:
            return
        follows = text[start + len(written) :]
        if part["era"]:
            yield Figure((value + self.words.eras[part["era"]],), "year", 1, written)
            return
        value = -value if part["minus"] else value
        value += 0.5 if part["plus"] else 0
        unit = self._unit(part["before"] or part["unit"] or "")
        if part["calendar"]:
            unit = Unit(self.words.calendar[part["calendar"]], 1)
            if part["plus"]:
                unit = Unit("duration", SPANS[unit.of])
            if follows.startswith("代") and unit.of == "year":  # 90年代, 1990年代
                firm = self.words.spelled_out
                yield Figure((value, value % _HUNDRED), "year", 1, written, firm)
                return
        counted = (
            unit is not None or bool(part["ordinal"]) or follows.startswith(self.words.counters)
        )
        has_digit = any(character.isdecimal() for character in number)
        loose = bool({number, number + follows[:1], written} & self.words.loose)
        loose = loose or text[:start].endswith(_VAGUE)
        firm = has_digit or (not loose and (counted or self._stands_alone(number, follows)))
        if not self.words.spelled_out:
            firm = firm and (unit is not None or value > _SPELLED_UP_TO)
        yield _figure((value,), unit, written, firm=firm)

    def _stands_alone(self, number: str, follows: str) -> bool:
        """Return whether kanji are a number by themselves: 四十二, not 五十嵐, 三浦 or 二三."""
        signs = {*self.words.tens, *self.words.myriads}
        composed = len(number) > 1 and any(one in signs for one in number)
        return composed and not _KANJI.match(follows)

    def _spelled(self, part: dict[str, str | None], written: str) -> Iterator[Figure]:
        parts = re.findall("[a-z]+", (part["words"] or "").lower())
        value = english_value(parts, self.words)
        if value is None:  # numerals that stand side by side
            for one in parts:
                alone = english_value([one], self.words)
                if alone is not None and one != "and":
                    yield Figure((alone,), "", 1, one, one not in self.words.loose)
            return
        if part["half"]:
            value /= 2
        if part["plus"]:  # one and a half million
            value = (value + 0.5) * self.words.magnitudes.get((part["of"] or "").lower(), 1)
        values = (value, value % _HUNDRED) if parts[-1].endswith("ties") else (value,)
        unit = self._unit(part["unit"] or "")
        alone = len(parts) == 1 and not part["half"] and not written.lower().startswith("a")
        vague = parts[0] in self.words.loose or (alone and parts[0] in self.words.magnitudes)
        firm = bool(part["plus"]) or not (len(parts) == 1 and vague)
        yield _figure(values, unit, written, firm=firm)

    def _unit(self, written: str) -> Unit | None:
        if not written:
            return None
        sign = self.words.symbols.get(written)
        if sign is not None:
            return sign
        word = written.lower()
        return self.words.unit_words.get(word) or self.words.unit_words.get(word.removesuffix("s"))

    def _value(self, written: str) -> float:
        signs = self.language in MYRIAD_LANGUAGES
        return (kanji_value(written, self.words) if signs else float(written)) or 0.0


def _figure(values: tuple[float, ...], unit: Unit | None, text: str, *, firm: bool) -> Figure:
    if unit is None:
        return Figure(values, "", 1, text, firm)
    return Figure(values, unit.of, unit.factor, text, firm)


def _joins(between: str) -> bool:
    return _DATE_JOINT.fullmatch(between.lower()) is not None
