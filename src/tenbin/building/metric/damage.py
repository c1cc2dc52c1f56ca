"""Damaged translations, so that a metric learns what people who judged none of them know.

Each kind of damage takes a good text and returns a worse one, or None where it cannot: a text
without a number gets no wrong number. Words are what stands between spaces; in scripts without
spaces, characters. Negations are known for English alone, names where a script has capitals.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from tenbin.core.errors import UsageError

Random = np.random.Generator


class DamageKind(StrEnum):
    """What is done to a text.

    IDENTITY does nothing: the reference itself is better than a hypothesis that differs from it.
    """

    EMPTY = "empty"
    TRUNCATED = "truncated"
    DROPPED = "dropped"
    REPEATED = "repeated"
    SHUFFLED = "shuffled"
    UNRELATED = "unrelated"
    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"
    SOURCE = "source"
    LANGUAGE = "language"
    PUNCTUATION = "punctuation"
    IDENTITY = "identity"


USUAL_SHARES: Mapping[DamageKind, float] = {
    DamageKind.EMPTY: 0.04,
    DamageKind.TRUNCATED: 0.12,
    DamageKind.DROPPED: 0.12,
    DamageKind.REPEATED: 0.06,
    DamageKind.SHUFFLED: 0.10,
    DamageKind.UNRELATED: 0.08,
    DamageKind.NUMBER: 0.12,
    DamageKind.NAME: 0.10,
    DamageKind.NEGATION: 0.10,
    DamageKind.SOURCE: 0.04,
    DamageKind.LANGUAGE: 0.03,
    DamageKind.PUNCTUATION: 0.03,
    DamageKind.IDENTITY: 0.06,
}
"""How often each kind is drawn, in proportion."""

USUAL_MARGIN = 1.0
MARGINS: Mapping[DamageKind, float] = {
    DamageKind.PUNCTUATION: 0.1,
    DamageKind.IDENTITY: 0.5,
    DamageKind.DROPPED: 0.5,
}
"""By how much, in standard deviations, a damaged text should score lower."""

_FEWEST_WORDS = 4
_TWO = 2
_LONGEST_CUT = 2 / 3
# What is said and what denies it, English.
_AUXILIARIES = (
    *("is", "are", "was", "were", "will", "would", "should", "could", "must", "may", "might"),
    *("has", "have", "had", "does", "do", "did", "can"),
)
_IRREGULAR = {
    "can": re.compile(r"\bcan(?:not|[\u2019']t)\b"),
    "will": re.compile(r"\bwon[\u2019']t\b"),
}
_DENIED = re.compile(r"\b(?:not|never)\b\s*|n[\u2019']t\b", re.IGNORECASE)
_STATED = re.compile(rf"\b({'|'.join(_AUXILIARIES)})\b(?!\s+not\b|n[\u2019']t)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class DamageTexts:
    """What a text is damaged with.

    Attributes:
        source: The source of the segment; empty where it is not known.
        other: The text of another segment.
    """

    source: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class DamageGenerator:
    """Damages texts of one language.

    Attributes:
        language: The code of the language.
        spaced: Whether its words are separated by spaces.
        shares: How often each kind is drawn.
    """

    language: str = "en"
    spaced: bool = True
    shares: Mapping[DamageKind, float] = field(default_factory=lambda: dict(USUAL_SHARES))

    def kinds(self, *, has_sources: bool) -> dict[DamageKind, float]:
        """Return the kinds that are possible with their shares, which sum to 1.

        Args:
            has_sources: Whether the sources of segments are known.
        """
        impossible = set() if has_sources else {DamageKind.SOURCE, DamageKind.LANGUAGE}
        impossible |= set() if self.language == "en" else {DamageKind.NEGATION}
        impossible |= set() if self.spaced else {DamageKind.NAME}
        found = {k: s for k, s in self.shares.items() if s > 0 and k not in impossible}
        whole = sum(found.values())
        return {kind: share / whole for kind, share in found.items()}

    def impossible(self, *, has_sources: bool) -> list[str]:
        """Return the kinds that were asked for and cannot be made of these texts."""
        possible = self.kinds(has_sources=has_sources)
        return [str(kind) for kind, share in self.shares.items() if share and kind not in possible]

    def damaged(self, text: str, kind: DamageKind, rng: Random, beside: DamageTexts) -> str | None:
        """Return a worse text; None where this kind of damage does nothing to it.

        Args:
            text: A good text.
            kind: What to do to it.
            rng: What is drawn from; the same state gives the same text.
            beside: Its source, and the text of another segment.
        """
        found = self._changed(text, kind, rng, beside)
        if found is None or found.strip() == text.strip():
            return None
        return found.strip()

    def _changed(self, text: str, kind: DamageKind, rng: Random, beside: DamageTexts) -> str | None:
        if kind is DamageKind.EMPTY:
            return ""
        if kind is DamageKind.UNRELATED:
            return beside.other or None
        if kind is DamageKind.SOURCE:
            return beside.source or None
        if kind is DamageKind.IDENTITY:
            return None
        words = self._words(text)
        one: Callable[[], str | None] = {
            DamageKind.TRUNCATED: lambda: self._truncated(words, rng),
            DamageKind.DROPPED: lambda: self._dropped(words, rng),
            DamageKind.REPEATED: lambda: self._repeated(words, rng),
            DamageKind.SHUFFLED: lambda: self._shuffled(words, rng),
            DamageKind.NUMBER: lambda: _wrong_number(text, rng),
            DamageKind.NAME: lambda: self._wrong_name(words, beside.other, rng),
            DamageKind.NEGATION: lambda: _negated(text, rng) if self.language == "en" else None,
            DamageKind.LANGUAGE: lambda: self._half_translated(words, beside.source),
            DamageKind.PUNCTUATION: lambda: _without_punctuation(text),
        }[kind]
        return one()

    def _words(self, text: str) -> list[str]:
        return text.split() if self.spaced else list(text.strip())

    def _joined(self, words: Sequence[str]) -> str:
        return (" " if self.spaced else "").join(words)

    def _truncated(self, words: list[str], rng: Random) -> str | None:
        if len(words) < _FEWEST_WORDS:
            return None
        kept = int(rng.integers(1, max(int(len(words) * _LONGEST_CUT), _TWO)))
        return self._joined(words[:kept])

    def _dropped(self, words: list[str], rng: Random) -> str | None:
        if len(words) < _FEWEST_WORDS:
            return None
        # One word, or up to a third of them.
        count = 1 if rng.random() < 1 / 2 else int(rng.integers(1, max(len(words) // 3, 1) + 1))
        gone = set(rng.choice(len(words), count, replace=False).tolist())
        return self._joined([word for place, word in enumerate(words) if place not in gone])

    def _repeated(self, words: list[str], rng: Random) -> str | None:
        if not words:
            return None
        if rng.random() < 1 / 2:
            return self._joined(words * int(rng.integers(2, 4)))
        # A stretch again and again, as a decoder that does not stop.
        length = int(rng.integers(1, min(len(words), 6) + 1))
        start = int(rng.integers(0, len(words) - length + 1))
        stretch = words[start : start + length]
        times = int(rng.integers(2, 8))
        return self._joined([*words[: start + length], *stretch * times, *words[start + length :]])

    def _shuffled(self, words: list[str], rng: Random) -> str | None:
        if len(words) < _FEWEST_WORDS:
            return None
        return self._joined([words[place] for place in rng.permutation(len(words)).tolist()])

    def _wrong_name(self, words: list[str], other: str, rng: Random) -> str | None:
        mine, others = _names(words), _names(self._words(other))
        if not mine or not others:
            return None
        place = mine[int(rng.integers(len(mine)))]
        name = self._words(other)[others[int(rng.integers(len(others)))]]
        bare, new = words[place].strip(_EDGES), name.strip(_EDGES)
        if bare.casefold() == new.casefold():
            return None
        changed = list(words)
        changed[place] = words[place].replace(bare, new, 1)
        return self._joined(changed)

    def _half_translated(self, words: list[str], source: str) -> str | None:
        theirs = self._words(source) if " " in source.strip() or not self.spaced else [source]
        if len(words) < _FEWEST_WORDS or not source.strip():
            return None
        return self._joined([*words[: len(words) // 2], *theirs[len(theirs) // 2 :]])


_EDGES = "".join(map(chr, range(33, 48))) + ":;?[]\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026"


def _names(words: Sequence[str]) -> list[int]:
    """Return the places of words with a capital, not the first one."""
    found = []
    for place, word in enumerate(words[1:], start=1):
        bare = word.strip(_EDGES)
        if len(bare) > 1 and bare[0].isupper() and bare[0].lower() != bare[0]:
            found.append(place)
    return found


def _wrong_number(text: str, rng: Random) -> str | None:
    """Return a text with one of its numbers changed; digits of any script stay of that script."""
    places = list(_NUMBER.finditer(text))
    if not places:
        return None
    chosen = places[int(rng.integers(len(places)))]
    digits = chosen.group()
    changed = list(digits)
    # The first digit, or any: 1,200 becomes 3,200 or 1,700.
    place = 0 if rng.random() < 1 / 2 else int(rng.integers(len(digits)))
    old = unicodedata.decimal(digits[place])
    new = (old + int(rng.integers(1, 10))) % 10
    if place == 0 and new == 0:
        new = 1 if old != 1 else 2
    changed[place] = chr(ord(digits[place]) - old + new)
    return text[: chosen.start()] + "".join(changed) + text[chosen.end() :]


def _negated(text: str, rng: Random) -> str | None:
    """Return a text that denies what the text says, or says what it denies."""
    for verb, pattern in _IRREGULAR.items():
        if pattern.search(text):
            return pattern.sub(verb, text, count=1)
    denied = _DENIED.search(text)
    if denied is not None:
        return f"{text[: denied.start()].rstrip(' ')} {text[denied.end() :].lstrip()}"
    stated = list(_STATED.finditer(text))
    if not stated:
        return None
    chosen = stated[int(rng.integers(len(stated)))]
    return f"{text[: chosen.end()]} not{text[chosen.end() :]}"


def _without_punctuation(text: str) -> str | None:
    kept = "".join(sign for sign in text if not unicodedata.category(sign).startswith("P"))
    return " ".join(kept.split()) if kept.strip() else None


def parsed_shares(given: Sequence[str]) -> dict[DamageKind, float]:
    """Return shares of damage from texts such as ``negation=0.2``; others stay as they are.

    ``none`` is no damage at all.

    Raises:
        UsageError: No such kind, or a share below 0 or above 1.
    """
    if list(given) == ["none"]:
        return dict.fromkeys(DamageKind, 0.0)
    found = dict(USUAL_SHARES)
    for text in given:
        name, _, amount = text.partition("=")
        try:
            share = float(amount)
        except ValueError:
            share = -1.0
        if name not in list(DamageKind) or not 0 <= share <= 1:
            raise UsageError(
                f"`damage` {text!r}: expected none, or KIND=SHARE with a share from 0 to 1; the "
                f"kinds are {', '.join(DamageKind)}."
            )
        found[DamageKind(name)] = share
    return found
