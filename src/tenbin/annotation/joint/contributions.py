"""What each word of a hypothesis contributes to what the judge says: integrated gradients.

The score is followed along the straight way from a hypothesis all of whose words are hidden (each
subword replaced by the mask of the model) to the hypothesis itself; what changes on the way is laid
to the subwords whose vectors change, by the gradient (Sundararajan, Taly, Yan 2017, Axiomatic
Attribution for Deep Networks). The contributions add up to the difference of the two scores, but
for the error of the sum that stands for the integral: points are added until that is small, and
what is left is told.
"""

from typing import Any, NamedTuple

import numpy as np

from tenbin.annotation.encoders.encoded import SubwordFlag
from tenbin.annotation.joint.judge import Judge, PreparedPair
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairPart
from tenbin.core.arrays import FloatArray

TOLERANCE = 0.005
"""What the contributions may miss of the difference, before more points are taken."""
_POINTS = (16, 48, 128)
_SUBWORDS_AT_ONCE = 2_048

Tensor = Any


class WordContribution(NamedTuple):
    """A word, and what it adds to the score or takes off it."""

    word: str
    value: float


class Contributions(NamedTuple):
    """How a score comes about; ``hidden``, all words and ``rest`` add up to ``score``.

    Attributes:
        score: What the judge says of the hypothesis.
        hidden: What it says where all words of the hypothesis are hidden.
        words: The words of the hypothesis; subwords of a word together.
        rest: What the words do not account for.
    """

    score: float
    hidden: float
    words: tuple[WordContribution, ...]
    rest: float


def word_contributions(judge: Judge, hypothesis: str, reference: str) -> Contributions | None:
    """Return what the words of a hypothesis contribute; None if no model was asked."""
    pair = judge.prepared(hypothesis, reference)
    if pair.known is not None:
        return None
    values = np.zeros(len(pair.ids))
    hidden = 0.0
    for part in pair.parts:
        own, without = _part_contributions(judge, part)
        values[slice(*part.hypothesis)] = part.share * own
        hidden += part.share * without
    score = float(judge.scores([(hypothesis, reference)])[0])
    words = _words(judge, pair, values)
    rest = score - hidden - sum(word.value for word in words)
    return Contributions(score, hidden, words, rest)


def _part_contributions(judge: Judge, part: PairPart) -> tuple[FloatArray, float]:
    """Return what each subword of the hypothesis contributes, and the score without them."""
    network, torch = judge.exact_network, judge.exact_network.torch
    ids, types, places = _tensors(judge, network, part)
    masked = ids.clone()
    masked[0, places] = judge.pairs.tokenizer.mask
    with torch.inference_mode():
        ends = [
            float(torch.sigmoid(network.raw_of_vectors(network.subword_vectors(one), types)[0]))
            for one in (masked, ids)
        ]
    found = np.zeros(0)
    for points in _POINTS:
        found = _integral(network, (masked, ids), types, points)[places.cpu().numpy()]
        if abs(ends[1] - ends[0] - found.sum()) <= TOLERANCE:
            break
    return found, ends[0]


def _tensors(judge: Judge, network: JointNetwork, part: PairPart) -> tuple[Tensor, Tensor, Tensor]:
    torch = network.torch
    row, after = part.row, len(judge.pairs.special_ids[2])
    length = part.hypothesis[1] - part.hypothesis[0]
    ids = np.asarray(row.ids, dtype=np.int64)[np.newaxis]
    types = (np.arange(len(row)) >= row.first).astype(np.int64)[np.newaxis]
    places = np.arange(len(row) - after - length, len(row) - after)
    made = (torch.from_numpy(one).to(network.device) for one in (ids, types, places))
    ids_there, types_there, places_there = made
    return ids_there, types_there, places_there


def _integral(
    network: JointNetwork, ends: tuple[Tensor, Tensor], types: Tensor, points: int
) -> FloatArray:
    """Return the integral of the gradient along the way, by subword of the row."""
    torch = network.torch
    # Gauss and Legendre: the best places for so many points.
    places, weights = np.polynomial.legendre.leggauss(points)
    with torch.no_grad():
        start, stop = (network.subword_vectors(one).float() for one in ends)
    change = stop - start
    total = torch.zeros_like(change, dtype=torch.float64)
    size = max(_SUBWORDS_AT_ONCE // change.shape[1], 1)
    for first in range(0, points, size):
        along = torch.tensor((places[first : first + size] + 1) / 2, dtype=torch.float32)
        share = torch.tensor(weights[first : first + size] / 2)
        along, share = along.to(network.device), share.to(network.device)
        vectors = (start + along[:, None, None] * change).requires_grad_()
        scores = torch.sigmoid(network.raw_of_vectors(vectors, types.expand(len(along), -1)))
        (gradient,) = torch.autograd.grad(scores.sum(), vectors)
        total += (share[:, None, None] * gradient.double()).sum(dim=0)
    found: FloatArray = (total * change.double()).sum(dim=-1)[0].cpu().numpy()
    return found


def _words(judge: Judge, pair: PreparedPair, values: FloatArray) -> tuple[WordContribution, ...]:
    """Return the words with the sums over their subwords."""
    subwords = judge.pairs.tokenizer.texts(pair.ids.tolist())
    goes_on = np.not_equal(pair.flags & np.uint8(SubwordFlag.CONTINUES), 0)
    words: list[WordContribution] = []
    for subword, value, going_on in zip(subwords, values.tolist(), goes_on.tolist(), strict=True):
        if going_on and words:
            last = words.pop()
            words.append(
                WordContribution(last.word + subword.removeprefix("##"), last.value + value)
            )
        else:
            words.append(WordContribution(subword.lstrip("▁Ġ") or subword, value))
    return tuple(words)
