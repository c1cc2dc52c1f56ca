"""Finds the names of people, places and organizations in a text."""

import re
from enum import StrEnum
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.penalty.names.chinese import chinese_name_ranges
from tenbin.penalty.names.forms import readable
from tenbin.penalty.names.lists import common_names, entity_kinds, not_names, title_words
from tenbin.penalty.numbers.numerals import load_number_words
from tenbin.penalty.numbers.patterns import roman_value
from tenbin.penalty.numbers.recognition import numbers
from tenbin.resources.function_words import (
    METEOR_LANGUAGES,
    FunctionWordSource,
    load_function_words,
)
from tenbin.resources.jieba_words import load_tagged_words
from tenbin.resources.lexicons.sudachi import load_sudachi
from tenbin.resources.lexicons.wordnet import load_wordnet

_PROPER = "固有名詞"
_MOST_CHARACTERS = 10_000  # SudachiPy refuses longer inputs
_HONORIFIC = re.compile("(?:さん|様|さま|氏|君|くん|ちゃん|殿|先生|社)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"(?:[.!?…:;]|(?:^|[\s(])[\"“„«'’(\[])\W*$|^\W*$")
_ABBREVIATION = re.compile(r"(?:^|\W)(?:\w|mr|mrs|ms|dr|st|prof|jr|sr|no|vs)\.\s*$", re.IGNORECASE)
_ENDING = re.compile(r"['’](?:s|re|ve|ll|d|m|t)?$", re.IGNORECASE)
# Scripts with capitals.
_CASED = frozenset({"Latn", "Cyrl", "Grek", "Armn"})
# jieba's dictionary has few traditional characters.
_TAGGED_CHINESE = ("zh", "Hans")
# Languages that capitalize every noun.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_FEW_WORDS = 4
_SHORTEST_COMPOUND, _SHORTEST_PART = 12, 4
# Between the parts of a compound: Weihnacht-s-markt.
_JOINTS = ("s", "es", "n", "en")


class NameSource(StrEnum):
    """How names are recognized.

    RARE: by the idf of a dictionary, as in the paper. PROPN: by part of speech, with Sudachi
    (Japanese) or jieba (Chinese in simplified characters). NER: the entities of GiNZA (Japanese
    only, installed separately). CAPITALS: by capital letters, in scripts that have them. AUTO:
    PROPN or CAPITALS, depending on the language.
    """

    AUTO = "auto"
    RARE = "rare"
    PROPN = "propn"
    NER = "ner"
    CAPITALS = "capitals"


class NameSpan(NamedTuple):
    """A name and its position, a half-open range of characters."""

    start: int
    stop: int
    text: str


def settled_source(source: NameSource, language: str) -> NameSource:
    """Return the source that ``auto`` stands for in a language; check any other.

    Raises:
        UsageError: The source does not support the language.
    """
    parsed = parse_language(language)
    cased = parsed.script_code in _CASED
    tagged = parsed.code == "ja" or (parsed.code, parsed.script_code) == _TAGGED_CHINESE
    if source is NameSource.AUTO:
        if tagged or cased:
            return NameSource.PROPN if tagged else NameSource.CAPITALS
        raise UsageError(
            f"names in {language!r} cannot be recognized by capitals or part of speech. Give a "
            "dictionary and take rare tokens for names (names=rare), or leave names out "
            "(penalty=numbers)."
        )
    advice = "names=capitals" if cased else "names=propn" if tagged else "names=rare"
    if source is NameSource.PROPN and not tagged:
        raise UsageError(
            "names=propn is for Japanese, and for Chinese in simplified characters; for "
            f"{language!r} choose {advice}."
        )
    if source is NameSource.NER and parsed.code != "ja":
        raise UsageError(f"names=ner is for Japanese; for {language!r} choose {advice}.")
    if source is NameSource.CAPITALS and not cased:
        raise UsageError(f"names=capitals: {language!r} has no capitals; choose {advice}.")
    return source


def proper_noun_versions(language: str) -> tuple[tuple[str, str], ...]:
    """Return the libraries behind ``propn`` and their versions.

    Raises:
        MissingExtra: They are not installed.
    """
    chinese = parse_language(language).code == "zh"
    return load_tagged_words().versions if chinese else load_sudachi().versions


@lru_cache(maxsize=100_000)
def name_spans(text: str, language: str, source: NameSource) -> tuple[NameSpan, ...]:
    """Return the names of a text.

    >>> [name.text for name in name_spans("Mr Tanaka met Smith in May.", "en", NameSource.CAPITALS)]
    ['Tanaka', 'Smith']
    >>> [name.text for name in name_spans("齊藤さんは東京にいる。", "ja", NameSource.PROPN)]
    ['齊藤', '東京']
    >>> [name.text for name in name_spans("王小明在上海工作。", "zh", NameSource.PROPN)]
    ['王小明', '上海']

    Raises:
        UsageError: The source does not support the language, or needs a dictionary (``rare``).
        ResourceError: A library or dictionary of the source is not installed.
    """
    settled = settled_source(source, language)
    if settled is NameSource.RARE:
        raise UsageError("rare tokens are found by a dictionary, not from a text alone.")
    code = parse_language(language).code
    if settled is NameSource.PROPN and code == "zh":
        ranges = chinese_name_ranges(text)
        return tuple(NameSpan(start, stop, text[start:stop]) for start, stop in ranges)
    if settled is NameSource.PROPN:
        return _proper_nouns(text)
    if settled is NameSource.NER:
        return _entities(text)
    return _capitalized(text, code)


def _proper_nouns(text: str) -> tuple[NameSpan, ...]:
    eras = load_number_words("ja").eras
    usual = readable(text)
    spans: list[NameSpan] = []
    for first in range(0, len(text), _MOST_CHARACTERS):
        for morpheme in load_sudachi().analyze(usual[first : first + _MOST_CHARACTERS]):
            if morpheme.part_of_speech()[1] != _PROPER:
                continue
            start, stop = first + morpheme.begin(), first + morpheme.end()
            surface = text[start:stop]
            # Sudachi lists 八千 and 十人 as names; numbers are compared elsewhere.
            if surface not in eras and not _is_number(surface):
                spans.append(NameSpan(start, stop, surface))
    return tuple(spans)


def _is_number(surface: str) -> bool:
    found = numbers(surface, "ja")
    return any(one.firm or one.text == surface for one in found)


def _entities(text: str) -> tuple[NameSpan, ...]:
    kinds = entity_kinds()
    # Sudachi lists few names in older forms of kanji; the forms are of the same length.
    found = [one for one in _ginza()(readable(text)).ents if one.label_ in kinds]
    spans = []
    for one in found:
        surface = text[one.start_char : one.end_char]
        bare = _HONORIFIC.sub("", surface) or surface
        if any(map(str.isalpha, bare)) and not _is_number(bare):
            spans.append(NameSpan(one.start_char, one.start_char + len(bare), bare))
    return tuple(spans)


@lru_cache(maxsize=1)
def _ginza() -> Any:  # noqa: ANN401 - spaCy's pipelines are built at run time
    try:
        return import_module("spacy").load("ja_ginza")
    except Exception as error:  # spaCy and SudachiPy raise errors of many types
        raise ResourceError(
            "names=ner needs GiNZA, which no extra of Tenbin has because it pins an old Sudachi: "
            "pip install ja-ginza 'sudachipy<0.7' 'sudachidict-core==20260723'. Or choose "
            f"names=propn, Sudachi's proper nouns. Found: {error}"
        ) from error


def _capitalized(text: str, language: str) -> tuple[NameSpan, ...]:
    found = list(_WORD.finditer(text))
    small = [match[0] for match in found if not match[0][0].isupper()]
    # Capitals mean nothing in a headline.
    headline = len(found) > _FEW_WORDS and title_words().issuperset(small)
    within = {
        match[0].lower() for match in found if match[0][0].isupper() and not _starts(text, match)
    }
    words = load_number_words(language)
    days = {f"{day}s" for day in words.weekdays}
    codes = {sign.lower() for sign in words.symbols}
    no_names = {*not_names(), *words.months, *words.weekdays, *days, *codes}
    strict = headline or language in _CAPITAL_NOUNS
    spans = []
    for place, match in enumerate(found):
        word = _ENDING.sub("", match[0])
        if len(word) == 1 or not word[0].isupper() or word.lower() in no_names:
            continue
        if place and roman_value(word) is not None:  # World War II
            continue
        follower = found[place + 1] if place + 1 < len(found) else None
        if strict:
            sure = _known(word, language)
        elif _starts(text, match):
            sure = word.lower() in within or _known(word, language)
            sure = sure or _leads(text, match, follower, language)
        else:
            sure = language != "en" or word.isupper() or not _is_english_noun(word)
        if sure:
            spans.append(NameSpan(match.start(), match.start() + len(word), word))
    return tuple(spans)


def _starts(text: str, match: re.Match[str]) -> bool:
    """Return whether a word is the first of a sentence."""
    before = text[: match.start()]
    return bool(_SENTENCE_END.search(before)) and not _ABBREVIATION.search(before)


def _leads(text: str, match: re.Match[str], follower: re.Match[str] | None, language: str) -> bool:
    """Return whether the first word of a sentence opens a name of several words: Lev Tolstoy."""
    if follower is None or text[match.end() : follower.start()] != " ":
        return False
    after = follower[0].lower()
    opens = follower[0][0].isupper() and after not in not_names()
    return opens and not _is_ordinary(match[0].lower(), language)


def _known(word: str, language: str) -> bool:
    """Return whether a word is a name, regardless of its context."""
    if word.isupper() and len(word) > 1:
        return True
    lower = word.lower()
    if lower in common_names():
        return True
    compound = language in _CAPITAL_NOUNS and _is_compound(lower, language)
    return not compound and not _is_ordinary(lower, language)


@lru_cache(maxsize=50_000)
def _is_compound(word: str, language: str) -> bool:
    """Return whether a long word is made of ordinary ones: Klima + schutz + gesetz.

    Dictionaries lack most compounds. Short ones may be places: Heidenau.
    """
    if len(word) < _SHORTEST_COMPOUND:
        return False
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head, tail = word[:cut], word[cut:]
        forms = {head, *(head.removesuffix(joint) for joint in _JOINTS)}
        long = {form for form in forms if len(form) >= _SHORTEST_PART}
        if _is_ordinary(tail, language) and any(
            _is_ordinary(form, language) or _is_compound(form, language) for form in long
        ):
            return True
    return False


def _is_english_noun(word: str) -> bool:
    """Return whether a capitalized word is a common noun: the Hospital, Foreign Minister."""
    lower = word.lower()
    return lower not in common_names() and bool(load_wordnet().concepts(lower))


@lru_cache(maxsize=200_000)
def _is_ordinary(word: str, language: str) -> bool:
    """Return whether a word is in simplemma's dictionary; True if the language has none."""
    if language == "en" and _is_english_noun(word):
        return True
    if language in METEOR_LANGUAGES and word in _function_words(language):
        return True  # pronouns and the like, which simplemma leaves out
    try:
        simplemma = import_module("simplemma")
    except ImportError as error:
        raise MissingExtra("telling names from words", "lexicons") from error
    try:
        return bool(simplemma.is_known(word, lang={"no": "nb"}.get(language, language)))
    except ValueError:
        return True


def _function_words(language: str) -> frozenset[str]:
    return load_function_words(FunctionWordSource.LANGUAGE, language).words
