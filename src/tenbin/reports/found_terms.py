"""Renders what became of the terms of a glossary."""

from collections.abc import Sequence
from typing import Any

from tenbin.core.explanation import Explanation
from tenbin.core.glossary import TermFinding, TermStatus
from tenbin.reports.grid import display_width, printable
from tenbin.reports.wrapping import hanging

# Signs and words, for color alone tells nobody anything in print or to a screen reader.
MARKS = {
    TermStatus.RENDERED: "✓",
    TermStatus.MISSING: "∅",
    TermStatus.FORBIDDEN: "✗",
}
_INDENT = "  "


def draw_terms(explanation: Explanation, width: int) -> str:
    """Return a line for each term of the source; nothing where there is none.

    The metric that compares terms has said all of it in its steps.
    """
    texts = explanation.texts
    if not explanation.terms or texts is None or is_of_terms(explanation):
        return ""
    lines = []
    for one in explanation.terms:
        written = printable((texts.source or "")[slice(*one.source)])
        start = f"{_INDENT}{MARKS[one.status]}  {written}  "
        said = said_of(one, explanation.translation)
        lines.append(hanging(said, width, start, min(display_width(start), 8)))
    return "Glossary\n" + "".join(lines)


def is_of_terms(explanation: Explanation) -> bool:
    """Return whether an explanation is that of the metric that compares terms alone."""
    return explanation.signature.metric == "terms"


def said_of(found: TermFinding, translation: str) -> str:
    """Return in words what became of a term.

    Args:
        found: The term.
        translation: The translation.
    """
    asked = " | ".join(found.term.targets)
    written = translation[slice(*found.translation)] if found.translation else ""
    wanted = f"; asked for: {asked}" if asked else ""
    if found.status is TermStatus.FORBIDDEN:
        said = f"forbidden: {written}{wanted}"
    elif found.status is TermStatus.MISSING:
        said = f"missing{wanted}"
    else:
        said = f"rendered as asked: {written}" if written else "no forbidden form"
    note = f" ({found.term.note})" if found.term.note else ""
    return printable(said + note)


def terms_payload(terms: Sequence[TermFinding]) -> dict[str, Any]:
    """Return the terms as plain data; nothing where there is none."""
    if not terms:
        return {}
    return {
        "terms": [
            {
                "status": str(one.status),
                "source": list(one.source),
                "translation": None if one.translation is None else list(one.translation),
                "term": one.term.source,
                "asked": list(one.term.targets),
                "forbidden": list(one.term.forbidden),
                "note": one.term.note,
            }
            for one in terms
        ]
    }
