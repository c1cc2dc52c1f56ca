"""``tenbin tune``."""

import argparse

from tenbin.api.tuning import (
    DEFAULT_FOLDS,
    DEFAULT_TRIALS,
    FOLD_UNITS,
    HumanSystems,
    Search,
    tune,
)
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_output_options,
    add_seed_option,
    add_set_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.page_options import add_page_language_option, check_report_options, write_report
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.core.errors import UsageError, shortened
from tenbin.formats.output import check_target, whole_file
from tenbin.reports.formats import Format
from tenbin.reports.plots import check_plot, plot_bytes, plot_curves
from tenbin.reports.render import render

_PAGE_ENDINGS = (".html", ".htm")
_EPILOG = """\
examples:
  agreement over the threshold of three metrics, as a picture too:
    tenbin tune -m was mas has --parameter threshold=0:1:0.01 --measure kendall \\
      --set wmt16.daseg --pair de-en --plot threshold.svg
  METEOR's weights, 200 settings at random:
    tenbin tune -m meteor --parameter alpha=0:1:0.05 beta=0:2:0.1 gamma=0:1:0.05 \\
      delta=0:1:0.05 'weights[2]=0:1:0.1' --search random --trials 200 \\
      --measure wmt14-tau --set wmt14 --pair fr-en
  several language pairs, whose mean is tuned, one parameter at a time:
    tenbin tune -m chrf --parameter beta=0.5:4:0.5 char_order=4:8:1 --search coordinate \\
      --measure pearson --set wmt16.daseg --pair all
  chosen on all test sets but one, measured on that one:
    tenbin tune -m was --parameter threshold=0:1:0.1 --measure kendall \\
      --set wmt15.daseg wmt16.daseg wmt23 --pair all --by sets
  thresholds chosen on systems, and what they are worth on segments:
    tenbin tune -m was mas has --parameter threshold=0:1:0.01 --measure system-pearson \\
      --report-measure kendall --set wmt22 --pair ja-en
  a page to look at, with the curves:
    tenbin tune -m was --parameter threshold=0:1:0.01 --measure kendall \\
      --set wmt16.daseg --pair de-en --report tuning.html
  every value for other programs:
    tenbin tune -m has --parameter threshold=0:1:0.05 --measure kendall \\
      --set wmt16.daseg --pair de-en -f tsv -o curve.tsv

The oracle is the best setting on the data themselves. The gain of tuning is the cross-validated
value: each setting is chosen without the fold that it is measured on.

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin tune -m SPEC --parameter NAME=VALUES --measure NAME\n"
        "                   --set DIR --pair PAIR [options]"
    )
    parser.epilog = _EPILOG
    _add_tuned(parser)
    _add_judgments(parser)
    _add_search(parser)
    add_output_options(parser)
    group = parser.add_argument_group("picture")
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the measure over each parameter; FILE ends in .svg, .png or .pdf (needs the "
        "extra 'plots')",
    )
    _add_report(parser)


def run(options: argparse.Namespace) -> int:
    """Tune metrics and print what was found."""
    _check(options)
    form, width = Format(options.format), page_width(options.output)
    with progress("tuning", None, quiet=options.quiet):
        table = tune(
            options.metrics,
            options.parameters,
            folder=list(dict.fromkeys(options.folders)),
            pairs=options.pairs,
            measure=options.measure,
            report=options.report_measure,
            human=options.human,
            human_systems=options.human_systems,
            references=options.references,
            folds=options.folds,
            by=options.by,
            search=options.search,
            trials=options.trials or DEFAULT_TRIALS,
            seed=options.seed,
            jobs=worker_count(options.jobs),
            cache=not options.no_cache,
        )
    tell(table.notes, quiet=options.quiet)
    emit(render(table, form, width=width), options.output)
    if options.plot is not None:
        drawn = plot_bytes(plot_curves(table.tunings), options.plot)
        with whole_file(options.plot) as temporary:
            temporary.write_bytes(drawn)
    write_report(options, table)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise before hours of scoring if something is missing or has no place to go."""
    needed = {
        "-m SPEC": options.metrics,
        "--parameter NAME=VALUES": options.parameters,
        "--measure NAME": options.measure,
        "--set DIR": options.folders,
        "--pair PAIR": options.pairs,
    }
    if missing := [name for name, value in needed.items() if not value]:
        raise UsageError(f"missing {', '.join(missing)}.")
    check_run_options(options)
    _settle_report(options)
    check_report_options(options)
    if options.trials is not None:
        positive(options.trials, "--trials")
        if options.search != Search.RANDOM:
            raise UsageError("--trials says how many settings are drawn; add --search random.")
    if options.folds is not None and options.folds < 0:
        raise UsageError(f"--folds {options.folds}: give a number of folds, or 0 for none.")
    if options.plot is not None:
        check_plot(options.plot)
        check_target(options.plot)


def _settle_report(options: argparse.Namespace) -> None:
    """Take a measure after --report for what it was before there were pages.

    No page is called like a measure, and no measure ends in .html.
    """
    given = options.report_file
    if given is None or given.lower().endswith(_PAGE_ENDINGS):
        return
    if options.report_measure is not None:
        raise UsageError(f"--report {shortened(given)}: name a page, such as tuning.html.")
    options.report_file, options.report_measure = None, given


def _add_report(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument(
        "--report",
        metavar="FILE.html",
        dest="report_file",
        help="write a report to look at too: one HTML file that opens without a network (the name "
        "of a measure here is --report-measure, as in earlier versions)",
    )
    add_page_language_option(group)


def _add_tuned(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("metric")
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help="the metric, with parameters in quotes, or several with the same parameters",
    )
    add_list_option(
        group,
        "--parameter",
        metavar="NAME=VALUES",
        dest="parameters",
        help="what to tune: threshold=0:1:0.01 (start:stop:step), rejected=zero,survivors "
        "(values), 'weights[2]=0:1:0.1' (the second entry of a list)",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="REF",
        help="names of the references to score against, such as refA (default: the first)",
    )
    add_cache_options(group)


def _add_judgments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judgments")
    group.add_argument(
        "--measure",
        metavar="NAME",
        help="what is to be high, such as segment-pearson, wmt14-tau ('tenbin meta --list' lists "
        "all); kendall, pearson and spearman are those of segments",
    )
    group.add_argument(
        "--report-measure",
        metavar="NAME",
        help="another measure, shown beside it for the same settings: tune on systems "
        "(--measure system-pearson) and report segments (--report-measure kendall)",
    )
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout, with human-scores/ or human-pairs/",
        pairs="language pairs, such as de-en; 'all' for all that have human judgments; the mean of "
        "several is tuned",
    )
    group.add_argument(
        "--human",
        metavar="KIND",
        help="kind of judgment: da-z, mqm, esa, rr, darr ... (default: the most reliable one)",
    )
    group.add_argument(
        "--human-systems",
        choices=[str(choice) for choice in HumanSystems],
        default=str(HumanSystems.EXCLUDE),
        help="whether human translations take part as systems (default: exclude); never those "
        "that the metric is scored against",
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument(
        "--search",
        choices=[str(search) for search in Search],
        default=str(Search.GRID),
        help="grid: every setting (default); coordinate: the best value of one parameter after the "
        "other, again and again; random: some settings",
    )
    group.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help=f"settings of a random search (default: {DEFAULT_TRIALS})",
    )
    group.add_argument(
        "--folds",
        type=int,
        metavar="K",
        help=f"folds of cross-validation; 0 for none (default: {DEFAULT_FOLDS}, or as many as "
        "there can be)",
    )
    group.add_argument(
        "--by",
        choices=[str(unit) for unit in FOLD_UNITS],
        help="what folds are made of (default: whole documents where there are enough of them, "
        "else segments); sets: each test set is held out in turn",
    )
    add_seed_option(group, "folds and random search")
