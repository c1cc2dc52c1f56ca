"""The result of tuning: values that know how to show themselves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from tenbin.core.spec import SpecValue
from tenbin.reports.data import Row, json_text, tsv_text
from tenbin.reports.formats import Format
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.reports.tuning_rows import (
    TriedSetting,
    Tuning,
    plain_value,
    tuning_columns,
    tuning_payload,
    tuning_tsv_rows,
)
from tenbin.version import __version__

_UNDEFINED = "–"
_MOST_ON_CURVE = 25
_MOST_OF_MANY = 10
_ORACLE = (
    "The oracle is the best setting on these very data: tuned on the test data, it says what the "
    "metric could reach, not what it will."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TuningTable:
    """How a measure follows the parameters of metrics.

    Attributes:
        tunings: One per metric.
        notes: What was chosen, left out or missing.
    """

    tunings: tuple[Tuning, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "tenbin": __version__,
            "tunings": [tuning_payload(one) for one in self.tunings],
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return the table as the JSON text that ``tenbin tune -f json`` prints."""
        return json_text(self.to_dict())

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows: the curve, then what cross-validation gave."""
        rows: Iterable[Row] = (row for one in self.tunings for row in tuning_tsv_rows(one))
        return tsv_text(tuning_columns(self.tunings[0]), rows)

    def to_markdown(self) -> str:
        """Return Markdown tables."""
        return render_tuning(self, Format.MARKDOWN)

    def to_latex(self) -> str:
        """Return LaTeX tables."""
        return render_tuning(self, Format.LATEX)

    def __str__(self) -> str:
        return render_tuning(self, Format.TEXT)


def render_tuning(table: TuningTable, form: Format, width: int | None = None) -> str:
    """Return a tuning in a format.

    Args:
        table: The result.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
    """
    if form is Format.JSON:
        return table.to_json()
    if form is Format.TSV:
        return table.to_tsv()
    return "\n".join(_drawn(one, form, width) for one in table.tunings)


def _drawn(tuning: Tuning, form: Format, width: int | None) -> str:
    title = f"{tuning.metric}: {tuning.measure} on {tuning.where}"
    grids = [_summary(tuning), _curve(tuning)]
    caption = [*_caption(tuning), _ORACLE]
    if form is Format.LATEX:
        text = f"{escape_latex(' '.join([f'{title}.', *caption]))} Signature: "
        signature = f"\\texttt{{{escape_latex(tuning.signature)}}}."
        return "\n".join(render_latex(grid, text + signature) for grid in grids)
    if form is Format.MARKDOWN:
        drawn = "\n".join(render_markdown(grid) for grid in grids)
        lines = "".join(f"- {escape_markdown(line)}\n" for line in caption)
        return f"**{escape_markdown(title)}**\n\n{drawn}\n{lines}- `{tuning.signature}`\n"
    drawn = "\n".join(render_text(grid, width) for grid in grids)
    text = render_paragraph(" ".join(caption), width)
    # A signature stays on one line however long it is: it is copied into papers.
    return f"{title}\n\n{drawn}\n{text}\n  {tuning.signature}\n"


def _summary(tuning: Tuning) -> Grid:
    """Return what matters: the metric as it is, tuned on other folds, tuned on the test data."""
    found = tuning.validation
    rows = [_line("default", tuning.default, found.default if found else None)]
    if found is not None:
        spans = [Cell(_span(values)) for values in zip(*found.chosen, strict=True)]
        rows.append((Cell("cross-validated"), *spans, Cell(""), Cell(_number(found.value))))
    oracle = "oracle (tuned on the test data)"
    rows.append(_line(oracle, tuning.oracle, found.oracle if found else None))
    headings = ["Setting", *tuning.parameters, "all data"]
    headings += [f"held-out {found.unit}"] if found else []
    rows = [row[: len(headings)] for row in rows]
    return Grid(
        headings=tuple(headings),
        alignments=(Align.LEFT, *[Align.RIGHT] * (len(headings) - 1)),
        rows=tuple(rows),
    )


def _line(label: str, setting: TriedSetting, held_out: float | None) -> tuple[Cell, ...]:
    numbers = [Cell(_number(setting.value)), Cell(_number(held_out))]
    return (Cell(label), *(Cell(_written(value)) for value in setting.values), *numbers)


def _curve(tuning: Tuning) -> Grid:
    """Return the curve of one parameter, or the best settings of several."""
    several = len(tuning.pairs) > 1
    headings = [*tuning.parameters, *(tuning.pairs if several else ()), tuning.measure, ""]
    rows = []
    for one in _shown(tuning):
        numbers = [*one.by_pair, one.value] if several else [one.value]
        cells = [Cell(_written(value)) for value in one.values]
        cells += [Cell(_number(number)) for number in numbers]
        rows.append((*cells, Cell(tuning.role(one))))
    return Grid(
        headings=tuple(headings),
        alignments=(*[Align.RIGHT] * (len(headings) - 1), Align.LEFT),
        rows=tuple(rows),
        labels=len(tuning.parameters),
    )


def _shown(tuning: Tuning) -> list[TriedSetting]:
    """Return the settings there is room for."""
    settings = tuning.settings
    if len(tuning.parameters) > 1:
        ranked = sorted(settings, key=lambda one: (isnan(one.value), -one.value))
        return ranked[:_MOST_OF_MANY]
    if len(settings) <= _MOST_ON_CURVE:
        return list(settings)
    step = -(-len(settings) // _MOST_ON_CURVE)
    special = (tuning.default, tuning.oracle)
    return [one for place, one in enumerate(settings) if not place % step or one in special]


def _caption(tuning: Tuning) -> list[str]:
    count, shown = len(tuning.settings), len(_shown(tuning))
    kinds = " / ".join(dict.fromkeys(tuning.human))
    told = f"{kinds}, n = {' + '.join(f'{n:,}' for n in tuning.n)}"
    which = "the best " if len(tuning.parameters) > 1 else ""
    some = f", {which}{shown} of them shown (all: -f tsv)" if shown < count else ""
    lines = [f"Against {told} {tuning.counted}. {count:,} settings{some}."]
    found = tuning.validation
    if found is not None:
        lines.append(
            f"Cross-validated: {found.folds} folds of {found.unit}; each setting is chosen on the "
            "other folds and measured on the one held out; means over folds."
        )
        gap = f"Cross-validated less default: {found.difference:+.4f}"
        if found.interval is not None:
            low, high = found.interval
            gap += f" [{low:+.4f}, {high:+.4f}] (95 %, t over folds)"
        lines.append(f"{gap}.")
    return lines


def _span(values: Sequence[SpecValue]) -> str:
    """Return the values that were chosen: one, from least to most, or one by one."""
    distinct = list(dict.fromkeys(values))
    numbers = [v for v in distinct if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(distinct) > 1 and len(numbers) == len(distinct):
        return f"{_written(min(numbers))}–{_written(max(numbers))}"
    return " / ".join(_written(value) for value in distinct)


def _written(value: SpecValue) -> str:
    shown = plain_value(value)
    return f"{shown:g}" if isinstance(shown, float) else str(shown)


def _number(value: float | None) -> str:
    return _UNDEFINED if value is None or isnan(value) else f"{value:.4f}"
