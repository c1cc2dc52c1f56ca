"""Agreement of the learned metrics, each with an adapter that saw nothing of the year."""

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path

import tenbin
from benchmarks.agreement.columns import target
from benchmarks.agreement.page import render_table
from benchmarks.agreement.sets import scored_pairs
from benchmarks.left_out_years.folds import Fold, Kind, year_of
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import InputError, UsageError

BASE, LARGE, FAST, PRESET = "bertscore", "tenbin-large", "tenbin-fast", "tenbin"
BOUNDS, GAIN = ("low", "high"), "gain"
HEADER = (
    *("set", "pair", "measure", "judgments", "n"),
    *(name for one in (f"{BASE}(model=mpnet-en)", LARGE, FAST) for name in (one, *BOUNDS)),
    *(GAIN, PRESET),
)
Row = tuple[str, ...]

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
    stored: Mapping[Row, Row] | None = None,
) -> Iterator[Row]:
    """Yield rows of the table, language pair after language pair.

    Args:
        data: The folder of the test sets.
        folder: That of the adapters.
        years: Which years; none: all.
        running: Parameters of the learned metrics that say where they run.
        stored: Rows by `row_key`: what else than `tenbin-fast` is measured is taken from them.

    Raises:
        UsageError: The adapter without a year is not there.
    """
    for test_set, measures in MEASURES.items():
        year, place = year_of(test_set), data / test_set
        if (years and year not in years) or not place.is_dir():
            continue
        for pair in scored_pairs(place):
            if target(pair) != _LANGUAGE:
                continue
            metrics = {
                BASE: f'{BASE}(model="mpnet-en")',
                LARGE: preset(Fold(Kind.LARGE, year), folder, running),
                FAST: preset(Fold(Kind.FAST, year), folder, running),
                PRESET: PRESET,
            }
            if stored is not None:
                metrics = {FAST: metrics[FAST]}
            for measure in measures:
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
                if stored is None:
                    yield from _row(table, test_set, pair, measure)
                elif (test_set, pair, measure) in stored:
                    yield with_student(stored[test_set, pair, measure], table)


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


def _row(table: MetaTable, test_set: str, pair: str, measure: str) -> Iterator[Row]:
    """Yield a row, unless nobody judged the pair in the way that the measure asks for."""
    found = {one.metric: one for one in table.rows if not isnan(one.value)}
    if not {BASE, LARGE, FAST} <= set(found):
        return
    first = found[BASE]
    cells = [test_set, pair, measure, first.human or "", str(first.n)]
    for metric in (BASE, LARGE, FAST):
        bounds = found[metric].ci or (float("nan"), float("nan"))
        cells += [f"{value:.4f}" for value in (found[metric].value, *bounds)]
    cells.append(f"{found[LARGE].value - first.value:+.4f}")
    cells.append(f"{found[PRESET].value:.4f}" if PRESET in found else "")
    yield tuple(cells)


def with_student(row: Row, table: MetaTable) -> Row:
    """Return a row with what was measured of `tenbin-fast`.

    Raises:
        ValueError: It was measured on other data.
    """
    (found,) = [one for one in table.rows if one.metric == FAST]
    if (found.human or "", str(found.n)) != row[3:5]:
        raise ValueError(f"{row[:5]}: now {found.human}, {found.n}")
    start = HEADER.index(FAST)
    cells = [f"{value:.4f}" for value in (found.value, *(found.ci or (float("nan"),) * 2))]
    return (*row[:start], *cells, *row[start + len(cells) :])


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
