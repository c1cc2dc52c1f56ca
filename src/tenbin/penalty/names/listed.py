"""Names that a glossary lists: told in every language, by the forms that it has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tenbin.annotation.languages import parse_language
from tenbin.annotation.term_words import TermLanguage
from tenbin.core.glossary import Glossary
from tenbin.core.resource import ResourceIdentity
from tenbin.matching.glossary_terms import FormIndex, Place, longest_first
from tenbin.matching.run_terms import loaded_glossary
from tenbin.penalty.swaps import Placed, swapped, unique
from tenbin.resources.file_cache import cached_by_file

Has = Callable[[str, str], bool]
"""Whether a text has a name in another spelling."""


@dataclass(frozen=True, eq=False)
class ListedNames:
    """The names of a glossary in the target language.

    Attributes:
        identity: Which glossary it is.
        glossary: The glossary.
        language: How words are compared.
    """

    identity: ResourceIdentity
    glossary: Glossary
    language: TermLanguage

    @cached_property
    def _index(self) -> FormIndex:
        forms = (
            (entry, text, term.matches_case)
            for entry, term in enumerate(self.glossary.terms)
            if term.is_name
            for text in term.targets
        )
        return FormIndex(tuple(forms), self.language)

    def places(self, text: str) -> list[Place]:
        """Return the names of a text, in its order; the forms of one name are of one entry."""
        return longest_first(self._index.places(text))

    def wrong(self, hypothesis: str, reference: str, has: Has | None = None) -> "WrongListed":
        """Return the listed names that only one of two texts has, or that have changed places.

        Args:
            hypothesis: The translation.
            reference: Its reference.
            has: Whether a text has a name in another spelling; None where nothing tells.
        """
        texts = (hypothesis, reference)
        found = [self.places(text) for text in texts]
        own, other = ({place.entry for place in places} for places in found)
        lacking = [
            [place for place in found[side] if place.entry not in there]
            for side, there in enumerate((other, own))
        ]
        # Another spelling will do, unless the other text has another name of the list instead.
        if has is not None and not all(lacking):
            lacking = [
                [place for place in places if not self._has(place, texts[1 - side], has)]
                for side, places in enumerate(lacking)
            ]
        extra, missing = (
            list(dict.fromkeys(texts[side][place.start : place.stop] for place in places))
            for side, places in enumerate(lacking)
        )
        both = self._swapped(found, texts)
        written = {
            text[one.start : one.stop]
            for text, some in zip(texts, found, strict=True)
            for one in some
        }
        return WrongListed([*extra, *both], [*missing, *both], frozenset(written))

    def _has(self, place: Place, text: str, has: Has) -> bool:
        return any(has(text, form) for form in self.glossary.terms[place.entry].targets)

    def _swapped(self, found: list[list[Place]], texts: tuple[str, str]) -> list[str]:
        sides = [
            unique(Placed(place.entry, place.start, place.stop) for place in places)
            for places in found
        ]
        both = {one.key for one in sides[0]} & {one.key for one in sides[1]}
        mine, yours = ([one for one in side if one.key in both] for side in sides)
        keys = swapped(mine, yours, texts, unspaced=not self.language.spaced)
        written = {one.key: texts[0][one.start : one.stop] for one in mine}
        return [written[key] for key in keys]


@dataclass(frozen=True, slots=True)
class WrongListed:
    """Wrong names of a list.

    Attributes:
        extra: Names that the reference has not.
        missing: Names of the reference that the translation has not.
        written: All listed names of both texts as they are written.
    """

    extra: list[str]
    missing: list[str]
    written: frozenset[str]

    def decides(self, name: str) -> bool:
        """Return whether a name is a listed one, or overlaps one."""
        small = name.casefold()
        return any(one.casefold() in small or small in one.casefold() for one in self.written)

    def sides(self) -> Iterator[tuple[bool, str]]:
        """Yield the wrong names, each with whether it is one of the reference."""
        yield from ((False, name) for name in self.extra)
        yield from ((True, name) for name in self.missing)


@cached_by_file("file")
def load_listed_names(*, file: str, language: str) -> ListedNames:
    """Return the names of a glossary.

    Args:
        file: The glossary.
        language: The target language.

    Raises:
        InputError: It cannot be read.
    """
    loaded = loaded_glossary(file, language)
    own = TermLanguage(parse_language(language).code)
    return ListedNames(loaded.identity, loaded.glossary, own)
