"""YiSi explained: which n-grams answer each other, and the way to precision and recall."""

import numpy as np

from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Float32Array
from tenbin.metrics.vectors.links import Mask, Sides, linked, n


def reasons(
    sides: Sides,
    similarities: Float32Array,
    weights: tuple[FloatArray, FloatArray],
    ngram: int,
    alpha: float,
    kind: MatchKind,
    other_side: str,
) -> Reasons:
    """Return the words of n-grams that answer each other, and the steps to the score."""
    clipped = np.maximum(similarities, np.float32(0)).astype(np.float64)
    size = min(ngram, *similarities.shape)
    steps = [Step("n-gram size", "words of an n-gram, or all of the shorter side", "", size)]
    chosen = np.zeros(similarities.shape, dtype=np.bool_)
    means = []
    directions = (
        ("precision", "translation", clipped, weights[0], chosen),
        ("recall", other_side, clipped.T, weights[1], chosen.T),
    )
    for label, name, block, words, mark in directions:
        found, total = _best(block, words, size, mark) if size else (0.0, 0.0)
        means.append(found / total if total else 0.0)
        meaning = f"n-grams of the {name}: weight × similarity of the best answer / weight"
        formula = f"{n(found)} / {n(total)}" if total else "0, for there are no words"
        steps.append(Step(label, meaning, formula, means[-1]))
    precision, recall = means
    product = precision * recall
    score = product / (alpha * precision + (1 - alpha) * recall) if product else 0.0
    divisor = f"{n(alpha)} × {n(precision)} + {n(1 - alpha)} × {n(recall)}"
    written = f"{n(precision)} × {n(recall)} / ({divisor})"
    meaning = f"harmonic mean, recall weighs {n(alpha)}"
    steps.append(Step("score", meaning, written if product else "0", score))
    return linked(sides, clipped, chosen & (clipped > 0), kind=kind), tuple(steps)


def _best(block: FloatArray, weights: FloatArray, size: int, mark: Mask) -> tuple[float, float]:
    """Return weighted similarity and weight of the n-grams of the rows; mark the words they use."""
    tall, wide = block.shape[0] - size + 1, block.shape[1] - size + 1
    sums, totals = np.zeros((tall, wide)), np.zeros(tall)
    for k in range(size):
        sums += weights[k : k + tall, np.newaxis] * block[k : k + tall, k : k + wide]
        totals += weights[k : k + tall]
    best = sums.argmax(axis=1)
    for k in range(size):
        mark[np.arange(tall) + k, best + k] = True
    return sum(sums.max(axis=1).tolist()), sum(totals.tolist())
