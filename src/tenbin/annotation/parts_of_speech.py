"""Parts of speech: universal tags of the words of a segment, by the tagger of its language."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version

from tenbin.core.errors import MissingExtra, UsageError
from tenbin.resources.lexicons.sudachi import LONGEST_WORD, load_sudachi
from tenbin.resources.universal_tags import UniversalTag, universal_tags

_OWN_TAGS = "Or tag the text with another program and give the tags (`tags`)."
# The models that come with HanTa (Wartena 2019, "A Probabilistic Morphology Model for German
# Lemmatization").
_HANTA_MODELS = {
    "de": "morphmodel_ger.pgz",
    "en": "morphmodel_en.pgz",
    "nl": "morphmodel_dutch.pgz",
}
_LONGEST_WORD = 60
_PLACEHOLDER = "x"
_cached = lru_cache(maxsize=500_000)


@dataclass(frozen=True, slots=True)
class Tagger:
    """The tagger of one language.

    Attributes:
        name: Its name.
        tags: Returns one universal tag per word of a segment, in which case counts.
        versions: Libraries and dictionaries that determine the tags.
    """

    name: str
    tags: Callable[[Sequence[str]], list[UniversalTag]]
    versions: tuple[tuple[str, str], ...]


@cache
def load_tagger(language: str) -> Tagger:
    """Return the tagger of a language.

    HanTa for German, English and Dutch, pymorphy3 for Russian, whose words it tags one by one, and
    Sudachi for Japanese.

    Raises:
        UsageError: There is no tagger for the language.
        MissingExtra: Its package is not installed.
    """
    if language in _HANTA_MODELS:
        return _hanta(language)
    if language == "ru":
        return _pymorphy()
    if language == "ja":
        return _sudachi()
    known = ", ".join(sorted([*_HANTA_MODELS, "ja", "ru"]))
    raise UsageError(
        f"Tenbin knows no tagger for {language!r} (only for {known}). Tag the text with any "
        "program, one line of universal tags per line, and give the file (`tags`)."
    )


def _hanta(language: str) -> Tagger:
    try:
        module = import_module("HanTa.HanoverTagger")
        model = module.HanoverTagger(_HANTA_MODELS[language])
    except ImportError as error:
        what = f"tagging parts of speech in {language!r}"
        raise MissingExtra(what, "tags", _OWN_TAGS) from error
    universal = universal_tags(f"hanta-{language}")

    def tags(words: Sequence[str]) -> list[UniversalTag]:
        # The time that HanTa takes for a word grows with the square of its length.
        short = [word if len(word) <= _LONGEST_WORD else _PLACEHOLDER for word in words]
        found = map(universal, model.tag_sent(short, taglevel=0))
        return [
            tag if len(word) <= _LONGEST_WORD else UniversalTag.X
            for word, tag in zip(words, found, strict=True)
        ]

    return Tagger("hanta", tags, (("HanTa", version("HanTa")),))


def _pymorphy() -> Tagger:
    try:
        analyzer = import_module("pymorphy3").MorphAnalyzer()
    except (ImportError, ValueError) as error:  # ValueError: its dictionaries are missing
        what = "tagging parts of speech in 'ru'"
        raise MissingExtra(what, "lexicons", _OWN_TAGS) from error
    universal = universal_tags("opencorpora")

    @_cached
    def tag(word: str) -> UniversalTag:
        # The readings are sorted, the most probable first.
        return universal(str(analyzer.parse(word)[0].tag))

    versions = tuple((name, version(name)) for name in ("pymorphy3", "pymorphy3-dicts-ru"))
    return Tagger("pymorphy3", lambda words: [tag(word) for word in words], versions)


def _sudachi() -> Tagger:
    sudachi = load_sudachi()
    universal = universal_tags("sudachi")

    def tags(words: Sequence[str]) -> list[UniversalTag]:
        found: list[UniversalTag] = []
        for part in _short_parts(words):
            found += _tags_of_text(part)
        return found

    def _tags_of_text(words: Sequence[str]) -> list[UniversalTag]:
        text = ""
        ends = []
        for word in words:
            # Words of other scripts would run together.
            apart = text[-1:].isascii() and word[:1].isascii()
            text += f" {word}" if apart and text else word
            ends.append(len(text))
        if len(text) > LONGEST_WORD:
            return [UniversalTag.X] * len(words)
        morphemes = sudachi.analyze(text)
        places = [morpheme.end() for morpheme in morphemes]
        # Of several morphemes the last one decides, as in compounds.
        chosen = [morphemes[bisect_left(places, end)] for end in ends]
        return [universal(",".join(morpheme.part_of_speech())) for morpheme in chosen]

    return Tagger("sudachi", tags, sudachi.versions)


def _short_parts(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words of a segment in parts that Sudachi takes."""
    part: list[str] = []
    size = 0
    for word in words:
        size += len(word) + 1
        if part and size > LONGEST_WORD:
            yield part
            part, size = [], len(word) + 1
        part.append(word)
    yield part
