"""Lemmas: dictionary forms of words, for lexicons that list only those."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version

from tenbin.core.errors import MissingExtra, UsageError
from tenbin.resources.lexicons.sudachi import load_sudachi

_EXTRA = "lexicons"
_cached = lru_cache(maxsize=500_000)


@dataclass(frozen=True, slots=True)
class Lemmatizer:
    """The lemmatizer of one language.

    Attributes:
        name: Its name in signatures.
        lemma: Returns the lemma of a lower-cased word, cached.
        versions: Libraries and dictionaries that determine the lemmas.
    """

    name: str
    lemma: Callable[[str], str]
    versions: tuple[tuple[str, str], ...]


def lemmas(words: Sequence[str], language: str) -> list[str]:
    """Return the lemma of each word, lower-cased; the word itself if none is known.

    simplemma for most languages, pymorphy3 for Russian, Sudachi for Japanese.

    Raises:
        UsageError: There are no lemmas for the language.
        MissingExtra: The package for the language is not installed.
    """
    lemma_of = load_lemmatizer(language).lemma
    return [lemma_of(word) for word in words]


def has_lemmatizer(language: str) -> bool:
    """Return whether there is a lemmatizer for a language, installed or not."""
    try:
        load_lemmatizer(language)
    except MissingExtra:
        return True
    except UsageError:
        return False
    return True


@cache
def load_lemmatizer(language: str) -> Lemmatizer:
    """Return the lemmatizer of a language; the errors are those of `lemmas`."""
    if language == "ja":
        sudachi = load_sudachi()
        return Lemmatizer("sudachi", _cached(sudachi.dictionary_form), sudachi.versions)
    return _pymorphy() if language == "ru" else _simplemma(language)


def _pymorphy() -> Lemmatizer:
    try:
        analyzer = import_module("pymorphy3").MorphAnalyzer()
    except (ImportError, ValueError) as error:  # ValueError: its dictionaries are missing
        raise MissingExtra("lemmatizing Russian", _EXTRA) from error

    def lemma_of(word: str) -> str:
        # The readings are sorted, the most probable first.
        return str(analyzer.parse(word)[0].normal_form)

    names = ("pymorphy3", "pymorphy3-dicts-ru")
    versions = tuple((name, version(name)) for name in names)
    return Lemmatizer("pymorphy3", _cached(lemma_of), versions)


def _simplemma(language: str) -> Lemmatizer:
    try:
        lemmatize = import_module("simplemma").lemmatize
    except ImportError as error:
        raise MissingExtra(f"lemmatizing {language!r}", _EXTRA) from error
    code = {"no": "nb"}.get(language, language)
    try:
        lemmatize("a", lang=code)
    except ValueError as error:
        raise UsageError(
            f"there are no lemmas for {language!r} (simplemma, pymorphy3 and Sudachi do not know "
            "it). Look words up without lemmas."
        ) from error

    def lemma_of(word: str) -> str:
        # simplemma rejects words that are empty without soft hyphens and the like.
        try:
            return str(lemmatize(word, lang=code)).lower()
        except ValueError:
            return word

    return Lemmatizer("simplemma", _cached(lemma_of), (("simplemma", version("simplemma")),))
