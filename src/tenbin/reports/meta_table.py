"""The result of a meta-evaluation: values that know how to show themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tenbin.reports.data import json_text, tsv_text
from tenbin.reports.formats import Format
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.meta_grid import TitledGrid, meta_grids, place_label
from tenbin.reports.meta_rows import (
    META_COLUMNS,
    MetaAverage,
    MetaComparison,
    MetaRow,
    meta_payload,
    meta_tsv_rows,
)
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.reports.ranking_plot import SystemRanking

_STRONG = {Format.TEXT: "A star", Format.MARKDOWN: "Bold", Format.LATEX: "Bold"}
_TESTS = {
    "perm-both": "PERM-BOTH",
    "williams": "Williams' test",
    "bootstrap": "the paired bootstrap",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetaTable:
    """How far metrics agree with people: rows of values, comparisons, notes and renderings.

    Attributes:
        rows: One per language pair, measure and metric.
        comparisons: Every two metrics, where they were compared.
        averages: Over language pairs, where there are several.
        notes: What was chosen, left out or missing.
        summaries: One line on each measure.
        drawn: How bootstrap samples were drawn, for a caption.
        rankings: How each metric ranks systems, where that was asked for.
    """

    rows: tuple[MetaRow, ...]
    comparisons: tuple[MetaComparison, ...] = ()
    averages: tuple[MetaAverage, ...] = ()
    notes: tuple[str, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    drawn: str = ""
    rankings: tuple[SystemRanking, ...] = ()

    def __getitem__(self, key: tuple[str, str, str]) -> float:
        """Return the value of ``table[pair, metric, measure]``; NaN where it is undefined."""
        for row in self.rows:
            if (row.pair, row.metric, row.measure) == key:
                return row.value
        known = ", ".join(dict.fromkeys(f"{r.pair} {r.metric} {r.measure}" for r in self.rows))
        raise KeyError(f"no value for {key!r}; there are: {known}")

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return meta_payload(self.rows, self.comparisons, self.averages, self.notes)

    def to_json(self) -> str:
        """Return the table as the JSON text that ``tenbin meta -f json`` prints."""
        return json_text(self.to_dict())

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows."""
        return tsv_text(META_COLUMNS, meta_tsv_rows(self.rows))

    def to_markdown(self) -> str:
        """Return Markdown tables."""
        return render_meta(self, Format.MARKDOWN)

    def to_latex(self) -> str:
        """Return LaTeX tables."""
        return render_meta(self, Format.LATEX)

    def __str__(self) -> str:
        return render_meta(self, Format.TEXT)


def render_meta(table: MetaTable, form: Format, width: int | None = None) -> str:
    """Return a meta-evaluation in a format.

    Args:
        table: The result.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
    """
    if form is Format.JSON:
        return table.to_json()
    if form is Format.TSV:
        return table.to_tsv()
    grids = meta_grids(table.rows, table.comparisons, table.averages)
    caption = _caption(table, form, grids)
    lines = {one: _legend(table, one) for one in dict.fromkeys(r.measure for r in table.rows)}
    legend = list(lines.values())
    signatures = list(dict.fromkeys(row.signature for row in table.rows if row.signature))
    if form is Format.LATEX:
        texts = [" ".join([*(lines[one] for one in t.measures), *caption]) for t in grids]
        return "\n".join(
            _latex(titled, text, signatures) for titled, text in zip(grids, texts, strict=True)
        )
    if form is Format.MARKDOWN:
        drawn = "\n".join(
            f"{_markdown_title(titled.title)}{render_markdown(titled.grid)}" for titled in grids
        )
        told = [f"- {escape_markdown(line)}\n" for line in [*legend, *caption]]
        return f"{drawn}\n{''.join(told)}" + "".join(f"- `{one}`\n" for one in signatures)
    parts = []
    for titled in grids:
        title = f"{titled.title}\n\n" if titled.title else ""
        parts.append(f"{title}{render_text(titled.grid, width)}")
    told = [f"{render_paragraph(line, width)}\n" for line in legend]
    if caption:
        told.append(f"{render_paragraph(' '.join(caption), width)}\n")
    # A signature stays on one line however long it is: it is copied into papers.
    return "\n".join([*parts, "".join(told)]) + "".join(f"  {one}\n" for one in signatures)


def _caption(table: MetaTable, form: Format, grids: list[TitledGrid]) -> list[str]:
    caption = []
    if any(row.ci is not None for row in table.rows):
        caption.append(f"Brackets: 95 % percentile interval{table.drawn}.")
    if table.comparisons:
        tests = dict.fromkeys(_TESTS[one.test] for one in table.comparisons)
        caption.append(
            f"p is one-sided, by {' or '.join(tests)}, and not corrected for the number of tests. "
            "A new rank begins with a metric that one of the rank above beats at p ≤ 0.05. "
            f"{_STRONG[form]} marks metrics that no other one beats."
        )
    elif any(cell.strong for titled in grids for row in titled.grid.rows for cell in row):
        caption.append(f"{_STRONG[form]} marks the best value.")
    return caption


def _legend(table: MetaTable, measure: str) -> str:
    """Return a line on a measure: what it is, and how much it was computed from."""
    counts: dict[str, dict[str, int]] = {}
    for row in table.rows:
        if row.measure == measure and row.human and row.n:
            numbers = counts.setdefault(f"against {row.human}, {{}} {row.counted}", {})
            place = place_label(row, table.rows)
            numbers[place] = max(numbers.get(place, 0), row.n)
    summary = table.summaries.get(measure, "")
    told = (
        "; ".join(text.format(_spelled_counts(ns)) for text, ns in counts.items())
        or "no judgements to set it against"
    )
    return f"{measure}: {summary + '; ' if summary else ''}{told}."


def _spelled_counts(numbers: Mapping[str, int]) -> str:
    if len(numbers) == 1:
        return f"n = {next(iter(numbers.values())):,}"
    return "n = " + " + ".join(f"{count:,}" for count in numbers.values())


def _markdown_title(title: str) -> str:
    return f"**{escape_markdown(title)}**\n\n" if title else ""


def _latex(titled: TitledGrid, caption: str, signatures: list[str]) -> str:
    text = escape_latex(f"{titled.title}. {caption}".removeprefix(". "))
    listed = "; ".join(f"\\texttt{{{escape_latex(one)}}}" for one in signatures)
    ending = f" Signature{'s' if len(signatures) > 1 else ''}: {listed}." if signatures else ""
    return render_latex(titled.grid, f"{text}{ending}")
