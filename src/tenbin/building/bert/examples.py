"""BertTraining examples: text as rows of equal length, stored on disk, and masked subwords.

A row begins with a segment and continues with those that follow; a separator token stands between
two documents. A segment that does not fit is read again from its beginning in the next row, so that
rows are full and begin like the texts that will be scored.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.building.bert.recipe import SPECIAL_TOKENS
from tenbin.building.corpus import Advance
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.formats.lines import TextFile
from tenbin.formats.tensor_file import TensorWriter, map_tensors

RowArray = npt.NDArray[np.unsignedinteger]

_ROWS = "rows"
_LINES_AT_ONCE = 4_000
_ROWS_AT_ONCE = 4_000
_FIRST, _LAST = SPECIAL_TOKENS.index("[CLS]"), SPECIAL_TOKENS.index("[SEP]")
# Devlin et al. (2019), 3.1: 15 % of the subwords are predicted; of these 80 % are masked and 10 %
# replaced by a random one.
_SHARE = 0.15
_MASKED, _REPLACED = 0.8, 0.1
_MASK, _SEPARATOR, _START = (SPECIAL_TOKENS.index(token) for token in ("[MASK]", "[SEP]", "[CLS]"))


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
        texts: Text files, one segment per line, an empty line between documents.
        tokenizer: The subword tokenizer.
        length: Subwords of a row, special tokens at both ends included.
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
                f"{', '.join(texts)}: the text is too short, expected more than "
                f"{counted(length, 'subword')}, a row. Give more text, or a smaller length."
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
        segments: Ids of subwords; None at the end of a document.
        length: Subwords of a row, special tokens at both ends included.

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
            # The segment that did not fit, or the rest of one longer than a row.
            rest = segment if start and len(held) > room else held[room:]
            held, start = list(rest), 0


def _documents(
    texts: Sequence[str],
    tokenizer: Any,  # noqa: ANN401 - of the library tokenizers
    advance: Advance | None,
) -> Iterator[list[int] | None]:
    """Yield the subwords of each segment, and None after each document."""
    for text in texts:
        lines = TextFile(text).lines()
        while some := list(islice(lines, _LINES_AT_ONCE)):
            if advance is not None:
                advance(sum(len(line.encode("utf-8")) + 1 for line in some))
            cut = tokenizer.encode_batch(some, add_special_tokens=False)
            for encoding in cut:
                yield encoding.ids or None
        yield None


class Masked(NamedTuple):
    """Rows with masked subwords.

    Attributes:
        inputs: The input of the model, shape (rows, length).
        places: Positions that are predicted, shape (rows, predictions).
        labels: The original subwords there, shape (rows, predictions).
    """

    inputs: Any
    places: Any
    labels: Any


def masked(torch: Any, rows: Any, generator: Any, vocabulary: int) -> Masked:  # noqa: ANN401
    """Mask subwords of rows, the same number in each row, so that all shapes are equal.

    Args:
        torch: The library.
        rows: Ids of subwords, shape (rows, length).
        generator: Random generator on the device of the rows.
        vocabulary: Size of the vocabulary.
    """
    count, length = rows.shape
    device = rows.device
    predictions = max(round(_SHARE * (length - 2)), 1)
    order = torch.rand(count, length, generator=generator, device=device)
    special = (rows == _START) | (rows == _SEPARATOR)
    places = order.masked_fill(special, -1.0).topk(predictions, dim=1).indices
    labels = rows.gather(1, places)
    chance = torch.rand(count, predictions, generator=generator, device=device)
    others = torch.randint(
        len(SPECIAL_TOKENS), vocabulary, (count, predictions), generator=generator, device=device
    )
    shown = torch.where(chance < _MASKED + _REPLACED, others, labels)
    shown = shown.masked_fill(chance < _MASKED, _MASK)
    return Masked(rows.scatter(1, places, shown), places, labels)
