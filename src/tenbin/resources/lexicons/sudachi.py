"""The Sudachi dictionary of Japanese: dictionary forms and groups of synonyms."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from tenbin.core.errors import MissingExtra
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.resources.store.store import ResourceStore, default_store

SYNONYMS = "sudachi-synonyms"  # in the manifest
# SudachiPy refuses inputs over 49,149 bytes, and over 65,535 bytes in its own normalized form, in
# which one character may be 33 bytes.
_MOST_CHARACTERS, _MOST_BYTES = 12_000, 48_000
LONGEST_WORD = 1_400
"""Characters that SudachiPy takes whatever they are; a longer word is in no dictionary."""
_ENDS = "。！？\u3000 "


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
        if not word or len(word) > LONGEST_WORD:
            return word
        *before, last = self.analyze(word)
        form = "".join([*(part.surface() for part in before), last.dictionary_form()])
        return form or word

    def normalized_form(self, word: str) -> str:
        """Return the normalized spelling of a word, common to all its spellings.

        >>> load_sudachi().normalized_form("附属")
        '付属'
        """
        if not word or len(word) > LONGEST_WORD:
            return word
        return "".join(part.normalized_form() for part in self.analyze(word)) or word


def bounded_parts(text: str) -> Iterator[str]:
    """Yield a text in parts that SudachiPy takes, of whole sentences where they are short enough.

    >>> [len(part) for part in bounded_parts("あ。" * 10_000)]
    [12000, 8000]
    """
    start = 0
    while True:
        part = text[start : start + _MOST_CHARACTERS]
        while len(part) > LONGEST_WORD and _normalized_bytes(part) > _MOST_BYTES:
            part = part[: len(part) // 2]
        if start + len(part) < len(text):
            cut = max(part.rfind(end) for end in _ENDS) + 1
            part = part[: cut or len(part)]
        yield part
        start += len(part)
        if start >= len(text):
            return


def _normalized_bytes(text: str) -> int:
    return len(unicodedata.normalize("NFKC", text).encode("utf-8", "replace"))


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
        if not word or len(word) > LONGEST_WORD:
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
