"""The rules of METEOR 1.5 with ``-norm``, step by step: slow, and the definition.

The steps were found by probing the released program: which characters it takes for letters, and how
it treats tens of thousands of random lines in six languages. Each pattern is applied once, from
left to right, without overlap; where two punctuation characters share one space the second is not
split off (``a, ,b`` gives ``a``, ``,`` and ``,b``), as in published scores.
"""

import re
from collections.abc import Iterator, Sequence

from tenbin.resources.nonbreaking_prefixes import load_prefixes

# Latin with the accents of Latin-1 and Extended-A, Cyrillic, phonetic extensions. Nothing else is a
# letter: Greek words are split into characters.
LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧᴀ-ᵿꙀ-ꙮ꙾-ꚗ"
LETTERS_AND_DIGITS = f"{LETTERS}0-9"
# These are tokens while dots are decided, and are removed afterwards.
SPACES = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
# A line loses its control characters at both ends, as in Java.
_CONTROLS = "".join(map(chr, range(33)))
_LETTER = re.compile(f"[{LETTERS}]")
_OTHER = re.compile(f"[^{LETTERS_AND_DIGITS}]")
_PUNCTUATION = re.compile(rf"([^{LETTERS_AND_DIGITS} \t\n\x0b\f\r.'`,\u2018’-])")
_DOTS = re.compile(r"(\.{2,})")
_COMMAS = tuple(map(re.compile, (r"([^0-9]),([^0-9])", r"([0-9]),([^0-9])", r"([^0-9]),([0-9])")))
_QUOTES = str.maketrans({"`": "'", "\u2018": "'", "’": "'", "“": ' " ', "”": ' " ', "–": "-"})
_HYPHEN = re.compile(f"([{LETTERS_AND_DIGITS}.])-([{LETTERS_AND_DIGITS}])")
_WORD = re.compile(r"[^ \t\n\f\r]+")
_BLANK = re.compile(f"[{SPACES}]")
_ALONE = r"\1 ' \2"
_APOSTROPHES = {
    "en": (
        (re.compile(f"([^{LETTERS}])'([^{LETTERS}])"), _ALONE),
        (re.compile(f"([^{LETTERS_AND_DIGITS}])'([{LETTERS}])"), _ALONE),
        (re.compile(f"([{LETTERS}])'([^{LETTERS}])"), _ALONE),
        (re.compile(f"([{LETTERS}])'([{LETTERS}])"), r"\1 '\2"),
        (re.compile(r"([0-9])'s"), r"\1 's"),
    ),
    "fr": (
        (re.compile(f"([^{LETTERS}])'([^{LETTERS}])"), _ALONE),
        (re.compile(f"([^{LETTERS}])'([{LETTERS}])"), _ALONE),
        (re.compile(f"([{LETTERS}])'([^{LETTERS}])"), _ALONE),
        (re.compile(f"([{LETTERS}])'([{LETTERS}])"), r"\1' \2"),
    ),
}
_ISOLATED = ((re.compile("'"), " ' "),)


class MeteorRules:
    """The rules of one language: en, fr, de, es, ru or cs."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._prefixes = load_prefixes(language)
        self._apostrophes = _APOSTROPHES.get(language, _ISOLATED)

    def tokens(self, line: str, *, punctuation: bool) -> list[str]:
        """Return the tokens of a line, lower-cased.

        >>> MeteorRules("en").tokens("The U.S. scientist's 3.5 e-mails...", punctuation=True)
        ['the', 'us', 'scientist', "'s", '3.5', 'e', 'mails', '...']
        """
        text = _BLANK.sub(" ", " ".join(self.decided(self.words(line))))
        if not punctuation:
            text = _OTHER.sub(" ", text)
        return _WORD.findall(text.strip(_CONTROLS).lower())

    def words(self, line: str) -> list[str]:
        """Return the words of a line before their dots are decided, in their own case."""
        text = _PUNCTUATION.sub(r" \1 ", f" {line} ")
        if ".." in text:
            text = _DOTS.sub(r" \1 ", text)
        if "," in text:
            for comma in _COMMAS:
                text = comma.sub(r"\1 , \2", text)
        if "`" in text or not text.isascii():
            text = text.translate(_QUOTES)
        text = text.replace("''", ' " ')
        if "-" in text:
            text = _HYPHEN.sub(r"\1 \2", text.replace("--", "-"))
        if "'" in text:
            for pattern, replacement in self._apostrophes:
                text = pattern.sub(replacement, text)
        return _WORD.findall(text)

    def elided(self, before: str, after: str) -> tuple[str, ...]:
        """Return the words of two runs of letters with an apostrophe between them."""
        if self._language == "en":
            return (before, f"'{after}")
        if self._language == "fr":
            return (f"{before}'", after)
        return (before, "'", after)

    def decided(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words of a line, final dots retained, split off or deleted (``U.S.``)."""
        last = len(words) - 1
        for place, word in enumerate(words):
            if word[-1] == ".":
                yield from self.undotted(word, words[place + 1][0] if place < last else "")
            else:
                yield word

    def undotted(self, word: str, following: str) -> tuple[str, ...]:
        """Return the tokens of a word with a final dot, given the next word's first character."""
        stem = word[:-1]
        if not stem.strip("."):
            return (word,)
        if "." in stem and _LETTER.search(stem):
            return (word.replace(".", ""),)
        if stem in self._prefixes.always or "a" <= following <= "z":
            return (word,)
        if stem in self._prefixes.before_number and "0" <= following <= "9":
            return (word,)
        return (stem, ".")

    def is_abbreviation(self, stem: str) -> bool:
        """Return whether a word always retains its final dot."""
        return stem in self._prefixes.always

    def is_undecided(self, word: str) -> bool:
        """Return whether the next word decides if a word retains its final dot."""
        return word[-1] == "." and len(self.undotted(word, "")) > 1
