"""``tenbin doctor``."""

import argparse

from tenbin.cli.inputs import chosen_language, find_inputs
from tenbin.cli.options import add_format_option, add_input_options
from tenbin.cli.terminal import emit, page_width
from tenbin.core.errors import InputError
from tenbin.evaluation.inspection import Finding, Level, inspect_texts
from tenbin.evaluation.installation import inspect_installation
from tenbin.reports.findings import render_findings
from tenbin.reports.formats import Format

_EPILOG = """\
examples:
  what is installed, what is missing and how to get it:
    tenbin doctor
  everything that is odd about these files, at once (exit code 3 if they cannot be scored):
    tenbin doctor -r ref.txt -t a.txt b.txt -s source.txt -l ja
  the same for a test set:
    tenbin doctor --set wmt20 --pair en-de
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin doctor [-r REF ...] [-t SYS ...] [-s SRC] [-l LANG] [options]"
    parser.epilog = _EPILOG
    add_input_options(parser)
    add_format_option(parser.add_argument_group("output"), [str(Format.TEXT), str(Format.JSON)])


def run(options: argparse.Namespace) -> int:
    """Report on the installation and, where texts are given, on them."""
    texts = _text_findings(options)
    sections = {"Installation": inspect_installation()}
    if texts is not None:
        sections["Texts"] = texts
    emit(render_findings(sections, Format(options.format), page_width()))
    broken = any(one.level is Level.ERROR for one in texts or [])
    return InputError.exit_code if broken else 0


def _text_findings(options: argparse.Namespace) -> list[Finding] | None:
    language = chosen_language(options)
    found = find_inputs(options)
    if found is not None:
        references, systems = list(found.references.values()), list(found.systems.values())
        return inspect_texts(references, systems, found.source, language, found.documents)
    if not (options.references or options.systems or options.source):
        return None
    return inspect_texts(options.references or [], options.systems or [], options.source, language)
