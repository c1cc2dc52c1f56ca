"""English names of several words, ordinary ones among them: the Red Cross, the House of Lords."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tenbin.penalty.names.lists import not_names, title_words
from tenbin.penalty.names.search import NamedText
from tenbin.penalty.names.spelling import is_transcription
from tenbin.resources.lexicons.wordnet import load_wordnet

_WORD = re.compile(r"[^\W\d_]+")
_JOINTS = frozenset((" ", "-"))
_SMALL = frozenset(("of", "for", "and", "the", "de"))
_FEWEST, _MOST = 2, 8
_STEM = 4


class Phrase(NamedTuple):
    """Words with capitals in a row, with small words between them.

    Attributes:
        words: The words.
        opens: Whether the first word is the first of the text or of a sentence.
    """

    words: tuple[str, ...]
    opens: bool


def exchanged_words(own: NamedText, other: NamedText) -> Iterator[tuple[str, str]]:
    """Yield names of several words that differ in one: Red Cross, Green Cross."""
    theirs: dict[tuple[object, ...], list[Phrase]] = {}
    for phrase in _phrases(other.text):
        for place in range(len(phrase.words)):
            theirs.setdefault(_without(phrase, place), []).append(phrase)
    for phrase in _phrases(own.text):
        for place in range(len(phrase.words)):
            for partner in theirs.get(_without(phrase, place), ())[:1]:
                if _is_other(phrase, partner, place, own, other):
                    yield " ".join(phrase.words), " ".join(partner.words)


def _without(phrase: Phrase, place: int) -> tuple[object, ...]:
    return (place, *phrase.words[:place], None, *phrase.words[place + 1 :])


def _is_other(  # noqa: PLR0911 - one reason a line
    one: Phrase, two: Phrase, place: int, own: NamedText, other: NamedText
) -> bool:
    """Return whether two phrases differ in a word that only one of the texts has each."""
    word, instead = one.words[place].lower(), two.words[place].lower()
    if word in other.words or instead in own.words:
        return False
    if place == 0 and (one.opens or two.opens):
        return False  # a capital that means nothing
    if {word, instead} & {*not_names(), *title_words()}:
        return False
    if is_transcription(word, instead):
        return False
    if word[:_STEM] == instead[:_STEM] or word in instead or instead in word:
        return False
    rest = {one.lower() for at, one in enumerate(one.words) if at != place} - _SMALL
    named = [one in own.small_names or one in other.small_names for one in (word, instead)]
    rest_named = all(one in own.small_names or one in other.small_names for one in rest)
    if all(named) or (any(named) and not rest_named):
        return False  # compared as names
    concepts = load_wordnet().concepts
    return not set(concepts(word)) & set(concepts(instead))


def _phrases(text: str) -> Iterator[Phrase]:
    words: list[str] = []
    small: list[str] = []
    opens = True
    end = 0
    for found in _WORD.finditer(text):
        word = found[0]
        between = text[end : found.start()]
        end = found.end()
        joined = between in _JOINTS
        if words and joined and word in _SMALL:
            small.append(word)
            continue
        if words and joined and word[0].isupper():
            words += [*small, word]
            small = []
            continue
        if _FEWEST <= len(words) <= _MOST:
            yield Phrase(tuple(words), opens)
        words, small = [], []
        if word[0].isupper() and len(word) > 1 and word.lower() not in not_names():
            opens = not found.start() or any(sign in between for sign in '.!?:;"“')
            words = [] if word.lower() in title_words() else [word]
    if _FEWEST <= len(words) <= _MOST:
        yield Phrase(tuple(words), opens)
