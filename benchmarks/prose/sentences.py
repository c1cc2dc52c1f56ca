"""Sentences of a text, and which of them are plain prose."""

import html
import re
from collections.abc import Iterator

_FEWEST, _MOST = 5, 60
_END = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(]?[A-Z0-9])")
_ABBREVIATED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Gen|Col|Capt|Lt|Sen|Rep|Gov|Hon|Rev|Jr|Sr|vs|etc|i\.e|e\.g|cf"
    r"|Nos?|Vol|Fig|pp?|ch|U\.S|U\.N|[A-Z]|Jan|Feb|Aug|Sept|Oct|Nov|Dec|Messrs|Esq|approx|est"
    r"|ca?|sq|ft|Inc|Co|Ltd)\.$"
)
_OPENS = re.compile(r"[\"'\u201c\u2018(]?[A-Z0-9]")
_CLOSES = re.compile(r"[.!?][\"'\u201d\u2019)]*$")
# Markup, code, addresses, and what a damaged file leaves.
_NO_PROSE = re.compile(
    r"[_<>{}\\|@#=*~^\[\]`]|::|\(\)|https?:|www\.|--|\$\w|/\w+/|\ufffd|\.{4}|\w\(|[a-z]\.[a-z]"
)
_LEAST_LETTERS, _MOST_CAPITALS = 0.68, 0.3
_LAST_LATIN, _MARKS = 0x24F, range(0x2010, 0x2031)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph that are plain prose.

    >>> list(sentences("Dr. Ito  left the house early. He came back at 5 p.m. or so. <b>Bold"))
    ['Dr. Ito left the house early.']
    >>> list(sentences("She asked him where he had been. He did not say, and went to bed."))
    ['She asked him where he had been.', 'He did not say, and went to bed.']
    """
    plain = " ".join(html.unescape(text).split())
    start = 0
    for found in _END.finditer(plain):
        if plain[found.start()] == "." and _ABBREVIATED.search(plain[start : found.start() + 1]):
            continue
        yield from _fit(plain[start : found.end()].strip())
        start = found.end()
    yield from _fit(plain[start:].strip())


def _fit(sentence: str) -> Iterator[str]:
    if is_prose(sentence):
        yield sentence


def is_prose(sentence: str) -> bool:
    """Return whether a sentence is whole, of usual length, and mostly words in Latin letters.

    >>> is_prose("The harbor froze in the second week of March.")
    True
    >>> is_prose("call open(path) before you read"), is_prose("Too short."), is_prose("A (b c d e.")
    (False, False, False)
    """
    if not _FEWEST <= len(sentence.split()) <= _MOST:
        return False
    if not _OPENS.match(sentence) or not _CLOSES.search(sentence) or _NO_PROSE.search(sentence):
        return False
    letters = [sign for sign in sentence if sign.isalpha()]
    capitals = sum(sign.isupper() for sign in letters)
    if len(letters) < _LEAST_LETTERS * len(sentence) or capitals > _MOST_CAPITALS * len(letters):
        return False
    if any(ord(sign) > _LAST_LATIN and ord(sign) not in _MARKS for sign in sentence):
        return False
    paired = sentence.count("(") == sentence.count(")")
    quoted = sentence.count("\u201c") == sentence.count("\u201d")
    return paired and quoted and sentence.count('"') % 2 == 0
