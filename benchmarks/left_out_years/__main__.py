"""The learned metrics on years that they saw nothing of: python -m benchmarks.left_out_years.

`train` trains the adapters that saw nothing of a year, on a GPU (six at once take minutes on an
H200; on a CPU each takes many hours). `measure` sets them beside BERTScore of the same model and
`tenbin`; years that the bundled adapters saw nothing of need no training. `--steps` and `--texts`
are for a trial: what they give is worth nothing.
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tenbin
from benchmarks.left_out_years.folds import READ, Fold, Kind, rounds, year_of
from benchmarks.left_out_years.measuring import (
    COLUMNS,
    measured_rows,
    read_rows,
    render_page,
    row_key,
    updated,
    write_rows,
)
from benchmarks.report import write_page

_ROOT = Path(__file__).resolve().parents[2]
_TABLE = _ROOT / "docs" / "measurements" / "learned.tsv"
_PAGE, _MARKER = _ROOT / "docs" / "formulas" / "learned.md", "<!-- benchmarks: years left out -->"


def main() -> None:
    """Train, or measure and print."""
    options = _parse()
    if options.action == "measure":
        _measure(options)
    elif options.fold:
        _train_one(options)
    else:
        _train(options)


def _train(options: argparse.Namespace) -> None:
    """Train what is not there yet, each in a process of its own."""
    options.adapters.mkdir(parents=True, exist_ok=True)
    for folds in rounds(options.years):
        missing = [one for one in folds if not one.path(options.adapters).is_file()]
        commands = [[*sys.argv[1:], "--fold", str(one.kind), one.year] for one in missing]
        with ThreadPoolExecutor(options.together) as pool:
            ended = list(pool.map(_run, commands))
        if failed := [str(one) for one, code in zip(missing, ended, strict=True) if code]:
            raise SystemExit(f"not trained: {', '.join(failed)}")


def _run(words: list[str]) -> int:
    command = [sys.executable, "-m", "benchmarks.left_out_years", *words]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - itself


def _train_one(options: argparse.Namespace) -> None:
    kind, year = options.fold
    fold = Fold(Kind(kind), year)
    settings = fold.settings(options.data, options.adapters)
    if options.steps:
        settings["steps"] = options.steps
    if options.texts and fold.kind is not Kind.LARGE:
        settings["most_texts"] = options.texts
    path = fold.path(options.adapters)
    built = tenbin.build_metric(str(path), device=options.device, **settings)
    print(f"{path.name}: {built.card['training']['seconds']:.0f} s", flush=True)


def _measure(options: argparse.Namespace) -> None:
    running = {"device": options.device, "dtype": options.dtype}
    rows = []
    stored = {row_key(row): row for row in read_rows(_TABLE)}
    for row in measured_rows(
        options.data, options.adapters, options.years, running, options.only, stored
    ):
        print("\t".join(row), flush=True)
        rows.append(row)
    if options.write_docs:
        every = updated(read_rows(_TABLE), rows)
        write_rows(_TABLE, every)
        write_page(_PAGE, render_page(every), _MARKER)


def _parse() -> argparse.Namespace:
    known = list(dict.fromkeys(map(year_of, READ)))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.left_out_years",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=["train", "measure"])
    parser.add_argument(
        "--data", type=Path, default=_ROOT.parent / "shared" / "data", metavar="DIR"
    )
    parser.add_argument(
        "--adapters", type=Path, default=_ROOT / "build" / "left-out-years", metavar="DIR"
    )
    parser.add_argument("--years", nargs="+", metavar="YEAR", help=f"{', '.join(known)}, mlqe-pe")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16", "int8"], default="int8")
    parser.add_argument("--together", type=int, default=6, metavar="N", help="trained at once")
    parser.add_argument("--steps", type=int, metavar="N", help="of each training")
    parser.add_argument("--texts", type=int, metavar="N", help="that teachers judge")
    parser.add_argument("--fold", nargs=2, metavar=("KIND", "YEAR"), help=argparse.SUPPRESS)
    parser.add_argument(
        "--only",
        nargs="+",
        choices=COLUMNS,
        default=COLUMNS,
        metavar="METRIC",
        help=f"measure these columns, of {', '.join(COLUMNS)}; the others are as stored",
    )
    parser.add_argument("--write-docs", action="store_true", help="into the page and its table")
    options = parser.parse_args()
    if options.years is None:
        options.years = known if options.action == "train" else []
    return options


if __name__ == "__main__":
    main()
