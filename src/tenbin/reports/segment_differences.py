"""Renders the segments on which two systems differ most, with their texts."""

from collections.abc import Iterator
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.scores import Comparison, MetricScores
from tenbin.core.segment_differences import PairDifferences, SegmentDifference
from tenbin.reports.data import Row
from tenbin.reports.formats import Format, Page
from tenbin.reports.segment_list import (
    LabeledText,
    ListedGroup,
    ListedSegment,
    draw_list,
    texts_as_read,
)
from tenbin.reports.titled import number_text, signed_text
from tenbin.reports.worst_segments import reference_columns, reference_fields
from tenbin.reports.wrapping import CLOSING, OPENING

_MARKED = {
    Format.LATEX: "Bold words are not in the other translation, or not in this order.",
    Format.TEXT: f"{OPENING} {CLOSING} enclose words that the other translation does not have, or "
    "not in this order.",
}


def payload(comparison: Comparison) -> dict[str, Any]:
    """Return the differences as plain data; ranges of characters end before their second number."""
    if comparison.differences is None:
        return {}
    return {
        "metric": comparison.differences.metric,
        "pairs": [
            {
                "system_a": pair.first,
                "system_b": pair.second,
                "a_better": [_difference(one) for one in pair.first_better],
                "b_better": [_difference(one) for one in pair.second_better],
            }
            for pair in comparison.differences.pairs
        ],
    }


def text_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the columns that the differences add to tidy rows."""
    if comparison.differences is None:
        return ()
    references = reference_columns(_reference_count(comparison))
    texts = ("translation_a", "translation_b")
    return ("segment", "document", "score_a", "score_b", "source", *references, *texts)


def rows(comparison: Comparison, between: int) -> Iterator[Row]:
    """Yield a row for each segment, with its texts.

    Args:
        comparison: The result.
        between: How many columns lie between the difference and the columns of texts.
    """
    if comparison.differences is None:
        return
    count = _reference_count(comparison)
    for pair in comparison.differences.pairs:
        for one in (*pair.first_better, *pair.second_better):
            yield (
                *(_measure(comparison).label, pair.first, pair.second, one.difference),
                *(None,) * between,
                *(one.texts.number, one.texts.document, *one.scores, one.texts.source),
                *(*reference_fields(one.texts.references, count), *one.translations),
            )


def draw(comparison: Comparison, form: Format, page: Page) -> str:
    """Return the differences of each pair of systems, in both directions."""
    if comparison.differences is None:
        return ""
    by = _measure(comparison)
    pairs = comparison.differences.pairs
    every = [one for pair in pairs for one in (pair.first_better, pair.second_better)]
    most = max(map(len, every), default=0)
    title = (
        f"Where systems differ most by {by.title}: up to {counted(most, 'segment')} in each "
        "direction, the largest difference first"
    )
    groups = [group for pair in pairs for group in _groups(pair, by, comparison.scores.language)]
    caption = _MARKED.get(form, _MARKED[Format.TEXT])
    return draw_list(title, groups, caption, form, page)


def _groups(pair: PairDifferences, by: MetricScores, language: str) -> Iterator[ListedGroup]:
    for better, worse, found in (
        (pair.first, pair.second, pair.first_better),
        (pair.second, pair.first, pair.second_better),
    ):
        listed = tuple(_listed(pair, one, by, language) for one in found)
        yield ListedGroup(f"{better} better than {worse}", listed)


def _listed(
    pair: PairDifferences, one: SegmentDifference, by: MetricScores, language: str
) -> ListedSegment:
    own, other = (number_text(score, by.decimals) for score in one.scores)
    difference = signed_text(one.difference, by.decimals)
    both = f"{pair.first} {own}, {pair.second} {other}"
    heading = f"segment {one.texts.number:,}: {both}, difference {difference}"
    translations = zip((pair.first, pair.second), one.translations, one.differing, strict=True)
    texts = (
        *texts_as_read(one.texts, language),
        *(LabeledText(*fields, language) for fields in translations),
    )
    return ListedSegment(heading, texts)


def _difference(one: SegmentDifference) -> dict[str, Any]:
    return {
        "segment": one.texts.number,
        "document": one.texts.document,
        "score_a": one.scores[0],
        "score_b": one.scores[1],
        "difference": one.difference,
        "source": one.texts.source,
        "references": list(one.texts.references),
        "translation_a": one.translations[0],
        "translation_b": one.translations[1],
        "differing_a": [list(ends) for ends in one.differing[0]],
        "differing_b": [list(ends) for ends in one.differing[1]],
    }


def _measure(comparison: Comparison) -> MetricScores:
    wanted = "" if comparison.differences is None else comparison.differences.metric
    return next(result for result in comparison.scores.results if result.metric == wanted)


def _reference_count(comparison: Comparison) -> int:
    pairs = () if comparison.differences is None else comparison.differences.pairs
    found = [one for pair in pairs for one in (*pair.first_better, *pair.second_better)]
    return max((len(one.texts.references) for one in found), default=0)
