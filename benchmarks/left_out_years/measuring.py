"""Agreement of the learned metrics, each with an adapter that saw nothing of the year."""

import csv
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from types import MappingProxyType

import tenbin
from benchmarks.agreement.columns import target
from benchmarks.agreement.page import render_table
from benchmarks.agreement.sets import scored_pairs
from benchmarks.left_out_years.folds import Fold, Kind, year_of
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import InputError, UsageError

BASE, LARGE, FAST, PRESET = "bertscore", "tenbin-large", "tenbin-fast", "tenbin"
BOUNDS, GAIN = ("low", "high"), "gain"
_IN_HEADER = {BASE: f"{BASE}(model=mpnet-en)"}
HEADER = (
    *("set", "pair", "measure", "judgments", "n"),
    *(name for one in (_IN_HEADER[BASE], LARGE, FAST) for name in (one, *BOUNDS)),
    *(GAIN, PRESET),
)
Row = tuple[str, ...]

COLUMNS = (BASE, LARGE, FAST, PRESET)
"""What is measured."""
_PLACES = {name: HEADER.index(_IN_HEADER.get(name, name)) for name in COLUMNS}

_SEGMENTS, _SYSTEMS = (
    ("segment-pearson", "segment-kendall"),
    ("system-pearson", "system-accuracy"),
)
MEASURES = {
    "wmt14": ("wmt14-tau", *_SYSTEMS),
    "wmt15.daseg": _SEGMENTS,
    "wmt16.daseg": _SEGMENTS,
    "wmt19.darr": ("darr-tau",),
    "wmt21": ("darr-tau", *_SYSTEMS),
    "wmt22": ("darr-tau", *_SYSTEMS),
    "wmt23": ("segment-pearson", "acc-eq", *_SYSTEMS),
    "mlqe-pe": _SEGMENTS,
}
"""Test sets into English, and what is measured on them."""

_LANGUAGE = "en"
_RESAMPLES, _SLOW, _SLOW_RESAMPLES = 1_000, "acc-eq", 200
_SYMBOLS = {"wmt14-tau": "τ", "darr-tau": "τ", "segment-pearson": "r", "acc-eq": "acc-eq"}
"""Measures that the page shows."""


def measured_rows(
    data: Path,
    folder: Path,
    years: Sequence[str],
    running: Mapping[str, str],
    names: Collection[str] = COLUMNS,
    stored: Mapping[Row, Row] = MappingProxyType({}),
) -> Iterator[Row]:
    """Yield rows of the table, language pair after language pair.

    Args:
        data: The folder of the test sets.
        folder: That of the adapters.
        years: Which years; none: all.
        running: Parameters of the learned metrics that say where they run.
        names: Which columns are measured.
        stored: Rows by `row_key`, whose other columns are taken; rows that lack them are left out.

    Raises:
        UsageError: The adapter without a year is not there.
        ValueError: What is stored was measured on other data.
    """
    whole = set(COLUMNS) <= set(names)
    for test_set, measures in MEASURES.items():
        year, place = year_of(test_set), data / test_set
        if (years and year not in years) or not place.is_dir():
            continue
        for pair in scored_pairs(place):
            if target(pair) != _LANGUAGE:
                continue
            metrics = {
                name: _spec(name, year, folder, running) for name in COLUMNS if name in names
            }
            for measure in measures:
                row = stored.get((test_set, pair, measure))
                if row is None and not whole:
                    continue
                try:
                    table = tenbin.meta_evaluate(
                        str(place),
                        pair,
                        metrics=metrics,
                        measures=[measure],
                        ci=True,
                        resamples=_SLOW_RESAMPLES if measure == _SLOW else _RESAMPLES,
                    )
                except InputError as error:  # some pairs have judgments of systems alone
                    print(f"{test_set} {pair}: {error}", file=sys.stderr, flush=True)
                    continue
                key = (test_set, pair, measure)
                yield from measured_row(table, key, metrics, None if whole else row)


def _spec(name: str, year: str, folder: Path, running: Mapping[str, str]) -> str:
    """Return what is measured for a column."""
    if name == BASE:
        return f'{BASE}(model="mpnet-en")'
    if name == PRESET:
        return PRESET
    return preset(Fold(Kind(name.rpartition("-")[2]), year), folder, running)


def preset(fold: Fold, folder: Path, running: Mapping[str, str]) -> str:
    """Return the spec of a preset with the adapter of a fold.

    Raises:
        UsageError: It is not there.
    """
    adapter = fold.named(folder)
    if not fold.is_bundled and not Path(adapter).is_file():
        raise UsageError(
            f"{adapter} is not there, and the bundled adapter saw {fold.year}. Train it: "
            f"python -m benchmarks.left_out_years train --years {fold.year} --adapters {folder}"
        )
    chosen = [("adapter", adapter), *running.items()]
    return f"tenbin-{fold.kind}({', '.join(f'{name}={value!r}' for name, value in chosen)})"


def measured_row(
    table: MetaTable, key: Row, names: Collection[str], stored: Row | None
) -> Iterator[Row]:
    """Yield a row, unless nobody judged the pair in the way that the measure asks for.

    Args:
        table: What was measured.
        key: Set, language pair and measure.
        names: The columns that were to be measured; that of the preset may be missing.
        stored: The row as it was, whose other cells stay.

    Raises:
        ValueError: What is stored was measured on other data.
    """
    found = {one.metric: one for one in table.rows if not isnan(one.value)}
    if not set(names) - {PRESET} <= set(found):
        return
    first = next(iter(found.values()))
    data = (*key, first.human or "", str(first.n))
    if stored is not None and stored[: len(data)] != data:
        raise ValueError(f"{stored[: len(data)]}: now {data}")
    cells = [*data, *[""] * (len(HEADER) - len(data))] if stored is None else [*stored]
    for name, one in found.items():
        bounds = () if name == PRESET else one.ci or (float("nan"),) * len(BOUNDS)
        start = _PLACES[name]
        cells[start : start + 1 + len(bounds)] = [f"{value:.4f}" for value in (one.value, *bounds)]
    if {BASE, LARGE} <= set(found):
        cells[HEADER.index(GAIN)] = f"{found[LARGE].value - found[BASE].value:+.4f}"
    yield tuple(cells)


def row_key(row: Row) -> Row:
    """Return what tells a row from the others: set, language pair, measure."""
    return row[:3]


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a table that was written."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t")
    if tuple(header) != HEADER:
        raise ValueError(f"{path} has other columns: {', '.join(header)}")
    return [tuple(row) for row in rows]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write a table."""
    lines = ["\t".join(row) for row in (HEADER, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def updated(stored: Sequence[Row], measured: Sequence[Row]) -> list[Row]:
    """Return stored rows with those that were measured anew in their places."""
    found = {row_key(row): row for row in (*stored, *measured)}
    return list(found.values())


def render_page(rows: Sequence[Row]) -> str:
    """Return the table of the page."""
    shown = []
    for row in rows:
        test_set, pair, measure, judgments = row[:4]
        if measure not in _SYMBOLS:
            continue
        base, large, fast = (_with_interval(*row[place : place + 3]) for place in (5, 8, 11))
        gain, preset_value = map(_short, row[-2:])
        title = f"{year_of(test_set).upper()} {pair}"
        shown.append([title, judgments, _SYMBOLS[measure], base, large, gain, fast, preset_value])
    names = [f'`{BASE}(model="mpnet-en")`', f"`{LARGE}`", GAIN, f"`{FAST}`", f"`{PRESET}`"]
    return render_table(["set", "judgments", "measure", *names], shown)


def _with_interval(value: str, low: str, high: str) -> str:
    return f"{_short(value)} ({_short(low)} to {_short(high)})"


def _short(number: str) -> str:
    """Return a number with three decimals, without the zero before the point.

    >>> _short("0.4216"), _short("-0.0797"), _short("+0.0306")
    ('.422', '-.080', '+.031')
    """
    if not number:
        return ""
    sign = "+" if number.startswith("+") else ""
    return f"{float(number):{sign}.3f}".replace("0.", ".", 1)
