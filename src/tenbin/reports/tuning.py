"""Renders tunings: the metric as it is, tuned and cross-validated, then the curve."""

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.spec import SpecValue
from tenbin.core.tuning import (
    CrossValidation,
    FoldUnit,
    GridEdge,
    GridSide,
    HeldOutMeans,
    ReportedMeasure,
    ReportedValue,
    TriedSetting,
    Tuning,
    TuningTable,
)
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid, TitledGrid
from tenbin.reports.html import framed, grid_table, titled_table
from tenbin.reports.latex import escape_latex, render_latex
from tenbin.reports.markdown import escape_markdown, render_markdown
from tenbin.reports.plain_text import render_paragraph, render_text
from tenbin.version import __version__

_MEAN = "mean"
_UNDEFINED = "–"
_ON_FOLDS = ("cross-validated", "default, mean over folds", "oracle, mean over folds")
_MOST_ON_CURVE = 25
_MOST_OF_MANY = 10
_ORACLE = (
    "The oracle is the best setting on these very data: tuned on the test data, it says what the "
    "metric could reach, not what it will."
)


def payload(table: TuningTable) -> dict[str, Any]:
    """Return the tunings as plain data."""
    return {
        "tenbin": __version__,
        "tunings": [_tuning_payload(one) for one in table.tunings],
        "notes": list(table.notes),
    }


def tidy(table: TuningTable) -> tuple[Sequence[str], Iterable[Row]]:
    """Return the curve of each metric, then what cross-validation gave."""
    first = table.tunings[0]
    columns = ("metric", "measure", "pair", *first.parameters, "value", "role", "spec")
    return columns, (row for one in table.tunings for row in _tidy_rows(one))


def draw(table: TuningTable, form: Format, page: Page) -> str:
    """Return a summary and the curve of each metric."""
    return "\n".join(_drawn(one, form, page.width) for one in table.tunings)


def _tuning_payload(tuning: Tuning) -> dict[str, Any]:
    found = tuning.validation
    return {
        "metric": tuning.metric,
        "signature": tuning.signature,
        "parameters": list(tuning.parameters),
        "measure": tuning.measure,
        "pairs": [
            {"set": place[0], "pair": place[1], "human": kind, "n": n, "counted": tuning.counted}
            for place, kind, n in zip(tuning.places, tuning.human, tuning.n, strict=True)
        ],
        "default": _setting(tuning, tuning.default),
        "oracle": {**_setting(tuning, tuning.oracle), "tuned_on_test_data": True},
        "cross_validated": None if found is None else _validation(tuning, found),
        "edges": [_edge(one) for one in tuning.edges],
        "curve": [_setting(tuning, one) for one in tuning.settings],
        **({} if tuning.reported is None else {"report": _reported(tuning, tuning.reported)}),
    }


def _reported(tuning: Tuning, reported: ReportedMeasure) -> dict[str, Any]:
    means = reported.held_out
    return {
        "measure": reported.measure,
        "pairs": [
            {"set": place[0], "pair": place[1], "human": kind, "n": n, "counted": reported.counted}
            for place, kind, n in zip(tuning.places, reported.human, reported.n, strict=True)
        ],
        "cross_validated": None
        if means is None
        else {name: defined(value) for name, value in _means(means)},
    }


def _means(means: HeldOutMeans) -> tuple[tuple[str, float], ...]:
    return (("value", means.value), ("default", means.default), ("oracle", means.oracle))


def _tidy_rows(tuning: Tuning) -> Iterator[Row]:
    """Yield a row for each setting and language pair, then what cross-validation gave."""
    places = [*tuning.pairs, _MEAN] if len(tuning.pairs) > 1 else list(tuning.pairs)
    own = (tuning.metric, tuning.measure)
    for one in tuning.settings:
        numbers = [*one.by_pair, one.value] if len(tuning.pairs) > 1 else [one.value]
        for place, value in zip(places, numbers, strict=True):
            cells = map(plain_value, one.values)
            yield (*own, place, *cells, value, tuning.role(one) or None, one.spec)
    none = [None] * len(tuning.parameters)
    if tuning.reported is not None:
        yield from _reported_rows(tuning, tuning.reported, places)
    found = tuning.validation
    if found is None:
        return
    for fold, (chosen, value) in enumerate(zip(found.chosen, found.by_fold, strict=True), 1):
        held_out = found.names[fold - 1] if found.names else f"fold {fold} of {found.folds}"
        role = f"held-out {held_out}"
        yield (*own, places[-1], *map(plain_value, chosen), value, role, None)
    for role, value in zip(_ON_FOLDS, (found.value, found.default, found.oracle), strict=True):
        yield (*own, places[-1], *none, value, role, None)


def _reported_rows(
    tuning: Tuning, reported: ReportedMeasure, places: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows of the other measure: each setting, then the means over folds."""
    own = (tuning.metric, reported.measure)
    for one in tuning.settings:
        if one.reported is None:
            continue
        found = one.reported
        numbers = [*found.by_pair, found.value] if len(places) > 1 else [found.value]
        for place, number in zip(places, numbers, strict=True):
            cells = map(plain_value, one.values)
            yield (*own, place, *cells, number, tuning.role(one) or None, one.spec)
    if reported.held_out is not None:
        none = [None] * len(tuning.parameters)
        for role, (_, value) in zip(_ON_FOLDS, _means(reported.held_out), strict=True):
            yield (*own, places[-1], *none, value, role, None)


def plain_value(value: SpecValue) -> str | int | float | None:
    """Return a value for one cell: lists of values in brackets."""
    if isinstance(value, tuple):
        return "(" + ", ".join(str(plain_value(part)) for part in value) + ")"
    if isinstance(value, bool):
        return str(value)
    return value


def _setting(tuning: Tuning, one: TriedSetting) -> dict[str, Any]:
    return {
        "setting": dict(zip(tuning.parameters, map(_listed, one.values), strict=True)),
        "spec": one.spec,
        "value": defined(one.value),
        "by_pair": _by_pair(tuning, one.by_pair),
        "by_fold": list(map(defined, one.by_fold)),
        **({} if one.reported is None else {"reported": _other_value(tuning, one.reported)}),
    }


def _by_pair(tuning: Tuning, values: Sequence[float]) -> dict[str, float | None]:
    return dict(zip(tuning.pairs, map(defined, values), strict=True))


def _other_value(tuning: Tuning, value: ReportedValue) -> dict[str, Any]:
    return {"value": defined(value.value), "by_pair": _by_pair(tuning, value.by_pair)}


def _validation(tuning: Tuning, found: CrossValidation) -> dict[str, Any]:
    return {
        "value": defined(found.value),
        "default": defined(found.default),
        "oracle": defined(found.oracle),
        "difference": defined(found.difference),
        "ci": None if found.interval is None else [defined(end) for end in found.interval],
        "folds": found.folds,
        "left_out": found.left_out,
        "unit": str(found.unit),
        "by_fold": [
            {
                **({"set": found.names[fold]} if found.names else {}),
                "setting": dict(zip(tuning.parameters, map(_listed, chosen), strict=False)),
                "value": defined(value),
                "default": defined(default),
            }
            for fold, (chosen, value, default) in enumerate(
                zip(found.chosen, found.by_fold, tuning.default.by_fold, strict=True)
            )
        ],
    }


def _edge(edge: GridEdge) -> dict[str, Any]:
    return {
        "parameter": edge.parameter,
        "side": str(edge.side),
        "value": _listed(edge.value),
        "end_of_range": edge.ends_range,
        "oracle": edge.is_oracle,
        "folds": edge.folds,
    }


def _listed(value: SpecValue) -> Any:  # noqa: ANN401 - what JSON can hold
    return [_listed(part) for part in value] if isinstance(value, tuple) else value


def _drawn(tuning: Tuning, form: Format, width: int | None) -> str:
    title = f"{tuning.metric}: {tuning.measure} on {tuning.where}"
    grids = [_summary(tuning), _curve(tuning)]
    caption = [*_caption(tuning), _ORACLE]
    if form is Format.LATEX:
        text = f"{escape_latex(' '.join([f'{title}.', *caption]))} Signature: "
        signature = f"\\texttt{{{escape_latex(tuning.signature)}}}."
        return "\n".join(render_latex(grid, text + signature) for grid in grids)
    if form is Format.HTML:
        first, *others = grids
        tables = [titled_table(TitledGrid(title, first)), *map(grid_table, others)]
        return framed(tables, caption, [tuning.signature])
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
    found, other = tuning.validation, tuning.reported
    default, oracle = tuning.default, tuning.oracle
    columns = [("Setting", "default", "cross-validated", "oracle (tuned on the test data)")]
    for place, name in enumerate(tuning.parameters):
        span = _span([chosen[place] for chosen in found.chosen]) if found else ""
        first, last = (_written(one.values[place]) for one in (default, oracle))
        columns.append((name, first, span, last))
    # With one measure the title names it.
    prefix = f"{tuning.measure}, " if other else ""
    columns += _value_columns(prefix, default.value, oracle.value, found, found)
    if other is not None and default.reported is not None and oracle.reported is not None:
        values = default.reported.value, oracle.reported.value
        columns += _value_columns(f"{other.measure}, ", *values, other.held_out, found)
    rows = [row for row in zip(*columns, strict=True) if found or row[0] != "cross-validated"]
    headings, *lines = rows
    return Grid(
        headings=headings,
        alignments=(Align.LEFT, *[Align.RIGHT] * (len(headings) - 1)),
        rows=tuple(tuple(map(Cell, line)) for line in lines),
    )


def _value_columns(
    prefix: str,
    default: float,
    oracle: float,
    means: CrossValidation | HeldOutMeans | None,
    folds: CrossValidation | None,
) -> list[tuple[str, str, str, str]]:
    """Return a measure on all data and on folds: heading, default, cross-validated, oracle."""
    columns = [(f"{prefix}all data", _number(default), "", _number(oracle))]
    if means is not None and folds is not None:
        first, chosen, best = map(_number, (means.default, means.value, means.oracle))
        columns.append((f"{prefix}held-out {folds.unit}", first, chosen, best))
    return columns


def _curve(tuning: Tuning) -> Grid:
    """Return the curve of one parameter, or the best settings of several."""
    several = len(tuning.pairs) > 1
    other = [tuning.reported.measure] if tuning.reported else []
    headings = [*tuning.parameters, *(tuning.pairs if several else ()), tuning.measure, *other, ""]
    rows = []
    for one in _shown(tuning):
        numbers = [*one.by_pair, one.value] if several else [one.value]
        numbers += [one.reported.value] if one.reported else []
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
    against = f"{kinds}, n = {' + '.join(f'{n:,}' for n in tuning.n)}"
    which = "the best " if len(tuning.parameters) > 1 else ""
    some = f", {which}{shown} of them shown (all of them: tsv)" if shown < count else ""
    lines = [f"Against {against} {tuning.counted}. {counted(count, 'setting')}{some}."]
    if tuning.reported is not None:
        lines.append(_reported_text(tuning.reported))
    found = tuning.validation
    if found is not None:
        folds = f"{counted(found.folds, 'fold')} of {found.unit}"
        if found.unit is FoldUnit.SETS:
            folds = f"{counted(found.folds, 'fold')}, each a test set"
        lines.append(
            f"Cross-validated: {folds}; each setting is chosen on the other folds and measured on "
            "the one held out; means over folds."
        )
        gap = f"Cross-validated less default: {found.difference:+.4f}"
        if found.interval is not None:
            low, high = found.interval
            gap += f" [{low:+.4f}, {high:+.4f}] (95 %, t over folds)"
        lines.append(f"{gap}.")
    return [*lines, *(_edge_text(edge, tuning) for edge in tuning.edges)]


def _reported_text(reported: ReportedMeasure) -> str:
    kinds = " / ".join(dict.fromkeys(reported.human))
    sizes = " + ".join(f"{n:,}" for n in reported.n)
    what = f"{reported.measure} (against {kinds}, n = {sizes} {reported.counted})"
    return f"Settings are chosen without {what}, which is measured beside."


def _edge_text(edge: GridEdge, tuning: Tuning) -> str:
    """Return where a best value lies, and what that means."""
    who = ["oracle"] if edge.is_oracle else []
    if edge.folds and tuning.validation is not None:
        who.append(f"{edge.folds} of {counted(tuning.validation.folds, 'fold')}")
    what = f"{edge.parameter}={_written(edge.value)} ({', '.join(who)})"
    if edge.ends_range:
        return f"At the {edge.side} end of the range: {what}."
    beyond = "larger" if edge.side is GridSide.UPPER else "smaller"
    not_tried = f"what is {beyond} was not tried and may be better"
    return f"At the {edge.side} edge of the grid: {what}; {not_tried}."


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
