"""Writes a stream of word vectors as one table for looking them up.

Only keys, words and lengths are held in memory; the vectors go straight to their place on disk.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import UnreadableFile
from tenbin.formats.tensor_file import TensorWriter
from tenbin.formats.vectors.stream import (
    Float32Array,
    KeyArray,
    KeyedRows,
    SubwordVectors,
    VectorStream,
)
from tenbin.kernels.strings.hashes import ByteArray, murmur_hashes
from tenbin.resources.vectors.precision import LossSample, Precision, encoded, unit_length
from tenbin.resources.vectors.word_keys import SEED, laid_out

FORMAT = "tenbin-vectors-1"
# A table that takes more than this in 32 bits is kept in 16, unless somebody says otherwise.
_FLOAT32_BYTES = 256 * 2**20
_WORDS_AT_ONCE = 65_536

Report = Callable[[float], None]


def write_vector_stream(
    path: Path,
    stream: VectorStream,
    *,
    source: str,
    precision: Precision | None = None,
    keep_words: bool = True,
    report: Report | None = None,
) -> None:
    """Write a table; vectors get the length 1, and of equal words the first counts.

    Args:
        path: The file to write.
        stream: The vectors.
        source: Where they come from, for messages.
        precision: How to keep them; default: 32 bits for tables up to 256 MiB, else 16.
        keep_words: Whether to keep the words beside their keys; looking up does without.
        report: Called now and then with the part that is done, from 0 to 1.

    Raises:
        UnreadableFile: There are no vectors in the stream; also whatever its reader raises.
    """
    with TensorWriter(path) as writer:
        rows = _RowWriter(writer, stream, precision)
        texts = _Texts()
        for words, vectors in stream.chunks:
            rows.add(vectors)
            texts.add(words)
            if report is not None:
                report(stream.done())
        if not rows.count:
            advice = "Expected words and their vectors."
            raise UnreadableFile(source, "there are no vectors in the file", advice)
        bucket_scales = _add_subwords(writer, stream.subwords, rows.precision)
        keyed = stream.keyed
        keys, numbers, order = _index(texts if keyed is None else keyed)
        if keyed is not None and keyed.words is not None:
            texts.add(keyed.words)
        writer.extend("keys", keys)
        named = keep_words and texts.count > 0
        if named:
            writer.extend("word_offsets", texts.offsets(order))
        writer.extend("rows", numbers)
        for name, scales in (("scales", rows.scales), ("bucket_scales", bucket_scales)):
            if scales:
                writer.extend(name, np.concatenate(scales))
        if named:
            for block in texts.blocks(order):
                writer.extend("words", block)
        writer.finish(
            {
                "format": FORMAT,
                "dimensions": str(stream.dimensions),
                "duplicates": str((texts.count if keyed is None else keyed.keys.size) - keys.size),
                **rows.facts(),
                **_subword_facts(stream.subwords),
            }
        )


class _RowWriter:
    """Writes the rows of a table and takes notes about them."""

    def __init__(
        self, writer: TensorWriter, stream: VectorStream, precision: Precision | None
    ) -> None:
        self._writer = writer
        self._free = precision is None
        self._row_bytes = 4 * stream.dimensions
        self._extra = 0 if stream.subwords is None else stream.subwords.count
        self._sample = LossSample(stream.dimensions)
        self._nulls = 0
        self.count = 0
        self.precision = precision or Precision.FLOAT32
        self.scales: list[Float32Array] = []

    def add(self, vectors: Float32Array) -> None:
        """Write more rows."""
        units = unit_length(vectors)
        self._nulls += int((~units.any(axis=1)).sum())
        self._sample.add(units)
        self.count += len(units)
        if self._free and self._row_bytes * (self.count + self._extra) > _FLOAT32_BYTES:
            self._free, self.precision = False, Precision.FLOAT16
            if self.count > len(units):
                self._writer.recast("vectors", np.float16)
        stored, scales = encoded(units, self.precision)
        self._writer.extend("vectors", stored)
        if scales is not None:
            self.scales.append(scales)

    def facts(self) -> dict[str, str]:
        """Return what is to be noted about the rows."""
        largest, mean = self._sample.loss(self.precision)
        return {
            "precision": str(self.precision),
            "null_vectors": str(self._nulls),
            "loss_max": f"{largest:.3g}",
            "loss_mean": f"{mean:.3g}",
        }


class _Texts:
    """Words in the order in which they came, in few bytes."""

    def __init__(self) -> None:
        self._parts: list[ByteArray] = []
        self._lengths: list[IntArray] = []
        self.count = 0

    def add(self, words: Sequence[str]) -> None:
        data, offsets = laid_out(words)
        self._parts.append(data)
        self._lengths.append(np.diff(offsets))
        self.count += len(words)

    def keys(self) -> KeyArray:
        """Return the keys of all words."""
        found = [
            murmur_hashes(data, np.concatenate([[0], np.cumsum(lengths)]), seed=SEED)
            for data, lengths in zip(self._parts, self._lengths, strict=True)
        ]
        return np.concatenate([np.empty(0, dtype=np.uint64), *found])

    def offsets(self, order: IntArray) -> IntArray:
        """Return where words begin and end, laid end to end in another order."""
        lengths = np.concatenate(self._lengths)[order]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    def blocks(self, order: IntArray) -> Iterator[ByteArray]:
        """Yield the words in another order, some at a time."""
        data, lengths = np.concatenate(self._parts), np.concatenate(self._lengths)
        starts = np.cumsum(lengths) - lengths
        bounds = [*range(0, order.size, _WORDS_AT_ONCE), order.size]
        for first, end in pairwise(bounds):
            chosen = order[first:end]
            sizes = lengths[chosen]
            shifts = np.repeat(starts[chosen] - (np.cumsum(sizes) - sizes), sizes)
            yield data[shifts + np.arange(sizes.sum())]


def _index(source: _Texts | KeyedRows) -> tuple[KeyArray, IdArray, IntArray]:
    """Return sorted keys, the row of each, and its place in the source; the first of equals."""
    if isinstance(source, KeyedRows):
        keys, rows = source.keys, source.rows
    else:
        keys = source.keys()
        rows = np.arange(keys.size, dtype=np.int32)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: keys.size]
    order = order[first]
    return ordered[first], rows[order], order


def _add_subwords(
    writer: TensorWriter, subwords: SubwordVectors | None, precision: Precision
) -> list[Float32Array]:
    """Write the vectors of n-grams, which keep their lengths: they are to be added up."""
    found: list[Float32Array] = []
    for vectors in () if subwords is None else subwords.chunks:
        stored, scales = encoded(vectors, precision)
        writer.extend("bucket_vectors", stored)
        if scales is not None:
            found.append(scales)
    return found


def _subword_facts(subwords: SubwordVectors | None) -> dict[str, str]:
    if subwords is None:
        return {}
    return {
        "shortest_subword": str(subwords.shortest),
        "longest_subword": str(subwords.longest),
    }
