"""Windows of n-grams: how well the n-grams of two texts stand for each other (YiSi)."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.kernels.similarity.windows import windowed_similarity
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.links import Mask, linked
from tenbin.metrics.f_score import f_step, weighted_f
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.representation import PairWeights
from tenbin.metrics.written_numbers import n


@dataclass(frozen=True, kw_only=True)
class NgramWindows(Aggregation):
    """F-score of weighted n-grams and the n-grams of the other side that answer them best.

    Attributes:
        alpha: Weight of recall.
        ngram: Words of an n-gram; as many as the shorter segment has, where that is fewer.
    """

    alpha: float
    ngram: int

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        means = self.sides(compared, compared.weights)
        return weighted_f(means[:, 0], means[:, 1], self.alpha)

    def sides(self, compared: Compared, weights: PairWeights) -> FloatArray:
        """Return precision and recall of some pairs, shape (pairs, 2)."""
        blocks = compared.blocks
        pairs = np.arange(len(blocks.heights))
        # The tokens of each pair have weights of their own: first all left sides, then all right.
        offsets = np.concatenate(
            [weights.own_bounds, weights.other_bounds[1:] + weights.own_bounds[-1]]
        )
        both = np.concatenate([weights.own, weights.other])
        similarities = np.maximum(blocks.values, np.float32(0))
        return windowed_similarity(
            similarities, blocks.starts, offsets, pairs, pairs + len(pairs), both, both, self.ngram
        )

    def explanation(self, compared: Compared) -> Explained:
        """Return the tokens of n-grams that answer each other, and the steps to the score."""
        similarities, weights = compared.similarities(), compared.weights
        clipped = np.maximum(similarities, np.float32(0)).astype(np.float64)
        size = min(self.ngram, *similarities.shape)
        steps = [Step("n-gram size", "words of an n-gram, or all of the shorter side", "", size)]
        chosen = np.zeros(similarities.shape, dtype=np.bool_)
        means = []
        directions = (
            ("precision", "translation", clipped, weights.own, chosen),
            ("recall", compared.representation.compared_with, clipped.T, weights.other, chosen.T),
        )
        for label, name, block, words, used in directions:
            found, total = _best(block, words, size, used) if size else (0.0, 0.0)
            means.append(found / total if total else 0.0)
            meaning = f"n-grams of the {name}: weight × similarity of the best answer / weight"
            formula = f"{n(found)} / {n(total)}" if total else "0, for there are no words"
            steps.append(Step(label, meaning, formula, means[-1]))
        meaning = f"harmonic mean, recall weighs {n(self.alpha)}"
        steps.append(f_step("score", means[0], means[1], self.alpha, meaning))
        links = linked(compared, clipped, chosen & (clipped > 0))
        return links, tuple(steps)


def _best(block: FloatArray, weights: FloatArray, size: int, used: Mask) -> tuple[float, float]:
    """Return weighted similarity and weight of the n-grams of the rows; note the words they use."""
    tall, wide = block.shape[0] - size + 1, block.shape[1] - size + 1
    sums, totals = np.zeros((tall, wide)), np.zeros(tall)
    for k in range(size):
        sums += weights[k : k + tall, np.newaxis] * block[k : k + tall, k : k + wide]
        totals += weights[k : k + tall]
    best = sums.argmax(axis=1)
    for k in range(size):
        used[np.arange(tall) + k, best + k] = True
    return sum(sums.max(axis=1).tolist()), sum(totals.tolist())
