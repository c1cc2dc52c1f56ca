"""METEOR 1.5's normalizer: the tokens of its rules, at the cost of one look-up per word.

Almost every word is treated the same in any context, so the rules run once per distinct word.
Exceptions are words with an undecided final dot, which depend on the next word, and words that
begin with a comma or an apostrophe, which may share a space with the word before.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache

from tenbin.annotation.meteor.rules import LETTERS, LETTERS_AND_DIGITS, SPACES, MeteorRules
from tenbin.core.errors import UsageError

EDGE_PUNCTUATION = (",", "'", "`", "\u2018", "’")
_MOST_WORDS = 500_000
# Punctuation that becomes a token of its own in any context.
_PUNCTUATION = rf'"“”„«»(){SPACES}:;!?%–'
_SHOWN = {"“": ('"',), "”": ('"',), "–": ("-",)}
# (d')(word)(-word) between such punctuation, with one comma or dot: nearly all words.
_PLAIN = re.compile(
    rf"([{_PUNCTUATION}]*)(?:([{LETTERS_AND_DIGITS}]*[{LETTERS}])['’](?=[{LETTERS}]))?"
    rf"([{LETTERS_AND_DIGITS}]+)(?:-([{LETTERS_AND_DIGITS}]+))?([{_PUNCTUATION}]*)([,.]?)([{_PUNCTUATION}]*)"
)
_STOPS = frozenset(",.")
_SIMPLE = re.compile(f"[{LETTERS_AND_DIGITS}]+")
_SPACE = re.compile(f"[{SPACES}]")
_OTHER = re.compile(f"[^{LETTERS_AND_DIGITS}]+")
_CONTROL = re.compile("[\0-\x1f]")
NORMALIZED_LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
_ALIASES = {"cz": "cs"}
_JAVA_WORD = re.compile(r"[^ \t\n\f\r]+")
_JAVA_TRIMMED = "".join(map(chr, range(33)))


def has_control(field: str) -> bool:
    """Return whether a field has a control character, such as a tab."""
    return _CONTROL.search(field) is not None


class _FieldTokens(dict[str, str]):
    """A cache of the tokens of fields, as at the end of a line.

    Tokens are joined by spaces: a hundred thousand tuples would slow the garbage collector down.

    Attributes:
        sharing: Fields whose tokens may depend on the field before.
        undecided: Fields whose last word keeps its dot before some words: their tokens up to it,
            and that word in its own case.
        special: Both.
    """

    def __init__(self, rules: MeteorRules, *, punctuation: bool) -> None:
        super().__init__()
        self._rules = rules
        self._punctuation = punctuation
        self.sharing: set[str] = set()
        self.undecided: dict[str, tuple[str, ...]] = {}
        self.special: set[str] = set()

    def limit_size(self) -> None:
        """Clear the cache when it is too large; not while a line is being read."""
        if len(self) > _MOST_WORDS:
            self.clear()
            self.sharing.clear()
            self.undecided.clear()
            self.special.clear()

    def __missing__(self, field: str) -> str:
        if _is_simple(field):
            found = field.lower()
        elif field[-1:] in _STOPS and _is_simple(field[:-1]):
            found = self._of_stopped(field)
        elif plain := _PLAIN.fullmatch(field):
            found = self._of_plain(field, plain)
        else:
            found = self._by_rules(field)
        self[field] = found
        return found

    def _of_stopped(self, field: str) -> str:
        word, stop = field[:-1], field[-1]
        if not self._punctuation:
            return word.lower()
        if stop == ".":
            if self._rules.is_abbreviation(word):
                return field.lower()
            self.undecided[field] = (field,)
            self.special.add(field)
        return f"{word.lower()} {stop}"

    def _of_plain(self, field: str, plain: re.Match[str]) -> str:
        opening, clitic, first, second, inner, stop, closing = plain.groups()
        words = self._rules.elided(clitic, first) if clitic else (first,)
        if second:
            words = (*words, second)
        if stop == "." and not inner:
            words = (*words[:-1], f"{words[-1]}.")
            stop = ""
        if opening:
            words = (*_detached(opening), *words)
        if inner or stop or closing:
            words = (*words, *_detached(inner), *stop, *_detached(closing))
        return self._finished(field, words)

    def _by_rules(self, field: str) -> str:
        if (len(field) > 1 and field.startswith(EDGE_PUNCTUATION)) or has_control(field):
            self.sharing.add(field)
            self.special.add(field)
        return self._finished(field, tuple(self._rules.words(field)))

    def _finished(self, field: str, words: tuple[str, ...]) -> str:
        dotted = "." in field
        decided = tuple(self._rules.decided(words)) if dotted else words
        if not self._punctuation:
            parts = (part for word in decided for part in _OTHER.split(word) if part)
            return " ".join(parts).lower()
        if not field.isascii():
            decided = tuple(word for word in decided if not _SPACE.fullmatch(word))
        tokens = " ".join(decided).lower()
        if dotted and words and self._rules.is_undecided(words[-1]):
            self.undecided[field] = (*tokens.split(" ")[:-2], words[-1])
            self.special.add(field)
        return tokens


def _is_simple(field: str) -> bool:
    """Return whether there are only letters and digits; the first test decides for most fields."""
    return (field.isascii() and field.isalnum()) or _SIMPLE.fullmatch(field) is not None


def _detached(text: str) -> list[str]:
    return [shown for sign in text for shown in _SHOWN.get(sign, (sign,))]


class MeteorNormalization(StrEnum):
    """The normalization of a line before tokens are compared."""

    NORM = "norm"
    NO_PUNCTUATION = "norm-nopunct"
    LOWER = "lower"
    NONE = "none"


@cache
def meteor_tokenizer(mode: MeteorNormalization, language: str) -> Callable[[str], list[str]]:
    """Return the function that splits a line into METEOR's tokens.

    >>> meteor_tokenizer(MeteorNormalization.NORM, "en")("Don't stop, Mr. Smith.")
    ['don', "'t", 'stop', ',', 'mr.', 'smith', '.']

    Raises:
        UsageError: METEOR has no normalizer for the language; LOWER and NONE work for all.
    """
    if mode is MeteorNormalization.NONE:
        return words_of
    if mode is MeteorNormalization.LOWER:
        return lowered_words_of
    code = _ALIASES.get(language, language)
    if code not in NORMALIZED_LANGUAGES:
        raise UsageError(
            f"METEOR normalizes {', '.join(NORMALIZED_LANGUAGES)}, not {language!r}. Use "
            'tokenizer="meteor-lower", on text with spaces between words.'
        )
    return MeteorNormalizer(code, punctuation=mode is MeteorNormalization.NORM)


def words_of(line: str) -> list[str]:
    r"""Return the words between white space; no-break spaces do not separate, as in METEOR.

    >>> words_of("12\u00a0000 EUR ")
    ['12\xa0000', 'EUR']
    """
    if line.isprintable():
        return [word for word in line.split(" ") if word]
    return _JAVA_WORD.findall(line.strip(_JAVA_TRIMMED))


def lowered_words_of(line: str) -> list[str]:
    """Return the words between white space, lower-cased.

    Java has rules of its own for a capital sigma beside digits or punctuation; they are not
    imitated.
    """
    return words_of(line.lower())


class MeteorNormalizer:
    """Tokens of a line by the rules of one language."""

    def __init__(self, language: str, *, punctuation: bool) -> None:
        self._rules = MeteorRules(language)
        self._punctuation = punctuation
        self._words = _FieldTokens(self._rules, punctuation=punctuation)

    def __call__(self, line: str) -> list[str]:
        """Return the tokens of a line."""
        words = self._words
        words.limit_size()
        fields = line.split(" ")
        tokens = _tokens(map(words.__getitem__, fields))
        last = fields.pop()
        if last not in words.sharing and words.special.isdisjoint(fields):
            return tokens
        fields.append(last)
        return self._in_context(fields, tokens)

    def field_tokens(self, fields: Sequence[str]) -> list[str]:
        """Return the tokens of each field, without regard to its context.

        The tokens of a field are joined by spaces.
        """
        words = self._words
        words.limit_size()
        # Most fields are plain words, whose only token is the word in lower case; to lower-case all
        # fields at once costs less than one look-up each.
        lowered = "\n".join(fields).lower().split("\n")
        if len(lowered) != len(fields):  # a field has a line feed
            return list(map(words.__getitem__, fields))
        return [
            lower if field.isalnum() and field.isascii() else words[field]
            for field, lower in zip(fields, lowered, strict=True)
        ]

    def context_free(self, fields: Sequence[str]) -> tuple[list[bool], list[bool]]:
        """Return whether the tokens of fields seen by `field_tokens` are the same in any context.

        First for fields before another field, then for fields at the end of a line.
        """
        special, sharing = self._words.special, self._words.sharing
        return [p not in special for p in fields], [p not in sharing for p in fields]

    def _in_context(self, fields: Sequence[str], tokens: list[str]) -> list[str]:
        """Return the tokens of a line in which context may matter; ``tokens`` if it does not."""
        words = self._words
        dotted: dict[int, str] = {}
        for place, field in enumerate(fields):
            if field not in words.special:
                continue
            if field in words.sharing and (
                has_control(field) or (place and fields[place - 1].endswith(EDGE_PUNCTUATION))
            ):
                return self._rules.tokens(" ".join(fields), punctuation=self._punctuation)
            if field in words.undecided:
                following = next((later[0] for later in fields[place + 1 :] if later), "")
                *before, word = words.undecided[field]
                if self._rules.undotted(word, following) == (word,):
                    dotted[place] = " ".join((*before, word.lower()))
        if not dotted:
            return tokens
        return _tokens(dotted.get(place) or words[field] for place, field in enumerate(fields))


def _tokens(joined: Iterable[str]) -> list[str]:
    """Return the tokens of fields that may have none; only a space separates them."""
    return [token for token in " ".join(joined).split(" ") if token]
