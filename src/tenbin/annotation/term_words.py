"""Words as terms are searched by them: where they stand, and the forms they are compared in."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from tenbin.annotation.languages import parse_language
from tenbin.annotation.lemmas import has_lemmatizer, load_lemmatizer
from tenbin.annotation.stems import has_stemmer, load_stemmer
from tenbin.resources.lexicons.sudachi import bounded_parts, load_sudachi
from tenbin.resources.particles import load_particles

# A run of katakana is a word, a letter of another script without spaces is one, and so is a run of
# letters and digits of any other script; what is left are single signs.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_KATAKANA = r"\p{Katakana}ー\uff70"
_WORDS = (
    rf"(?:(?![々])[{_KATAKANA}])(?:[{_KATAKANA}]|\p{{M}})*"
    rf"|[{_UNSPACED}]\p{{M}}*"
    rf"|(?:(?![{_UNSPACED}{_KATAKANA}])[\p{{L}}\p{{N}}\p{{M}}\u200c\u200d])+"
    r"|\S"
)
_QUOTES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'"})
_JAPANESE = "ja"
_CACHED_TEXTS = 20_000


class TermWord(NamedTuple):
    """A word of a text.

    Attributes:
        start: Its first character.
        stop: The character after it.
        written: The word as written, in full or half width all the same.
        keys: What it is compared by: itself in small letters, and its dictionary form.
    """

    start: int
    stop: int
    written: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class TermLanguage:
    """How the words of a language are cut and compared.

    Attributes:
        code: The language; empty where it is not known, which takes words as they are written.
        inflected: Whether a word counts in all its forms.
    """

    code: str
    inflected: bool = True

    @property
    def spaced(self) -> bool:
        """Whether there are spaces between its words."""
        return not self.code or parse_language(self.code).spaced

    @property
    def has_morphemes(self) -> bool:
        """Whether a dictionary says where its words end, which it writes without spaces."""
        return self.code == _JAPANESE and self.inflected

    def words(self, text: str) -> tuple[TermWord, ...]:
        """Return the words of a text.

        >>> [sorted(word.keys) for word in TermLanguage("en").words("Two swords")]
        [['two'], ['sword', 'swords']]
        """
        return _words(text, self)

    @property
    def lemmatizer(self) -> str:
        """What gives the dictionary forms, as signatures write it."""
        return _base_form(self).name if self.inflected else "none"

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The programs that the dictionary forms depend on.

        Raises:
            MissingExtra: One is not installed.
        """
        return _base_form(self).versions if self.inflected else ()


@dataclass(frozen=True, slots=True)
class _BaseForm:
    name: str
    form: Callable[[str], str]
    versions: tuple[tuple[str, str], ...] = ()


def plain_form(text: str) -> str:
    """Return a text in one width and with one apostrophe.

    >>> plain_form("ｶｰﾋﾞｨ")
    'カービィ'
    """
    return unicodedata.normalize("NFKC", text).translate(_QUOTES)


@cache
def _base_form(language: TermLanguage) -> _BaseForm:
    """Return what gives dictionary forms: lemmas, else stems, else the word itself."""
    is_unspaced = not language.spaced and language.code != _JAPANESE
    if is_unspaced:
        return _BaseForm("none", str)  # words of such languages have one form
    if language.code and has_lemmatizer(language.code):
        lemmas = load_lemmatizer(language.code)
        return _BaseForm(lemmas.name, lemmas.lemma, lemmas.versions)
    if has_stemmer(language.code):
        stems = load_stemmer(language.code)
        return _BaseForm(stems.name, stems.stem, stems.versions)
    return _BaseForm("none", str)


@lru_cache(maxsize=_CACHED_TEXTS)
def _words(text: str, language: TermLanguage) -> tuple[TermWord, ...]:
    if language.has_morphemes:
        return tuple(_morphemes(text))
    base = _base_form(language).form if language.inflected else str
    particles = load_particles(language.code) if language.inflected else frozenset[str]()
    found = []
    for match in _pattern().finditer(text):
        written = plain_form(match[0])
        small = written.casefold()
        keys = {small}
        if small.isalpha():
            keys.add(base(small).casefold())
            keys.update(_without_particles(small, particles))
        found.append(TermWord(match.start(), match.end(), written, frozenset(keys)))
    return tuple(found)


def _without_particles(word: str, particles: frozenset[str]) -> Iterator[str]:
    """Yield what may be left of a word without the particle at its end."""
    longest = max(map(len, particles), default=0)
    for place in range(max(len(word) - longest, 1), len(word)):
        if word[place:] in particles:
            yield word[:place]


def _morphemes(text: str) -> Iterator[TermWord]:
    """Yield the shortest units of Sudachi, each with its dictionary form."""
    shortest = import_module("sudachipy").SplitMode.A
    analyze, begin = load_sudachi().analyze, 0
    for part in bounded_parts(text):
        for longer in analyze(part):
            # A unit that is not made of shorter ones has no parts.
            for one in list(longer.split(shortest)) or [longer]:
                surface = one.surface()
                if surface.strip():
                    written = plain_form(surface)
                    keys = frozenset(
                        (written.casefold(), plain_form(one.dictionary_form()).casefold())
                    )
                    yield TermWord(begin + one.begin(), begin + one.end(), written, keys)
        begin += len(part)


@lru_cache(maxsize=_CACHED_TEXTS)
def word_edges(text: str, language: TermLanguage) -> frozenset[int]:
    """Return the places of a text without spaces at which a term may begin or end.

    Nothing begins within a run of katakana, of Latin letters or of digits, unless a dictionary
    knows the words it is made of. Where there is none, a term of other letters may begin anywhere.
    """
    signs = [match.span() for match in _pattern().finditer(text)]
    edges = {place for span in signs for place in span}
    if not language.has_morphemes:
        return frozenset(edges | {0, len(text)})
    known = {place for word in language.words(text) for place in (word.start, word.stop)}
    runs = {0, len(text)}
    for (_, stop), (start, _) in pairwise(signs):
        if start != stop or not (_is_unspaced(text[stop - 1]) and _is_unspaced(text[start])):
            runs |= {stop, start}
    return frozenset(known | runs)


@lru_cache(maxsize=50_000)
def _is_unspaced(letter: str) -> bool:
    return bool(_regex().match(rf"[{_UNSPACED}]", letter))


@cache
def _regex() -> Any:  # noqa: ANN401 - regex ships no types
    return import_module("regex")  # the standard library knows no script properties


@cache
def _pattern() -> Any:  # noqa: ANN401 - regex ships no types
    return _regex().compile(_WORDS)
