"""Text in two languages, segment by segment: one file of two columns, or two files."""

from collections.abc import Iterator
from itertools import zip_longest

from tenbin.core.errors import LengthMismatch, MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

_COLUMNS = 2


def read_columns(path: str) -> Iterator[tuple[str, str]]:
    """Yield the two columns of each line of a file.

    Raises:
        MalformedLine: A line has not exactly one tab, or is not UTF-8.
        UnreadableFile: The file cannot be read.
    """
    text = TextFile(path)
    for number, line in enumerate(text.lines(), start=1):
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            problem = f"{len(columns)} columns, expected two languages with a tab between them"
            advice = "Give lines of two columns, or one file per language with --other."
            raise MalformedLine(text.name, number, problem, advice)
        yield columns[0], columns[1]


def read_parallel(path: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of two files, side by side.

    Raises:
        LengthMismatch: One has more lines than the other.
        MalformedLine: A line is not UTF-8.
        UnreadableFile: A file cannot be read.
    """
    texts = TextFile(path), TextFile(other)
    for one, two in zip_longest(*(text.lines() for text in texts)):
        if one is None or two is None:
            # Counted only now: most pairs of files are of one length.
            raise LengthMismatch({text.name: sum(1 for _ in text.lines()) for text in texts})
        yield one, two


def read_bitext(path: str, other: str = "") -> Iterator[tuple[str, str]]:
    """Yield the segments of a file of two columns, or of two files; there is at least one.

    Raises:
        UnreadableFile: There are none; also the errors of `read_columns` and `read_parallel`.
    """
    empty = True
    for pair in read_parallel(path, other) if other else read_columns(path):
        empty = False
        yield pair
    if empty:
        raise UnreadableFile(path, "the file is empty", "Give text in two languages.")
