"""``tenbin metrics``."""

import argparse

from tenbin.cli.options import add_format_option
from tenbin.cli.terminal import emit, page_width
from tenbin.metrics.catalogue import describe_all, describe_metric
from tenbin.reports.catalogue import render_all, render_one
from tenbin.reports.formats import Format

_EPILOG = """\
examples:
  tenbin metrics
  tenbin metrics chrf
  tenbin metrics -f json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this metric in full")
    add_format_option(parser, [str(Format.TEXT), str(Format.JSON)])


def run(options: argparse.Namespace) -> int:
    """List the metrics, or describe one."""
    form = Format(options.format)
    width = page_width()
    if options.name is None:
        emit(render_all(describe_all(), form, width))
    else:
        emit(render_one(describe_metric(options.name), form, width))
    return 0
