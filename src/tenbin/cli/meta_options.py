"""The options of ``tenbin meta``."""

import argparse

from tenbin.api.scoring import DEFAULT_METRICS
from tenbin.cli.options import (
    add_kept_score_options,
    add_list_option,
    add_seed_option,
    add_set_options,
)
from tenbin.evaluation.run import DEFAULT_RESAMPLES
from tenbin.meta.options import TASKS, HumanSystems, MetricTest, Unit
from tenbin.meta.significance.permutation import ROUNDS


def add_meta_options(parser: argparse.ArgumentParser) -> None:
    """Add what is measured, against what and how."""
    _add_data_options(parser)
    _add_metric_options(parser)
    _add_measure_options(parser)
    _add_test_options(parser)


def _add_data_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judgements")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout, with human-scores/ or human-pairs/",
        pairs="language pairs, such as de-en; 'all' for all that people judged",
    )
    add_list_option(
        group,
        "--human",
        metavar="KIND",
        help="kinds of judgement: da-z, mqm, esa, rr, darr ... (default: the best one there is "
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
    group.add_argument(
        "--columns",
        metavar="NAMES",
        help="columns of --scores (default: system=system,segment=segment,score=score; "
        "'segment=' for scores of whole systems)",
    )
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
        f"{' '.join(DEFAULT_METRICS)}, or none with --import-scores)",
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
    add_kept_score_options(group)


def _add_measure_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measures")
    add_list_option(
        group,
        "--measure",
        metavar="NAME",
        dest="measures",
        help="such as system-pearson, segment-kendall, darr-tau, acc-eq (default: what suits the "
        "judgements)",
    )
    group.add_argument(
        "--task",
        choices=list(TASKS),
        help="the measures of this shared task, and the mean by which it orders metrics",
    )
    group.add_argument("--list", action="store_true", help="list all measures and stop")
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
        choices=[str(unit) for unit in Unit],
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
        metavar="FILE.svg",
        help="draw how each metric ranks systems and human translators",
    )
