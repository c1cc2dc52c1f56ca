"""Renders the oracle of lists of candidates: how far a system is from its best choice."""

from collections.abc import Iterable, Sequence
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.selection import ChoiceScores, Oracle
from tenbin.reports import selection as selection_report
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.signed import SignedGrid, draw_signed


def payload(oracle: Oracle) -> dict[str, Any]:
    """Return the scores of first, best and worst candidates, then those of all of them."""
    data = selection_report.payload(oracle.selection)
    return {
        **{key: data[key] for key in ("tenbin", "kind", "language", "segment_count")},
        "first": _scores(oracle.first),
        "oracle": _scores(oracle.best),
        "worst": _scores(oracle.worst),
        "gap": defined(oracle.gap),
        "first_is_best": oracle.first_is_best,
        **{key: value for key, value in data.items() if key != "kind"},
    }


def tidy(oracle: Oracle) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each candidate, the best of each segment first."""
    return selection_report.tidy(oracle.selection)


def draw(oracle: Oracle, form: Format, page: Page) -> str:
    """Return the scores of first, best and worst candidates as a table."""
    (feature,) = oracle.selection.features
    signature = "" if feature.signature is None else str(feature.signature)
    caption = (
        f"{counted(len(oracle.selection.scores), 'segment')}, {_sizes(oracle)}, target language "
        f"{oracle.selection.language}. The first candidate is the best one in "
        f"{counted(oracle.first_is_best, 'segment')}. Chosen segment by segment; "
        "Δ is of the mean of segments."
    )
    return draw_signed([SignedGrid(score_grid(oracle), (signature,))], caption, form, page)


def score_grid(oracle: Oracle) -> Grid:
    """Return the three choices with their scores, and how far they are from the first."""
    (feature,) = oracle.selection.features
    arrow = "↑" if feature.higher_is_better else "↓"
    choices = {
        "first candidates": oracle.first,
        "best candidates (oracle)": oracle.best,
        "worst candidates": oracle.worst,
    }
    return Grid(
        headings=("Choice", f"{feature.title} {arrow}", "Mean of segments", "Δ to first"),
        alignments=(Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT),
        rows=tuple(
            (
                Cell(name),
                Cell(f"{one.corpus:.{feature.decimals}f}"),
                Cell(f"{one.mean:.{feature.decimals}f}"),
                Cell(
                    ""
                    if one is oracle.first
                    else f"{one.mean - oracle.first.mean:+.{feature.decimals}f}"
                ),
            )
            for name, one in choices.items()
        ),
        labels=1,
    )


def _scores(scores: ChoiceScores) -> dict[str, float | None]:
    return {"corpus": defined(scores.corpus), "segment_mean": defined(scores.mean)}


def _sizes(oracle: Oracle) -> str:
    counts = oracle.selection.candidates.counts
    least, most = min(counts), max(counts)
    if least == most:
        return f"{counted(most, 'candidate')} each"
    return f"{least:,} to {counted(most, 'candidate')}"
