"""The number types of vector tables, and the loss of precision they cause."""

from enum import StrEnum
from functools import cache

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.formats.tensor_file import Array
from tenbin.formats.vectors.stream import Float32Array

_SAMPLE_ROWS = 2000
_SAMPLE_PAIRS = 10_000
_SEED = 20_260_101  # any number, but always the same
_MOST_INT8 = 127
# Below this, squares in 32 bits lose precision.
_LEAST_EXACT = np.float32(1e-15)


class Precision(StrEnum):
    """Number type of a table."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    INT8 = "int8"


def unit_length(vectors: Float32Array) -> Float32Array:
    """Return vectors divided by their length, in 32 bits as METEOR-E does; zero stays zero."""
    with np.errstate(over="ignore", under="ignore"):
        lengths = np.sqrt((vectors * vectors).sum(axis=1, dtype=np.float32), dtype=np.float32)
    scaled: Float32Array = np.zeros_like(vectors)
    np.divide(vectors, lengths[:, None], out=scaled, where=lengths[:, None] > 0)
    extreme = np.flatnonzero(~(np.isfinite(lengths) & (lengths > _LEAST_EXACT)))
    if extreme.size:
        # Numbers whose squares leave the range of 32 bits; zero vectors are unchanged.
        largest = np.abs(vectors[extreme]).max(axis=1, initial=0)
        nonzero = largest > 0
        halfway = vectors[extreme[nonzero]] / largest[nonzero, None]
        lengths = np.sqrt((halfway * halfway).sum(axis=1, dtype=np.float32), dtype=np.float32)
        scaled[extreme[nonzero]] = halfway / lengths[:, None]
    return scaled


def encoded(vectors: Float32Array, precision: Precision) -> tuple[Array, Float32Array | None]:
    """Return vectors as they are stored, and the scale of each row for int8."""
    if precision is Precision.FLOAT32:
        return vectors, None
    if precision is Precision.FLOAT16:
        return vectors.astype(np.float16), None
    scales = (np.abs(vectors).max(axis=1, initial=0) / _MOST_INT8).astype(np.float32)
    steps = np.zeros_like(vectors)
    np.divide(vectors, scales[:, None], out=steps, where=scales[:, None] > 0)
    return np.rint(steps).astype(np.int8), scales


def decoded(stored: Array, scales: Float32Array | None) -> Float32Array:
    """Return stored vectors in 32 bits."""
    if stored.dtype == np.float16:
        # A lookup table of all 65,536 numbers takes half the time of numpy's conversion.
        return np.take(_half_numbers(), stored.view(np.uint16))
    numbers: Float32Array = stored.astype(np.float32)
    return numbers if scales is None else numbers * scales[:, None]


def decoded_units(stored: Array) -> Float32Array:
    """Return stored vectors of length 1 in 32 bits; they are normalized again after rounding."""
    numbers = decoded(stored, None)
    if stored.dtype != np.float32:
        lengths = np.sqrt((numbers * numbers).sum(axis=1, dtype=np.float32), dtype=np.float32)
        lengths[lengths == 0] = 1
        numbers /= lengths[:, None]
    return numbers


@cache
def _half_numbers() -> Float32Array:
    return np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)


class LossSample:
    """A uniform sample of the rows of a stream, to measure the loss of precision."""

    def __init__(self, dimensions: int) -> None:
        self._rng = np.random.default_rng(_SEED)
        self._ranks: FloatArray = np.empty(0)
        self._rows: Float32Array = np.empty((0, dimensions), dtype=np.float32)

    def add(self, vectors: Float32Array) -> None:
        """Add rows; those with the smallest random ranks stay in the sample."""
        ranks = self._rng.random(len(vectors))
        if self._ranks.size == _SAMPLE_ROWS:
            near = np.flatnonzero(ranks < self._ranks[-1])
            ranks, vectors = ranks[near], vectors[near]
        merged = np.concatenate([self._ranks, ranks])
        chosen = np.argsort(merged, kind="stable")[:_SAMPLE_ROWS]
        self._ranks = merged[chosen]
        self._rows = np.concatenate([self._rows, vectors])[chosen]

    def loss(self, precision: Precision) -> tuple[float, float]:
        """Return the largest and the mean change of the cosines of 10,000 random pairs."""
        if precision is Precision.FLOAT32 or not len(self._rows):
            return 0.0, 0.0
        restored = decoded_units(encoded(self._rows, precision)[0])
        left, right = self._rng.integers(0, len(self._rows), (2, _SAMPLE_PAIRS))
        wide = self._rows.astype(np.float64), restored.astype(np.float64)
        exact, rounded = ((rows[left] * rows[right]).sum(axis=1) for rows in wide)
        changes = np.abs(exact - rounded)
        return float(changes.max()), float(changes.mean())
