"""Runs Tenbin and its peers on the same texts and prints the ratios."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import commands, intervals, large, peers, sizes, startup, table_files
from benchmarks.corpus import Corpus, load_corpus
from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page, write_results
from benchmarks.tables import Row, Section

_REPOSITORY = Path(__file__).resolve().parents[1]
_DATA = _REPOSITORY.parent / "shared" / "data"

Benchmark = tuple[Section, Callable[[Corpus], list[Row]]]

BENCHMARKS: dict[str, Benchmark] = {
    **{name: (peers.SECTION, partial(peers.run_contest, name)) for name in peers.CONTESTS},
    "commands": (commands.SECTION, commands.run_commands),
    "intervals": (intervals.SECTION, intervals.run_intervals),
    "startup": (startup.SECTION, startup.run_startup),
    "kernels": (startup.KERNELS_SECTION, startup.run_kernels),
    "large": (large.SECTION, large.run_large),
    "files": (table_files.SECTION, table_files.run_table_files),
    "sizes": (sizes.SECTION, sizes.run_sizes),
}


def main() -> None:
    """Run what was asked for, print it and, if asked, store it."""
    options = _parse()
    corpus = load_corpus(options.data)
    machine = describe_machine()
    results: dict[Section, list[Row]] = {}
    for name, (section, run) in BENCHMARKS.items():
        if name in options.only and name not in options.skip:
            print(f"{name} ...", file=sys.stderr, flush=True)
            results.setdefault(section, []).extend(run(corpus))
    report = render_results(machine, corpus.description, results)
    print(report)
    if options.write_docs:
        stored = _REPOSITORY / "benchmarks" / "results" / "latest.json"
        write_results(stored, machine, corpus.description, results)
        write_page(_REPOSITORY / "docs" / "performance.md", report)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    listed = ", ".join(BENCHMARKS)
    parser.add_argument(
        "--only",
        type=_names,
        default=list(BENCHMARKS),
        metavar="NAME,...",
        help=f"run these alone: {listed}",
    )
    parser.add_argument(
        "--skip", type=_names, default=[], metavar="NAME,...", help="leave these out"
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=_DATA,
        metavar="DIR",
        help="folder of test sets in the mt-metrics-eval layout (default: %(default)s)",
    )
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="put the results into docs/performance.md and benchmarks/results/latest.json",
    )
    return parser.parse_args()


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}"
        )
    return names


if __name__ == "__main__":
    main()
