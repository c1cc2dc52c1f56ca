"""``tenbin sets``."""

import argparse
from pathlib import Path

from tenbin.api.sets import SETS_VARIABLE, describe_set, install_sets, list_sets
from tenbin.cli.help_text import add_actions
from tenbin.cli.options import add_format_option
from tenbin.cli.terminal import emit
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_EPILOG = f"""\
examples:
  tenbin sets list
  tenbin sets show wmt20
  tenbin sets install --archive mt-metrics-eval-v2.tgz wmt20 wmt21
  tenbin score --set wmt20 --pair en-de -m chrf

Sets are searched in the folders of {SETS_VARIABLE} (separated as in PATH), in those that were
installed, in ~/.mt-metrics-eval and in sacrebleu's cache (~/.sacrebleu, or SACREBLEU).

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""
_ACTIONS = {
    "list": "list the test sets of this machine",
    "show": "say what a test set has: language pairs, references, systems, judgments",
    "install": "unpack test sets of an archive, or say how to fetch some",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions of the command and their options."""
    parser.epilog = _EPILOG
    for name, action in add_actions(parser, _ACTIONS).items():
        if name == "show":
            action.add_argument("name", metavar="NAME", help="name in 'tenbin sets list'")
        if name == "install":
            action.add_argument(
                "names", nargs="*", metavar="NAME", help="sets of the archive (default: all)"
            )
            action.add_argument(
                "--archive", metavar="FILE", help="an archive as mt-metrics-eval publishes it"
            )
            action.add_argument(
                "--folder",
                metavar="DIR",
                help="where to install (default: a folder that is searched)",
            )
        else:
            add_format_option(action, [str(Format.TEXT), str(Format.JSON)], printed=True)


def run(options: argparse.Namespace) -> int:
    """Do what the action says."""
    if options.action == "list":
        emit(render(list_sets(), options.format))
    elif options.action == "show":
        emit(render(describe_set(options.name), options.format))
    else:
        if options.folder is not None and not options.folder:
            raise UsageError("--folder is empty; is a shell variable unset?")
        folder = None if options.folder is None else Path(options.folder)
        for path in install_sets(options.names, archive=options.archive, folder=folder):
            emit(f"{path}\n")
    return 0
