"""One function per result kind: choose a format, get characters."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.core.scores import Comparison, MetricScores, ScoreSet
from tenbin.reports.comparison_grid import baseline_grid, matrix_grid, rank_grid
from tenbin.reports.formats import Format
from tenbin.reports.grid import Grid
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import render_markdown
from tenbin.reports.payload import comparison_payload, render_json, score_payload
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.reports.score_grid import score_grid, segment_grid
from tenbin.reports.tidy import PAIR_COLUMNS, SCORE_COLUMNS, pair_rows, render_tsv, score_rows

_TEST_NAMES = {"ar": "Paired approximate randomisation", "bootstrap": "Paired bootstrap"}
_MARKS = {Format.TEXT: "A star", Format.MARKDOWN: "Bold", Format.LATEX: "Bold"}


@dataclass(frozen=True, slots=True)
class _Table:
    """A grid and the scores it is about."""

    grid: Grid
    about: tuple[MetricScores, ...]

    @property
    def has_marks(self) -> bool:
        return any(cell.strong for row in self.grid.rows for cell in row)


def render_scores(score_set: ScoreSet, form: Format, width: int | None = None) -> str:
    """Return a score set in a format; every form carries the signatures.

    Args:
        score_set: The scores.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
    """
    if form is Format.JSON:
        return render_json(score_payload(score_set))
    if form is Format.TSV:
        return render_tsv(SCORE_COLUMNS, score_rows(score_set))
    tables = [_Table(score_grid(score_set), score_set.results)]
    caption = [f"{score_set.segment_count:,} segments, target language {score_set.language}."]
    if tables[0].has_marks:
        caption.append(f"{_MARKS[form]} marks the best score.")
    if any(scores.intervals is not None for scores in score_set.results):
        caption.append("Brackets: 95 % bootstrap confidence interval.")
    if any(scores.segments is not None for scores in score_set.results):
        tables.append(_Table(segment_grid(score_set), score_set.results))
    return _drawn(tables, " ".join(caption), form, width)


def render_comparison(
    comparison: Comparison,
    pairs: list[tuple[int, int]],
    form: Format,
    width: int | None = None,
) -> str:
    """Return a comparison in a format.

    Args:
        comparison: The result.
        pairs: The positions of each tested pair of systems.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
    """
    if form is Format.JSON:
        return render_json(comparison_payload(comparison, pairs))
    if form is Format.TSV:
        return render_tsv(PAIR_COLUMNS, pair_rows(comparison, pairs))
    tables: list[_Table] = []
    for part in comparison.metrics:
        if comparison.baseline is not None:
            tables.append(_Table(baseline_grid(comparison, part), (part.scores,)))
            continue
        tables.append(_Table(rank_grid(part), (part.scores,)))
        # A paper has no room for a matrix.
        matrix = None if form is Format.LATEX else matrix_grid(part)
        tables += [] if matrix is None else [_Table(matrix, (part.scores,))]
    marked = any(table.has_marks for table in tables)
    caption = _comparison_caption(comparison, len(pairs), form, marked=marked)
    return _drawn(tables, caption, form, width)


def _comparison_caption(comparison: Comparison, pairs: int, form: Format, *, marked: bool) -> str:
    results = comparison.score_set
    least = 1 / (comparison.rounds + 1)
    caption = [f"{results.segment_count:,} segments, target language {results.language}."]
    caption.append(
        f"{_TEST_NAMES[comparison.test]}, two-sided: {comparison.rounds:,} rounds over "
        f"{comparison.unit}, seed {comparison.seed}; p is never below {least:.2g}."
    )
    if pairs > 1:
        caption.append(f"p (Holm): corrected for the {pairs} pairs of a metric.")
    else:
        caption.append("One pair, so p (Holm) is p.")
    if marked:
        caption.append(f"{_MARKS[form]} marks p (Holm) ≤ 0.05.")
    if comparison.baseline is None:
        caption.append(
            "A new rank begins with a system that one of the rank above beats at p (Holm) ≤ 0.05."
        )
    return " ".join(caption)


def _drawn(tables: Sequence[_Table], caption: str, form: Format, width: int | None) -> str:
    if form is Format.LATEX:
        return "\n".join(_latex_table(table, caption) for table in tables)
    about = dict.fromkeys(str(scores.signature) for table in tables for scores in table.about)
    if form is Format.MARKDOWN:
        drawn = "\n".join(render_markdown(table.grid) for table in tables)
        return f"{drawn}\n{caption}\n\n" + "".join(f"- `{signature}`\n" for signature in about)
    drawn = "\n".join(render_text(table.grid, width) for table in tables)
    # A signature stays on one line however long it is: it is copied into papers.
    signatures = "".join(f"  {signature}\n" for signature in about)
    return f"{drawn}\n{render_paragraph(caption, width)}\n{signatures}"


def _latex_table(table: _Table, caption: str) -> str:
    listed = "; ".join(
        f"\\texttt{{{escape_latex(str(scores.signature))}}}" for scores in table.about
    )
    plural = "s" if len(table.about) > 1 else ""
    return render_latex(table.grid, f"{escape_latex(caption)} Signature{plural}: {listed}.")
