"""What a person sees while and after a command runs: results on stdout, the rest on stderr."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tenbin.formats.output import write_text

Advance = Callable[[int], None]


def emit(text: str, output: str | None) -> None:
    """Print a result, or write it to a file in one step."""
    if output is None or output == "-":
        sys.stdout.write(text)
        return
    write_text(output, text)


def tell(notes: Sequence[str], *, quiet: bool) -> None:
    """Print notes on stderr."""
    if not quiet:
        for note in notes:
            print(f"note: {note}", file=sys.stderr)


@contextmanager
def progress(label: str, total: int, *, quiet: bool) -> Iterator[Advance | None]:
    """Show a progress bar on stderr if somebody is looking at it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)
