"""The option that sets scores of other programs beside those of Tenbin's metrics."""

import argparse
from typing import TYPE_CHECKING

from tenbin.api.score_columns import column_names, read_columns
from tenbin.cli.options import add_list_option
from tenbin.core.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tenbin.api.files import FileTestSet
    from tenbin.core.scores import MetricScores


def add_scores_option(group: argparse._ActionsContainer) -> None:
    """Add the option that names files of scores."""
    add_list_option(
        group,
        "--scores",
        metavar="NAME=FILE",
        dest="imported",
        help="scores of other programs as more columns: .seg.score of mt-metrics-eval, what COMET "
        "prints or writes (JSON), tables, one number per line; NAME(lower)= where lower is better, "
        "NAME:SYSTEM= or {system} in FILE for a file per system",
    )


def check_scores_option(options: argparse.Namespace) -> None:
    """Raise if a column of scores has a name that cannot be, before anything is read."""
    column_names(options.imported or [])


def imported_columns(
    options: argparse.Namespace, test_set: "FileTestSet", metrics: "Sequence[str]"
) -> "tuple[MetricScores, ...]":
    """Return the columns of scores that the options name."""
    if not options.imported:
        return ()
    labels = [Spec.parse(spec).label for spec in metrics]
    return read_columns(options.imported, test_set, labels)
