"""``tenbin doctor``."""

import argparse

from tenbin.cli.inputs import inspect_inputs
from tenbin.cli.options import add_format_option, add_input_options, add_table_input_options
from tenbin.cli.terminal import emit, page_width
from tenbin.cli.wording import in_options
from tenbin.core.errors import InputError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_EPILOG = """\
examples:
  what is installed, what is missing and how to get it:
    tenbin doctor
  everything that is odd about these files, at once (exit code 3 if they cannot be scored):
    tenbin doctor -r ref.txt -t a.txt b.txt -s source.txt -l ja
  the same for a spreadsheet, and a test set:
    tenbin doctor --input translations.xlsx -l ja
    tenbin doctor --set wmt20 --pair en-de
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin doctor [-r REF ...] [-t SYS ...] [-s SRC] [-l LANG] [options]"
    parser.epilog = _EPILOG
    add_input_options(parser)
    add_table_input_options(parser)
    add_format_option(
        parser.add_argument_group("output"), [str(Format.TEXT), str(Format.JSON)], printed=True
    )


def run(options: argparse.Namespace) -> int:
    """Report on the installation and, where texts are given, on them."""
    inspection = inspect_inputs(options)
    emit(in_options(render(inspection, options.format, width=page_width())))
    return InputError.exit_code if inspection.has_faulty_texts else 0
