"""Finds the words in which two translations of a segment differ."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from tenbin.core.segment_differences import CharacterRanges

# A run of letters and digits, a character of a script without spaces, or a sign.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\w'’])+|[^\w\s]")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
# Between two differing stretches of a script without spaces, one equal character is chance.
_LEAST_EQUAL = 2
# Beyond this many words, what lies between the equal ends counts as different.
_MOST_WORDS = 2_000

_Words = list[tuple[str, int, int]]


def differing_words(first: str, second: str) -> tuple[CharacterRanges, CharacterRanges]:
    """Return, for each of two texts, the characters of the words that the other does not have.

    Words are compared in order, by their longest common runs. In scripts without spaces characters
    are compared.

    >>> differing_words("a cat sat", "a dog sat")
    (((2, 5),), ((2, 5),))
    >>> differing_words("猫が寝ている", "犬が寝ていた")
    (((0, 1), (5, 6)), ((0, 1), (5, 6)))
    """
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(first)]
    others = [(found[0], found.start(), found.end()) for found in _WORD.finditer(second)]
    equal = list(_equal_runs([word for word, _, _ in words], [word for word, _, _ in others]))
    equal = [run for run in equal if not _is_chance(run, words, others)]
    own = _outside([(a, a + size) for a, _, size in equal], words)
    other = _outside([(b, b + size) for _, b, size in equal], others)
    return own, other


def _equal_runs(first: list[str], second: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the common runs: where they begin in both lists, and how long they are."""
    shorter = min(len(first), len(second))
    front = next((n for n in range(shorter) if first[n] != second[n]), shorter)
    rest = shorter - front
    back = next((n for n in range(rest) if first[-1 - n] != second[-1 - n]), rest)
    if front:
        yield 0, 0, front
    inner = first[front : len(first) - back], second[front : len(second) - back]
    if max(map(len, inner)) <= _MOST_WORDS:
        matcher = SequenceMatcher(None, *inner, autojunk=False)
        for run in matcher.get_matching_blocks():
            if run.size:
                yield front + run.a, front + run.b, run.size
    if back:
        yield len(first) - back, len(second) - back, back


def _is_chance(run: tuple[int, int, int], words: _Words, others: _Words) -> bool:
    first, second, size = run
    at_end = not first or not second or first + size == len(words) or second + size == len(others)
    return size < _LEAST_EQUAL and not at_end and bool(_IS_UNSPACED.match(words[first][0]))


def _outside(equal: list[tuple[int, int]], words: _Words) -> CharacterRanges:
    """Return the characters between equal runs, from first word to last."""
    bounds = [(0, 0), *equal, (len(words), len(words))]
    return tuple(
        (words[stop][1], words[start - 1][2])
        for (_, stop), (start, _) in pairwise(bounds)
        if stop < start
    )
