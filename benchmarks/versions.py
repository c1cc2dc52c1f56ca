"""Two source trees of Tenbin in one run: is the newer one as fast, does it start as quickly?

Runs of both trees take turns, so that what else the machine does hits both alike:

    python -m benchmarks.versions --before ../old/src --set ../shared/data/wmt22 --pair de-en
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.machine import describe_machine
from benchmarks.report import render_results
from benchmarks.tables import Row, Section
from benchmarks.timing import run_command

_HERE = Path(__file__).resolve().parents[1] / "src"
_METRICS = ("bleu", "chrf", "meteor", "has", "we_wpi", "bertscore")
SCORING = Section(
    "Scoring, before and after",
    "Processor time of `tenbin score` with one metric in a fresh process, kernels compiled and "
    "encodings not cached; median of the runs, which take turns.",
    "compiled kernels, on disk; neither scores nor encodings",
)
STARTING = Section(
    "Start, before and after",
    "Processor time of a fresh process; median of the runs, which take turns.",
    "compiled bytecode of Python; no text is scored",
)
_STARTS = (
    ("import tenbin", ("-c", "import tenbin")),
    ("tenbin --help", ("-m", "tenbin", "--help")),
    ("tenbin score --help", ("-m", "tenbin", "score", "--help")),
    ("from tenbin import score", ("-c", "from tenbin import score")),
)


def compare(name: str, words: Sequence[str], trees: Sequence[Path], runs: int) -> Row:
    """Return the times of a Python command with either tree, and their ratio."""
    command = [sys.executable, *words]
    times: list[list[float]] = [[] for _ in trees]
    for turn in range(runs + 1):
        for tree, taken in zip(trees, times, strict=True):
            seconds = run_command(command, PYTHONPATH=str(tree), TENBIN_ENCODINGS_GB="0").cpu
            if turn:  # the first run of either tree compiles
                taken.append(seconds)
    before, after = (median(taken) for taken in times)
    best = min(times[1]) / min(times[0])
    return {
        "command": name,
        "before, s": before,
        "after, s": after,
        "after / before": f"{after / before:.3f}",
        "best / best": f"{best:.3f}",
    }


def main() -> None:
    """Compare, and print the ratios."""
    options = _parse()
    trees = (options.before.resolve(), _HERE)
    starts = [compare(name, words, trees, options.runs * 2) for name, words in _STARTS]
    texts = ["--set", str(options.set), "--pair", options.pair]
    if options.systems:
        texts += ["-t", *options.systems]
    scored = [
        compare(
            f"score -m {metric}",
            ["-m", "tenbin", "score", "-q", "-f", "tsv", *texts, "-m", metric],
            trees,
            options.runs,
        )
        for metric in options.metrics
    ]
    results = {SCORING: scored, STARTING: starts}
    print(render_results(describe_machine(), f"{options.set.name} {options.pair}", results))


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="the older tree's folder src")
    parser.add_argument("--set", type=Path, required=True, help="a test set")
    parser.add_argument("--pair", required=True, help="its language pair")
    parser.add_argument("--systems", nargs="*", default=[], help="system names; default: all")
    parser.add_argument("--metrics", nargs="*", default=list(_METRICS), help="specs")
    parser.add_argument("--runs", type=int, default=5, help="how often each is run")
    return parser.parse_args()


if __name__ == "__main__":
    main()
