"""``tenbin compare``."""

import argparse

from tenbin.cli.options import (
    add_input_options,
    add_metric_options,
    add_output_options,
    open_inputs,
    positive,
    worker_count,
)
from tenbin.cli.terminal import emit, progress, tell
from tenbin.evaluation.comparison import DEFAULT_ROUNDS, Test, compare_systems, tested_pairs
from tenbin.evaluation.run import Options
from tenbin.reports.render import Format, render_comparison


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_input_options(parser)
    add_metric_options(parser)
    defaults = ", ".join(f"{rounds} for {test}" for test, rounds in DEFAULT_ROUNDS.items())
    parser.add_argument(
        "--test",
        choices=[str(test) for test in Test],
        default=str(Test.RANDOMISATION),
        help="ar: paired approximate randomisation (default); bootstrap: paired bootstrap",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"random rounds (default: {defaults})",
    )
    parser.add_argument(
        "--baseline",
        nargs="?",
        const="",
        metavar="SYSTEM",
        help="compare the others with one system alone (default: the first)",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Compare systems and print ranks and p-values."""
    test_set, language = open_inputs(options)
    baseline = test_set.systems[0] if options.baseline == "" else options.baseline
    rounds = None if options.rounds is None else positive(options.rounds, "--rounds")
    total = test_set.segment_count * len(options.metrics)
    with progress("scoring", total, quiet=options.quiet) as advance:
        comparison = compare_systems(
            test_set,
            options.metrics,
            language,
            Options(
                seed=options.seed,
                by_document=options.by == "documents",
                jobs=worker_count(options.jobs),
                advance=advance,
            ),
            test=Test(options.test),
            rounds=rounds,
            baseline=baseline,
        )
    tell(comparison.score_set.notes, quiet=options.quiet)
    pairs = list(zip(*tested_pairs(test_set.systems, baseline), strict=True))
    emit(render_comparison(comparison, pairs, Format(options.format)), options.output)
    return 0
