"""What each subword is worth: how similar the most similar subword of the other text is.

BERTScore is the mean of these numbers. A student that learns them, and not only the scores, sees
some fifty labels of a pair of texts in the place of one.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.building.metric.judged_texts import JudgedRows
from tenbin.building.metric.teacher_vectors import TeacherVectors
from tenbin.core.arrays import FloatArray, IdArray, IntArray

Tensor = Any  # of torch, which is not imported here
HalfArray = npt.NDArray[np.float16]

_MOST_TEXTS = 2**31


class SubwordTargets(NamedTuple):
    """What is learned of the subwords of one row.

    Attributes:
        places: Their places in the row: those of the reference, then those of the hypothesis.
        similar: How similar the most similar subword of the other text is.
        texts: Reference and hypothesis as ids, without special tokens.
    """

    places: IntArray
    similar: FloatArray
    texts: tuple[IdArray, IdArray]


class ComparedPairs(NamedTuple):
    """Pairs of texts that were compared subword by subword.

    Attributes:
        similar: For each pair the similarities of the reference's subwords, then those of the
            hypothesis.
        scores: BERTScore (F), for which special tokens are no subwords.
        total: The sum of the vectors of all texts, special tokens included.
        vectors: The number of these vectors.
    """

    similar: list[HalfArray]
    scores: FloatArray
    total: FloatArray
    vectors: int


def compared_pairs(
    vectors: TeacherVectors,
    texts: Sequence[IdArray],
    references: IntArray,
    hypotheses: IntArray,
    subwords: int,
) -> ComparedPairs:
    """Compare pairs of texts.

    Special tokens may be the most similar ones, as in BERTScore of its authors, but get no number.

    Args:
        vectors: The base model of the teacher.
        texts: Distinct texts, as ids of the student.
        references: Places of the references among them.
        hypotheses: Places of the hypotheses.
        subwords: Subwords that are compared at once.
    """
    torch = vectors.torch
    lengths = np.array([len(text) + vectors.before + vectors.after for text in texts])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    flat = torch.empty((int(lengths.sum()), vectors.size), device=vectors.device)
    for some in _groups(lengths, subwords):
        read = vectors.of([texts[place] for place in some.tolist()])
        places, mask = _places(starts[some], lengths[some], read.units.shape[1])
        inside = torch.from_numpy(mask).to(vectors.device)
        flat[torch.from_numpy(places[mask]).to(vectors.device)] = read.units[inside]
    similar: list[HalfArray] = [np.zeros(0, np.float16)] * len(references)
    scores = np.zeros(len(references))
    for some in _groups(lengths[references] + lengths[hypotheses], subwords):
        sides = []
        for one in (references[some], hypotheses[some]):
            places, mask = _places(starts[one], lengths[one], int(lengths[one].max()))
            sides.append((flat[torch.from_numpy(places).to(vectors.device)], mask, lengths[one]))
        for place, (found, score) in zip(some.tolist(), _compared(vectors, *sides), strict=True):
            similar[place], scores[place] = found, score
    total = flat.double().sum(dim=0).cpu().numpy()
    return ComparedPairs(similar, scores, total, len(flat))


def _compared(
    vectors: TeacherVectors, *sides: tuple[Tensor, npt.NDArray[np.bool_], IntArray]
) -> Iterator[tuple[HalfArray, float]]:
    """Yield the similarities of each pair, and its score."""
    torch = vectors.torch
    (units, mask, lengths), (other_units, other_mask, other_lengths) = sides
    products = torch.bmm(units, other_units.transpose(1, 2))
    inner, other_inner = (
        _inner(one, width.shape[1], vectors)
        for one, width in ((lengths, mask), (other_lengths, other_mask))
    )

    def best(rows: npt.NDArray[np.bool_], *, of_other: bool) -> FloatArray:
        """Return the largest similarity with some subwords, of the other text or of this one."""
        left_out = torch.from_numpy(~rows).to(vectors.device)
        left_out = left_out[:, None, :] if of_other else left_out[:, :, None]
        found = products.masked_fill(left_out, -1.0).amax(dim=2 if of_other else 1)
        return np.asarray(found.cpu().numpy(), dtype=np.float64)

    own, others = best(other_mask, of_other=True), best(mask, of_other=False)
    recall, precision = best(other_inner, of_other=True), best(inner, of_other=False)
    for row in range(len(lengths)):
        ours, theirs = inner[row], other_inner[row]
        found = np.concatenate([own[row][ours], others[row][theirs]]).astype(np.float16)
        score = 0.0
        if ours.any() and theirs.any():
            parts = float(recall[row][ours].mean()), float(precision[row][theirs].mean())
            score = 2 * parts[0] * parts[1] / sum(parts) if sum(parts) > 0 else 0.0
        yield found, score


def _inner(lengths: IntArray, width: int, vectors: TeacherVectors) -> npt.NDArray[np.bool_]:
    """Return which places are subwords of the text, not special tokens or padding."""
    places = np.arange(width)[None]
    found: npt.NDArray[np.bool_] = places >= vectors.before
    return found & (places < (lengths - vectors.after)[:, None])


def _places(
    starts: IntArray, lengths: IntArray, width: int
) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return the places of texts that stand one after the other, padded with 0."""
    inside = np.arange(width)[None] < lengths[:, None]
    return np.where(inside, starts[:, None] + np.arange(width)[None], 0), inside


def _groups(lengths: IntArray, subwords: int) -> Iterator[IntArray]:
    """Yield places of alike long texts, about so many subwords in each group."""
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * int(lengths[order[stop]]) <= subwords:
            stop += 1
        yield order[start:stop]
        start = stop


class SubwordLabels:
    """The similarities of all pairs that a teacher compared.

    Attributes:
        mean: The mean vector of the teacher.
    """

    def __init__(
        self, rows: JudgedRows, similar: HalfArray, counts: IntArray, mean: FloatArray
    ) -> None:
        """Remember which pair has which numbers.

        Args:
            rows: The pairs.
            similar: The similarities of all of them, in their order.
            counts: How many each pair has.
            mean: The mean vector of the teacher.
        """
        self.mean = mean
        self._similar = similar
        keys = _keys(rows.references, rows.hypotheses)
        order = np.argsort(keys, kind="stable")
        self._keys, self._order = keys[order], order
        self._ends = np.cumsum(counts)
        self._starts = self._ends - counts

    def of(self, references: IntArray, hypotheses: IntArray) -> list[FloatArray]:
        """Return the similarities of some of the pairs."""
        wanted = np.searchsorted(self._keys, _keys(references, hypotheses))
        places = self._order[wanted]
        both = zip(self._starts[places].tolist(), self._ends[places].tolist(), strict=True)
        return [self._similar[start:end].astype(np.float64) for start, end in both]


def _keys(references: IntArray, hypotheses: IntArray) -> IntArray:
    keys: IntArray = references * _MOST_TEXTS + hypotheses
    return keys
