"""``tenbin meta``."""

import argparse
from collections.abc import Sequence
from math import inf
from typing import Any

from tenbin.api.files import target_language
from tenbin.api.judged_texts import open_judged_tables
from tenbin.api.meta import (
    DEFAULT_RESAMPLES,
    ROUNDS,
    SHARED_TASKS,
    HumanSystems,
    MetricTest,
    SamplingUnit,
    fit_curves,
    list_measures,
    meta_evaluate,
)
from tenbin.api.meta_sources import check_sources
from tenbin.api.scoring import BASELINE_METRICS
from tenbin.cli.inputs import chosen_reading
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_output_options,
    add_seed_option,
    add_set_options,
    add_table_input_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.page_options import add_report_options, check_report_options, write_report
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target, whole_file
from tenbin.reports.formats import Format
from tenbin.reports.plots import check_plot, plot_bytes, plot_rankings
from tenbin.reports.render import render

_EPILOG = """\
examples:
  do BLEU and chrF agree with human judgment?
    tenbin meta --set wmt20 --pair en-de -m bleu chrf
  the segment measure of WMT20, with intervals, and ranks of metrics:
    tenbin meta --set wmt20 --pair en-de -m sentbleu chrf --measure darr-tau --ci --compare
  beside the scores that others submitted:
    tenbin meta --set wmt23 --pair he-en -m chrf --import-scores wmt23 --measure system-pearson
  every language pair of a test set:
    tenbin meta --set wmt14 --pair all -m meteor --measure wmt14-tau
  how large a difference must be for people to notice it:
    tenbin meta --set wmt21 wmt22 --pair all -m chrf --curve --curve-output ours.json
  a page to look at, with how each metric ranks the systems:
    tenbin meta --set wmt20 --pair en-de -m bleu chrf --ci --compare --report agreement.html
  texts and human scores in a table of your own, with a row for each segment and system:
    tenbin meta --input judged.csv --columns name=engine,system=output,human=rating -l de -m chrf
  scores of your own:
    tenbin meta --scores mymetric.tsv --human-scores judges.csv --measure segment-kendall
  what can be measured:
    tenbin meta --list

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""

_COLUMNS = (
    "columns of --input, as in 'tenbin score', with name for the names of systems and human for "
    "human scores, higher being better (default: found by names such as src, ref, mt, system, "
    "score, mqm); or those of --scores (default: system=system,segment=segment,score=score; "
    "'segment=' for scores of whole systems)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin meta --set DIR --pair PAIR ... [-m SPEC ...] [--measure NAME ...]\n"
        "       tenbin meta --input FILE ... -l LANG [-m SPEC ...] [options]"
    )
    parser.epilog = _EPILOG
    _add_data_options(parser)
    add_table_input_options(parser, help_of_columns=_COLUMNS)
    _add_metric_options(parser)
    _add_measure_options(parser)
    _add_test_options(parser)
    add_output_options(parser)
    add_report_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure metrics and print the table."""
    form, width = Format(options.format), page_width(options.output)
    if options.list:
        emit(render(list_measures(), form, width=width), options.output)
        return 0
    check_run_options(options)
    check_report_options(options)
    if options.curve or options.curve_output is not None:
        return _run_curves(options, form, width)
    if not 0 <= options.epsilon < inf:
        raise UsageError(f"--epsilon {options.epsilon}: give a number of at least 0.")
    _check_plot(options.plot)
    with progress("measuring", None, quiet=options.quiet):
        table = _measured(options)
    tell(table.notes, quiet=options.quiet)
    emit(render(table, form, width=width), options.output)
    if options.plot is not None:
        with whole_file(options.plot) as temporary:
            temporary.write_bytes(plot_bytes(plot_rankings(table.rankings), options.plot))
    write_report(options, table)
    return 0


def _run_curves(options: argparse.Namespace, form: Format, width: int | None) -> int:
    """Fit curves and print how large a difference has to be."""
    other = {
        "--measure": options.measures,
        "--task": options.task,
        "--compare": options.compare,
        "--plot": options.plot,
        "--report": options.report_file,
        "--by": options.by,
        "--export-scores": options.export_scores,
    }
    if given := [name for name, value in other.items() if value]:
        raise UsageError(f"{', '.join(given)}: not with --curve, which measures nothing else.")
    _check_data(options)
    with progress("fitting", None, quiet=options.quiet):
        table = fit_curves(
            _distinct(options.folders),
            _distinct(options.pairs),
            **_chosen(options),
            output=options.curve_output,
        )
    tell(table.notes, quiet=options.quiet)
    emit(render(table, form, width=width), options.output)
    return 0


def _measured(options: argparse.Namespace) -> MetaTable:
    _check_data(options)
    _check_draws(options)
    rounds = ROUNDS if options.rounds is None else options.rounds
    return meta_evaluate(
        _distinct(options.folders),
        _distinct(options.pairs),
        **_chosen(options),
        export_scores=options.export_scores,
        measures=_distinct(options.measures),
        task=options.task,
        ci=options.ci,
        by=options.by,
        compare=options.compare,
        test=options.test,
        rounds=positive(rounds, "--rounds"),
        outliers=options.outliers,
        epsilon=options.epsilon,
        rankings=options.plot is not None or options.report_file is not None,
    )


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """Return what is compared with what, and how samples are drawn."""
    has_scores = options.scores or options.import_scores
    specs = options.metrics or ([] if has_scores else BASELINE_METRICS)
    resamples = DEFAULT_RESAMPLES if options.resamples is None else options.resamples
    columns = ",".join(options.columns) if options.columns and options.scores else None
    return {
        **_judged_texts(options),
        "scores": options.scores or (),
        "human_scores": options.human_scores,
        "columns": _columns(columns, "--columns"),
        "human_columns": _columns(options.human_columns, "--human-columns"),
        "metrics": _distinct(specs),
        "references": _distinct(options.references) or None,
        "import_scores": options.import_scores,
        "imported": _distinct(options.imported),
        "negate": _distinct(options.negate),
        "human": _distinct(options.human),
        "human_systems": options.human_systems,
        "resamples": positive(resamples, "--resamples"),
        "seed": options.seed,
        "jobs": worker_count(options.jobs),
        "cache": not options.no_cache,
    }


def _judged_texts(options: argparse.Namespace) -> dict[str, Any]:
    """Return the texts and human scores of tables, and their language."""
    if not options.table:
        return {}
    pairs = options.pairs or [None]
    if len(pairs) > 1:
        raise UsageError("--input has one language pair; leave --pair out and give -l LANG.")
    language = target_language(options.language, pairs[0])
    if language is None:
        raise UsageError("the target language is missing: give -l en (or ja, zh, ...).")
    judged = open_judged_tables(options.table, chosen_reading(options))
    return {"judged": judged, "language": language}


def _check_data(options: argparse.Namespace) -> None:
    """Raise if options do not go together, before any file is read."""
    if not options.table:
        given = [f"--{name}" for name in ("tags", "encoding", "sheet") if getattr(options, name)]
        given += ["--input-format"] if options.input_format else []
        given += ["-l"] if options.language else []
        if given:
            raise UsageError(f"{', '.join(given)}: only with --input, texts with human scores.")
    if not (options.table or options.folders or options.scores or options.human_scores):
        raise UsageError(
            "missing --set DIR --pair PAIR, or --input FILE -l LANG, or --scores FILE "
            "--human-scores FILE."
        )
    check_sources(
        {
            "folder": options.folders,
            # The pair of a table is another way to give its language.
            "pairs": None if options.table else options.pairs,
            "judged": options.table,
            "scores": options.scores,
            "human_scores": options.human_scores,
            # Those of --input are columns of its texts.
            "columns": None if options.table else options.columns,
            "human_columns": options.human_columns,
            "metrics": options.metrics,
            "references": options.references,
            "import_scores": options.import_scores,
            "imported": options.imported,
            "negate": options.negate,
            "export_scores": options.export_scores,
        }
    )
    if options.folders and not options.pairs:
        raise UsageError("--set needs --pair, for example --pair en-de, or --pair all.")


def _check_draws(options: argparse.Namespace) -> None:
    """Raise if samples or rounds are asked for that nothing would draw."""
    named = set(options.measures or ())
    draws = (
        options.ci
        or options.plot
        or options.report_file
        or options.test == MetricTest.BOOTSTRAP
        or any(one.mean_of is not None for one in list_measures().measures if one.name in named)
    )
    if options.resamples is not None and not draws:
        raise UsageError("--resamples says how intervals are drawn; add --ci to get them.")
    if (options.test or options.rounds is not None) and not options.compare:
        raise UsageError("--test and --rounds say how metrics are compared; add --compare.")


def _columns(text: str | None, option: str) -> dict[str, str | None] | None:
    """Return the columns that ``system=NAME,segment=NAME,score=NAME`` names."""
    if text is None:
        return None
    given = dict(part.partition("=")[::2] for part in text.split(","))
    unknown = [name for name in given if name not in {"system", "segment", "score"}]
    if unknown or "" in (given.get("system", "-"), given.get("score", "-")):
        raise UsageError(f"{option} {text}: expected system=NAME,segment=NAME,score=NAME.")
    return {name: column or None for name, column in given.items()}


def _check_plot(path: str | None) -> None:
    if path is None:
        return
    check_plot(path)
    check_target(path)


def _distinct(names: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names or ()))


def _add_data_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judgments")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout, with human-scores/ or human-pairs/",
        pairs="language pairs, such as de-en; 'all' for all that have human judgments",
    )
    add_list_option(
        group,
        "--human",
        metavar="KIND",
        help="kinds of judgment: da-z, mqm, esa, rr, darr ... (default: the most reliable one "
        "for each measure)",
    )
    group.add_argument(
        "--human-systems",
        choices=[str(choice) for choice in HumanSystems],
        help="whether human translations take part as systems (default: exclude, but include "
        "with --task); never those that a metric was scored against",
    )
    add_list_option(
        group,
        "--scores",
        metavar="FILE",
        help="scores of your own metrics instead of --set: TSV, CSV or JSON lines with a row per "
        "score; a metric is called like its file",
    )
    group.add_argument(
        "--human-scores",
        metavar="FILE",
        help="human scores that go with --scores, in the same form, or *.rr.tsv, *.darr.tsv",
    )
    group.add_argument("-l", "--language", metavar="LANG", help="target language of --input")
    group.add_argument(
        "--human-columns",
        metavar="NAMES",
        help="columns of --human-scores (default: those of --columns)",
    )


def _add_metric_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("metrics")
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help="metrics to compute from the texts of the set, with parameters in quotes (default: "
        f"{' '.join(BASELINE_METRICS)}, or none with --import-scores)",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="REF",
        help="names of the references to score against, such as refA (default: the first)",
    )
    group.add_argument(
        "--import-scores",
        metavar="DIR",
        help="scores that others computed: a set with metric-scores/PAIR, or a folder of "
        "METRIC-REF.seg.score and METRIC-REF.sys.score",
    )
    add_list_option(
        group,
        "--imported",
        metavar="NAME",
        help="which of them, such as COMET-refA or '*-src' (default: all)",
    )
    add_list_option(
        group,
        "--negate",
        metavar="NAME",
        help="metrics of files for which lower is better; Tenbin's own are known",
    )
    group.add_argument(
        "--export-scores",
        metavar="DIR",
        help="write the computed scores to DIR/metric-scores/PAIR, as --import-scores reads them",
    )
    add_cache_options(group)


def _add_measure_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measures")
    add_list_option(
        group,
        "--measure",
        metavar="NAME",
        dest="measures",
        help="such as system-pearson, segment-kendall, darr-tau, acc-eq (default: what suits the "
        "judgments)",
    )
    group.add_argument(
        "--task",
        choices=list(SHARED_TASKS),
        help="the measures of this shared task, and the mean by which it orders metrics",
    )
    group.add_argument("--list", action="store_true", help="list all measures and stop")
    group.add_argument(
        "--curve",
        action="store_true",
        help="fit how often people prefer the same system, by the difference of system scores, "
        "instead of measuring",
    )
    group.add_argument(
        "--curve-output",
        metavar="FILE",
        help="write the curves to a file for 'tenbin compare --curve FILE'",
    )
    add_list_option(
        group,
        "--outliers",
        metavar="SYSTEM",
        help="systems that measures without outliers leave out (default: those farther than 2.5 "
        "scaled median deviations from the median)",
    )
    group.add_argument(
        "--epsilon",
        type=float,
        default=0.0,
        metavar="X",
        help="differences of metric scores that are ties, for acc-eq-fixed and the like "
        "(default: 0)",
    )
    group.add_argument("--ci", action="store_true", help="95 %% bootstrap confidence intervals")
    group.add_argument(
        "--resamples",
        type=int,
        metavar="N",
        help=f"bootstrap samples (default: {DEFAULT_RESAMPLES})",
    )
    group.add_argument(
        "--by",
        choices=[str(unit) for unit in SamplingUnit],
        help="what samples draw (default: segments; judgements of relative rankings; documents "
        "for paraeval-spearman)",
    )
    add_seed_option(group)


def _add_test_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--compare", action="store_true", help="test metrics against each other and rank them"
    )
    group.add_argument(
        "--test",
        choices=[str(test) for test in MetricTest],
        help="perm-both: exchange what two metrics said; williams: Williams' test of two Pearson "
        "correlations; bootstrap: paired samples (default: williams for system-pearson, bootstrap "
        "where nothing else is defined, else perm-both)",
    )
    group.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"random rounds of perm-both (default: {ROUNDS})",
    )
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="draw how each metric ranks systems and human translations; FILE ends in .svg, .png "
        "or .pdf (needs the extra 'plots')",
    )
