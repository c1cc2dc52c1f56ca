"""Renders what to take for a target language."""

from collections.abc import Iterable, Sequence
from typing import Any

from tenbin.metrics.recommended import LanguageMetrics, RecommendedMetric
from tenbin.reports.data import Row
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.html import framed, grid_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text

_COLUMNS = ("language", "metric", "installed", "needs", "commands", "agreement")


def payload(result: LanguageMetrics) -> dict[str, Any]:
    """Return the default metrics, and all that there are for the language."""
    return {
        "language": result.language,
        "default": list(result.chosen),
        "surface": result.surface,
        "meaning": [
            {
                "metric": one.metric,
                "installed": one.is_installed,
                "needs": list(one.needs),
                "commands": list(one.commands),
                "agreement": one.agreement,
            }
            for one in result.meaning
        ],
    }


def tidy(result: LanguageMetrics) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric."""
    return _COLUMNS, (
        (
            result.language,
            one.metric,
            "yes" if one.is_installed else "no",
            " ".join(one.needs),
            " && ".join(one.commands),
            one.agreement,
        )
        for one in (_surface(result), *result.meaning)
    )


def draw(result: LanguageMetrics, form: Format, page: Page) -> str:
    """Return the metrics, best first, with what each needs."""
    grid = Grid(
        headings=("Metric", "Installed", "Needs", "Agreement with people"),
        alignments=(Align.LEFT,) * 4,
        rows=tuple(
            (
                Cell(one.metric),
                Cell("yes" if one.is_installed else "no"),
                Cell(", ".join(one.needs) or "nothing"),
                Cell(one.agreement),
            )
            for one in (*result.meaning, _surface(result))
        ),
        labels=2,
    )
    lines = [f"Target language {result.language}. By default: {' '.join(result.chosen)}."]
    if not result.meaning:
        lines.append("There is no metric of meaning for it that was measured or can be installed.")
    lines += [f"To install {one.metric}: {' && '.join(one.commands)}" for one in _lacking(result)]
    if form is Format.LATEX:
        return render_latex(grid, escape_latex(" ".join(lines)))
    if form is Format.HTML:
        return framed([grid_table(grid)], lines, ())
    if form is Format.MARKDOWN:
        return f"{render_markdown(grid)}\n" + "\n\n".join(lines) + "\n"
    text = "".join(f"{render_paragraph(line, page.width)}\n" for line in lines)
    return f"{render_text(grid, page.width)}\n{text}"


def _surface(result: LanguageMetrics) -> RecommendedMetric:
    compared = "characters alone" if result.surface == "chrf" else "characters, and pairs of words"
    return RecommendedMetric(metric=result.surface, agreement=f"{compared}; no meaning")


def _lacking(result: LanguageMetrics) -> list[RecommendedMetric]:
    return [one for one in result.meaning if not one.is_installed]
