"""``tenbin score``."""

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
from tenbin.evaluation.run import Options, evaluate
from tenbin.library.calls import DEFAULT_RESAMPLES
from tenbin.reports.render import Format, render_scores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_input_options(parser)
    add_metric_options(parser)
    parser.add_argument("--ci", action="store_true", help="95 %% bootstrap confidence intervals")
    parser.add_argument(
        "--resamples",
        type=int,
        default=DEFAULT_RESAMPLES,
        metavar="N",
        help=f"bootstrap resamples for --ci (default: {DEFAULT_RESAMPLES})",
    )
    parser.add_argument("--segments", "-sl", action="store_true", help="segment scores too")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Score systems and print the table."""
    test_set, language = open_inputs(options)
    total = test_set.segment_count * len(options.metrics)
    with progress("scoring", total, quiet=options.quiet) as advance:
        score_set = evaluate(
            test_set,
            options.metrics,
            language,
            Options(
                segments=options.segments,
                resamples=positive(options.resamples, "--resamples") if options.ci else 0,
                seed=options.seed,
                by_document=options.by == "documents",
                jobs=worker_count(options.jobs),
                advance=advance,
            ),
        )
    tell(score_set.notes, quiet=options.quiet)
    emit(render_scores(score_set, Format(options.format)), options.output)
    return 0
