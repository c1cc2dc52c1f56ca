"""The Sudachi dictionary of Japanese: dictionary forms and groups of synonyms."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from tenbin.core.errors import MissingExtra
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.resources.store.store import ResourceStore, default_store

SYNONYMS = "sudachi-synonyms"  # in the manifest
# SudachiPy refuses longer inputs; a longer word is in no dictionary.
_MOST_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class Sudachi:
    """The dictionary, opened.

    Attributes:
        analyze: Splits a string into morphemes, in the longest units.
        versions: Program and dictionary.
    """

    analyze: Callable[[str], list[Any]]
    versions: tuple[tuple[str, str], ...]

    def dictionary_form(self, word: str) -> str:
        """Return a word as a dictionary lists it; of several morphemes the last one changes.

        >>> load_sudachi().dictionary_form("美しく")
        '美しい'
        """
        if not word or len(word) > _MOST_CHARACTERS:
            return word
        *before, last = self.analyze(word)
        form = "".join([*(part.surface() for part in before), last.dictionary_form()])
        return form or word

    def normalized_form(self, word: str) -> str:
        """Return the normalized spelling of a word, common to all its spellings.

        >>> load_sudachi().normalized_form("附属")
        '付属'
        """
        if not word or len(word) > _MOST_CHARACTERS:
            return word
        return "".join(part.normalized_form() for part in self.analyze(word)) or word


@cache
def load_sudachi() -> Sudachi:
    """Open the dictionary.

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
    """
    try:
        package = import_module("sudachipy")
        dictionary = package.Dictionary(dict="core")
    except ImportError as error:
        raise MissingExtra("the Sudachi dictionary of Japanese", "ja") from error
    longest = package.SplitMode.C
    # 'create' is the name of 'tokenizer' before SudachiPy 0.7.
    analyzer = (dictionary.tokenizer if hasattr(dictionary, "tokenizer") else dictionary.create)()

    def analyze(text: str) -> list[Any]:
        return list(analyzer.tokenize(text, longest))

    names = ("sudachipy", "sudachidict_core")
    return Sudachi(analyze, tuple((name, version(name)) for name in names))


class SudachiSynonyms:
    """The groups of synonyms of the Sudachi dictionary (Takaoka et al. 2018), for whole words.

    Inflected forms have the groups of their dictionary form. A word that the dictionary splits
    into several is in no group.
    """

    def __init__(self, identity: ResourceIdentity, sudachi: Sudachi) -> None:
        self._identity = identity
        self._sudachi = sudachi
        self._seen: dict[int, dict[str, None]] = {}

    @property
    def identity(self) -> ResourceIdentity:
        """The identity of the data."""
        return self._identity

    def concepts(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the groups a word belongs to, ascending."""
        if not word or len(word) > _MOST_CHARACTERS:
            return ()
        morphemes = self._sudachi.analyze(word)
        if len(morphemes) != 1:
            return ()
        groups = tuple(sorted(set(morphemes[0].synonym_group_ids())))
        for group in groups:
            self._seen.setdefault(group, {})[morphemes[0].dictionary_form()] = None
        return groups

    def describe(self, concept: int) -> str:
        """Return the number of a group and those of its words that have been looked up."""
        words = "、".join(self._seen.get(concept, ()))
        return f"Sudachi synonym group {concept}: {words}"


def load_sudachi_synonyms(store: ResourceStore | None = None) -> SudachiSynonyms:
    """Return the synonym groups of the installed Sudachi dictionary.

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
    """
    sudachi = load_sudachi()
    chosen = default_store() if store is None else store
    return SudachiSynonyms(chosen.identity(SYNONYMS, kind=ResourceKind.LEXICON), sudachi)
