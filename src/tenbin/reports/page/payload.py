"""A report as plain values, in the form that the page reads: see ``web/src/schema.ts``."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.report import (
    ExplainedSegment,
    HumanColumn,
    MetricFacts,
    NgramContrast,
    Report,
    ResourceLicence,
    SegmentFacts,
    TermMark,
    TextLabel,
    TextRole,
)
from tenbin.core.scores import Comparison, MetricComparison, MetricScores
from tenbin.core.text import TestSet
from tenbin.reports.data import all_defined, defined
from tenbin.reports.page.packing import Packed, pack
from tenbin.version import __version__

SCHEMA = 1
Plain = dict[str, Any]

_FREQUENCY_DECIMALS = 2
_HUMAN_DECIMALS = 3
_SIMILARITY_DECIMALS = 4
_STEP_DIGITS = 7
_P_DIGITS = 5
_UNKNOWN = MetricFacts(summary="", explainable=False)


def payload(report: Report) -> Plain:
    """Return everything that the page shows; undefined numbers are None."""
    results = () if report.scores is None else report.scores.results
    facts = report.metrics or (_UNKNOWN,) * len(results)
    return {
        "schema": SCHEMA,
        "kind": str(report.kind),
        "title": _shown(report.title),
        "created": report.created,
        "version": __version__,
        "command": _shown(report.command),
        "notes": [_shown(note) for note in report.notes],
        "language": report.language,
        "systems": []
        if report.scores is None
        else [_shown(name) for name in report.scores.systems],
        "metrics": [_metric(*pair) for pair in zip(results, facts, strict=True)],
        "comparison": None if report.comparison is None else _comparison(report.comparison),
        "segments": _segments(report),
        "human": [_human(column) for column in report.human],
        "explanations": [_explanation(one) for one in report.explanations],
        "explainCommand": None
        if report.explain_command is None
        else _shown(report.explain_command),
        "ngrams": [_ngrams(pair) for pair in report.ngrams],
        "licences": [_licence(one) for one in report.licences],
        "meta": None if report.meta is None else dict(report.meta),
        "tune": None if report.tune is None else dict(report.tune),
    }


def packed_numbers(packed: Packed) -> Plain:
    """Return packed numbers under the names that the page reads."""
    return {
        "shape": list(packed.shape),
        "decimals": packed.decimals,
        "offset": packed.offset,
        "bytes": packed.width,
        "data": packed.data,
    }


def _metric(scores: MetricScores, facts: MetricFacts) -> Plain:
    intervals = scores.intervals
    return {
        "metric": scores.metric,
        "title": scores.title,
        "signature": str(scores.signature),
        "higherIsBetter": scores.higher_is_better,
        "decimals": scores.decimals,
        "summary": facts.summary,
        "explainable": facts.explainable,
        "scores": all_defined(scores.scores),
        "intervals": None if intervals is None else [_interval(row) for row in intervals],
        "segments": None if scores.segments is None else _packed(scores.segments, scores.decimals),
    }


def _interval(bounds: FloatArray) -> list[float] | None:
    return [float(end) for end in bounds] if np.isfinite(bounds).all() else None


def _comparison(comparison: Comparison) -> Plain:
    return {
        "test": comparison.test,
        "rounds": comparison.rounds,
        "seed": comparison.seed,
        "unit": comparison.unit,
        "baseline": comparison.baseline,
        "curveSource": comparison.curve_source,
        "metrics": [_compared(place, part) for place, part in enumerate(comparison.metrics)],
    }


def _compared(place: int, part: MetricComparison) -> Plain:
    return {
        "metric": place,
        "differences": _matrix(part.differences, None),
        "p": _matrix(part.p_values, _P_DIGITS),
        "adjusted": _matrix(part.adjusted, _P_DIGITS),
        "ranks": None if part.ranks is None else [int(rank) for rank in part.ranks],
        "people": _people(part),
    }


def _matrix(values: FloatArray, digits: int | None) -> list[list[float | None]]:
    return [[_short(value, digits) for value in row] for row in values.tolist()]


def _people(part: MetricComparison) -> list[list[float | None]] | None:
    if part.curve is None:
        return None
    count = len(part.differences)
    rows: list[list[float | None]] = [[None] * count for _ in range(count)]
    for a in range(count):
        for b in range(count):
            share = part.share(a, b) if a != b else None
            rows[a][b] = None if share is None else _short(share.value, _P_DIGITS)
    return rows


def _segments(report: Report) -> Plain | None:
    texts, facts = report.texts, report.facts
    if texts is None or facts is None:
        return None
    names = list(dict.fromkeys(texts.documents or ()))
    places = {name: place for place, name in enumerate(names)}
    known = None if texts.documents is None else [places[name] for name in texts.documents]
    return {
        "count": texts.segment_count,
        "columns": [_column(label) for label in report.labels],
        "texts": _rows(texts, report.labels),
        "documentNames": [_shown(name.replace("\t", " / ")) for name in names],
        "documents": known,
        **_facts(facts),
        "terms": None if facts.terms is None else [_term(one, texts) for one in facts.terms],
    }


def _column(label: TextLabel) -> Plain:
    return {
        "role": str(label.role),
        "name": _shown(label.name),
        "language": label.language,
        "direction": "rtl" if label.right_to_left else "ltr",
    }


def _rows(texts: TestSet, labels: Sequence[TextLabel]) -> list[list[str | None]]:
    """Return the texts segment by segment, so that what is alike stands close together."""
    references = sum(label.role is TextRole.REFERENCE for label in labels)
    columns: list[Sequence[str | None]] = []
    if any(label.role is TextRole.SOURCE for label in labels):
        columns.append(texts.source or ())
    columns += [
        [some[place] if place < len(some) else None for some in texts.references]
        for place in range(references)
    ]
    columns += texts.hypotheses.values()
    return [
        [None if one is None else _shown(one) for one in row] for row in zip(*columns, strict=True)
    ]


def _facts(facts: SegmentFacts) -> Plain:
    frequencies = facts.frequencies
    return {
        "lengths": _packed(facts.lengths, 0),
        "frequencies": None if frequencies is None else _packed(frequencies, _FREQUENCY_DECIMALS),
        "hasNumber": None if facts.has_number is None else list(facts.has_number),
        "hasName": None if facts.has_name is None else list(facts.has_name),
        "flags": [
            [one.system, one.segment, str(one.kind), _text(one.found), _text(one.expected)]
            for one in facts.flags
        ],
    }


def _term(mark: TermMark, texts: TestSet) -> list[Any]:
    source = "" if texts.source is None else texts.source[mark.segment]
    own = [lines[mark.segment] for lines in texts.hypotheses.values()]
    systems = [
        [str(status), *(_places(text, place) if place else (-1, -1))]
        for status, place, text in zip(mark.statuses, mark.translations, own, strict=True)
    ]
    asked = " | ".join(mark.term.targets)
    first, last = _places(source, mark.source)
    return [mark.segment, first, last, _shown(asked), _shown(mark.term.note), systems]


def _places(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """Return a range of characters as the page counts them: those beyond U+FFFF are two."""
    first, last = (len(text[:at]) + sum(one > "\uffff" for one in text[:at]) for at in place)
    return first, last


def _human(column: HumanColumn) -> Plain:
    return {
        "kind": column.kind,
        "higherIsBetter": True,
        "scores": all_defined(column.scores),
        "segments": None if column.segments is None else _packed(column.segments, _HUMAN_DECIMALS),
    }


def _explanation(one: ExplainedSegment) -> Plain:
    found = one.explanation
    return {
        "system": one.system,
        "segment": one.segment,
        "metric": one.metric,
        "score": float(f"{found.score:.{_STEP_DIGITS}g}"),
        "hypothesis": [_shown(token) for token in found.alignment.hypothesis],
        "reference": [_shown(token) for token in found.alignment.reference],
        "comparedWith": found.compared_with,
        "referenceIndex": max(found.reference - 1, 0),
        "exclusive": found.alignment.exclusive,
        "matches": [
            [
                match.hypothesis.start,
                match.hypothesis.stop,
                match.reference.start,
                match.reference.stop,
                str(match.kind),
                _decimal(match.similarity),
                _shown(match.evidence),
                _decimal(match.mass),
                _decimal(match.cost),
            ]
            for match in found.alignment.matches
        ],
        "steps": [
            [
                step.label,
                _shown(step.meaning),
                step.formula,
                _short(step.value, _STEP_DIGITS) or 0.0,
            ]
            for step in found.steps
        ],
    }


def _ngrams(pair: NgramContrast) -> Plain:
    rows = [
        {
            "ngram": _shown(row.ngram),
            "a": row.a,
            "b": row.b,
            "reference": row.reference,
            "segments": list(row.segments),
        }
        for row in pair.rows
    ]
    return {"a": pair.a, "b": pair.b, "rows": rows}


def _licence(one: ResourceLicence) -> Mapping[str, str]:
    return {
        "resource": one.resource,
        "version": one.version,
        "licence": one.licence,
        "source": one.source,
    }


def _packed(values: Any, decimals: int) -> Plain:  # noqa: ANN401 - any array of numbers
    return packed_numbers(pack(values, decimals))


def _decimal(value: float | None) -> float | None:
    return None if value is None else round(value, _SIMILARITY_DECIMALS)


def _short(value: float, digits: int | None) -> float | None:
    found = defined(value)
    return found if found is None or digits is None else float(f"{found:.{digits}g}")


def _text(text: str | None) -> str | None:
    return None if text is None else _shown(text)


def _shown(text: str) -> str:
    """Return a text that a file in UTF-8 can hold: halves of surrogate pairs are replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
