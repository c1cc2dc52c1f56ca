"""``tenbin compare``."""

import argparse

from tenbin.api.files import system_called
from tenbin.api.scoring import (
    DEFAULT_RESAMPLES,
    DEFAULT_ROUNDS,
    Test,
    compare_test_set,
    main_metric,
)
from tenbin.cli.inputs import open_inputs, required_language
from tenbin.cli.options import (
    add_input_options,
    add_metric_options,
    add_table_input_options,
    check_run_options,
    chosen_metrics,
    positive,
    worker_count,
)
from tenbin.cli.page_options import (
    add_report_options,
    add_texts_option,
    check_report_options,
    write_report,
)
from tenbin.cli.results import (
    add_result_options,
    add_worst_options,
    check_form,
    check_worst,
    emit_result,
    is_wide,
    settle_format,
)
from tenbin.cli.score_columns import add_scores_option, check_scores_option, imported_columns
from tenbin.cli.terminal import progress, tell
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format

_EPILOG = """\
examples:
  which of three systems are really different?
    tenbin compare -r ref.txt -t a.txt b.txt c.txt -l en -m chrf++
  is anything better than the first system?
    tenbin compare -r ref.txt -t old.txt new.txt -l en --baseline
  the segments one should read, ten in each direction, with texts:
    tenbin compare -s src.txt -r ref.txt -t old.txt new.txt -l en -m chrf++ --differences 10
  with a curve of your own:
    tenbin compare --curve ours.json -r ref.txt -t old.txt new.txt -l de -m chrf
  a page to look at, beside the tables:
    tenbin compare -r ref.txt -t a.txt b.txt c.txt -l en --report report.html
  a WMT test set, all pairs, as a table for a paper:
    tenbin compare --set wmt20 --pair en-de -m bleu chrf -f latex -o ranks.tex
  a spreadsheet, one row per segment with texts and scores, the worst first:
    tenbin compare -s src.txt -r ref.txt -t a.txt b.txt -l en -m chrf++ --worst all -o both.xlsx

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin compare [-r REF ...] [-s SRC] -t SYS SYS ... -l LANG\n"
        "                      [-m SPEC ...] [options]"
    )
    parser.epilog = _EPILOG
    add_input_options(parser)
    add_table_input_options(parser)
    add_metric_options(parser)
    group = parser.add_argument_group("comparison")
    defaults = ", ".join(f"{rounds} for {test}" for test, rounds in DEFAULT_ROUNDS.items())
    group.add_argument(
        "--test",
        choices=[str(test) for test in Test],
        default=str(Test.RANDOMIZATION),
        help="ar: paired approximate randomization (default); bootstrap: paired bootstrap",
    )
    group.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"random rounds (default: {defaults})",
    )
    group.add_argument(
        "--baseline",
        nargs="?",
        const="",
        metavar="SYSTEM",
        help="compare the others with this system alone (without a name: with the first)",
    )
    group.add_argument(
        "--curve",
        metavar="FILE",
        help="what differences mean to people, fitted by 'tenbin meta --curve --curve-output "
        "FILE' (default: fitted on WMT system pairs)",
    )
    group.add_argument(
        "--differences",
        type=int,
        metavar="N",
        help="the N segments with the largest differences too, in both directions, with texts: "
        "between the best and the second system, or the baseline and each of the others",
    )
    group.add_argument(
        "--differences-by",
        metavar="SPEC",
        help="which of the metrics chooses them (default: the first of -m; without -m the metric "
        "of meaning)",
    )
    group.add_argument(
        "--differences-between",
        nargs=2,
        metavar="SYSTEM",
        help="two systems to look for differences between",
    )
    add_worst_options(group, "with -f csv or xlsx: the N worst segments of each system, or all;")
    add_scores_option(group)
    add_texts_option(group)
    add_result_options(parser, bare=False)
    add_report_options(parser)


def run(options: argparse.Namespace) -> int:
    """Compare systems and print ranks and p-values."""
    settle_format(options)
    _check_list_options(options)
    rounds = None if options.rounds is None else positive(options.rounds, "--rounds")
    differences = _differences(options)
    jobs = worker_count(options.jobs)
    check_run_options(options)
    check_report_options(options)
    check_scores_option(options)
    metrics, advice = chosen_metrics(options, required_language(options))
    test_set, language = open_inputs(options, metrics)
    check_form(options, test_set, metrics)
    imported = imported_columns(options, test_set, metrics)
    baseline = options.baseline
    if baseline is not None:
        baseline = system_called(test_set, baseline or test_set.systems[0])
    between = options.differences_between
    if between is not None:
        between = [system_called(test_set, name) for name in between]
    has_page = options.texts or options.report_file is not None
    with progress("scoring", test_set.segment_count * len(metrics), quiet=options.quiet) as advance:
        comparison = compare_test_set(
            test_set,
            metrics,
            language,
            imported=imported,
            test=options.test,
            rounds=rounds,
            baseline=baseline,
            curves=options.curve,
            differences=differences,
            differences_by=main_metric(
                metrics, options.differences_by, given=bool(options.metrics)
            ),
            differences_between=between,
            segments=has_page or is_wide(options),
            resamples=DEFAULT_RESAMPLES if has_page else 0,
            seed=options.seed,
            by_document=options.by == "documents",
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    tell((*comparison.notes, *advice), quiet=options.quiet)
    emit_result(options, comparison, test_set, metrics, segments=options.texts)
    write_report(options, comparison, test_set)
    return 0


def _check_list_options(options: argparse.Namespace) -> None:
    """Raise if segments to read are asked for in a form that does not list them."""
    check_worst(options)
    if options.worst is not None and not is_wide(options):
        raise UsageError(
            "--worst is about the rows of -f csv and xlsx; 'tenbin score --worst N' lists segments."
        )
    if options.differences is not None and options.format == Format.CSV:
        raise UsageError("--differences: not in csv, which has a row per segment; xlsx has both.")


def _differences(options: argparse.Namespace) -> int | None:
    if options.differences is not None:
        return positive(options.differences, "--differences")
    for name in ("differences_by", "differences_between"):
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} says which segments to show; add --differences N.")
    return None
