"""What a person sees while and after a command runs: results on stdout, the rest on stderr."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tenbin.cli.wording import in_options, with_short_words
from tenbin.core.errors import OutputError
from tenbin.core.progress import Advance, shown_by, step
from tenbin.formats.output import write_text

STANDARD_OUTPUT = "-"
_NARROWEST = 40


def emit(text: str, output: str | None = None) -> None:
    """Print a result, or write it to a file in one step."""
    if output is not None and output != STANDARD_OUTPUT:
        write_text(output, text)
        return
    if sys.stdout is None:
        raise OutputError("standard output is closed; name a file with -o.")
    sys.stdout.write(text)


def page_width(output: str | None = None) -> int | None:
    """Return the columns a result must fit in: those of the terminal, or None for a file or pipe.

    What a program or file gets never depends on the window it was made in.
    """
    if output is not None and output != STANDARD_OUTPUT:
        return None
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return max(_NARROWEST, shutil.get_terminal_size().columns)


def has_color(output: str | None = None) -> bool:
    """Return whether the result goes to a terminal whose user did not ask for plain text."""
    if output is not None and output != STANDARD_OUTPUT:
        return False
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout is not None and sys.stdout.isatty() and not plain


def tell(notes: Sequence[str], *, quiet: bool) -> None:
    """Print notes on stderr."""
    if not quiet:
        for note in notes:
            print(f"note: {with_short_words(in_options(note))}", file=sys.stderr)


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool) -> Iterator[Advance]:
    """Show a step of the command; None: the end is not known."""
    if quiet:
        with shown_by(None), step(label, total) as advance:
            yield advance
        return
    with step(label, total) as advance:
        yield advance
