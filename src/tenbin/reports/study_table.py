"""The results of the experiments on ParaEval: values that know how to show themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tenbin.reports.data import json_text, tsv_text
from tenbin.reports.formats import Format
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.meta_grid import TitledGrid
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.reports.study_grid import correlation_grids, lead_grid, mean_grids, score_grids
from tenbin.reports.study_rows import (
    CORRELATION_COLUMNS,
    TRANSLATION_COLUMNS,
    CorrelationRow,
    Study,
    TranslationRow,
    as_records,
    correlation_fields,
    translation_fields,
)
from tenbin.version import __version__

_DIFFERENCES = {
    Study.RANKING: "Δ: difference from BLEU on the same samples.",
    Study.REFERENCES: "Δ: difference from all references together, on the same samples.",
    Study.DECOMPOSITION: "Δ: difference from all references together, on the same samples.",
    Study.LENGTHS: "Δ: difference from no paraphrases, on the same samples. In phrases, alone: "
    "share of the words of all translations that is matched so; equal phrases of a set are "
    "phrases, too. More: share of words that is matched beyond what single words match.",
}
_INTERVALS = (
    "Brackets: 95 % of the samples; of the mean: interval of that mean by Student's t, which the "
    "paper gives and which says nothing about the data. whole: rho on all segments."
)
_TAKEN_OUT = "Each reference is taken out and scored against the others, as the machines are."
_LEADS = (
    "Lead: score less that of the best machine; its interval takes the best machine of each "
    "sample. Above all: share of samples in which the reference is above all machines."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CorrelationTable:
    """Correlations of metrics with the human ranking of systems.

    Attributes:
        study: The experiment.
        rows: The values.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        seed: Their seed.
    """

    study: Study
    rows: tuple[CorrelationRow, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        rows = as_records(CORRELATION_COLUMNS, map(correlation_fields, self.rows))
        return _payload(self.study, rows, self)

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows."""
        return tsv_text(CORRELATION_COLUMNS, map(correlation_fields, self.rows))

    def grids(self) -> list[TitledGrid]:
        """Return what a person reads."""
        return [*correlation_grids(self.study, self.rows), *mean_grids(self.study, self.rows)]

    def caption(self) -> list[str]:
        """Return how to read it."""
        drawn = f"{self.resamples:,} bootstrap samples, the human ranking fixed, seed {self.seed}"
        lines = [f"rho: mean of Spearman's rho over {drawn}. {_INTERVALS}"]
        if any(row.difference is not None for row in self.rows):
            lines.append(_DIFFERENCES[self.study])
            if mean_grids(self.study, self.rows):
                lines.append("Δ above 0, below 0: in how many cases all of its interval is.")
        return lines

    def __str__(self) -> str:
        return render_study(self, Format.TEXT)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TranslationTable:
    """Scores of machines, and of references against each other.

    Attributes:
        rows: The values.
        notes: What was chosen, left out or missing.
        resamples: How many bootstrap samples were drawn.
        seed: Their seed.
    """

    rows: tuple[TranslationRow, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        rows = as_records(TRANSLATION_COLUMNS, map(translation_fields, self.rows))
        return _payload(Study.HUMANS, rows, self)

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows."""
        return tsv_text(TRANSLATION_COLUMNS, map(translation_fields, self.rows))

    def grids(self) -> list[TitledGrid]:
        """Return what a person reads: references and the best machines, then all scores."""
        return [lead_grid(self.rows), *score_grids(self.rows)]

    def caption(self) -> list[str]:
        """Return how to read it."""
        drawn = f"{self.resamples:,} bootstrap samples, seed {self.seed}"
        return [
            f"{_TAKEN_OUT} Brackets: 95 % percentile interval of {drawn}.",
            _LEADS,
        ]

    def __str__(self) -> str:
        return render_study(self, Format.TEXT)


def render_study(
    table: CorrelationTable | TranslationTable, form: Format, width: int | None = None
) -> str:
    """Return the result of an experiment in a format.

    Args:
        table: The result.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
    """
    if form is Format.JSON:
        return json_text(table.to_dict())
    if form is Format.TSV:
        return table.to_tsv()
    signatures = list(dict.fromkeys(row.signature for row in table.rows))
    grids, caption = table.grids(), table.caption()
    if form is Format.LATEX:
        return "\n".join(_latex(titled, caption, signatures) for titled in grids)
    if form is Format.MARKDOWN:
        drawn = "\n".join(
            f"**{escape_markdown(titled.title)}**\n\n{render_markdown(titled.grid)}"
            for titled in grids
        )
        told = "".join(f"- {escape_markdown(line)}\n" for line in caption)
        return f"{drawn}\n{told}" + "".join(f"- `{one}`\n" for one in signatures)
    drawn = "\n".join(f"{titled.title}\n\n{render_text(titled.grid, width)}" for titled in grids)
    told = "".join(f"{render_paragraph(line, width)}\n" for line in caption)
    # A signature stays on one line however long it is: it is copied into papers.
    return f"{drawn}\n{told}" + "".join(f"  {one}\n" for one in signatures)


def _latex(titled: TitledGrid, caption: Sequence[str], signatures: Sequence[str]) -> str:
    text = escape_latex(" ".join([f"{titled.title}.", *caption]))
    listed = "; ".join(f"\\texttt{{{escape_latex(one)}}}" for one in signatures)
    return render_latex(titled.grid, f"{text} Signatures: {listed}.")


def _payload(
    study: Study, rows: list[dict[str, Any]], table: CorrelationTable | TranslationTable
) -> dict[str, Any]:
    return {
        "tenbin": __version__,
        "study": str(study),
        "resamples": table.resamples,
        "seed": table.seed,
        "rows": rows,
        "notes": list(table.notes),
    }
