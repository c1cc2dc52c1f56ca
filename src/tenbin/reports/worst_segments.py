"""Renders the worst segments of each system, with their texts."""

from collections.abc import Iterator
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.worst_segments import WorstSegment
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.segment_list import (
    LabeledText,
    ListedGroup,
    ListedSegment,
    draw_list,
    texts_as_read,
)
from tenbin.reports.titled import number_text


def payload(table: ScoreTable) -> dict[str, Any]:
    """Return the worst segments as plain data."""
    if table.worst is None:
        return {}
    return {
        "metric": table.worst.metric,
        "segments": [
            {
                "system": one.system,
                "segment": one.texts.number,
                "document": one.texts.document,
                "scores": {
                    result.metric: defined(value)
                    for result, value in zip(table.results, one.scores, strict=True)
                },
                "source": one.texts.source,
                "references": list(one.texts.references),
                "translation": one.translation,
            }
            for one in table.worst.segments
        ],
    }


def text_columns(table: ScoreTable) -> tuple[str, ...]:
    """Return the columns that the worst segments add to tidy rows."""
    if table.worst is None:
        return ()
    references = reference_columns(_reference_count(table))
    return ("document", "source", *references, "translation")


def reference_columns(count: int) -> tuple[str, ...]:
    """Return the columns of so many references.

    >>> reference_columns(1), reference_columns(2)
    (('reference',), ('reference_1', 'reference_2'))
    """
    if count <= 1:
        return ("reference",)
    return tuple(f"reference_{number}" for number in range(1, count + 1))


def reference_fields(references: tuple[str, ...], count: int) -> tuple[str | None, ...]:
    """Return what stands in these columns."""
    return (*references, *(None,) * (max(count, 1) - len(references)))


def rows(table: ScoreTable) -> Iterator[Row]:
    """Yield a row of the level ``worst`` for each segment, with its texts."""
    if table.worst is None:
        return
    by = _chooser(table)
    count = _reference_count(table)
    for one in table.worst.segments:
        score = one.scores[table.results.index(by)]
        yield (
            *(one.system, by.label, "worst", one.texts.number, score, None, None),
            *(str(by.signature), one.texts.document, one.texts.source),
            *(*reference_fields(one.texts.references, count), one.translation),
        )


def draw(table: ScoreTable, form: Format, page: Page) -> str:
    """Return the worst segments, system after system."""
    if table.worst is None:
        return ""
    by = _chooser(table)
    shown = [(system, table.worst.of(system)) for system in table.systems]
    most = max((len(segments) for _, segments in shown), default=0)
    which = "lowest" if by.higher_is_better else "highest"
    each = " of each system" if len(table.systems) > 1 else ""
    title = f"The {counted(most, 'worst segment')}{each} by {by.title}: {which} score first"
    if most == 1:
        title = f"The worst segment{each} by {by.title}"
    groups = [
        ListedGroup(system, tuple(_listed(table, one) for one in segments))
        for system, segments in shown
    ]
    return draw_list(title, groups, "", form, page)


def _listed(table: ScoreTable, one: WorstSegment) -> ListedSegment:
    by = _chooser(table)
    pairs = list(zip(table.results, one.scores, strict=True))
    pairs.sort(key=lambda pair: pair[0] is not by)  # the metric that chose them comes first
    scores = ", ".join(
        f"{result.title} {number_text(value, result.decimals)}" for result, value in pairs
    )
    translation = LabeledText("translation", one.translation, language=table.language)
    texts = (*texts_as_read(one.texts, table.language), translation)
    return ListedSegment(f"segment {one.texts.number:,}: {scores}", texts)


def _chooser(table: ScoreTable) -> MetricScores:
    wanted = "" if table.worst is None else table.worst.metric
    return next(result for result in table.results if result.metric == wanted)


def _reference_count(table: ScoreTable) -> int:
    segments = () if table.worst is None else table.worst.segments
    return max((len(one.texts.references) for one in segments), default=0)
