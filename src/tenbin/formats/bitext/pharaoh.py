"""Word links as aligners write them (Pharaoh's format): a line per segment, ``0-0 1-2 2-1``."""

import re
from collections.abc import Iterator

from tenbin.core.errors import MalformedLine
from tenbin.formats.lines import TextFile

Link = tuple[int, int]

_LINK = re.compile(r"(\d{1,6})-(\d{1,6})", re.ASCII)
_ADVICE = "Every line lists the links of one segment as pairs of positions from 0: 0-0 1-2 2-1."


def read_links(path: str) -> Iterator[list[Link]]:
    """Yield the links of each segment, in the order of the file; a line may be empty.

    Raises:
        MalformedLine: Something in a line is no link.
        UnreadableFile: The file cannot be read.
    """
    text = TextFile(path)
    for number, line in enumerate(text.lines(), start=1):
        found = []
        for written in line.split():
            link = _LINK.fullmatch(written)
            if link is None:
                problem = f"{written[:40]!r} is not a link between two words"
                raise MalformedLine(text.name, number, problem, _ADVICE)
            found.append((int(link[1]), int(link[2])))
        yield found


def format_links(links: list[Link]) -> str:
    """Return the line of a segment.

    >>> format_links([(0, 0), (1, 2)])
    '0-0 1-2'
    """
    return " ".join(f"{first}-{second}" for first, second in links)
