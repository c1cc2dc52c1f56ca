"""Metrics over word vectors beside gensim, POT, numpy and scipy: python -m benchmarks.vectors."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page, write_results
from benchmarks.tables import Row, Section
from benchmarks.timing import environment
from benchmarks.vectors import kernels, metrics, tables
from benchmarks.vectors.texts import load_texts

_REPOSITORY = Path(__file__).resolve().parents[2]
_DATA = _REPOSITORY.parent / "shared" / "data"
_MARKER = "<!-- benchmarks: vectors -->"
_PEERS = ("POT", "gensim", "scipy")


def main() -> None:
    """Measure, print and, if asked, store."""
    options = _parse()
    machine = describe_machine(_PEERS)
    _stay_on_one_core()
    with TemporaryDirectory() as name, environment(TENBIN_KERNELS="compiled"):
        folder = Path(name)
        texts = load_texts(options.data, folder)
        tasks: tuple[tuple[Section, Callable[[], list[Row]]], ...] = (
            (kernels.SECTION, lambda: kernels.run_kernels(texts)),
            (metrics.METRICS, lambda: metrics.run_metrics(texts)),
            (metrics.MOVERS, lambda: metrics.run_movers(texts)),
            (metrics.SWEEPS, lambda: metrics.run_sweeps(texts)),
            (
                tables.CONVERSION,
                lambda: tables.run_conversion(folder, large=options.large),
            ),
            (tables.OPENING, lambda: tables.run_opening(folder, texts.words)),
        )
        results: dict[Section, list[Row]] = {}
        for section, run in tasks:
            print(f"{section.title} ...", file=sys.stderr, flush=True)
            results[section] = run()
    report = render_results(machine, texts.description, results)
    print(report)
    if options.write_docs:
        stored = _REPOSITORY / "benchmarks" / "results" / "vectors.json"
        write_results(stored, machine, texts.description, results)
        write_page(_REPOSITORY / "docs" / "performance.md", report, _MARKER)


def _stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vectors", description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=_DATA,
        metavar="DIR",
        help="folder of test sets in the mt-metrics-eval layout (default: %(default)s)",
    )
    parser.add_argument(
        "--large",
        action="store_true",
        help="convert a text file of 4 GB too; needs 6 GB of disk",
    )
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="put the results into docs/performance.md and benchmarks/results/vectors.json",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
