"""Numbers, amounts, dates and times of a text, in a form that does not depend on their notation."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tenbin.penalty.numbers.number import Number, is_short_year, short_span
from tenbin.penalty.numbers.numerals import (
    MYRIAD_LANGUAGES,
    SPANS,
    NumberWords,
    Unit,
    decimal_values,
    english_value,
    kanji_value,
    load_number_words,
    plain_signs,
)
from tenbin.penalty.numbers.patterns import NumberPatterns, number_patterns
from tenbin.penalty.numbers.spoken import fraction, spoken_readings

_NOON, _DAY_HOURS, _HALF_HOUR = 12, 24, 30.0
_QUARTERS = {"一": 15.0, "三": 45.0}
_PERCENT, _PER_MILLE = 100, 1000
_HUNDRED = 100
_SHORT = {"m": 1e6, "k": 1e3}
_FIRST_YEAR = "元"
_MOST_DAYS = 31
_KANJI = re.compile("[\u3400-\u9fff々]")
# 几百 and 数千 are no numbers.
_VAGUE = frozenset("几数")
_LONGEST_COUNTER = 8
_DATE_JOINT = re.compile(r"[\s.]*(?:of|de|the)?\s*")
# In languages whose numerals in words are not known here, one text may write 3 and the other drei.
_SPELLED_UP_TO = 20


@lru_cache(maxsize=100_000)
def numbers(text: str, language: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order.

    Digits of any script and width and with separators, percent, currencies, units, dates, times and
    ordinals in all languages; numerals in words in English, in characters in Japanese and Chinese.

    >>> [(one.values, one.quantity) for one in numbers("On 3 March she paid $1,200.", "en")]
    [((3.0,), 'day'), ((3.0,), 'month'), ((1200.0,), 'dollars')]
    >>> [(one.values, one.quantity) for one in numbers("令和5年に三百二十人", "ja")]
    [((2023.0,), 'year'), ((320.0,), '')]
    """
    return tuple(_Reader(language).read(plain_signs(text)))


class _Reader:
    """Reads a text from left to right and always takes the first kind of number that fits."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words: NumberWords = load_number_words(language)
        self.patterns: NumberPatterns = number_patterns(language)

    def read(self, text: str) -> Iterator[Number]:
        """Yield the numbers of a text."""
        below = self.patterns.below_zero.search(text) is not None
        read = [
            (replace(one, start=found.start(), stop=found.end()), found.start(), found.end())
            for found in self.patterns.any.finditer(text)
            for one in self._numbers(found, text)
        ]
        for place, (one, _, _) in enumerate(read):
            if below and one.quantity in {"", "degree", "temperature", "fahrenheit"}:
                opposite = tuple(-number for number in one.values)
                yield replace(one, values=(*one.values, *opposite))
            elif place and is_short_year(read[place - 1][0], one, text):
                head = read[place - 1][0].values[0] // _HUNDRED * _HUNDRED
                yield replace(one, values=(*one.values, head + one.values[0]))
            elif self._is_day(read, place, text):
                yield replace(one, quantity="day", firm=True)
            else:
                yield one

    def _is_day(self, read: list[tuple[Number, int, int]], place: int, text: str) -> bool:
        """Return whether a bare number stands beside the name of a month: 3 March, March 3."""
        one, start, end = read[place]
        if one.quantity or not 1 <= one.values[0] <= _MOST_DAYS:
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

    def _numbers(  # noqa: C901 - one case a kind
        self, found: re.Match[str], text: str
    ) -> Iterator[Number]:
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
            case "tenths":
                yield self._tenths(part, written)
            case "fraction":
                yield from self._fraction(part, written)
            case "kanji":
                yield from self._kanji(part, written, text, found.start())
            case "spelled":
                yield from self._spelled(part, written)
            case _:
                for one in spoken_readings(kind, part, written, self.words):
                    yield Number(one.values, one.quantity, one.factor, written, one.firm)

    def _date(self, part: dict[str, str | None], written: str) -> Iterator[Number]:
        named: tuple[tuple[str, str | None], ...]
        if part["y1"]:
            named = (("year", part["y1"]), ("month", part["m1"]), ("day", part["d1"]))
        else:
            # 3/4/2020: which one is the month depends on the country.
            named = (("", part["a"]), ("", part["b"]), ("year", part["y2"]))
        for quantity, number in named:
            if number:
                yield Number((float(number),), quantity, 1, written)

    def _clock(self, part: dict[str, str | None], written: str) -> Iterator[Number]:
        half = (part["half"] or part["half2"] or "").lower()[:2]
        hour = self._value(part["h"] or part["h2"] or "")
        minutes = part["min"] or part.get("min_ja") or "0"
        minute = _HALF_HOUR if part.get("thirty") else self._value(minutes)
        minute = _QUARTERS.get(part.get("quarter") or "", minute)
        certain = half or minute or part["h"] or part.get("sure")
        if part.get("hour") == "点" and not certain:  # 三点意见
            yield Number((hour,), "", 1, written, part["h2"] not in self.words.loose)
            return
        if hour > _DAY_HOURS:  # a result, or minutes and seconds
            yield Number((hour,), "", 1, written)
            yield Number((minute,), "", 1, written)
            return
        half = self.words.halves.get(half, half)
        if half in {"pm", "p."}:
            hours: tuple[float, ...] = (hour % _NOON + _NOON,)
        elif half in {"am", "a."}:
            hours = (hour % _NOON,)
        else:
            # Morning or evening is not stated; only hours after noon are certain.
            hours = (hour, (hour + _NOON) % _DAY_HOURS) if hour <= _NOON else (hour,)
        yield Number(hours, "hour", 1, written)
        if minute:
            yield Number((minute,), "minute", 1, written)

    def _named_day(self, kind: str, written: str) -> Iterator[Number]:
        name = written.rstrip(".").lower()
        if name in self.words.capital_only and not written[0].isupper():
            return
        table = self.words.months if kind == "month" else self.words.weekdays
        name = name if name in table else name.removesuffix("s")
        yield Number((float(table[name]),), kind, 1, written)

    def _number(self, part: dict[str, str | None], written: str) -> Iterator[Number]:
        values = decimal_values(part["digits"] or "", self.language)
        if part["parts"]:
            numerator, denominator = (float(one) for one in re.split("[/\u2044]", part["parts"]))
            values = tuple(value + numerator / (denominator or 1) for value in values)
        if part["slash"] and float(part["slash"]):
            values = tuple(value / float(part["slash"]) for value in values)
        if part["magnitude"]:
            factor = self.words.magnitudes[part["magnitude"].lower()]
            values = tuple(value * factor for value in values)
        if part["decade"]:  # the 1970s, the seventies; the 1800s, the nineteenth century
            values = (*values, *map(short_span, values))
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
        yield _counted(values, unit, written, firm=firm)

    def _tenths(self, part: dict[str, str | None], written: str) -> Number:
        ranks = ("tenth", "hundredth", "rest")
        tenth, hundredth, rest = (self._value(part[rank] or "0") for rank in ranks)
        return Number((10 * tenth + hundredth + rest / 10,), "share", 1, written)

    def _fraction(self, part: dict[str, str | None], written: str) -> Iterator[Number]:
        """Yield a percentage: 百分之五; other fractions, 三分之一, are often written otherwise."""
        below, above = (self._value(part[name] or "") for name in ("below", "above"))
        if below in {_PERCENT, _PER_MILLE}:
            yield Number((above * _PERCENT / below,), "share", 1, written)
        elif below:
            firm = self.language == "ja" and above < below
            yield Number(fraction(above, below).values, "", 1, written, firm)

    def _kanji(
        self, part: dict[str, str | None], written: str, text: str, start: int
    ) -> Iterator[Number]:
        number = part["numeral"] or ""
        value = 1.0 if number == _FIRST_YEAR else kanji_value(number, self.words)
        if value is None:
            return
        after = start + len(written)
        follows = text[after : after + _LONGEST_COUNTER]
        if part["era"]:
            yield Number((value + self.words.eras[part["era"]],), "year", 1, written)
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
                yield Number((value, value % _HUNDRED), "year", 1, written, firm)
                return
        counted = (
            unit is not None or bool(part["ordinal"]) or follows.startswith(self.words.counters)
        )
        has_digit = any(character.isdecimal() for character in number)
        loose = bool({number, number + follows[:1], written} & self.words.loose)
        loose = loose or text[max(start - 1, 0) : start] in _VAGUE
        firm = has_digit or (not loose and (counted or self._stands_alone(number, follows)))
        if self.language == "ja" and value == 1 and unit is None:
            firm = False  # もう1つ
        if not self.words.spelled_out:
            firm = firm and (unit is not None or value > _SPELLED_UP_TO)
        yield _counted((value,), unit, written, firm=firm)

    def _stands_alone(self, number: str, follows: str) -> bool:
        """Return whether kanji are a number by themselves: 四十二, not 五十嵐, 三浦 or 二三."""
        signs = {*self.words.tens, *self.words.myriads}
        composed = len(number) > 1 and any(one in signs for one in number)
        return composed and not _KANJI.match(follows)

    def _spelled(self, part: dict[str, str | None], written: str) -> Iterator[Number]:
        parts = re.findall("[a-z]+", (part["words"] or "").lower())
        value = english_value(parts, self.words)
        if value is None:  # numerals that stand side by side
            for one in parts:
                alone = english_value([one], self.words)
                if alone is not None and one != "and":
                    yield Number((alone,), "", 1, one, one not in self.words.loose)
            return
        if part["half"]:
            value /= 2
        if part["plus"]:  # one and a half million
            value = (value + 0.5) * self.words.magnitudes.get((part["of"] or "").lower(), 1)
        value = -value if part["minus"] else value
        values = (value, value % _HUNDRED) if parts[-1].endswith("ties") else (value,)
        unit = self._unit(part["unit"] or "")
        alone = len(parts) == 1 and not part["half"] and not written.lower().startswith("a")
        vague = parts[0] in self.words.loose or (alone and parts[0] in self.words.magnitudes)
        firm = bool(part["plus"]) or not (len(parts) == 1 and vague)
        yield _counted(values, unit, written, firm=firm)

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


def _counted(values: tuple[float, ...], unit: Unit | None, text: str, *, firm: bool) -> Number:
    if unit is None:
        return Number(values, "", 1, text, firm)
    return Number(values, unit.of, unit.factor, text, firm)


def _joins(between: str) -> bool:
    return _DATE_JOINT.fullmatch(between.lower()) is not None
