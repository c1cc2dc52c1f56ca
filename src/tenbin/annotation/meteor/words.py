"""The tokens of single pieces of text, remembered: the fast half of METEOR's normaliser."""

import re

from tenbin.annotation.meteor.rules import LETTERS, LETTERS_AND_DIGITS, SPACES, MeteorRules

EDGE_MARKS = (",", "'", "`", "\u2018", "’")
_MOST_WORDS = 500_000
# Marks that become tokens of their own whatever stands beside them.
_MARKS = rf'"“”„«»(){SPACES}:;!?%–'
_SHOWN = {"“": ('"',), "”": ('"',), "–": ("-",)}
# (d')(word)(-word) between such marks, with one comma or dot: all but a few words in a hundred.
_PLAIN = re.compile(
    rf"([{_MARKS}]*)(?:([{LETTERS_AND_DIGITS}]*[{LETTERS}])['’](?=[{LETTERS}]))?"
    rf"([{LETTERS_AND_DIGITS}]+)(?:-([{LETTERS_AND_DIGITS}]+))?([{_MARKS}]*)([,.]?)([{_MARKS}]*)"
)
_STOPS = frozenset(",.")
_SIMPLE = re.compile(f"[{LETTERS_AND_DIGITS}]+")
_SPACE = re.compile(f"[{SPACES}]")
_OTHER = re.compile(f"[^{LETTERS_AND_DIGITS}]+")
_CONTROL = re.compile("[\0-\x1f]")


def has_control(piece: str) -> bool:
    """Return whether a piece holds a control character, a tab among them."""
    return _CONTROL.search(piece) is not None


class MeteorWords(dict[str, str]):
    """The tokens of a piece of text without blanks, as it would be read at the end of a line.

    Tokens are joined by blanks: a hundred thousand tuples would keep the garbage collector busy.

    Attributes:
        sharing: Pieces whose tokens may depend on the piece before.
        undecided: Pieces whose last word keeps its dot before some words: their tokens up to it,
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

    def keep_small(self) -> None:
        """Forget everything when there is too much; not while a line is being read."""
        if len(self) > _MOST_WORDS:
            self.clear()
            self.sharing.clear()
            self.undecided.clear()
            self.special.clear()

    def __missing__(self, piece: str) -> str:
        if _is_simple(piece):
            found = piece.lower()
        elif piece[-1:] in _STOPS and _is_simple(piece[:-1]):
            found = self._of_stopped(piece)
        elif plain := _PLAIN.fullmatch(piece):
            found = self._of_plain(piece, plain)
        else:
            found = self._by_rules(piece)
        self[piece] = found
        return found

    def _of_stopped(self, piece: str) -> str:
        word, stop = piece[:-1], piece[-1]
        if not self._punctuation:
            return word.lower()
        if stop == ".":
            if self._rules.is_abbreviation(word):
                return piece.lower()
            self.undecided[piece] = (piece,)
            self.special.add(piece)
        return f"{word.lower()} {stop}"

    def _of_plain(self, piece: str, plain: re.Match[str]) -> str:
        opening, clitic, first, second, inner, stop, closing = plain.groups()
        words = self._rules.elided(clitic, first) if clitic else (first,)
        if second:
            words = (*words, second)
        if stop == "." and not inner:
            words = (*words[:-1], f"{words[-1]}.")
            stop = ""
        if opening:
            words = (*_marks(opening), *words)
        if inner or stop or closing:
            words = (*words, *_marks(inner), *stop, *_marks(closing))
        return self._finished(piece, words)

    def _by_rules(self, piece: str) -> str:
        if (len(piece) > 1 and piece.startswith(EDGE_MARKS)) or has_control(piece):
            self.sharing.add(piece)
            self.special.add(piece)
        return self._finished(piece, tuple(self._rules.words(piece)))

    def _finished(self, piece: str, words: tuple[str, ...]) -> str:
        dotted = "." in piece
        decided = tuple(self._rules.decided(words)) if dotted else words
        if not self._punctuation:
            parts = (part for word in decided for part in _OTHER.split(word) if part)
            return " ".join(parts).lower()
        if not piece.isascii():
            decided = tuple(word for word in decided if not _SPACE.fullmatch(word))
        tokens = " ".join(decided).lower()
        if dotted and words and self._rules.is_undecided(words[-1]):
            self.undecided[piece] = (*tokens.split(" ")[:-2], words[-1])
            self.special.add(piece)
        return tokens


def _is_simple(piece: str) -> bool:
    """Return whether there are only letters and digits; the quick answer is true of most pieces."""
    return (piece.isascii() and piece.isalnum()) or _SIMPLE.fullmatch(piece) is not None


def _marks(text: str) -> list[str]:
    return [shown for mark in text for shown in _SHOWN.get(mark, (mark,))]
