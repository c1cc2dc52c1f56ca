"""Which names of two texts are wrong: missing in the other text, exchanged, or in swapped places.

A name that is certain costs wherever the other text lacks it. Others cost only in exchange for a
name that the first text lacks: words that may be names, and parts of a name of which the other text
has the rest (Angela Merkel, Merkel).
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import NamedTuple

from tenbin.penalty.names.abbreviations import is_abbreviated
from tenbin.penalty.names.forms import name_form
from tenbin.penalty.names.japanese import honored_ends, organization_kind
from tenbin.penalty.names.katakana import in_exchange, resembles
from tenbin.penalty.names.phrases import exchanged_words
from tenbin.penalty.names.search import UNSPACED, NamedText
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.names.spelling import katakana_forms
from tenbin.penalty.swaps import Placed, swapped, unique

# Between the words of one name.
_JOINTS = frozenset(("", " ", "・", "-", "=", "＝", ". "))  # noqa: RUF001 - as Japanese writes it
_SHORTEST_PART = 2
# Words that may be names of a text that are looked at.
_MOST_POSSIBLE = 20
_KANJI = re.compile("[\u3400-\u9fff々]{2,}")


class WrongNames(NamedTuple):
    """The wrong names of a hypothesis and those that the reference has instead."""

    extra: list[str]
    missing: list[str]


def wrong_names(hypothesis: NamedText, reference: NamedText) -> WrongNames:
    """Return the names that only one of two texts has, and those in swapped places."""
    texts = (hypothesis, reference)
    lacking = (_lacking(hypothesis, reference), _lacking(reference, hypothesis))
    near = (_near_spellings(*texts, lacking[0]), _near_spellings(*texts[::-1], lacking[1]))
    counted: tuple[list[str], list[str]] = ([], [])
    told: list[set[NameSpan]] = []
    for side, (own, other) in enumerate((texts, texts[::-1])):
        mine, yours = lacking[side], lacking[1 - side]
        among = frozenset(mine)
        sure = {span for span in mine if _is_sure(span, own, other, among)}
        weak = [span for span in mine if span not in sure]
        sure.update(_exchanged(weak, yours, own, other))
        sure.update(span for span in mine if span in near[side])
        known = [*sorted(sure)]
        ranges = {place for span in known for place in range(span.start, span.stop)}
        found = [span for span in near[1 - side].values() if span.start not in ranges]
        counted[side].extend(span.text for span in sorted([*known, *found]))
        told.append(sure)
    for pair in _katakana_words(*texts, lacking):
        for side, span in enumerate(pair):
            if span not in told[side]:
                counted[side].append(span.text)
    if reference.code == "en":
        for extra, missing in exchanged_words(*texts):
            counted[0].append(extra)
            counted[1].append(missing)
    for name in _swapped(*texts):
        counted[0].append(name)
        counted[1].append(name)
    return WrongNames(*counted)


def _lacking(own: NamedText, other: NamedText) -> list[NameSpan]:
    found = own.missing(other)
    if own.code in UNSPACED:
        return found
    return [
        span
        for span in found
        if not is_abbreviated(span.text, span.start, own.text, other.text)
        and not _is_written_together(span, own, other)
    ]


def _is_written_together(span: NameSpan, own: NamedText, other: NamedText) -> bool:
    """Return whether a name is a part of one that the other text writes as a word: Hong Kong."""
    for one in own.beside(span):
        before, after = sorted((span, one))
        if own.text[before.stop : after.start] in _JOINTS:
            joined = name_form(before.text, own.code) + name_form(after.text, own.code)
            if joined in other.words:
                return True
    return False


def _is_sure(
    span: NameSpan, own: NamedText, other: NamedText, lacking: frozenset[NameSpan]
) -> bool:
    """Return whether a name costs even if the other text has nothing in exchange."""
    if not span.firm:
        return False
    if own.code == "zh":
        return True
    if own.code == "ja" and (_has_end(span.text, other) or _has_half(span.text, other.text)):
        return False
    return all(_apart(span, one, own.text) or one in lacking for one in own.beside(span))


def _exchanged(
    weak: list[NameSpan], yours: list[NameSpan], own: NamedText, other: NamedText
) -> Iterator[NameSpan]:
    """Yield the less certain names for which the other text has another of the kind."""
    theirs: dict[str, dict[tuple[str, bool], None]] = {}
    for span in yours:
        theirs.setdefault(_kind(span, other), {})[span.text, span.firm] = None
    verdicts: dict[tuple[str, str, bool], bool] = {}
    for span in weak:
        kind = _kind(span, own)
        asked = (kind, span.text, span.firm)
        if asked not in verdicts:
            verdicts[asked] = any(
                kind != "katakana" or span.firm or firm or not resembles(span.text, text)
                for text, firm in theirs.get(kind, ())
            )
        if verdicts[asked]:
            yield span


def _katakana_words(
    hypothesis: NamedText, reference: NamedText, lacking: tuple[list[NameSpan], list[NameSpan]]
) -> Iterator[tuple[NameSpan, NameSpan]]:
    """Yield words in katakana that may be names, with the one of the other text: リンク, ソラ."""
    texts = (hypothesis, reference)
    # The whole search is for the few that have another in exchange.
    words = [
        [span for span in own.possible[:_MOST_POSSIBLE] if span.text not in other.text]
        for own, other in (texts, texts[::-1])
    ]
    if not any(words):
        return
    names = [
        [span for span in side[:_MOST_POSSIBLE] if katakana_forms(span.text)] for side in lacking
    ]
    taken: set[tuple[int, NameSpan]] = set()
    pairs = ((words[0], words[1]), (words[0], names[1]), (names[0], words[1]))
    for one, other in chain.from_iterable(product(*pair) for pair in pairs):
        if (0, one) in taken or (1, other) in taken:
            continue
        if (
            in_exchange(one, hypothesis.text, other, reference.text)
            and not reference.has(one.text)
            and not hypothesis.has(other.text)
        ):
            taken.update(((0, one), (1, other)))
            yield one, other


def _kind(span: NameSpan, text: NamedText) -> str:
    """Return what a name may be exchanged for: titles for titles, katakana for katakana."""
    if text.code != "ja":
        return "name"
    if text.text[max(span.start - 1, 0) : span.start] in {"「", "『"}:
        return "title"
    if katakana_forms(span.text):
        return "katakana"
    if span.firm or span.stop in honored_ends(text.text):
        return "name"
    return organization_kind(span.text) or "coined"


def _has_end(name: str, other: NamedText) -> bool:
    """Return whether a name begins or ends with one of another text: 東京駅, 東京."""
    return any(
        name[:length] in other.distinct or name[-length:] in other.distinct
        for length in other.name_lengths
        if _SHORTEST_PART <= length < len(name)
    )


def _has_half(name: str, text: str) -> bool:
    """Return whether a text has the first or last half of a long name: 朝日新聞, 朝日."""
    half = (len(name) + 1) // 2
    long = len(name) >= 2 * _SHORTEST_PART
    return long and (name[:half] in text or name[-half:] in text)


def _apart(span: NameSpan, one: NameSpan, text: str) -> bool:
    first, last = sorted((span, one))
    return text[first.stop : last.start] not in _JOINTS


def _near_spellings(
    own: NamedText, other: NamedText, lacking: list[NameSpan]
) -> dict[NameSpan, NameSpan]:
    """Return coined names that the other text spells with another character: 魔晄炉, 魔光炉."""
    if own.code != "ja":
        return {}
    strings = KanjiStrings(other.text)
    near = {}
    for span in lacking:
        if _KANJI.fullmatch(span.text) and not span.firm:
            found = next(_misspelled(span, own.text, strings), None)
            if found:
                near[span] = found
    return near


class KanjiStrings:
    """The strings of kanji of a text, by their length and the characters beside them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs = [run.span() for run in _KANJI.finditer(text)]
        self._by_length: dict[int, dict[tuple[str, str], dict[str, int]]] = {}

    def between(self, before: str, after: str, length: int) -> Mapping[str, int]:
        """Return the strings between two characters, in order, each with its first place."""
        if length not in self._by_length:
            known: dict[tuple[str, str], dict[str, int]] = {}
            for first, end in self._runs:
                for start in range(first, end - length + 1):
                    beside = _beside(self._text, start, start + length)
                    part = self._text[start : start + length]
                    known.setdefault(beside, {}).setdefault(part, start)
            self._by_length[length] = known
        return self._by_length[length].get((before, after), {})


def _beside(text: str, start: int, stop: int) -> tuple[str, str]:
    return text[max(start - 1, 0) : start], text[stop : stop + 1]


def _misspelled(span: NameSpan, own: str, strings: KanjiStrings) -> Iterator[NameSpan]:
    """Yield strings of kanji that share half of a name and stand beside the same character."""
    length = len(span.text)
    for part, start in strings.between(*_beside(own, span.start, span.stop), length).items():
        shared = sum(one == two for one, two in zip(part, span.text, strict=True))
        if length <= 2 * shared < 2 * length and part not in own:
            yield NameSpan(start, start + length, part)


def _swapped(own: NamedText, other: NamedText) -> list[str]:
    """Return the names that have changed places."""
    mine, yours = (
        unique(
            Placed(name_form(span.text, text.code), span.start, span.stop) for span in text.spans
        )
        for text in (own, other)
    )
    both = {one.key for one in mine} & {one.key for one in yours}
    if len(both) < 2:  # noqa: PLR2004 - two change places
        return []
    sides = [[one for one in side if one.key in both] for side in (mine, yours)]
    keys = swapped(sides[0], sides[1], (own.text, other.text), unspaced=own.code in UNSPACED)
    places = {one.key: own.text[one.start : one.stop] for one in mine}
    return [places[key] for key in keys]
