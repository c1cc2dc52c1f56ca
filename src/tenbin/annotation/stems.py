"""Stemmers by language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version

import numpy as np

from tenbin.core.arrays import IdArray, Numbering
from tenbin.core.errors import MissingExtra, UsageError
from tenbin.resources.lexicons.sudachi import load_sudachi

# Implemented here, in the version that METEOR 1.5 has.
_OWN = {"en": "english", "fr": "french", "de": "german", "es": "spanish", "ru": "russian"}
# Other languages of METEOR 1.5, in whatever version of snowballstemmer is installed.
_PACKAGED = {
    "da": "danish", "fi": "finnish", "hu": "hungarian", "it": "italian", "nb": "norwegian",
    "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip
STEMMED_LANGUAGES = (*sorted({*_OWN, *_PACKAGED, "ja"}),)
_cached = lru_cache(maxsize=500_000)


@dataclass(frozen=True, slots=True)
class Stemmer:
    """The stemmer of one language.

    Attributes:
        name: Its name in signatures.
        stem: Returns the stem of a word, cached.
        versions: Libraries and dictionaries that determine the stems.
    """

    name: str
    stem: Callable[[str], str]
    versions: tuple[tuple[str, str], ...] = ()


def has_stemmer(language: str) -> bool:
    """Return whether there is a stemmer for a language, installed or not."""
    return language in STEMMED_LANGUAGES


@cache
def load_stemmer(language: str) -> Stemmer:
    """Return the stemmer of a language: Snowball, for Japanese the dictionary form by Sudachi.

    >>> load_stemmer("en").stem("generalizations")
    'general'

    Raises:
        UsageError: There is none for the language.
        MissingExtra: It needs a package that is not installed.
    """
    if language in _OWN:
        module = import_module(f"tenbin.annotation.snowball.{_OWN[language]}")
        return Stemmer(f"snowball-2014-{language}", _cached(module.stem))
    if language in _PACKAGED:
        return _packaged(language)
    if language == "ja":
        sudachi = load_sudachi()
        return Stemmer("sudachi", _cached(sudachi.dictionary_form), sudachi.versions)
    raise UsageError(
        f"there is no stemmer for {language!r}; there are stemmers for "
        f"{', '.join(STEMMED_LANGUAGES)}. Leave out the stage 'stem'."
    )


def stem(word: str, language: str) -> str:
    """Return the stem of a word."""
    return load_stemmer(language).stem(word)


def stem_ids(vocabulary: Sequence[str], language: str) -> IdArray:
    """Return an id for each word; words with the same stem have the same id.

    >>> stem_ids(["cats", "dog", "cat"], "en").tolist()
    [0, 1, 0]
    """
    stems = list(map(load_stemmer(language).stem, vocabulary))
    return Numbering().numbers(stems).astype(np.int32)


def _packaged(language: str) -> Stemmer:
    name = _PACKAGED[language]
    try:
        # The package's own entry point would return PyStemmer of any version instead.
        module = import_module(f"snowballstemmer.{name}_stemmer")
    except ImportError as error:
        raise MissingExtra(f"the stemmer for {language!r}", "lexicons") from error
    stemmer = getattr(module, f"{name.capitalize()}Stemmer")()
    versions = (("snowballstemmer", version("snowballstemmer")),)
    return Stemmer(f"snowball-{language}", _cached(stemmer.stemWord), versions)
