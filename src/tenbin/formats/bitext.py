"""Parallel text and its word alignments.

Segments in two languages come in one file of two columns or in two files; word alignments in the
Pharaoh format, one line per segment: ``0-0 1-2 2-1``.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

from tenbin.core.counting import counted
from tenbin.core.errors import LengthMismatch, MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

_COLUMNS = 2
Link = tuple[int, int]

_LINK = re.compile(r"(\d{1,6})-(\d{1,6})", re.ASCII)
_LINK_ADVICE = "Expected the links of one segment as pairs of positions from 0: 0-0 1-2 2-1."


def opened(path: str | TextFile) -> TextFile:
    """Return a text file that may be opened already: a pipe can be opened only once."""
    return path if isinstance(path, TextFile) else TextFile(path)


def read_columns(path: str | TextFile) -> Iterator[tuple[str, str]]:
    """Yield the two columns of each line of a file.

    Raises:
        MalformedLine: A line has not exactly one tab, or is not UTF-8.
        UnreadableFile: The file cannot be read.
    """
    text = opened(path)
    for number, line in enumerate(text.lines(), start=1):
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            problem = (
                f"{counted(len(columns), 'column')}, expected two languages with a tab between them"
            )
            advice = "Give lines of two columns, or one file per language."
            raise MalformedLine(text.name, number, problem, advice)
        yield columns[0], columns[1]


def read_parallel(path: str | TextFile, other: str | TextFile) -> Iterator[tuple[str, str]]:
    """Yield the lines of two files, side by side.

    Raises:
        LengthMismatch: One has more lines than the other.
        MalformedLine: A line is not UTF-8.
        UnreadableFile: A file cannot be read.
    """
    texts = opened(path), opened(other)
    for one, two in zip_longest(*(text.lines() for text in texts)):
        if one is None or two is None:
            # Counted only now: most pairs of files have the same length.
            raise LengthMismatch({text.name: sum(1 for _ in text.lines()) for text in texts})
        yield one, two


def read_bitext(path: str | TextFile, other: str | TextFile = "") -> Iterator[tuple[str, str]]:
    """Yield the segments of a file of two columns, or of two files; there is at least one.

    Raises:
        UnreadableFile: There are none; also the errors of `read_columns` and `read_parallel`.
    """
    empty = True
    for pair in read_parallel(path, other) if other else read_columns(path):
        empty = False
        yield pair
    if empty:
        raise UnreadableFile(opened(path).name, "the file is empty", "Give text in two languages.")


def read_links(path: str | TextFile) -> Iterator[list[Link]]:
    """Yield the links of each segment, in the order of the file; a line may be empty.

    Raises:
        MalformedLine: Something in a line is no link.
        UnreadableFile: The file cannot be read.
    """
    text = opened(path)
    for number, line in enumerate(text.lines(), start=1):
        found = []
        for written in line.split():
            link = _LINK.fullmatch(written)
            if link is None:
                problem = f"{written[:40]!r} is not a link between two words"
                raise MalformedLine(text.name, number, problem, _LINK_ADVICE)
            found.append((int(link[1]), int(link[2])))
        yield found


def link_out_of_range(path: str, line: int, link: Link, sizes: tuple[int, int]) -> MalformedLine:
    """Return the error of a link that leads to a word that is not there.

    Args:
        path: The file of links.
        line: The line.
        link: The link.
        sizes: Number of words of the first and the second segment.
    """
    return MalformedLine(
        path,
        line,
        f"the link {link[0]}-{link[1]} leads out of a segment of {sizes[0]} and "
        f"{counted(sizes[1], 'word')}",
        "Links must belong to the same words: cut the text into words first, give it so to the "
        "aligner, and name the tokenizer 'none' here.",
    )


def format_links(links: list[Link]) -> str:
    """Return the line of a segment.

    >>> format_links([(0, 0), (1, 2)])
    '0-0 1-2'
    """
    return " ".join(f"{first}-{second}" for first, second in links)
