"""The lengths that word vectors have in their file; tables have vectors of length 1.

A form of its own, beside the table: only a metric that averages vectors as they stand reads it,
and no table has to be made again for it.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.formats.tensor_file import TensorWriter, check_tensors, map_tensors
from tenbin.formats.vectors.detection import files_of, open_vectors
from tenbin.formats.vectors.stream import Float32Array
from tenbin.resources.store.fingerprints import FingerprintCache, State, state_of
from tenbin.resources.store.preparation import conversion_progress
from tenbin.resources.store.store import ResourceStore, default_store
from tenbin.resources.vectors.conversion import QUICK_BYTES, prepared_folder

FORM = "vector-lengths-1"  # in tenbin.resources.store.preparation
_FILE_NAME = "lengths.safetensors"
_FORMAT = "tenbin-vector-lengths-1"
_CHECK = "vector-lengths-1"
_ADVICE = "Delete the file; it is made again from the vectors."


@dataclass(frozen=True, slots=True, eq=False)
class VectorLengths:
    """The length of the vector of each row of a table.

    Attributes:
        by_row: The lengths.
        mean: Their mean; null vectors do not count.
    """

    by_row: Float32Array
    mean: float

    def of(self, rows: IdArray) -> FloatArray:
        """Return the lengths of some rows; the mean for a word that has none (a negative row)."""
        found: FloatArray = np.where(rows >= 0, self.by_row[np.maximum(rows, 0)], self.mean)
        return found


def prepare_lengths(source: Path, folder: Path) -> None:
    """Write the lengths of the vectors of a file or folder, in the order of the file."""
    size = sum(path.stat().st_size for path in files_of(source))
    with (
        conversion_progress(f"reading {source.name}", wanted=size > QUICK_BYTES) as report,
        TensorWriter(folder / _FILE_NAME) as writer,
    ):
        stream = open_vectors(source)
        for _, vectors in stream.chunks:
            # In 64 bits no square leaves the range.
            wide = vectors.astype(np.float64)
            lengths = np.sqrt((wide * wide).sum(axis=1))
            writer.extend("lengths", lengths.astype(np.float32))
            if report is not None:
                report(stream.done())
        writer.finish({"format": _FORMAT})


def load_lengths(name: str, language: str, store: ResourceStore | None = None) -> VectorLengths:
    """Return the lengths of word vectors.

    Args:
        name: A name of the manifest, or a path.
        language: The language of a file.
        store: The resource store; default: the user's.

    Raises:
        UsageError: The vectors are a table, and nobody knows how long they were.
        MissingResource: It is not installed; the message is the command that installs it.
        InputError: The file cannot be read; the message has the position.
        OutputError: The cache folder cannot be written, or is full.
    """
    chosen = default_store() if store is None else store
    identity, folder = prepared_folder(name, language, chosen, FORM)
    if folder is None:
        raise UsageError(
            f"the vectors {identity.name!r} are a table of vectors of length 1, without the "
            "lengths that they had (vector_length=raw). Name the file that they were made from, or "
            "an installed resource; for English vectors=vectors-en."
        )
    path = folder / _FILE_NAME
    return _opened(path, chosen.fingerprints, state_of(path))


@lru_cache(maxsize=4)
def _opened(path: Path, checks: FingerprintCache, _state: State | None) -> VectorLengths:
    """Open lengths once, as long as the file is unchanged."""
    checks.check_once(path, _CHECK, check_lengths)
    by_row = np.array(map_tensors(path).tensors["lengths"], dtype=np.float32)
    known = by_row[by_row > 0].astype(np.float64)
    return VectorLengths(by_row, float(known.mean()) if known.size else 0.0)


def check_lengths(path: Path) -> None:
    """Raise `UnreadableFile` if lengths are damaged, or are not numbers."""
    check_tensors(path, _ADVICE)
    file = map_tensors(path)
    lengths = file.tensors.get("lengths")
    sound = file.metadata.get("format") == _FORMAT and lengths is not None and lengths.ndim == 1
    if lengths is None or not sound or not bool((np.isfinite(lengths) & (lengths >= 0)).all()):
        raise UnreadableFile(str(path), "the lengths of word vectors are damaged", _ADVICE)
