"""Tables of word vectors on disk: one file, memory-mapped, words found by their hash.

keys          uint64   sorted hashes of the words, see `tenbin.resources.vectors.keys`
rows          int32    the row of each key; in a pruned table several words share one
vectors       float32, float16 or int8, of shape (rows, dimensions), of length 1
scales        float32  only for int8: the factor of each row
words         uint8    the words in the order of the keys, where the source has them ...
word_offsets  int64    ... and where each begins and ends
bucket_vectors, bucket_scales   fastText's vectors of character n-grams, unchanged

Writing holds only keys, words and lengths in memory; the vectors go straight to disk.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.output import unfinished
from tenbin.formats.tensor_file import (
    Array,
    TensorFile,
    TensorWriter,
    check_tensors,
    map_tensors,
)
from tenbin.formats.vectors.stream import (
    Float32Array,
    KeyArray,
    KeyedRows,
    SubwordVectors,
    VectorChunk,
    VectorStream,
)
from tenbin.kernels.strings.hashes import ByteArray, murmur_hashes
from tenbin.resources.vectors.keys import SEED, concatenated, word_keys
from tenbin.resources.vectors.precision import (
    LossSample,
    Precision,
    decoded,
    decoded_units,
    encoded,
    unit_length,
)

FILE_NAME = "vectors.safetensors"
_NO_ROW = -1
_ROWS_AT_ONCE = 512
_CHUNK_ROWS = 8192
_ADVICE = "Make the table again from its source."
FORMAT = "tenbin-vectors-1"
# A table that takes more than this in 32 bits is stored in 16 by default.
_FLOAT32_BYTES = 256 * 2**20
_WORDS_AT_ONCE = 65_536

Report = Callable[[float], None]


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
        # In ascending order neighbors are on the same page of the file.
        order = np.argsort(wanted)
        ascending = wanted[order]
        places = np.minimum(np.searchsorted(self.keys, ascending), self.keys.size - 1)
        found = np.empty(wanted.size, dtype=np.int32)
        found[order] = np.where(self.keys[places] == ascending, self.rows[places], _NO_ROW)
        return found

    def is_shared(self, rows: IdArray) -> npt.NDArray[np.bool_]:
        """Return which rows belong to more than one word of the table."""
        sharers = np.bincount(self.rows, minlength=len(self.vectors))
        shared: npt.NDArray[np.bool_] = (rows >= 0) & (sharers[rows] > 1)
        return shared

    def units(self, rows: IdArray) -> Float32Array:
        """Return vectors of length 1, of shape (rows, dimensions); zero for a negative row."""
        units = np.zeros((rows.size, self.dimensions), dtype=np.float32)
        # In ascending order: fewer pages of the file are read one by one.
        order = np.argsort(rows, kind="stable")
        present = order[np.searchsorted(rows[order], 0) :]
        for first in range(0, present.size, _ROWS_AT_ONCE):
            chosen = present[first : first + _ROWS_AT_ONCE]
            units[chosen] = decoded_units(self.vectors[rows[chosen]])
        return units

    @property
    def bucket_count(self) -> int:
        """Number of n-gram vectors."""
        return len(self.file.tensors.get("bucket_vectors", ()))

    def buckets(self, numbers: IntArray) -> Float32Array:
        """Return n-gram vectors, not normalized."""
        scales = self.file.tensors.get("bucket_scales")
        chosen = None if scales is None else scales[numbers]
        return decoded(self.file.tensors["bucket_vectors"][numbers], chosen)

    def words(self, places: Sequence[int] | IntArray | None = None) -> list[str] | None:
        """Return the words of some keys, or of all, or None if the table has no words."""
        tensors = self.file.tensors
        if "words" not in tensors:
            return None
        data, offsets = tensors["words"], tensors["word_offsets"]
        chosen = range(self.keys.size) if places is None else places
        return [bytes(data[offsets[n] : offsets[n + 1]]).decode("utf-8") for n in chosen]


def open_vector_table(path: Path) -> VectorTable:
    """Open a table; only its header is read. See `check_vector_table` for the rest.

    Raises:
        UnreadableFile: The file is missing, truncated, or not a table of word vectors.
    """
    file = map_tensors(path)
    tensors = file.tensors
    if file.metadata.get("format") != FORMAT or not {"keys", "rows", "vectors"} <= tensors.keys():
        raise UnreadableFile(str(path), f"this is not a table of the format {FORMAT}", _ADVICE)
    if not _fits_together(file):
        raise _damaged(path)
    keys, rows, vectors = tensors["keys"], tensors["rows"], tensors["vectors"]
    return VectorTable(Precision(str(vectors.dtype)), keys, rows, vectors, file)


def check_vector_table(path: Path) -> None:
    """Raise `UnreadableFile` if a table is damaged; all of it is read, about a second a gigabyte.

    Beside the checksum, which tables of other programs may lack: keys are in ascending order, rows
    exist, words are UTF-8, and numbers are finite.
    """
    check_tensors(path, _ADVICE)
    table = open_vector_table(path)
    tensors = table.file.tensors
    sound = table.keys.size > 0 and bool((table.keys[1:] > table.keys[:-1]).all())
    sound = sound and 0 <= int(table.rows.min()) <= int(table.rows.max()) < len(table.vectors)
    if "words" in tensors:
        sound = sound and _are_words(tensors["words"], tensors["word_offsets"])
    numbers = [tensors[name] for name in _NUMBERS if name in tensors]
    if not sound or not all(map(_all_finite, numbers)):
        raise _damaged(path)


_NUMBERS = ("vectors", "scales", "bucket_vectors", "bucket_scales")
_FACTS = ("null_vectors", "duplicates", "shortest_subword", "longest_subword")


def _fits_together(file: TensorFile) -> bool:
    """Return whether the arrays of a table have the types and sizes that belong together."""
    tensors = file.tensors
    keys, rows, vectors = tensors["keys"], tensors["rows"], tensors["vectors"]
    dimensions = vectors.shape[1] if vectors.ndim == 2 else 0  # noqa: PLR2004 - a matrix
    found = {name: (array.dtype.name, array.shape) for name, array in tensors.items()}
    wanted: dict[str, tuple[str, tuple[int, ...]]] = {
        "keys": ("uint64", (keys.size,)),
        "rows": ("int32", (keys.size,)),
        "vectors": (vectors.dtype.name, (len(vectors) if vectors.ndim else 0, dimensions)),
    }
    if vectors.dtype == np.int8:
        wanted["scales"] = ("float32", (len(vectors),))
    if "words" in tensors or "word_offsets" in tensors:
        wanted["words"] = ("uint8", (tensors["words"].size if "words" in tensors else 0,))
        wanted["word_offsets"] = ("int64", (keys.size + 1,))
    buckets = tensors.get("bucket_vectors")
    if buckets is not None:
        count = len(buckets) if buckets.ndim else 0
        wanted["bucket_vectors"] = (vectors.dtype.name, (count, dimensions))
        if vectors.dtype == np.int8:
            wanted["bucket_scales"] = ("float32", (count,))
    counts = all(file.metadata.get(name, "0").isdecimal() for name in _FACTS)
    sized = rows.ndim == 1 and dimensions > 0 and vectors.dtype.name in set(Precision)
    return counts and sized and wanted.items() <= found.items()


def _are_words(data: ByteArray, offsets: IntArray) -> bool:
    if int(offsets[0]) != 0 or int(offsets[-1]) != data.size or (np.diff(offsets) < 0).any():
        return False
    try:
        data.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    # A word begins where a character does (10xxxxxx continues one).
    starts = offsets[:-1][offsets[:-1] < data.size]
    return not bool((data[starts] & 0xC0 == 0x80).any())  # noqa: PLR2004 - bits of UTF-8


def _all_finite(numbers: Array) -> bool:
    if numbers.dtype.kind != "f":
        return True
    return all(
        bool(np.isfinite(numbers[first : first + _CHUNK_ROWS]).all())
        for first in range(0, len(numbers), _CHUNK_ROWS)
    )


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(str(path), "the table of word vectors is damaged", _ADVICE)


def is_vector_table(path: Path) -> bool:
    """Return whether a safetensors file is such a table."""
    return map_tensors(path).metadata.get("format") == FORMAT


def write_vector_table(
    path: Path,
    words: Sequence[str],
    vectors: Float32Array,
    *,
    precision: Precision = Precision.FLOAT32,
    keep_words: bool = True,
) -> None:
    """Write a table of words and vectors that are in memory, atomically.

    Args:
        path: The file to write.
        words: One word per vector; of equal words the first is used.
        vectors: Shape (words, dimensions), not normalized.
        precision: Number type of the table.
        keep_words: Whether to store the words beside their keys; lookup does not need them.
    """
    if len(words) != len(vectors):
        raise ValueError(f"{counted(len(words), 'word')} and {counted(len(vectors), 'vector')}")
    stream = VectorStream(
        dimensions=vectors.shape[1], chunks=_chunks(words, vectors), count=len(words)
    )
    with (
        tempfile.TemporaryDirectory(prefix=".tenbin-", dir=path.parent) as folder,
        unfinished(Path(folder)),
    ):
        made = Path(folder) / FILE_NAME
        write_vector_stream(
            made, stream, source=str(path), precision=precision, keep_words=keep_words
        )
        made.replace(path)


def _chunks(words: Sequence[str], vectors: Float32Array) -> Iterator[VectorChunk]:
    for first in range(0, len(words), _CHUNK_ROWS):
        end = first + _CHUNK_ROWS
        yield words[first:end], np.asarray(vectors[first:end], dtype=np.float32)


def write_vector_stream(
    path: Path,
    stream: VectorStream,
    *,
    source: str,
    precision: Precision | None = None,
    keep_words: bool = True,
    report: Report | None = None,
) -> None:
    """Write a table; vectors are normalized to length 1, and of equal words the first is used.

    Args:
        path: The file to write.
        stream: The vectors.
        source: Where they come from, for messages.
        precision: Number type of the table; default: 32 bits up to 256 MiB, else 16.
        keep_words: Whether to store the words beside their keys; lookup does not need them.
        report: Called now and then with the progress, from 0 to 1.

    Raises:
        UnreadableFile: There are no vectors in the stream; also the errors of its reader.
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
    """Writes the rows of a table and collects facts about them."""

    def __init__(
        self, writer: TensorWriter, stream: VectorStream, precision: Precision | None
    ) -> None:
        self._writer = writer
        self._automatic = precision is None
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
        if self._automatic and self._row_bytes * (self.count + self._extra) > _FLOAT32_BYTES:
            self._automatic, self.precision = False, Precision.FLOAT16
            if self.count > len(units):
                self._writer.recast("vectors", np.float16)
        stored, scales = encoded(units, self.precision)
        self._writer.extend("vectors", stored)
        if scales is not None:
            self.scales.append(scales)

    def facts(self) -> dict[str, str]:
        """Return the metadata of the rows."""
        largest, mean = self._sample.loss(self.precision)
        return {
            "precision": str(self.precision),
            "null_vectors": str(self._nulls),
            "loss_max": f"{largest:.3g}",
            "loss_mean": f"{mean:.3g}",
        }


class _Texts:
    """Words in the order of the stream, stored compactly."""

    def __init__(self) -> None:
        self._parts: list[ByteArray] = []
        self._lengths: list[IntArray] = []
        self.count = 0

    def add(self, words: Sequence[str]) -> None:
        data, offsets = concatenated(words)
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
        """Return the offsets of the words, concatenated in another order."""
        lengths = np.concatenate(self._lengths)[order]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    def blocks(self, order: IntArray) -> Iterator[ByteArray]:
        """Yield the words in another order, in blocks."""
        data, lengths = np.concatenate(self._parts), np.concatenate(self._lengths)
        starts = np.cumsum(lengths) - lengths
        bounds = [*range(0, order.size, _WORDS_AT_ONCE), order.size]
        for first, end in pairwise(bounds):
            chosen = order[first:end]
            sizes = lengths[chosen]
            shifts = np.repeat(starts[chosen] - (np.cumsum(sizes) - sizes), sizes)
            yield data[shifts + np.arange(sizes.sum())]


def _index(source: _Texts | KeyedRows) -> tuple[KeyArray, IdArray, IntArray]:
    """Return sorted distinct keys, the row of each, and its position in the source."""
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
    """Write the n-gram vectors, which are not normalized: they are summed."""
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
