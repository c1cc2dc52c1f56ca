"""Which terms of a glossary a source has, and how a translation renders them.

Terms are found in all their forms, the longest first; no character belongs to two of them. Each
place of a translation renders one term of the source.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tenbin.annotation.term_words import TermLanguage, TermWord, plain_form, word_edges
from tenbin.core.glossary import Glossary, TermFinding, TermStatus


class Place(NamedTuple):
    """A form in a text, a half-open range of characters.

    Attributes:
        start: Its first character.
        stop: The character after it.
        entry: The number of the entry of the glossary.
    """

    start: int
    stop: int
    entry: int


class _Form(NamedTuple):
    entry: int
    text: str
    matches_case: bool
    words: tuple[TermWord, ...]


@dataclass(frozen=True)
class FormIndex:
    """Forms of a glossary in one language, to be found in texts.

    Attributes:
        forms: Each form with the number of its entry, and whether its case matters.
        language: The language of the forms and the texts.
    """

    forms: tuple[tuple[int, str, bool], ...]
    language: TermLanguage

    @cached_property
    def _by_word(self) -> dict[str, list[_Form]]:
        found: dict[str, list[_Form]] = {}
        for entry, text, matches_case in self.forms:
            words = self.language.words(text)
            if words:
                for key in words[0].keys:
                    found.setdefault(key, []).append(_Form(entry, text, matches_case, words))
        return found

    @cached_property
    def _by_string(self) -> dict[str, list[_Form]]:
        found: dict[str, list[_Form]] = {}
        for entry, text, matches_case in self.forms:
            written = plain_form(text).strip()
            small = written.casefold()
            if small:
                found.setdefault(small, []).append(_Form(entry, written, matches_case, ()))
        return found

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(text) for text in self._by_string}))

    def places(self, text: str, among: Collection[int] | None = None) -> list[Place]:
        """Return all places of forms in a text, overlapping ones too.

        Args:
            text: The text.
            among: The numbers of the entries that are searched; None for all.
        """
        found = dict.fromkeys(self._word_places(text))
        if not self.language.spaced:
            found |= dict.fromkeys(self._string_places(text))
        return [one for one in found if among is None or one.entry in among]

    def _word_places(self, text: str) -> Iterator[Place]:
        words = self.language.words(text)
        for first, word in enumerate(words):
            for key in word.keys:
                for form in self._by_word.get(key, ()):
                    own = words[first : first + len(form.words)]
                    if len(own) == len(form.words) and all(
                        _is_same(one, other, matches_case=form.matches_case)
                        for one, other in zip(form.words, own, strict=True)
                    ):
                        yield Place(own[0].start, own[-1].stop, form.entry)

    def _string_places(self, text: str) -> Iterator[Place]:
        """Yield places by the letters alone, which a text without spaces may cut otherwise."""
        edges = word_edges(text, self.language)
        small, origins = _small_letters(text)
        ends = {place for place, origin in enumerate(origins) if origin in edges}
        for start in sorted(ends):
            for length in self._lengths:
                if start + length not in ends:
                    continue
                for form in self._by_string.get(small[start : start + length], ()):
                    place = Place(origins[start], origins[start + length], form.entry)
                    exact = plain_form(text[place.start : place.stop]) == form.text
                    if exact or not form.matches_case:
                        yield place


def _small_letters(text: str) -> tuple[str, list[int]]:
    """Return a text in small letters of one width, and for each place that of the text.

    A place within what was one letter has -1.
    """
    parts: list[str] = []
    origins: list[int] = []
    start = 0
    while start < len(text):
        stop = start + 1
        while stop < len(text) and plain_form(text[start : stop + 1]) != plain_form(
            text[start:stop]
        ) + plain_form(text[stop]):
            stop += 1  # a letter and its mark, in half width
        part = plain_form(text[start:stop]).casefold()
        if part:
            parts.append(part)
            origins += [start] + [-1] * (len(part) - 1)
        start = stop
    return "".join(parts), [*origins, len(text)]


def _is_same(form: TermWord, word: TermWord, *, matches_case: bool) -> bool:
    if not form.keys & word.keys:
        return False
    if not matches_case:
        return True
    # Of an inflected word the beginning alone is written as in the glossary.
    shared = 0
    for one, other in zip(form.written.casefold(), word.written.casefold(), strict=False):
        if one != other:
            break
        shared += 1
    return form.written[:shared] == word.written[:shared]


def longest_first(places: Iterable[Place]) -> list[Place]:
    """Return places that do not overlap, in the order of the text; longer ones are preferred."""
    taken: list[Place] = []
    for place in sorted(places, key=_by_length):
        if not any(_overlap(place, other) for other in taken):
            taken.append(place)
    return sorted(taken)


def _by_length(place: Place) -> tuple[int, int, int]:
    return place.start - place.stop, place.start, place.entry


def _overlap(one: Place, other: Place) -> bool:
    return one.start < other.stop and other.start < one.stop


@dataclass(frozen=True)
class GlossaryMatcher:
    """A glossary, prepared for the comparison of sources and translations.

    Attributes:
        glossary: The glossary.
        source: How words of the source are compared.
        target: How words of translations are compared.
    """

    glossary: Glossary
    source: TermLanguage
    target: TermLanguage

    @cached_property
    def _sources(self) -> FormIndex:
        forms = (
            (entry, term.source, term.matches_case)
            for entry, term in enumerate(self.glossary.terms)
            if term.source
        )
        return FormIndex(tuple(forms), self.source)

    @cached_property
    def _asked(self) -> FormIndex:
        return self._targets(forbidden=False)

    @cached_property
    def _forbidden(self) -> FormIndex:
        return self._targets(forbidden=True)

    def _targets(self, *, forbidden: bool) -> FormIndex:
        forms = (
            (entry, text, term.matches_case)
            for entry, term in enumerate(self.glossary.terms)
            for text in (term.forbidden if forbidden else term.targets)
        )
        return FormIndex(tuple(forms), self.target)

    def source_places(self, source: str) -> list[Place]:
        """Return the terms of a source, in its order."""
        return longest_first(self._sources.places(source))

    def findings(self, source: str, translation: str) -> list[TermFinding]:
        """Return what became of each term of a source, in its order."""
        places = self.source_places(source)
        if not places:
            return []
        chosen = _Choice(places)
        wanted = {place.entry for place in places}
        asked = self._asked.places(translation, wanted)
        forbidden = self._forbidden.places(translation, wanted)
        candidates: dict[tuple[int, int, bool], set[int]] = {}
        for is_forbidden, found in ((False, asked), (True, forbidden)):
            for one in found:
                key = (one.start, one.stop, is_forbidden)
                candidates.setdefault(key, set()).add(one.entry)
        # The longest first; of the same letters first what is asked for.
        for start, stop, is_forbidden in sorted(candidates, key=lambda key: (key[0] - key[1], key)):
            entries = frozenset(candidates[start, stop, is_forbidden])
            chosen.add((start, stop), entries, is_forbidden=is_forbidden)
        return list(self._judged(places, chosen))

    def _judged(self, places: list[Place], chosen: "_Choice") -> Iterator[TermFinding]:
        # Where a forbidden form stands beside the one that is asked for, the term counts as wrong;
        # terms without any form are taken first.
        order = sorted(range(len(places)), key=lambda number: number in chosen.rendered)
        left = dict(sorted(chosen.forbidden.items()))
        judged: dict[int, TermFinding] = {}
        for number in order:
            place = places[number]
            term = self.glossary.terms[place.entry]
            found = chosen.rendered.get(number)
            status = TermStatus.RENDERED if found or not term.targets else TermStatus.MISSING
            wrong = next((span for span, entries in left.items() if place.entry in entries), None)
            if wrong is not None:
                del left[wrong]
                found, status = wrong, TermStatus.FORBIDDEN
            judged[number] = TermFinding(
                term=term, status=status, source=(place.start, place.stop), translation=found
            )
        return (judged[number] for number in range(len(places)))


_Range = tuple[int, int]


@dataclass
class _Choice:
    """Places of a translation, given to terms of the source.

    Attributes:
        terms: The terms of the source.
        rendered: The place of each term that has one, by the number of the term.
        forbidden: Places of forbidden forms, with the entries that forbid them.
    """

    terms: list[Place]
    rendered: dict[int, _Range] = field(default_factory=dict)
    forbidden: dict[_Range, frozenset[int]] = field(default_factory=dict)
    _entries: dict[_Range, frozenset[int]] = field(default_factory=dict)

    def add(self, place: _Range, entries: frozenset[int], *, is_forbidden: bool) -> None:
        """Take a place unless it overlaps one that was taken, or no term is left for it."""
        taken = (*self.rendered.values(), *self.forbidden)
        if any(place[0] < other[1] and other[0] < place[1] for other in taken):
            return
        if is_forbidden:
            self.forbidden[place] = entries
        else:
            self._entries[place] = entries
            self._give(place, set())

    def _give(self, place: _Range, tried: set[int]) -> bool:
        """Give a place to a term, and let places that were given move on (Kuhn 1955)."""
        for number, term in enumerate(self.terms):
            if term.entry not in self._entries[place] or number in tried:
                continue
            tried.add(number)
            before = self.rendered.get(number)
            if before is None or self._give(before, tried):
                self.rendered[number] = place
                return True
        return False
