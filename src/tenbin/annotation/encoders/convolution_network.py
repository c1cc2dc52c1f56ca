"""The forward pass of the multilingual Universal Sentence Encoder, in numpy.

A subword has a vector; three residual stacks of two convolutions each look at 2, 3 and 5
neighbors; what they see is put beside the vector, normalized and projected. The sum of a text's
subwords, divided by the square root of their number, goes through four dense layers.
"""

import numpy as np

from tenbin.annotation.encoders.encoded import Float32Array
from tenbin.core.arrays import IdArray
from tenbin.resources.sentence_network import (
    CONVOLVED,
    EMBEDDED,
    WIDTHS,
    SentenceNetwork,
)

# Neighbors on the left of a subword; the others are on its right.
_LEFT = {2: 0, 3: 1, 5: 2}
_WIDE = EMBEDDED + CONVOLVED * len(WIDTHS)


class ConvolutionNetwork:
    """Runs a network on texts of equal length."""

    def __init__(self, network: SentenceNetwork) -> None:
        self._network = network
        self._weights = network.weights
        self._projection = self._beside("proj{}", axis=1)
        self._projection_bias = self._beside("proj_b{}")
        self._gain = self._beside("ln_g{}")
        self._shift = self._beside("ln_b{}")

    def _beside(self, name: str, axis: int = 0) -> Float32Array:
        return np.concatenate([self._weights[name.format(width)] for width in WIDTHS], axis=axis)

    def embedded(self, ids: IdArray) -> Float32Array:
        """Return the vectors of subwords, whatever their context; ``(texts, subwords, 512)``."""
        network = self._network
        table = ids % len(network.scales)
        vectors = network.codes[ids].astype(np.float32)
        vectors *= network.scales[table][..., np.newaxis]
        vectors += network.lows[table][..., np.newaxis]
        return vectors

    def in_context(self, ids: IdArray) -> Float32Array:
        """Return the vectors of subwords in their context; ``(texts, subwords, 512)``.

        Args:
            ids: Subwords of texts of one length, special tokens included, ``(texts, subwords)``.
        """
        return _product(self._seen(ids), self._weights["cnn_W"], self._weights["cnn_b"])

    def texts(self, ids: IdArray) -> Float32Array:
        """Return the vector of each text, of length 1; ``(texts, 512)``."""
        weights = self._weights
        count = np.float32(ids.shape[1])
        # As if `in_context` were summed up: one product for each text in place of one per subword.
        summed = _product(self._seen(ids).sum(axis=1), weights["cnn_W"], count * weights["cnn_b"])
        summed /= np.sqrt(count)
        first = _positive(summed @ weights["d0"])
        second = _positive(summed @ weights["p1"] + first @ weights["d1"])
        third = _positive(second @ weights["d2"])
        found = np.tanh(second @ weights["p3"] + third @ weights["d3"])
        squares = np.square(found).sum(axis=1, keepdims=True)
        return np.asarray(found / np.sqrt(np.maximum(squares, self._network.epsilon)), np.float32)

    def _seen(self, ids: IdArray) -> Float32Array:
        """Return each subword's vector beside what the convolutions see of its neighbors."""
        found = np.empty((*ids.shape, _WIDE), dtype=np.float32)
        found[..., :EMBEDDED] = self.embedded(ids)
        below = _product(found[..., :EMBEDDED], self._projection, self._projection_bias)
        self._normalize(below, self._gain, self._shift)
        for number, width in enumerate(WIDTHS):
            start = number * CONVOLVED
            seen = below[..., start : start + CONVOLVED]
            for step in ("1", "2"):
                seen = self._convolved(seen, width, step)
            start += EMBEDDED
            found[..., start : start + CONVOLVED] = seen
        self._normalize(found, self._weights["ln_g"], self._weights["ln_b"])
        return found

    def _convolved(self, seen: Float32Array, width: int, step: str) -> Float32Array:
        """Return vectors with what a convolution sees of each one's neighbors; ends see zeros."""
        left, size = _LEFT[width], seen.shape[1]
        neighbors = np.zeros((*seen.shape[:2], width, CONVOLVED), dtype=np.float32)
        for place in range(width):
            apart = place - left
            here = slice(max(-apart, 0), size - max(apart, 0))
            there = slice(max(apart, 0), size + min(apart, 0))
            neighbors[:, here, place] = seen[:, there]
        rows = neighbors.reshape(*seen.shape[:2], -1)
        name = f"{step}_{width}"
        found = _positive(_product(rows, self._weights[f"w{name}"], self._weights[f"b{name}"]))
        found += seen
        return found

    def _normalize(self, vectors: Float32Array, gain: Float32Array, shift: Float32Array) -> None:
        """Give each vector mean 0 and variance 1, then the gain and shift of a layer, in place."""
        vectors -= vectors.mean(axis=-1, keepdims=True)
        variance = np.einsum("...i,...i->...", vectors, vectors) / np.float32(vectors.shape[-1])
        vectors /= np.sqrt(variance + np.float32(self._network.epsilon))[..., np.newaxis]
        vectors *= gain
        vectors += shift


def _product(vectors: Float32Array, weights: Float32Array, bias: Float32Array) -> Float32Array:
    """Return all vectors times a matrix, in one product."""
    rows: Float32Array = vectors.reshape(-1, vectors.shape[-1]) @ weights
    rows += bias
    return rows.reshape(*vectors.shape[:-1], -1)


def _positive(values: Float32Array) -> Float32Array:
    """Return values with 0 in place of negative ones, changed in place."""
    np.maximum(values, np.float32(0), out=values)
    return values
