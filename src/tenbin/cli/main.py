"""The ``tenbin`` command."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from tenbin.core.errors import TenbinError
from tenbin.version import __version__

# Each command is imported only when it is called, so that 'tenbin --help' is instant.
COMMANDS = {
    "score": "score translations against references",
    "compare": "test which systems differ by more than chance",
    "metrics": "list the metrics, or describe one",
    "resources": "list and install dictionaries, tables and other data",
    "doctor": "check the installation and the input files",
}
EXIT_INTERRUPTED = 130

_DESCRIPTION = "Weigh machine translations against their references by meaning."
_EPILOG = """\
examples:
  tenbin score -r ref.txt -t system.txt -l en
  tenbin score -r refA.txt refB.txt -t a.txt b.txt -l ja -m bleu chrf++ ribes --ci
  tenbin compare --set wmt20 --pair en-de -m chrf -f markdown
  tenbin metrics chrf

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _use_utf8()
    options = build_parser(list(sys.argv[1:] if arguments is None else arguments)).parse_args(
        arguments
    )
    if options.command is None:
        build_parser([]).print_help()
        return 0
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except TenbinError as error:
        print(f"tenbin: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("tenbin: interrupted; no file was changed.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (tenbin ... | head); nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"tenbin: error: {error}", file=sys.stderr)
        return 1
    return code


def build_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser; only the command that the arguments name is filled in."""
    parser = argparse.ArgumentParser(
        prog="tenbin",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"tenbin {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == wanted:
            module = import_module(f"tenbin.cli.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _use_utf8() -> None:
    # Names and notes may hold any script, whatever the locale of the terminal.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
