"""Text as rows of equal length for a model, kept on disk.

A row begins with a segment and goes on with those that follow, to its end; a mark stands between
two documents. The segment that did not fit is read again from its beginning in the next row, so
that rows are full and begin as the texts do that will be scored.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.building.bert.recipe import SPECIALS
from tenbin.building.corpus import Advance
from tenbin.core.errors import InputError
from tenbin.formats.lines import TextFile
from tenbin.formats.tensor_file import TensorWriter, map_tensors

RowArray = npt.NDArray[np.unsignedinteger]

_ROWS = "rows"
_LINES_AT_ONCE = 4_000
_ROWS_AT_ONCE = 4_000
_FIRST, _LAST = SPECIALS.index("[CLS]"), SPECIALS.index("[SEP]")


def write_rows(
    path: Path,
    texts: Sequence[str],
    tokenizer: Any,  # noqa: ANN401 - of the library tokenizers
    length: int,
    advance: Advance | None = None,
) -> int:
    """Write the rows of text files and return how many there are.

    Args:
        path: The file to write.
        texts: Text files, a segment a line, a blank line between documents.
        tokenizer: What cuts text into pieces.
        length: Pieces of a row, marks at both ends included.
        advance: Called with the number of bytes of each part of the text.

    Raises:
        InputError: A file cannot be read, or all of them together do not fill a row.
    """
    kind = np.uint16 if tokenizer.get_vocab_size() <= np.iinfo(np.uint16).max else np.uint32
    rows = packed_rows(_documents(texts, tokenizer, advance), length)
    count = 0
    with TensorWriter(path) as writer:
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            writer.extend(_ROWS, np.array(some, dtype=kind))
            count += len(some)
        if not count:
            raise InputError(
                f"{', '.join(texts)}: the text is too short, expected more than the {length} "
                "pieces that are read at once. Give more text, or a smaller --length."
            )
        writer.finish({})
    return count


def read_rows(path: Path) -> RowArray:
    """Map rows into memory, shape (rows, length)."""
    rows: RowArray = map_tensors(path).tensors[_ROWS]
    return rows


def packed_rows(segments: Iterator[list[int] | None], length: int) -> Iterator[list[int]]:
    """Yield full rows.

    Args:
        segments: Numbers of pieces; None where a document ends.
        length: Pieces of a row, marks at both ends included.

    >>> list(packed_rows(iter([[10, 11], [12], None, [20, 21, 22]]), 6))
    [[2, 10, 11, 12, 3, 3]]
    >>> list(packed_rows(iter([[10, 11], [12, 13, 14], [15], [16]]), 6))
    [[2, 10, 11, 12, 13, 3], [2, 12, 13, 14, 15, 3]]
    """
    room = length - 2
    held: list[int] = []
    ended = False
    for segment in segments:
        if segment is None:
            ended = bool(held)
            continue
        if ended:
            held.append(_LAST)
            ended = False
        start = len(held)
        held += segment
        while len(held) >= room:
            yield [_FIRST, *held[:room], _LAST]
            # Read again what did not fit; of a segment longer than a row, what is left of it.
            rest = segment if start and len(held) > room else held[room:]
            held, start = list(rest), 0


def _documents(
    texts: Sequence[str],
    tokenizer: Any,  # noqa: ANN401 - of the library tokenizers
    advance: Advance | None,
) -> Iterator[list[int] | None]:
    """Yield the pieces of each segment, and None after each document."""
    for text in texts:
        lines = TextFile(text).lines()
        while some := list(islice(lines, _LINES_AT_ONCE)):
            if advance is not None:
                advance(sum(len(line.encode("utf-8")) + 1 for line in some))
            cut = tokenizer.encode_batch(some, add_special_tokens=False)
            for pieces in cut:
                yield pieces.ids or None
        yield None
