"""METEOR 1.5's normaliser: the tokens of its rules, at the price of one look-up per word.

Almost every word is treated alike wherever it stands, so the rules run once per distinct word.
Exceptions are words with an undecided final dot, which look at the next word, and words that begin
with a comma or an apostrophe, which may share their blank with the word before.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache

from tenbin.annotation.meteor.rules import MeteorRules
from tenbin.annotation.meteor.words import EDGE_MARKS, MeteorWords, has_control
from tenbin.core.errors import UsageError

NORMALIZED_LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
_ALIASES = {"cz": "cs"}
_JAVA_WORD = re.compile(r"[^ \t\n\f\r]+")
_JAVA_TRIMMED = "".join(map(chr, range(33)))


class MeteorNormalization(StrEnum):
    """What is done to a line before its words are compared."""

    NORM = "norm"
    NO_PUNCTUATION = "norm-nopunct"
    LOWER = "lower"
    NONE = "none"


@cache
def meteor_tokenizer(mode: MeteorNormalization, language: str) -> Callable[[str], list[str]]:
    """Return the function that cuts a line into METEOR's tokens.

    >>> meteor_tokenizer(MeteorNormalization.NORM, "en")("Don't stop, Mr. Smith.")
    ['don', "'t", 'stop', ',', 'mr.', 'smith', '.']

    Raises:
        UsageError: METEOR has no normaliser for the language; LOWER and NONE work for all.
    """
    if mode is MeteorNormalization.NONE:
        return words_of
    if mode is MeteorNormalization.LOWER:
        return lowered_words_of
    code = _ALIASES.get(language, language)
    if code not in NORMALIZED_LANGUAGES:
        raise UsageError(
            f"METEOR normalises {', '.join(NORMALIZED_LANGUAGES)}, not {language!r}. Use "
            'tokenizer="meteor-lower", on text that is cut into words.'
        )
    return MeteorNormalizer(code, punctuation=mode is MeteorNormalization.NORM)


def words_of(line: str) -> list[str]:
    r"""Return the words between blanks; a no-break space is no blank here, as in METEOR.

    >>> words_of("12\u00a0000 EUR ")
    ['12\xa0000', 'EUR']
    """
    if line.isprintable():
        return [word for word in line.split(" ") if word]
    return _JAVA_WORD.findall(line.strip(_JAVA_TRIMMED))


def lowered_words_of(line: str) -> list[str]:
    """Return the words between blanks, lower-cased.

    Java lower-cases a capital sigma beside digits or marks by rules of its own; that is not
    imitated.
    """
    return words_of(line.lower())


class MeteorNormalizer:
    """Tokens of a line by the rules of one language."""

    def __init__(self, language: str, *, punctuation: bool) -> None:
        self._rules = MeteorRules(language)
        self._punctuation = punctuation
        self._words = MeteorWords(self._rules, punctuation=punctuation)

    def __call__(self, line: str) -> list[str]:
        """Return the tokens of a line."""
        words = self._words
        words.keep_small()
        pieces = line.split(" ")
        tokens = _tokens(map(words.__getitem__, pieces))
        last = pieces.pop()
        if last not in words.sharing and words.special.isdisjoint(pieces):
            return tokens
        pieces.append(last)
        return self._in_context(pieces, tokens)

    def piece_tokens(self, pieces: Sequence[str]) -> list[str]:
        """Return the tokens of each piece of text without blanks, neighbours left aside.

        The tokens of a piece are joined by blanks.
        """
        words = self._words
        words.keep_small()
        # Most pieces are plain words, whose only token is themselves in small letters; those of all
        # pieces at once cost less than one look-up each.
        lowered = "\n".join(pieces).lower().split("\n")
        if len(lowered) != len(pieces):  # a piece holds a line feed
            return list(map(words.__getitem__, pieces))
        return [
            small if piece.isalnum() and piece.isascii() else words[piece]
            for piece, small in zip(pieces, lowered, strict=True)
        ]

    def context_free(self, pieces: Sequence[str]) -> tuple[list[bool], list[bool]]:
        """Return for pieces seen by `piece_tokens` whether their tokens are the same everywhere.

        First before another piece, then at the end of a line.
        """
        special, sharing = self._words.special, self._words.sharing
        return [p not in special for p in pieces], [p not in sharing for p in pieces]

    def _in_context(self, pieces: Sequence[str], tokens: list[str]) -> list[str]:
        """Return the tokens where neighbours may matter; ``tokens`` if they do not."""
        words = self._words
        dotted: dict[int, str] = {}
        for place, piece in enumerate(pieces):
            if piece not in words.special:
                continue
            if piece in words.sharing and (
                has_control(piece) or (place and pieces[place - 1].endswith(EDGE_MARKS))
            ):
                return self._rules.tokens(" ".join(pieces), punctuation=self._punctuation)
            if piece in words.undecided:
                following = next((later[0] for later in pieces[place + 1 :] if later), "")
                *before, word = words.undecided[piece]
                if self._rules.undotted(word, following) == (word,):
                    dotted[place] = " ".join((*before, word.lower()))
        if not dotted:
            return tokens
        return _tokens(dotted.get(place) or words[piece] for place, piece in enumerate(pieces))


def _tokens(joined: Iterable[str]) -> list[str]:
    """Return the tokens of pieces that may have none; only a blank separates them."""
    return [token for token in " ".join(joined).split(" ") if token]
