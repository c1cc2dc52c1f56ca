"""One function per result kind: choose a format, get characters."""

from enum import StrEnum

from tenbin.core.scores import Comparison, ScoreSet
from tenbin.reports.comparison_grid import baseline_grid, matrix_grid, rank_grid
from tenbin.reports.grid import (
    Grid,
    escape_latex,
    render_latex,
    render_markdown,
    render_text,
)
from tenbin.reports.payload import comparison_payload, render_json, score_payload
from tenbin.reports.score_grid import score_grid, segment_grid
from tenbin.reports.tidy import PAIR_COLUMNS, SCORE_COLUMNS, pair_rows, render_tsv, score_rows


class Format(StrEnum):
    """The forms a result can be printed in."""

    TEXT = "text"
    JSON = "json"
    TSV = "tsv"
    MARKDOWN = "markdown"
    LATEX = "latex"


def render_scores(score_set: ScoreSet, form: Format) -> str:
    """Return a score set in a format; every form carries the signatures."""
    if form is Format.JSON:
        return render_json(score_payload(score_set))
    if form is Format.TSV:
        return render_tsv(SCORE_COLUMNS, score_rows(score_set))
    grids = [score_grid(score_set)]
    if any(scores.segments is not None for scores in score_set.results):
        grids.append(segment_grid(score_set))
    return _with_signatures(grids, score_set, form, _score_caption(score_set))


def render_comparison(comparison: Comparison, pairs: list[tuple[int, int]], form: Format) -> str:
    """Return a comparison in a format."""
    if form is Format.JSON:
        return render_json(comparison_payload(comparison, pairs))
    if form is Format.TSV:
        return render_tsv(PAIR_COLUMNS, pair_rows(comparison, pairs))
    grids: list[Grid] = []
    for part in comparison.metrics:
        if comparison.baseline is not None:
            grids.append(baseline_grid(comparison, part))
            continue
        grids.append(rank_grid(part))
        matrix = matrix_grid(part) if form is not Format.LATEX else None
        grids += [matrix] if matrix is not None else []
    return _with_signatures(grids, comparison.score_set, form, _comparison_caption(comparison))


def _with_signatures(grids: list[Grid], score_set: ScoreSet, form: Format, caption: str) -> str:
    signatures = [str(scores.signature) for scores in score_set.results]
    if form is Format.LATEX:
        listed = "; ".join(f"\\texttt{{{escape_latex(text)}}}" for text in signatures)
        whole = f"{escape_latex(caption)} Signatures: {listed}."
        return "\n".join(render_latex(grid, whole) for grid in grids)
    if form is Format.MARKDOWN:
        tables = "\n".join(render_markdown(grid) for grid in grids)
        return f"{tables}\n{caption}\n\n" + "".join(f"- `{text}`\n" for text in signatures)
    tables = "\n".join(render_text(grid) for grid in grids)
    return f"{tables}\n{caption}\n" + "".join(f"  {text}\n" for text in signatures)


def _score_caption(score_set: ScoreSet) -> str:
    caption = f"{score_set.segment_count:,} segments, target language {score_set.language}."
    if any(scores.intervals is not None for scores in score_set.results):
        caption += " Brackets: 95 % bootstrap confidence interval."
    return caption


def _comparison_caption(comparison: Comparison) -> str:
    names = {"ar": "paired approximate randomisation", "bootstrap": "paired bootstrap"}
    caption = (
        f"{comparison.score_set.segment_count:,} segments, target language "
        f"{comparison.score_set.language}. Test: {names[comparison.test]}, "
        f"{comparison.rounds:,} rounds over {comparison.unit}, seed {comparison.seed}, two-sided; "
        "Holm's correction over the pairs of each metric."
    )
    if comparison.baseline is None:
        caption += " Systems share a rank unless one of the rank beats them at p (Holm) ≤ 0.05."
    return caption
