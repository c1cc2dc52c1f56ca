"""``tenbin metrics``."""

import argparse

from tenbin.api.catalog import describe_metric, describe_metrics, language_metrics
from tenbin.cli.options import add_format_option
from tenbin.cli.terminal import emit, page_width
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_EPILOG = """\
examples:
  tenbin metrics
  tenbin metrics chrf
  tenbin metrics -l ja
  tenbin metrics -f json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EPILOG
    parser.add_argument("name", nargs="?", metavar="NAME", help="describe this metric in full")
    parser.add_argument(
        "-l",
        "--language",
        metavar="LANG",
        help="what to take for this target language, best first, and what of it is installed",
    )
    add_format_option(parser, [str(Format.TEXT), str(Format.JSON)], printed=True)


def run(options: argparse.Namespace) -> int:
    """List the metrics, describe one, or say what to take for a language."""
    if options.name is not None and options.language is not None:
        raise UsageError("-l says what to take for a language; NAME describes one metric.")
    emit(render(_described(options), options.format, width=page_width()))
    return 0


def _described(options: argparse.Namespace) -> object:
    if options.language is not None:
        return language_metrics(options.language)
    return describe_metrics() if options.name is None else describe_metric(options.name)
