"""``tenbin metrics``."""

import argparse

from tenbin.api.catalog import describe_metric, describe_metrics
from tenbin.cli.options import add_format_option
from tenbin.cli.terminal import emit, page_width
from tenbin.reports.formats import Format
from tenbin.reports.render import render

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
    described = describe_metrics() if options.name is None else describe_metric(options.name)
    emit(render(described, options.format, width=page_width()))
    return 0
