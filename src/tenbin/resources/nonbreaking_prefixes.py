"""Nonbreaking prefixes: abbreviations whose period does not end a sentence, by language."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_NUMBER_ONLY = "number"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Words from which a following period is not split off.

    Attributes:
        always: In every position (``Mr.``).
        before_number: Before a digit only (``No. 3``).
    """

    always: frozenset[str]
    before_number: frozenset[str]


@cache
def load_prefixes(language: str) -> Prefixes:
    """Return the prefixes of a language; none are known for most languages.

    >>> "Mr" in load_prefixes("en").always, "No" in load_prefixes("en").before_number
    (True, True)
    """
    table = files("tenbin.resources").joinpath("bundled", "meteor", "nonbreaking-prefixes.tsv")
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    own = [(prefix, condition) for code, prefix, condition in rows if code == language]
    return Prefixes(
        always=frozenset(prefix for prefix, condition in own if condition != _NUMBER_ONLY),
        before_number=frozenset(prefix for prefix, condition in own if condition == _NUMBER_ONLY),
    )
