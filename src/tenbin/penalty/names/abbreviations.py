"""Abbreviations of names: WHO for World Health Organization."""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CODE = re.compile(r"(?<!\w)(?:[^\W\d_]\.?){2,}(?!\w)")
# Function words inside names, which have no initial.
_SMALL = frozenset(("and", "de", "del", "der", "des", "di", "du", "et", "für", "for", "la", "of"))
_SMALL |= {"the", "und", "y"}
_FEWEST = 2
# A longer row of words with capitals is a headline or a list, and has no abbreviation.
_MOST_WORDS = 20


class LongName(NamedTuple):
    """Consecutive capitalized words and their initials."""

    start: int
    stop: int
    initials: str

    def has(self, code: str) -> bool:
        """Return whether an abbreviation matches; one of two letters must match the last two."""
        return self.initials.endswith(code) if len(code) == _FEWEST else code in self.initials


@lru_cache(maxsize=50_000)
def long_names(text: str) -> tuple[LongName, ...]:
    """Return the runs of capitalized words of a text; function words may be inside.

    >>> [name.initials for name in long_names("it is the World Health Organization, in Rome")]
    ['WHO']
    >>> [name.initials for name in long_names("the European Court of Human Rights")]
    ['ECHR']
    """
    runs: list[list[re.Match[str]]] = [[]]
    end = 0
    for word in _NAME_WORD.finditer(text):
        if text[end : word.start()].strip(" -"):
            runs.append([])
        end = word.end()
        if word[0][0].isupper():
            runs[-1].append(word)
        elif word[0] not in _SMALL:
            runs.append([])
    return tuple(
        LongName(run[0].start(), run[-1].end(), "".join(word[0][0] for word in run))
        for run in runs
        if _FEWEST <= len(run) <= _MOST_WORDS
    )


@lru_cache(maxsize=50_000)
def name_codes(text: str) -> frozenset[str]:
    """Return the abbreviations of a text, words in capitals, without periods.

    >>> sorted(name_codes("The U.N. and NATO met I. Smith"))
    ['NATO', 'UN']
    """
    found = (match[0].replace(".", "") for match in _CODE.finditer(text))
    return frozenset(code for code in found if len(code) >= _FEWEST and code.isupper())


def is_abbreviated(name: str, start: int, own: str, other: str) -> bool:
    """Return whether one text has the abbreviation of a name that the other spells out.

    Args:
        name: A name of the first text.
        start: Its position.
        own: The first text.
        other: The second text.

    >>> is_abbreviated("WHO", 4, "The WHO knew.", "The World Health Organization knew.")
    True
    >>> is_abbreviated("Janata", 10, "Bharatiya Janata Party", "the BJP")
    True
    """
    known = long_names(other)
    if known and any(long.has(code) for code in name_codes(name) for long in known):
        return True
    around = long_names(own)
    place = bisect_right(around, start, key=lambda long: long.start) - 1
    if place < 0 or start >= around[place].stop:
        return False
    return any(around[place].has(code) for code in name_codes(other))
