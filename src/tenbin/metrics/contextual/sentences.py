"""Texts as one vector each, and pieces that stand far apart as less alike."""

from dataclasses import dataclass, replace

import numpy as np

from tenbin.annotation.encoders.context_encoder import unit_length
from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, Float32Array, PieceFlag
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.vectors.blocks import Blocks


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Texts as pieces, and as one vector each.

    Attributes:
        texts: The pieces, with vectors of a layer in the middle.
        vectors: The mean of the vectors of the last layer, of length 1; null where there is
            none, as in an empty text.
    """

    texts: EncodedTexts
    vectors: FloatArray

    def cosines(self, left: IntArray, right: IntArray) -> FloatArray:
        """Return the cosine of pairs of texts; equal texts are exactly 1 alike."""
        found = (self.vectors[left] * self.vectors[right]).sum(axis=1)
        return np.where(left == right, 1.0, np.clip(found, -1.0, 1.0))

    def known(self, left: IntArray, right: IntArray) -> BoolArray:
        """Return which pairs have a vector on both sides."""
        there: BoolArray = np.any(self.vectors, axis=1)
        return there[left] & there[right]


def two_layers(encoded: EncodedTexts) -> Sentences:
    """Return texts whose vectors are those of two layers, end to end."""
    middle = encoded.units.shape[1] // 2
    texts = replace(encoded, units=padded(unit_length(encoded.units[:, :middle])))
    return Sentences(texts, _means(encoded, unit_length(encoded.units[:, middle:])))


def one_layer(encoded: EncodedTexts) -> Sentences:
    """Return texts whose vectors are words', which have no layers."""
    return Sentences(replace(encoded, units=padded(encoded.units)), _means(encoded, encoded.units))


def _means(encoded: EncodedTexts, units: Float32Array) -> FloatArray:
    """Return the mean direction of the pieces of each text, marks of the model left out."""
    special = encoded.having(PieceFlag.SPECIAL)
    sums: FloatArray = np.zeros((len(encoded.rows), units.shape[1]))
    for row in range(len(sums)):
        own = encoded.rows.row(row)
        sums[row] = units[own[~special[own]]].sum(axis=0, dtype=np.float64)
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    found: FloatArray = np.zeros(sums.shape)
    np.divide(sums, lengths, out=found, where=lengths > 0)
    return found


def less_apart(part: Blocks, loss: float) -> Blocks:
    """Return similarities that fall with the distance of relative positions |i / m - j / n|.

    Args:
        part: Similarities; those that are not positive stay as they are.
        loss: The share that is lost between the first and the last piece.

    >>> block = Blocks.of(np.ones((2, 2), dtype=np.float32))
    >>> less_apart(block, 0.4).values.round(6).tolist()
    [1.0, 0.800000011920929, 0.800000011920929, 1.0]
    """
    sizes = part.heights * part.widths
    place = np.arange(len(part.values)) - np.repeat(part.starts[:-1], sizes)
    row, column = np.divmod(place, np.repeat(part.widths, sizes))
    apart = np.abs(
        (row + 1) / np.repeat(part.heights, sizes) - (column + 1) / np.repeat(part.widths, sizes)
    )
    kept = np.where(part.values > 0, 1 - loss * apart, 1.0)
    return part._replace(values=(part.values * kept).astype(np.float32))
