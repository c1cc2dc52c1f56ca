"""``tenbin metrics``."""

import argparse

from tenbin.cli.terminal import emit
from tenbin.metrics.catalogue import describe_all, describe_metric
from tenbin.reports.catalogue import render_all, render_one
from tenbin.reports.render import Format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this metric in full")
    forms = [str(Format.TEXT), str(Format.JSON)]
    parser.add_argument(
        "-f",
        "--format",
        choices=forms,
        default=str(Format.TEXT),
        help="form of the result (default: text)",
    )


def run(options: argparse.Namespace) -> int:
    """List the metrics, or describe one."""
    form = Format(options.format)
    if options.name is None:
        emit(render_all(describe_all(), form), None)
    else:
        emit(render_one(describe_metric(options.name), form), None)
    return 0
