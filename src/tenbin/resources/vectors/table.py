"""Tables of word vectors on disk: one file, mapped into memory, words found by their hash.

keys          uint64   sorted hashes of the words, see `tenbin.resources.vectors.word_keys`
rows          int32    the row of each key; in a pruned table several words share one
vectors       float32, float16 or int8, of shape (rows, dimensions), of length 1
scales        float32  only for int8: what each row is to be multiplied by
words         uint8    the words in the order of the keys, where the source has them ...
word_offsets  int64    ... and where each begins and ends
bucket_vectors, bucket_scales   fastText's vectors of character n-grams, as they are
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import UnreadableFile
from tenbin.formats.tensor_file import Array, TensorFile, map_tensors
from tenbin.formats.vectors.stream import Float32Array, KeyArray, VectorChunk, VectorStream
from tenbin.resources.vectors.precision import Precision, decoded, decoded_units
from tenbin.resources.vectors.word_keys import word_keys
from tenbin.resources.vectors.writing import FORMAT, write_vector_stream

FILE_NAME = "vectors.safetensors"
_NO_ROW = -1
_ROWS_AT_ONCE = 512
_CHUNK_ROWS = 8192
_ADVICE = "Make the table again from its source."


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """A table of word vectors, read from disk as it is used."""

    precision: Precision
    keys: KeyArray
    rows: IdArray
    vectors: Array
    file: TensorFile

    @property
    def dimensions(self) -> int:
        """Numbers per vector."""
        return int(self.vectors.shape[1])

    def rows_of(self, words: Sequence[str]) -> IdArray:
        """Return the row of each word, -1 for words that are not in the table."""
        wanted = word_keys(words)
        # In ascending order neighbours are on the same page of the file.
        order = np.argsort(wanted)
        ascending = wanted[order]
        places = np.minimum(np.searchsorted(self.keys, ascending), self.keys.size - 1)
        found = np.empty(wanted.size, dtype=np.int32)
        found[order] = np.where(self.keys[places] == ascending, self.rows[places], _NO_ROW)
        return found

    def units(self, rows: IdArray) -> Float32Array:
        """Return vectors of length 1, of shape (rows, dimensions); null for a negative row."""
        units = np.zeros((rows.size, self.dimensions), dtype=np.float32)
        # In ascending order: fewer pages of the file are asked for one by one.
        order = np.argsort(rows, kind="stable")
        present = order[np.searchsorted(rows[order], 0) :]
        for first in range(0, present.size, _ROWS_AT_ONCE):
            chosen = present[first : first + _ROWS_AT_ONCE]
            units[chosen] = decoded_units(self.vectors[rows[chosen]])
        return units

    @property
    def bucket_count(self) -> int:
        """Number of the vectors of n-grams."""
        return len(self.file.tensors.get("bucket_vectors", ()))

    def buckets(self, numbers: IntArray) -> Float32Array:
        """Return vectors of n-grams, in their own lengths."""
        scales = self.file.tensors.get("bucket_scales")
        chosen = None if scales is None else scales[numbers]
        return decoded(self.file.tensors["bucket_vectors"][numbers], chosen)

    def words(self, places: Sequence[int] | IntArray | None = None) -> list[str] | None:
        """Return the words of some keys, or of all, or None if the table does not keep words."""
        tensors = self.file.tensors
        if "words" not in tensors:
            return None
        data, offsets = tensors["words"], tensors["word_offsets"]
        chosen = range(self.keys.size) if places is None else places
        return [bytes(data[offsets[n] : offsets[n + 1]]).decode("utf-8") for n in chosen]


def open_vector_table(path: Path) -> VectorTable:
    """Open a table; nothing but its header is read.

    Raises:
        UnreadableFile: The file is missing, damaged, or no table of word vectors.
    """
    file = map_tensors(path)
    tensors = file.tensors
    if file.metadata.get("format") != FORMAT or not {"keys", "rows", "vectors"} <= tensors.keys():
        raise UnreadableFile(str(path), f"this is no table of the form {FORMAT}", _ADVICE)
    keys, rows, vectors = tensors["keys"], tensors["rows"], tensors["vectors"]
    precision = Precision(str(vectors.dtype))
    return VectorTable(precision, keys, rows, vectors, file)


def is_vector_table(path: Path) -> bool:
    """Return whether a file of safetensors is such a table."""
    return map_tensors(path).metadata.get("format") == FORMAT


def write_vector_table(
    path: Path,
    words: Sequence[str],
    vectors: Float32Array,
    *,
    precision: Precision = Precision.FLOAT32,
    keep_words: bool = True,
) -> None:
    """Write a table of words and vectors that are in memory; the file is whole or not there.

    Args:
        path: The file to write.
        words: One word per vector; of equal words the first counts.
        vectors: Shape (words, dimensions), of any lengths.
        precision: How to keep them.
        keep_words: Whether to keep the words beside their keys; looking up does without.
    """
    if len(words) != len(vectors):
        raise ValueError(f"{len(words)} words and {len(vectors)} vectors")
    stream = VectorStream(
        dimensions=vectors.shape[1], chunks=_chunks(words, vectors), count=len(words)
    )
    with tempfile.TemporaryDirectory(prefix=".tenbin-", dir=path.parent) as folder:
        made = Path(folder) / FILE_NAME
        write_vector_stream(
            made, stream, source=str(path), precision=precision, keep_words=keep_words
        )
        made.replace(path)


def _chunks(words: Sequence[str], vectors: Float32Array) -> Iterator[VectorChunk]:
    for first in range(0, len(words), _CHUNK_ROWS):
        end = first + _CHUNK_ROWS
        yield words[first:end], np.asarray(vectors[first:end], dtype=np.float32)
