"""Cosines of whole texts: of their vectors, the means of those of words, or counts of words."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.explanation import Step
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.links import linked
from tenbin.metrics.representations.blocks import part_bounds
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words, vectors_of
from tenbin.metrics.representations.word_counts import shared_counts, squared_counts
from tenbin.metrics.written_numbers import n

# Coordinates of words held at a time, in 64 bits.
_MOST_COORDINATES = 8_000_000
_PRODUCTS = {
    False: "of the sums of both sides' vectors: all cosines, added up",
    True: "of the sums of both sides' vectors: all cosines × both lengths, added up",
}


@dataclass(frozen=True, kw_only=True)
class CosineOfMeans(Aggregation):
    """The cosine of the mean vectors of two texts (SV), in the lengths that the tokens give."""

    reads_blocks: ClassVar[bool] = False

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        return self._cosines(compared)[0]

    def explanation(self, compared: Compared) -> Explained:
        """Return all links of words, and the cosine of the sums of their vectors."""
        similarities = compared.similarities()
        compared_lengths = vectors_of(compared.tokens).lengths
        cosine, product, own, other = (float(values[0]) for values in self._cosines(compared))
        formula = f"{n(product)} / ({n(own)} × {n(other)})" if own * other else "0"
        return linked(compared, similarities, similarities != 0), (
            Step("product", _PRODUCTS[compared_lengths is not None], "", product),
            Step("translation", "length of the sum of its vectors", "", own),
            Step("reference", "length of the sum of its vectors", "", other),
            Step("score", "cosine of the sums, which is that of the means", formula, cosine),
        )

    def _cosines(self, compared: Compared) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return cosines, products and both lengths of the sums of some pairs."""
        words = vectors_of(compared.tokens)
        left, right = compared.rows
        used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        sums = _sums(words, used)
        here, there = places[: len(left)], places[len(left) :]
        squares = (sums * sums).sum(axis=1)
        product = np.empty(len(left))
        for low in range(0, len(left), step := max(1, _MOST_COORDINATES // max(sums.shape[1], 1))):
            part = slice(low, low + step)
            product[part] = (sums[here[part]] * sums[there[part]]).sum(axis=1)
        product -= words.excess(left, right)
        squares -= words.excess(used, used)
        if words.equal_unknown:
            unknown = kept_words(words.rows, ~words.known)
            unknown = Ragged(words.classes[unknown.values], unknown.offsets)
            # Each a dimension of its own, and all of one length.
            square = words.unknown_length**2
            product += square * shared_counts(unknown, left, right)
            squares += square * squared_counts(unknown)[used]
        own, other = np.sqrt(squares[here]), np.sqrt(squares[there])
        lengths = own * other
        cosines = np.divide(product, lengths, out=np.zeros(len(left)), where=lengths > 0)
        return np.clip(cosines, -1.0, 1.0), product, own, other


@dataclass(frozen=True, kw_only=True)
class CosineOfCounts(Aggregation):
    """The cosine of the word counts of two texts."""

    reads_blocks: ClassVar[bool] = False

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        rows = compared.tokens.rows
        left, right = compared.rows
        squares = squared_counts(rows)
        lengths = np.sqrt(squares[left] * squares[right])
        shared = shared_counts(rows, left, right)
        cosines = np.divide(shared, lengths, out=np.zeros(len(left)), where=lengths > 0)
        # √(a² b²) may fall a bit short of ab where the two differ.
        return np.minimum(cosines, 1.0)

    def explanation(self, compared: Compared) -> Explained:
        """Return the equal words, and the cosine of their counts."""
        similarities = compared.similarities()
        equal = similarities > 0
        squares = squared_counts(compared.tokens.rows)
        own, other = (float(squares[side[0]]) for side in compared.rows)
        score = float(self.scores(compared)[0])
        pairs = float(equal.sum())
        formula = f"{n(pairs)} / √({n(own)} × {n(other)})" if score else "0"
        return linked(compared, similarities, equal), (
            Step("equal pairs", "Σ count here × count there, over all words", "", pairs),
            Step("translation", "Σ count², over its words", "", own),
            Step("reference", "Σ count², over its words", "", other),
            Step("score", "cosine of the counts", formula, score),
        )


@dataclass(frozen=True, kw_only=True)
class CosineOfTexts(CosineOfMeans):
    """The cosine of two texts that have one vector each, or are means of words as well."""

    def explanation(self, compared: Compared) -> Explained:
        """Return a link of the two texts, and their cosine; of means, all links of their words."""
        similarities = compared.similarities()
        if similarities.shape != (1, 1):
            return super().explanation(compared)
        score = float(self.scores(compared)[0])
        links = linked(compared, similarities, np.ones((1, 1), dtype=np.bool_))
        return links, (Step("score", "cosine of the vectors of both texts", "", score),)


def _sums(words: VectorTokens, strings: IntArray) -> FloatArray:
    """Return the sum of the vectors of each string."""
    rows, dimensions = words.rows, words.units.shape[1]
    lengths = rows.lengths[strings]
    sums = np.zeros((len(strings), dimensions))
    for start, stop in part_bounds(lengths * dimensions, most=_MOST_COORDINATES):
        filled = np.flatnonzero(lengths[start:stop]) + start
        if not len(filled):
            continue
        tokens = np.concatenate([rows.row(string) for string in strings[filled]])
        starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
        vectors = words.units[tokens].astype(np.float64)
        if words.lengths is not None:
            vectors *= words.lengths[tokens][:, None]
        sums[filled] = np.add.reduceat(vectors, starts, axis=0)
    return sums
