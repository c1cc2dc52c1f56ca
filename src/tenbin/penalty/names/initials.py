"""Names by their initials: WHO, and World Health Organization."""

import re
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CODE = re.compile(r"(?<!\w)(?:[^\W\d_]\.?){2,}(?!\w)")
# They are within names, and have no initial.
_SMALL = frozenset(("and", "de", "del", "der", "des", "di", "du", "et", "für", "for", "la", "of"))
_SMALL |= {"the", "und", "y"}
_FEWEST = 2


class LongName(NamedTuple):
    """Words with capitals in a row, and their initials."""

    start: int
    stop: int
    initials: str

    def has(self, code: str) -> bool:
        """Return whether a code is made of these initials; one of two letters of the last two."""
        return self.initials.endswith(code) if len(code) == _FEWEST else code in self.initials


@lru_cache(maxsize=50_000)
def long_names(text: str) -> tuple[LongName, ...]:
    """Return the words with capitals in a row of a text; small words may be between.

    >>> [name.initials for name in long_names("it is the World Health Organization, in Rome")]
    ['WHO']
    >>> [name.initials for name in long_names("the European Court of Human Rights")]
    ['ECHR']
    """
    runs: list[list[re.Match[str]]] = [[]]
    end = 0
    for word in _WORD.finditer(text):
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
        if len(run) >= _FEWEST
    )


@lru_cache(maxsize=50_000)
def name_codes(text: str) -> frozenset[str]:
    """Return the words of a text in capitals, without points.

    >>> sorted(name_codes("The U.N. and NATO met I. Smith"))
    ['NATO', 'UN']
    """
    found = (match[0].replace(".", "") for match in _CODE.finditer(text))
    return frozenset(code for code in found if len(code) >= _FEWEST and code.isupper())


def is_abbreviated(name: str, start: int, own: str, other: str) -> bool:
    """Return whether one text has the initials of a long name for which the other has the words.

    Args:
        name: A name of the first text.
        start: Where it stands.
        own: The first text.
        other: The second text.

    >>> is_abbreviated("WHO", 4, "The WHO knew.", "The World Health Organization knew.")
    True
    >>> is_abbreviated("Janata", 10, "Bharatiya Janata Party", "the BJP")
    True
    """
    codes = name_codes(name)
    if any(long.has(code) for code in codes for long in long_names(other)):
        return True
    around = (long for long in long_names(own) if long.start <= start < long.stop)
    return any(long.has(code) for long in around for code in name_codes(other))
