"""Lexicons: words and the sets of synonyms they belong to."""

from collections.abc import Iterable
from typing import Protocol

from tenbin.core.resource import Resource, ResourceIdentity
from tenbin.formats.lexicons.table import LexiconTable, lexicon_table

_MOST_SHOWN = 8


class Lexicon(Resource, Protocol):
    """Puts words into sets; two different words are synonyms if they share a set.

    Words are lower-cased, those of several parts joined by underscores.
    """

    def concepts(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the sets a word belongs to, ascending; none if it is unknown."""
        ...

    def describe(self, concept: int) -> str:
        """Return the number of a set and its words, as evidence for a match."""
        ...


class TableLexicon:
    """A lexicon that looks up words unchanged."""

    def __init__(self, identity: ResourceIdentity, table: LexiconTable) -> None:
        self._identity = identity
        self._table = table

    @property
    def identity(self) -> ResourceIdentity:
        """The identity of the data."""
        return self._identity

    @property
    def table(self) -> LexiconTable:
        """All words and sets."""
        return self._table

    def concepts(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the sets a word belongs to, ascending."""
        return self._table.sets_of(word)

    def describe(self, concept: int) -> str:
        """Return the number of a set and its words in alphabetical order."""
        members = self._table.members(concept)
        more = f" and {len(members) - _MOST_SHOWN} more" if len(members) > _MOST_SHOWN else ""
        return f"{self._identity.name} {concept}: {', '.join(members[:_MOST_SHOWN])}{more}"


def linked_sets(pairs: Iterable[tuple[str, str]]) -> LexiconTable:
    """Return the sets of links from words to their synonyms, as in METEOR-E's DBnary files.

    Every word has its own set, and belongs to the sets of the words that list it. So two words are
    synonyms if one lists the other, or if a third word lists both.

    Args:
        pairs: A word and a synonym that it lists.
    """
    own: dict[str, int] = {}
    sets: dict[str, set[int]] = {}
    for word, synonym in pairs:
        lister = own.setdefault(lexicon_key(word), len(own))
        listed = lexicon_key(synonym)
        own.setdefault(listed, len(own))
        sets.setdefault(listed, set()).add(lister)
    for word, number in own.items():
        sets.setdefault(word, set()).add(number)
    return lexicon_table(sets)


def lexicon_key(word: str) -> str:
    """Return a word as lexicons list it: lower-cased, its parts joined by underscores.

    >>> lexicon_key("New York")
    'new_york'
    """
    return "_".join(word.lower().split())
