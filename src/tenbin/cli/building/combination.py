"""``tenbin build combination``."""

import argparse
import sys

from tenbin.api.building import build_combination
from tenbin.cli.building.options import add_target_options, shown_steps
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_seed_option,
    add_set_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.terminal import emit, page_width, tell
from tenbin.core.combination import CombinationKind
from tenbin.core.combination_report import HeldOutUnit
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

SUMMARY = "learn a combination of metrics from human judgments"
EPILOG = """\
examples:
  a combination for Japanese, measured on documents that it did not learn from:
    tenbin build combination -m chrf eed character ribes --set wmt24 --pair en-ja -o ja.combination
  several sets: each is left out in turn
    tenbin build combination -m chrf meteor we_wpi has --set wmt20 wmt24 mlqe-pe -l ja zh \\
      -o asia.combination
  trees instead of a weighted sum (pip install 'tenbin[combine]'):
    tenbin build combination -m chrf eed ribes --set wmt24 --pair all --kind boosting -o trees.json
  tenbin score -r ref.ja -t out.ja -l ja -m 'combination(file="ja.combination")'

The report says how well each member and the combination agree with people on what was left out,
and whether the combination gains over its best member. The file has the same in its card. A better
score of a member never lowers that of the combination.
"""
_REGULARIZATION, _TREES, _FOLDS, _RESAMPLES = 0.1, 100, 5, 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("members")
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help="two metrics or more, with parameters in quotes",
    )
    add_cache_options(group)
    group = parser.add_argument_group("judgments")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout, with human-scores/ by segment",
        pairs="language pairs to learn from, such as en-ja; 'all' for all that were judged",
    )
    add_list_option(
        group,
        "-l",
        "--language",
        "--languages",
        metavar="LANG",
        dest="languages",
        help="target languages: learn from all pairs into these",
    )
    add_list_option(
        group,
        "--for",
        metavar="LANG",
        dest="targets",
        help="target languages that the file is for (default: all that it is learned from)",
    )
    group.add_argument(
        "--human",
        "--judgments",
        metavar="KIND",
        help="kind of judgment: esa, mqm, da-z ... (default: the most reliable one of each pair)",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="REF",
        help="names of references, such as refA (default: the first)",
    )
    _add_learning_options(parser)
    add_target_options(parser)


def _add_learning_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("learning")
    kinds = [str(kind) for kind in CombinationKind]
    group.add_argument(
        "--kind",
        choices=kinds,
        default=kinds[0],
        help="ridge: a weighted sum (default); boosting: trees, which need the extra 'combine'",
    )
    group.add_argument(
        "--regularization",
        type=float,
        default=_REGULARIZATION,
        metavar="X",
        help=f"how much weights are drawn to 0 (default: {_REGULARIZATION})",
    )
    group.add_argument(
        "--trees",
        type=int,
        default=_TREES,
        metavar="N",
        help=f"number of trees of boosting (default: {_TREES})",
    )
    group.add_argument(
        "--by",
        choices=[str(unit) for unit in HeldOutUnit],
        help="what is left out in turn to measure the combination (default: sets where there are "
        "several, else documents, else segments)",
    )
    group.add_argument(
        "--folds",
        type=int,
        metavar="K",
        help=f"parts of documents or segments (default: {_FOLDS})",
    )
    group.add_argument(
        "--resamples",
        type=int,
        default=_RESAMPLES,
        metavar="N",
        help=f"bootstrap samples of each interval (default: {_RESAMPLES})",
    )
    add_seed_option(group, "folds, trees and samples")


def run(options: argparse.Namespace) -> int:
    """Learn a combination and print what it is worth."""
    _check(options)
    built = build_combination(
        options.metrics,
        options.folders,
        options.output,
        pairs=options.pairs or (),
        languages=options.languages or (),
        targets=options.targets or (),
        human=options.human,
        references=options.references,
        kind=options.kind,
        regularization=options.regularization,
        trees=options.trees,
        by=options.by,
        folds=options.folds,
        resamples=positive(options.resamples, "--resamples"),
        seed=options.seed,
        jobs=worker_count(options.jobs),
        cache=not options.no_cache,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
    )
    tell(built.notes, quiet=options.quiet)
    emit(render(built, Format.TEXT, width=page_width()))
    if not options.quiet:
        print(f"{options.output}: written", file=sys.stderr)
    return 0


def _check(options: argparse.Namespace) -> None:
    needed = {
        "-m SPEC": options.metrics,
        "--set DIR": options.folders,
        "--pair PAIR or -l LANG": options.pairs or options.languages,
    }
    if missing := [name for name, value in needed.items() if not value]:
        raise UsageError(f"missing {', '.join(missing)}.")
    check_run_options(options)
    if options.folds is not None:
        positive(options.folds, "--folds")
