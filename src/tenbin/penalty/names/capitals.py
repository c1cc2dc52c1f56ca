"""Names by their capitals, in scripts that have them."""

import re
from functools import lru_cache
from importlib import import_module

from tenbin.core.errors import MissingExtra
from tenbin.penalty.names.lists import (
    common_names,
    not_names,
    place_groups,
    title_words,
    word_names,
)
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.numbers.numerals import load_number_words
from tenbin.penalty.numbers.spoken import roman_value
from tenbin.resources.function_words import (
    METEOR_LANGUAGES,
    FunctionWordSource,
    load_function_words,
)
from tenbin.resources.lexicons.wordnet import load_wordnet

_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*")
_ENDS = frozenset(".!?…:;")
_OPENED = re.compile(r"[\s(][\"“„«'’(\[]")
_ABBREVIATED = re.compile(r"\.\s*")
_ABBREVIATIONS = frozenset(("mr", "mrs", "ms", "dr", "st", "prof", "jr", "sr", "no", "vs"))
_LONGEST_ABBREVIATION = 4
# What stands before a family name, even one that is a word: Mr. Baker.
_COURTESY = frozenset(("mr", "mrs", "ms", "miss", "mister", "dr", "doctor", "prof", "sir", "lady"))
# 5 US dollars, 5 Swiss francs: money, no place.
_MONEY = frozenset(("dollar", "franc", "pound", "peso"))
_MONEY_OF = frozenset(("us", "u.s", "swiss", "british"))
_ARTICLES = frozenset(("the", "a", "an"))
_ENDING = re.compile(r"['’](?:s|re|ve|ll|d|m|t)?$", re.IGNORECASE)
# Languages that capitalize every noun.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_FEW_WORDS = 4
_SHORTEST_COMPOUND, _SHORTEST_PART = 12, 4
_LONGEST_COMPOUND = 60
# Between the parts of a compound: Weihnacht-s-markt.
_JOINTS = ("s", "es", "n", "en")


def capitalized_spans(text: str, language: str) -> tuple[NameSpan, ...]:
    """Return the names of a text.

    >>> [name.text for name in capitalized_spans("Mr Tanaka met Smith in May.", "en")]
    ['Tanaka', 'Smith']
    """
    found = list(_WORD.finditer(text))
    starts = _starts(text, found)
    small = [match[0] for match in found if not match[0][0].isupper()]
    # Capitals mean nothing in a headline.
    headline = len(found) > _FEW_WORDS and title_words().issuperset(small)
    within = {
        match[0].lower()
        for match, first in zip(found, starts, strict=True)
        if match[0][0].isupper() and not first
    }
    no_names = _no_names(language)
    strict = headline or language in _CAPITAL_NOUNS
    spans = []
    for place, match in enumerate(found):
        word = _ENDING.sub("", match[0])
        if len(word) == 1 or not word[0].isupper() or word.lower() in no_names:
            continue
        if place and roman_value(word) is not None:  # World War II
            continue
        after = found[place + 1][0].lower() if place + 1 < len(found) else ""
        if after.removesuffix("s") in _MONEY and word.lower() in _MONEY_OF:
            continue
        before = found[place - 1][0].lower() if place else ""
        firm = True
        if strict:
            sure = _known(word, language)
        elif starts[place]:
            follower = found[place + 1] if place + 1 < len(found) else None
            sure = word.lower() in within or _known(word, language)
            sure = sure or _leads(text, match, follower, language)
            if not sure and language == "en":
                sure, firm = word.lower() in word_names(), False
        else:
            sure = language != "en" or word.isupper() or not _is_english_noun(word)
            sure = sure or before in _COURTESY
            sure = sure or (word.lower() in word_names() and _stands_alone(text, found, place))
        if sure:
            spans.append(NameSpan(match.start(), match.start() + len(word), word, firm))
    return tuple(spans)


@lru_cache(maxsize=100)
def _no_names(language: str) -> frozenset[str]:
    words = load_number_words(language)
    days = {f"{day}s" for day in words.weekdays}
    codes = {sign.lower() for sign in words.symbols}
    return frozenset({*not_names(), *words.months, *words.weekdays, *days, *codes})


def _starts(text: str, found: list[re.Match[str]]) -> list[bool]:
    """Return which words are the first of a sentence."""
    starts = []
    earlier = 0
    for match in found:
        gap = text[earlier : match.start()]
        blank = len(gap)
        while blank and not (gap[blank - 1].isalnum() or gap[blank - 1] == "_"):
            blank -= 1
        start = match.start() - len(gap) + blank
        starts.append(_opens(text, start, gap[blank:]))
        earlier = match.end()
    return starts


def _opens(text: str, start: int, signs: str) -> bool:
    """Return whether the signs before a word, from a position on, begin a sentence."""
    if not start:
        return True
    if not _ENDS.isdisjoint(signs):
        return not (_ABBREVIATED.fullmatch(signs) and _is_abbreviation(text, start))
    return _OPENED.search(signs) is not None


def _is_abbreviation(text: str, stop: int) -> bool:
    """Return whether the word before a period is an abbreviation: Mr., J."""
    start = stop
    while start and stop - start <= _LONGEST_ABBREVIATION and _is_letter(text[start - 1]):
        start -= 1
    return stop - start == 1 or text[start:stop].lower() in _ABBREVIATIONS


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _stands_alone(text: str, found: list[re.Match[str]], place: int) -> bool:
    """Return whether a capital is that of a name: asked Rose, but not the Rose or Rose Hall."""
    before = found[place - 1] if place else None
    if before and (before[0].lower() in _ARTICLES or _touch(text, before, found[place])):
        return False
    after = found[place + 1] if place + 1 < len(found) else None
    return not (after and _touch(text, found[place], after))


def _touch(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Return whether two words with capitals stand side by side."""
    both = one[0][0].isupper() and other[0][0].isupper()
    return both and text[one.end() : other.start()] in {" ", "-"}


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
    if not _SHORTEST_COMPOUND <= len(word) <= _LONGEST_COMPOUND:
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
    if lower in common_names() or lower.removesuffix("s") in place_groups():
        return False
    return bool(load_wordnet().concepts(lower))


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
