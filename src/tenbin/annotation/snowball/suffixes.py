"""Finding the longest of many suffixes of a word, and the regions it must lie in."""

import re
from collections.abc import Iterable


class Suffixes:
    """A set of suffixes.

    >>> Suffixes(["ed", "edly"]).longest("assuredly")
    'edly'
    """

    def __init__(self, *groups: Iterable[str]) -> None:
        self._known = frozenset(suffix for group in groups for suffix in group)
        lengths: dict[str, set[int]] = {}
        for suffix in self._known:
            lengths.setdefault(suffix[-1], set()).add(len(suffix))
        self._lengths = {last: sorted(some, reverse=True) for last, some in lengths.items()}

    @property
    def last_letters(self) -> frozenset[str]:
        """The last letters of the suffixes: a word that ends in another has none of them."""
        return frozenset(self._lengths)

    def longest(self, word: str, start: int = 0) -> str:
        """Return the longest suffix that begins at ``start`` or later; empty if there is none."""
        if not word:
            return ""
        room = len(word) - start
        known = self._known
        for length in self._lengths.get(word[-1], ()):
            if length <= room and word[-length:] in known:
                return word[-length:]
        return ""


def regions(word: str, pattern: re.Pattern[str], start: int = 0) -> tuple[int, int]:
    """Return where R1 and R2 begin.

    R1 follows the first consonant after a vowel, R2 the first consonant after a vowel in R1; each
    is empty if there is none (Porter 2001).

    Args:
        word: The word.
        pattern: Matches up to and with the first consonant after a vowel.
        start: Where to begin to look for R1.
    """
    first = pattern.match(word, start)
    if first is None:
        return len(word), len(word)
    second = pattern.match(word, first.end())
    return first.end(), len(word) if second is None else second.end()
