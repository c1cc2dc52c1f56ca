"""The ``tenbin`` command."""

import argparse
import errno
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib import import_module

from tenbin.cli.forms import settle_form
from tenbin.cli.help_text import CommandParser, complete_quiet
from tenbin.cli.interrupts import end_all, ending_signal, prompt_end
from tenbin.cli.overwriting import check_outputs
from tenbin.cli.progress import Clock, shown_progress
from tenbin.cli.wording import in_options, with_short_words
from tenbin.core.errors import TenbinError, UsageError
from tenbin.version import __version__

# Each command is imported only when it is called, so that 'tenbin --help' is instant.
COMMANDS = {
    "score": "score translations against references",
    "compare": "test which systems differ by more than chance",
    "check": "fail if a system is worse than a stored one",
    "explain": "draw why a segment got its score",
    "report": "write scores in a JSON file as an HTML page",
    "mbr": "choose among candidates by minimum Bayes risk",
    "rerank": "order candidates without a reference",
    "oracle": "find the best of several candidates",
    "meta": "measure how far metrics agree with people",
    "tune": "find the parameters that agree best with people",
    "study": "repeat the experiments of papers, one command each",
    "metrics": "list the metrics, or describe one",
    "sets": "list the test sets of this machine, or install some",
    "resources": "list and install dictionaries, tables and other data",
    "build": "build word vectors, function words and other data from text",
    "serve": "open a page in the browser: drop files, get the report",
    "doctor": "check the installation and the input files",
    "completion": "print a script that lets the tab key complete commands",
}

_DESCRIPTION = "Weigh machine translations against their references by meaning."
_EPILOG = """\
examples:
  tenbin score -r ref.txt -t system.txt -l en
  tenbin score -r refA.txt refB.txt -t a.txt b.txt -l ja -m bleu chrf++ ribes --ci
  tenbin compare --set wmt20 --pair en-de -m chrf -f markdown
  tenbin explain -r ref.txt -t system.txt -l en -m meteor -n 17
  tenbin meta --set wmt20 --pair en-de -m bleu chrf
  tenbin metrics chrf
  tenbin score --help

exit codes: 0 done, 1 result not written or a check failed, 2 wrong usage, 3 bad input,
4 something to install, 130 interrupted, 143 terminated, 129 terminal closed.
"""


def main(arguments: Sequence[str] | None = None, *, clock: Clock = time.monotonic) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: The words after ``tenbin``; None for those of this process.
        clock: What says when progress is shown.
    """
    # Finding the folder writes a file into it; that is done before there is anything to interrupt.
    with suppress(OSError):
        tempfile.gettempdir()
    _use_utf8()
    words = list(sys.argv[1:] if arguments is None else arguments)
    with prompt_end():
        return _guarded(words, clock)


def build_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser; only the command that the arguments name is filled in."""
    parser = CommandParser(prog="tenbin", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("-V", "--version", action="version", version=f"tenbin {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        description = f"{summary[0].upper()}{summary[1:]}."
        command = commands.add_parser(name, help=summary, description=description)
        if name == wanted:
            module = import_module(f"tenbin.cli.{name}")
            module.add_arguments(command)
            complete_quiet(command)
            command.set_defaults(run=module.run)
    return parser


def _guarded(words: Sequence[str], clock: Clock) -> int:
    """Run a command; every expected failure becomes a message and an exit code."""
    try:
        try:
            return _run(words, clock)
        finally:
            # Here, not when Python ends, where a full disk or a closed pipe could not be handled.
            if sys.stdout is not None:
                sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - raised again unless it is expected
        number = ending_signal()
        if number is None and isinstance(error, KeyboardInterrupt):
            number = signal.SIGINT
        # A library may turn an interrupt into any other error.
        return _failure(error) if number is None else end_all(number)


def _failure(error: BaseException) -> int:
    """Return the exit code of a failure, with a message; raise what is not expected."""
    if isinstance(error, TenbinError):
        return _failed(in_options(str(error)), error.exit_code)
    if isinstance(error, BrokenPipeError):
        # The reader has gone (tenbin ... | head); nobody is left to tell.
        _drop_output()
        return 0
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return _failed(f"{error.filename}: this name is too long for a file or folder.", 2)
    if isinstance(error, OSError):
        _drop_output()
        place = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or str(error)
        return _failed(f"{place}{reason}; the result was not written in full.", 1)
    if isinstance(error, MemoryError):
        return _failed("not enough memory; score fewer systems or metrics at a time.", 1)
    raise error


def _run(words: Sequence[str], clock: Clock) -> int:
    if any("\0" in word for word in words):
        raise UsageError("an argument holds the character NUL, which no name and no number has.")
    parser = build_parser(words)
    options = parser.parse_args(words)
    options.typed = tuple(words)
    if options.command is None:
        parser.print_help()
        return 0
    check_outputs(options)
    settle_form(options)
    with _told_as_asked(clock, quiet=getattr(options, "quiet", False)), _glossary(options):
        code: int = options.run(options)
    return code


@contextmanager
def _told_as_asked(clock: Clock, *, quiet: bool) -> Iterator[None]:
    """Show progress and notes on stderr, or nothing but errors."""
    log = logging.getLogger("tenbin")
    level = log.level
    if quiet:
        log.setLevel(logging.ERROR)
    try:
        with shown_progress(quiet=quiet, clock=clock):
            yield
    finally:
        log.setLevel(level)


def _glossary(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the block in which metrics take the glossary that the options name."""
    file = getattr(options, "glossary", None)
    if file is None:
        return nullcontext()
    from tenbin.api.glossaries import glossary_of_run  # noqa: PLC0415 - few runs have one

    return glossary_of_run(file, options.pair)


def _failed(message: str, code: int) -> int:
    for line in with_short_words(message).splitlines():
        _say(f"tenbin: error: {line}\n")
    return code


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)


def _drop_output() -> None:
    # What is left in the buffer cannot be written; Python would try again when it ends.
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _use_utf8() -> None:
    # Names and notes may hold any script, whatever the locale of the terminal.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
