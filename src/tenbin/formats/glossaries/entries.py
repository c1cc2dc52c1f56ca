"""Entries of a glossary put together: checked, merged, and what is odd about them said."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile, shortened
from tenbin.core.glossary import Term

_LONGEST = 1_000
_MOST_TERMS = 1_000_000
_MOST_NOTED = 5
_ROW = "Write the source term, the target term, forbidden forms, case and note in one row."


def merged_terms(name: str, terms: Iterable[Term]) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    """Return the entries, those of one source term as one, and notes on what was merged.

    Args:
        name: The file, for messages.
        terms: The entries as they stand in the file.

    Raises:
        MalformedLine: An entry asks for nothing, is too long, or forbids what it or another one of
            the same source term asks for.
        UnreadableFile: There is no entry.
    """
    known: dict[tuple[str, bool], Term] = {}
    repeated: list[str] = []
    for number, term in enumerate(terms, start=1):
        if number > _MOST_TERMS:
            problem = f"there are more than {_MOST_TERMS:,} entries"
            raise UnreadableFile(name, problem, "Give a smaller glossary.")
        _check(name, term)
        key = _key(term)
        before = known.get(key)
        if before is not None:
            repeated.append(_repetition(before, term))
        known[key] = term if before is None else _joined(before, term)
        _refuse_contradiction(name, known[key], before, term)
    if not known:
        raise UnreadableFile(name, "there is no entry in the glossary", "Is it the right file?")
    return tuple(known.values()), _notes(name, repeated)


def folded(text: str) -> str:
    """Return a term without the differences of case and of full and half width.

    >>> folded("Mail  Server")
    'mail server'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _key(term: Term) -> tuple[str, bool]:
    # Names of the target language alone are told by what they are.
    text = term.source or "\0".join(term.targets)
    written = " ".join(unicodedata.normalize("NFKC", text).split())
    return (written if term.matches_case else written.casefold()), term.matches_case


def _check(name: str, term: Term) -> None:
    for text in (term.source, *term.targets, *term.forbidden):
        if len(text) > _LONGEST:
            problem = f"the term {shortened(text, 40)!r} is longer than {_LONGEST:,} characters"
            raise MalformedLine(name, term.line, problem, "Terms are words or short phrases.")
    shown = shortened(term.source or ", ".join(term.targets), 80)
    if not term.source and not (term.targets and term.is_name):
        problem = f"there is no source term for {shown!r}" if shown else "there is no source term"
        raise MalformedLine(name, term.line, problem, _ROW)
    if not term.targets and not term.forbidden:
        problem = f"{shown!r} has neither a target term nor forbidden forms"
        raise MalformedLine(name, term.line, problem, _ROW)


def _repetition(before: Term, term: Term) -> str:
    where = f"lines {before.line:,} and {term.line:,}: {shortened(term.source, 40)!r}"
    if set(map(folded, term.targets)) == set(map(folded, before.targets)):
        return f"{where} twice"
    return f"{where} with different targets, each of which will do"


def _joined(before: Term, term: Term) -> Term:
    return replace(
        before,
        targets=tuple(dict.fromkeys((*before.targets, *term.targets))),
        forbidden=tuple(dict.fromkeys((*before.forbidden, *term.forbidden))),
        is_name=before.is_name or term.is_name,
        note=before.note or term.note,
    )


def _refuse_contradiction(name: str, whole: Term, before: Term | None, term: Term) -> None:
    written = (lambda text: text) if whole.matches_case else folded
    asked = {written(text) for text in whole.targets}
    both = [text for text in whole.forbidden if written(text) in asked]
    if both:
        where = f" (see line {before.line:,})" if before is not None else ""
        problem = f"{shortened(both[0], 80)!r} is both asked for and forbidden{where}"
        advice = "Remove one of the two; forms that differ in case alone need the case column."
        raise MalformedLine(name, term.line, problem, advice)


def _notes(name: str, repeated: list[str]) -> tuple[str, ...]:
    if not repeated:
        return ()
    listed = "; ".join(repeated[:_MOST_NOTED])
    more = len(repeated) - _MOST_NOTED
    rest = f"; and {counted(more, 'entry')} more" if more > 0 else ""
    return (f"{name}: entries that repeat a source term are taken as one: {listed}{rest}.",)
