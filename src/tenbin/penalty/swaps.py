"""Two names or numbers that have changed places: Tanaka hit Sato, Sato hit Tanaka.

Each stands between the words where the other text has the other one. In a paraphrase, where the
words around them differ, nothing is said, nor for two that are only enumerated.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

# How far a word next to a name or number is looked for.
_REACH = 30
_NEXT = {False: re.compile(r"\s*(\w+|\W)"), True: re.compile(r"\s*(.)", re.DOTALL)}
_LAST = {False: re.compile(r"(\w+|\W)\s*$"), True: re.compile(r"(.)\s*$", re.DOTALL)}
_ENUMERATED = re.compile(
    r"[\s,\uff0c、・&/\uff0f]*(?:and|or|und|oder|et|ou|y|e|и|と|や|及び|および|和|与|,)?[\s,\uff0c、・&/\uff0f]*"
)


class Placed(NamedTuple):
    """A name or number of one text that the other text has too.

    Attributes:
        key: What it is, the same in both texts.
        start: Its first character.
        stop: The character after it.
    """

    key: Hashable
    start: int
    stop: int


def swapped(
    own: Sequence[Placed], other: Sequence[Placed], texts: tuple[str, str], *, unspaced: bool
) -> list[Hashable]:
    """Return the keys of those that stand where the other text has another of them.

    Args:
        own: Of the first text; each key once.
        other: The same keys in the second text.
        texts: Both texts.
        unspaced: Whether there are no spaces between words.

    >>> texts = ("from 5 to 3", "from 3 to 5")
    >>> own, other = [Placed(5, 5, 6), Placed(3, 10, 11)], [Placed(3, 5, 6), Placed(5, 10, 11)]
    >>> swapped(own, other, texts, unspaced=False)
    [5, 3]
    """
    mine, yours = (
        {one.key: around(text, one.start, one.stop, unspaced=unspaced) for one in side}
        for side, text in ((own, texts[0]), (other, texts[1]))
    )
    places = {one.key: one for one in other}
    there = {beside: key for key, beside in yours.items()}
    found: list[Hashable] = []
    for key, beside in mine.items():
        partner = there.get(beside)
        if partner is None or partner == key or partner not in mine or key not in yours:
            continue
        exchanged = mine[partner] == yours[key] != yours[partner]
        if exchanged and not _enumerated(texts[1], places[key], places[partner]):
            found.append(key)
    return found


def unique(placed: Iterable[Placed]) -> list[Placed]:
    """Return those whose key occurs once."""
    listed = list(placed)
    counts: dict[Hashable, int] = {}
    for one in listed:
        counts[one.key] = counts.get(one.key, 0) + 1
    return [one for one in listed if counts[one.key] == 1]


def around(text: str, start: int, stop: int, *, unspaced: bool) -> tuple[str, str]:
    """Return the words before and after a range of a text; characters if it has no words."""
    before = _LAST[unspaced].search(text[max(start - _REACH, 0) : start])
    after = _NEXT[unspaced].match(text[stop : stop + _REACH])
    return (before[1].lower() if before else "", after[1].lower() if after else "")


def _enumerated(text: str, one: Placed, other: Placed) -> bool:
    first, last = sorted((one, other), key=lambda placed: placed.start)
    between = text[first.stop : last.start]
    return len(between) <= _REACH and _ENUMERATED.fullmatch(between.lower()) is not None
