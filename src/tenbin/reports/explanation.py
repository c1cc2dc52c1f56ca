"""Renders explanations: the alignment, what links its words, and the steps to the score."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.counting import counted
from tenbin.core.explanation import Explanation, Explanations, Step
from tenbin.reports.alignment_drawing import LETTERS, UNMATCHED, draw_alignment, paint
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import display_width, printable
from tenbin.reports.link_matrix import draw_matrix
from tenbin.reports.segment_list import LabeledText, draw_texts, texts_as_read
from tenbin.reports.wrapping import hanging
from tenbin.version import __version__

FORMATS = (Format.TEXT, Format.JSON)
_USUAL_WIDTH = 100
_WIDEST = 160
_INDENT = "  "
# Kinds of words that are near each other rather than of one meaning.
_NEAR = {MatchKind.VECTOR, MatchKind.CONTEXT, MatchKind.SPELLING}
# Where every word is linked with every word, a reader wants the links that matter most.
_MOST_LINKS = 10
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
        _evidence(alignment, other, width, color=color),
        _arithmetic(explanation.steps, width),
    ]
    return "\n".join(part for part in parts if part)


def heading_of(explanation: Explanation) -> str:
    """Return what is explained, as one line: system, segment, metric and score."""
    name = f"{printable(explanation.system)}, " if explanation.system else ""
    metric = explanation.signature.metric
    title = f"{name}segment {explanation.segment}: {metric} {explanation.score:.4f}"
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
    return [*texts_as_read(alone), LabeledText("translation", explanation.translation)]


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


def _evidence(alignment: Alignment, compared_with: str, width: int, *, color: bool) -> str:
    lines = []
    exact = [match for match in alignment.matches if _is_plainly_equal(match)]
    others = [match for match in alignment.matches if not _is_plainly_equal(match)]
    shown = others
    if not alignment.exclusive:
        shown = sorted(others, key=_importance, reverse=True)
    # Words that stand several times are linked several times in the same way.
    said = Counter(_reason(alignment, match) for match in shown)
    most = len(said) if alignment.exclusive else _MOST_LINKS
    for (kind, text), count in list(said.items())[:most]:
        letter = paint(LETTERS[kind], kind, color=color)
        often = f" ({count} times)" if count > 1 else ""
        lines.append(hanging(text + often, width, f"{_INDENT}{letter}  ", 5))
    left = sum(list(said.values())[most:])
    if left:
        text = f"and {counted(left, 'more link')}, all in the JSON form"
        lines.append(hanging(text, width, " " * 5, 5))
    if exact:
        letter = paint(LETTERS[MatchKind.EXACT], MatchKind.EXACT, color=color)
        equal = [_words(alignment, match)[0] for match in exact]
        words = " ".join(equal if alignment.exclusive else dict.fromkeys(equal))
        lines.insert(0, hanging(f"the same word: {words}", width, f"{_INDENT}{letter}  ", 5))
    sides = (
        ("translation", alignment.hypothesis, [match.hypothesis for match in alignment.matches]),
        (compared_with, alignment.reference, [match.reference for match in alignment.matches]),
    )
    for name, tokens, spans in sides:
        left_over = _unmatched(tokens, spans)
        if left_over:
            mark = paint(UNMATCHED, None, color=color)
            text = f"only in the {name}: {printable(' '.join(left_over))}"
            lines.append(hanging(text, width, f"{_INDENT}{mark}  ", 5))
    return "Why\n" + "".join(lines) if lines else ""


def _reason(alignment: Alignment, match: Match) -> tuple[MatchKind, str]:
    """Return why two words are linked."""
    here, there = _words(alignment, match)
    said = f"{here} {'~' if match.kind in _NEAR else '='} {there}"
    evidence = printable(match.evidence)
    # A phrase table has no more to say than the two phrases and its own name.
    return match.kind, evidence if evidence.startswith(said) else f"{said}: {evidence}"


def _is_plainly_equal(match: Match) -> bool:
    """Return whether a link needs no more to be said than that the words are the same."""
    return match.kind is MatchKind.EXACT and not match.cost


def _importance(match: Match) -> float:
    """Return what a link adds to the cost, where weights are moved, or else its similarity."""
    if match.mass is None or match.cost is None:
        return match.similarity
    return match.mass * match.cost


def _arithmetic(steps: Sequence[Step], width: int) -> str:
    labels = max(len(step.label) for step in steps)
    values = max(len(_value(step.value)) for step in steps)
    lines = []
    for step in steps:
        start = f"{_INDENT}{step.label:<{labels}}  {_value(step.value):>{values}}  "
        text = ": ".join(part for part in (step.meaning, step.formula) if part)
        if width - len(start) < _LEAST_ROOM and text:
            indent = 3 * _INDENT
            lines.append(f"{start.rstrip()}\n{hanging(text, width, indent, len(indent))}")
        else:
            lines.append(hanging(text, width, start, len(start)))
    return "From matches to score\n" + "".join(lines)


def _value(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


def _words(alignment: Alignment, match: Match) -> tuple[str, str]:
    own, other = match.hypothesis, match.reference
    return (
        printable(" ".join(alignment.hypothesis[own.start : own.stop])),
        printable(" ".join(alignment.reference[other.start : other.stop])),
    )


def _unmatched(tokens: Sequence[str], spans: Sequence[Span]) -> list[str]:
    taken = {place for span in spans for place in range(span.start, span.stop)}
    return [token for place, token in enumerate(tokens) if place not in taken]


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
        "score": explanation.score,
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
                "value": step.value,
            }
            for step in explanation.steps
        ],
    }
