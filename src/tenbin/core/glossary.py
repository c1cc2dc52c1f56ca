"""Glossaries: terms, the translations that are asked for, and names."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class TermStatus(StrEnum):
    """What became of a term of the source in a translation.

    RENDERED: as the glossary asks. FORBIDDEN: by a form that the glossary forbids. MISSING: by none
    that it names.
    """

    RENDERED = "rendered"
    MISSING = "missing"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """An entry of a glossary.

    Attributes:
        source: The term in the source language; empty for a name of the target language alone.
        targets: The translations that are asked for; any of them will do.
        forbidden: Forms that must not stand in the translation.
        matches_case: Whether capitals of the translation must be those of the glossary.
        is_name: Whether it is the name of somebody or something.
        note: What the glossary says about it.
        line: The line of the file.
    """

    source: str
    targets: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    matches_case: bool = False
    is_name: bool = False
    note: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """The entries of a glossary.

    Attributes:
        name: The file, without its folder.
        fingerprint: sha256 of the file, in hexadecimal.
        terms: The entries, in the order of the file.
        source_language: The language of the source terms, where the file says so; else empty.
        target_language: That of the target terms; else empty.
        notes: What a reader of the scores should know: entries that repeat or contradict others.
    """

    name: str
    fingerprint: str
    terms: tuple[Term, ...]
    source_language: str = ""
    target_language: str = ""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the target language, each once, all their forms.

        >>> kirby = Term(source="カービィ", targets=("Kirby",), is_name=True)
        >>> Glossary(name="a.csv", fingerprint="", terms=(kirby, Term(source="剣"))).names
        ('Kirby',)
        """
        return _distinct(form for one in self.terms if one.is_name for form in one.targets)

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names in the source language, each once."""
        return _distinct(one.source for one in self.terms if one.is_name and one.source)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class TermFinding:
    """A term of the glossary in a source, and what became of it in a translation.

    Ranges are half-open ranges of characters.

    Attributes:
        term: The entry.
        status: Whether it was rendered as asked.
        source: Where it stands in the source.
        translation: Where the translation has the form that is asked for, or the forbidden one;
            None where it has neither.
    """

    term: Term
    status: TermStatus
    source: tuple[int, int]
    translation: tuple[int, int] | None = None
