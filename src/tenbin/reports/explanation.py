"""Renders explanations: the alignment, what links its words, and the steps to the score."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from tenbin.core.alignment import MatchKind
from tenbin.core.explanation import Explanation, Explanations, Step
from tenbin.reports.alignment_drawing import LETTERS, UNMATCHED, draw_alignment, paint
from tenbin.reports.data import defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.found_terms import draw_terms, is_of_terms, terms_payload
from tenbin.reports.grid import display_width, printable
from tenbin.reports.link_matrix import draw_matrix
from tenbin.reports.reasons import reasons
from tenbin.reports.segment_list import LabeledText, draw_texts, texts_as_read
from tenbin.reports.titled import number_text
from tenbin.reports.wrapping import hanging
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON)
_USUAL_WIDTH = 100
_WIDEST = 160
_INDENT = "  "
# In fewer columns a meaning stands below its number, not beside it.
_LEAST_ROOM = 24


def payload(result: Explanation | Explanations) -> dict[str, Any]:
    """Return alignments and steps."""
    return {"tenbin": __version__, "explanations": [_explained(one) for one in _each(result)]}


def draw(result: Explanation | Explanations, _form: Format, page: Page) -> str:
    """Return explanations one after the other; kinds of match have colors where there are any."""
    explanations = _each(result)
    width = min(page.width or _USUAL_WIDTH, _WIDEST)
    drawn = [_one(explanation, width, page) for explanation in explanations]
    # A signature stays on one line however long it is: it is copied into papers.
    signatures = dict.fromkeys(str(explanation.signature) for explanation in explanations)
    about = "".join(f"{_INDENT}{signature}\n" for signature in signatures)
    return "\n".join([*drawn, _legend(explanations, width), about])


def _each(result: Explanation | Explanations) -> tuple[Explanation, ...]:
    return (result,) if isinstance(result, Explanation) else result.explanations


def _one(explanation: Explanation, width: int, page: Page) -> str:
    title = heading_of(explanation)
    alignment, other, color = explanation.alignment, explanation.compared_with, page.color
    drawn = (
        draw_alignment(alignment, width, color=color, compared_with=other)
        if alignment.exclusive
        else draw_matrix(alignment, width, color=color, compared_with=other, fold=page.fold)
    )
    parts = [
        f"{hanging(title, width, '', 0)}{'─' * min(display_width(title), width)}\n",
        draw_texts(texts_of_explanation(explanation), width, ""),
        drawn,
        _evidence(explanation, width, color=color),
        draw_terms(explanation, width),
        _arithmetic(explanation.steps, width),
    ]
    return "\n".join(part for part in parts if part)


def heading_of(explanation: Explanation) -> str:
    """Return what is explained, as one line: system, segment, metric and score."""
    name = f"{printable(explanation.system)}, " if explanation.system else ""
    metric = explanation.signature.metric
    title = f"{name}segment {explanation.segment}: {metric} {number_text(explanation.score, 4)}"
    if explanation.reference_count > 1:
        title += f" (reference {explanation.reference} of {explanation.reference_count}, the best)"
    return title


def texts_of_explanation(explanation: Explanation) -> list[LabeledText]:
    """Return source, best reference and translation as they were given; nothing if not known."""
    texts = explanation.texts
    if texts is None:
        return []
    best = texts.references[: explanation.reference][-1:]
    alone = replace(texts, references=best or texts.references)
    language = explanation.signature.get("lang") or ""
    translation = LabeledText("translation", explanation.translation, language=language)
    return [*texts_as_read(alone, language), translation]


def _legend(explanations: Sequence[Explanation], width: int) -> str:
    kinds = {match.kind for one in explanations for match in one.alignment.matches}
    letters = [f"{LETTERS[kind]} {kind}" for kind in MatchKind if kind in kinds]
    text = f"{', '.join([*letters, f'{UNMATCHED} no match'])}."
    if any(not one.alignment.exclusive for one in explanations):
        moved = any(
            match.mass is not None for one in explanations for match in one.alignment.matches
        )
        what = "the weight that moves from word to word" if moved else "the similarity of two words"
        text += f" A number in the table is {what}."
    elif kinds:
        text += (
            " A number starts a chunk: a run of matches in the same order in both sentences. A "
            "number that stands twice is a chunk that moved."
        )
    return hanging(text, width, "", 0)


def _evidence(explanation: Explanation, width: int, *, color: bool) -> str:
    lines = [
        hanging(
            one.text,
            width,
            f"{_INDENT}{paint(one.mark, one.kind, color=color and one.mark != ' ')}  ",
            5,
        )
        for one in reasons(explanation.alignment, explanation.compared_with)
        # Where terms alone count, other words lack nothing.
        if one.kind is not None or not is_of_terms(explanation)
    ]
    return "Why\n" + "".join(lines) if lines else ""


def _arithmetic(steps: Sequence[Step], width: int) -> str:
    labels = max(display_width(step.label) for step in steps)
    values = max(len(_value(step.value)) for step in steps)
    lines = []
    for step in steps:
        label = step.label + " " * (labels - display_width(step.label))
        start = f"{_INDENT}{label}  {_value(step.value):>{values}}  "
        text = ": ".join(part for part in (step.meaning, step.formula) if part)
        if width - display_width(start) < _LEAST_ROOM and text:
            indent = 3 * _INDENT
            lines.append(f"{start.rstrip()}\n{hanging(text, width, indent, len(indent))}")
        else:
            lines.append(hanging(text, width, start, display_width(start)))
    return "From matches to score\n" + "".join(lines)


def _value(value: float) -> str:
    if isnan(value):
        return number_text(value)
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


def _texts_payload(explanation: Explanation) -> dict[str, Any]:
    texts = explanation.texts
    if texts is None:
        return {}
    return {
        "texts": {
            "document": texts.document,
            "source": texts.source,
            "references": list(texts.references),
            "translation": explanation.translation,
        }
    }


def _explained(explanation: Explanation) -> dict[str, Any]:
    alignment = explanation.alignment
    numbers = {match: number for number, chunk in enumerate(alignment.chunks, 1) for match in chunk}
    return {
        "system": explanation.system,
        "segment": explanation.segment,
        "score": defined(explanation.score),
        "signature": str(explanation.signature),
        "reference_number": explanation.reference,
        "reference_count": explanation.reference_count,
        "compared_with": explanation.compared_with,
        **_texts_payload(explanation),
        "translation": list(alignment.hypothesis),
        "reference": list(alignment.reference),
        "matches": [
            {
                "translation": [match.hypothesis.start, match.hypothesis.stop],
                "reference": [match.reference.start, match.reference.stop],
                "kind": str(match.kind),
                # Links of which a word has many form no chunks.
                "chunk": numbers.get(match),
                "similarity": match.similarity,
                "evidence": match.evidence,
                **({} if match.mass is None else {"mass": match.mass, "cost": match.cost}),
            }
            for match in alignment.matches
        ],
        "steps": [
            {
                "label": step.label,
                "meaning": step.meaning,
                "formula": step.formula,
                "value": defined(step.value),
            }
            for step in explanation.steps
        ],
        **terms_payload(explanation.terms),
    }
