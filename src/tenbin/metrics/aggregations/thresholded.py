"""Means over similarities that reach a threshold: of all pairs, of maxima, of a matching."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import mean_of_rows
from tenbin.kernels.alignment.assignment import assignment
from tenbin.kernels.similarity.threshold_sums import TOLERANCE, link_sums, threshold_sums
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.links import Mask, linked
from tenbin.metrics.choices import Rejected, RejectionOrder
from tenbin.metrics.clipped_ngrams import brevity_penalty
from tenbin.metrics.representations.blocks import Blocks, Float32Array
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.representation import Representation
from tenbin.metrics.written_numbers import added, divided, n


class _Mean(NamedTuple):
    """A mean, and what it is made of."""

    total: float
    number: int
    formula: str
    value: float


@dataclass(frozen=True, kw_only=True)
class ThresholdedMeans(Aggregation):
    """The mean of similarities, of which those below a threshold are rejected.

    Rows are ``(score, 1, hypothesis length, reference length)``, of the best reference.

    Attributes:
        threshold: An alignment with a smaller cosine is rejected; -1 rejects none.
        rejected: What a rejected alignment becomes: ``zero`` (it counts 0) or ``survivors`` (the
            mean is over the others).
        length_penalty: Whether a system's score is multiplied by the brevity penalty of BLEU, from
            its summed lengths; segment scores are not.
    """

    threshold: float
    rejected: Rejected
    length_penalty: bool

    @abstractmethod
    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        scores: FloatArray = self.swept_scores(compared.blocks, np.array([self.threshold]))[:, 0]
        return scores

    def columns(
        self, representation: Representation, batch: Batch, pairs: IntArray
    ) -> tuple[IntArray, ...]:
        """Return the lengths of both texts of some pairs."""
        lengths = representation.lengths(batch)
        left, right = representation.texts_of_pairs(batch)
        return lengths[left[pairs]], lengths[right[pairs]]

    def corpus_score(self, statistics: FloatArray) -> FloatArray:
        """Return the mean of segment scores, with a penalty for a short text where asked for."""
        mean = mean_of_rows(statistics)
        if not self.length_penalty:
            return mean
        return mean * brevity_penalty(statistics[..., 2], statistics[..., 3])

    def mean(self, totals: FloatArray, reaching: FloatArray, all_of: FloatArray) -> FloatArray:
        """Return totals over what reaches the threshold, or over all; over nothing it is 0."""
        counts = reaching if self.rejected is Rejected.SURVIVORS else all_of[:, None]
        counts = np.broadcast_to(counts, totals.shape)
        return np.divide(totals, counts, out=np.zeros(totals.shape), where=counts > 0)

    def written_mean(self, similarities: Float32Array, chosen: Mask, all_of: int) -> _Mean:
        """Return the same of chosen similarities, with all that it is made of."""
        total, count = added(similarities[chosen]), int(chosen.sum())
        formula, value = divided(total, count if self.rejected is Rejected.SURVIVORS else all_of)
        return _Mean(total, count, formula, value)

    def reached(self, similarities: Float32Array) -> Mask:
        """Return which similarities reach the threshold."""
        reached: Mask = similarities >= self.threshold - TOLERANCE
        return reached

    def count_step(self, label: str, count: int) -> Step:
        """Return the step that counts what reaches the threshold."""
        return Step(label, f"those with a cosine of at least {n(self.threshold)}", "", count)

    def mean_of(self, things: str) -> str:
        """Return in words what the mean is over."""
        kept = " kept" if self.rejected is Rejected.SURVIVORS else ""
        return f"mean over all {things}{kept}"


@dataclass(frozen=True, kw_only=True)
class MeanOfAll(ThresholdedMeans):
    """The mean over every token of one side with every token of the other (WAS)."""

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        sums = threshold_sums(part.values, part.starts, part.heights, part.widths, thresholds)
        area = (part.heights * part.widths).astype(np.float64)
        return self.mean(sums[:, :, 0], sums[:, :, 1], area)

    def explanation(self, compared: Compared) -> Explained:
        """Return all pairs of tokens that are kept and not quite unlike, and their mean."""
        similarities = compared.similarities()
        height, width = similarities.shape
        chosen = self.reached(similarities)
        mean = self.written_mean(similarities, chosen, height * width)
        area = f"{height} × {width}"
        return linked(compared, similarities, chosen & (similarities != 0)), (
            Step("pairs", "words of the translation × of the reference", area, height * width),
            self.count_step("pairs kept", mean.number),
            Step("sum", "their cosines, added up", "", mean.total),
            Step("score", self.mean_of("pairs"), mean.formula, mean.value),
        )


@dataclass(frozen=True, kw_only=True)
class MeanOfMaxima(ThresholdedMeans):
    """The mean over each token and the most similar one of the other side, both ways (MAS)."""

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        sums = threshold_sums(part.values, part.starts, part.heights, part.widths, thresholds)
        own = self.mean(sums[:, :, 2], sums[:, :, 3], part.heights.astype(np.float64))
        other = self.mean(sums[:, :, 4], sums[:, :, 5], part.widths.astype(np.float64))
        return (own + other) / 2

    def explanation(self, compared: Compared) -> Explained:
        """Return the best link of each token, and the means of both directions."""
        similarities = compared.similarities()
        chosen = self.reached(similarities)
        by_row, by_column = _maxima(similarities, chosen), _maxima(similarities.T, chosen.T).T
        both = (
            (by_row, "translation", similarities.shape[0]),
            (by_column, "reference", similarities.shape[1]),
        )
        steps: list[Step] = []
        values: list[float] = []
        for best, name, words in both:
            mean = self.written_mean(similarities, best, words)
            meaning = f"largest cosine of each word, {self.mean_of('words')}"
            steps += [
                Step(f"{name} words", f"those of the {name}", "", words),
                self.count_step(f"{name} linked", mean.number),
                Step(f"{name} mean", meaning, mean.formula, mean.value),
            ]
            values.append(mean.value)
        written = f"({n(values[0])} + {n(values[1])}) / 2"
        score = (values[0] + values[1]) / 2
        steps.append(Step("score", "mean of both directions", written, score))
        links = linked(
            compared,
            similarities,
            by_row | by_column,
            reason=best_for(by_row, by_column),
        )
        return links, tuple(steps)


@dataclass(frozen=True, kw_only=True)
class MeanOfMatching(ThresholdedMeans):
    """The mean over tokens that are matched one to one so that the sum is largest (HAS).

    Attributes:
        order: Whether weak links are rejected after the matching (``match_then_reject``) or count
            0 before it (``zero_first``).
    """

    order: RejectionOrder

    def swept_scores(self, part: Blocks, thresholds: FloatArray) -> FloatArray:
        """Return the score of each pair at each threshold."""
        shorter = np.minimum(part.heights, part.widths).astype(np.float64)
        if self.order is RejectionOrder.MATCH_THEN_REJECT:
            sums = _linked_sums(part, part.values, thresholds)
        else:
            steps = [_zeroed_sums(part, np.array([one])) for one in thresholds]
            sums = np.concatenate(steps, axis=1)
        return self.mean(sums[:, :, 0], sums[:, :, 1], shorter)

    def explanation(self, compared: Compared) -> Explained:
        """Return the links of the matching that are kept, and their mean."""
        similarities = compared.similarities()
        chosen = self._matched(similarities) & self.reached(similarities)
        shorter = min(similarities.shape)
        mean = self.written_mean(similarities, chosen, shorter)
        lengths = f"min({similarities.shape[0]}, {similarities.shape[1]})"
        return linked(compared, similarities, chosen, exclusive=True), (
            Step("links", "words of the shorter side, matched one to one", lengths, shorter),
            self.count_step("links kept", mean.number),
            Step("sum", "their cosines, added up", "", mean.total),
            Step("score", self.mean_of("links"), mean.formula, mean.value),
        )

    def _matched(self, similarities: Float32Array) -> Mask:
        """Return which tokens are matched."""
        height, width = similarities.shape
        flat = similarities.reshape(-1)
        if self.order is RejectionOrder.ZERO_FIRST:
            flat = np.where(self.reached(flat), flat, np.float32(0))
        bounds = np.array([0, flat.size])
        columns = assignment(flat, bounds, np.array([height]), np.array([width]))
        found = np.zeros(similarities.shape, dtype=np.bool_)
        matched = np.flatnonzero(columns >= 0)
        found[matched, columns[matched]] = True
        return found


def best_for(by_row: Mask, by_column: Mask) -> Callable[[int, int], str]:
    """Return what says for which side a link is the best one."""

    def said(own: int, other: int) -> str:
        if by_row[own, other] and by_column[own, other]:
            return "best for both"
        return f"best for the {'translation' if by_row[own, other] else 'reference'}"

    return said


def _maxima(similarities: Float32Array, chosen: Mask) -> Mask:
    """Return for each row the first largest entry that is chosen."""
    found = np.zeros(chosen.shape, dtype=np.bool_)
    if chosen.size:
        rows = np.flatnonzero(chosen.any(axis=1))
        columns = np.where(chosen, similarities, -np.inf).argmax(axis=1)
        found[rows, columns[rows]] = True
    return found


def _zeroed_sums(part: Blocks, threshold: FloatArray) -> FloatArray:
    reached = part.values >= threshold[0] - TOLERANCE
    return _linked_sums(part, np.where(reached, part.values, np.float32(0)), threshold)


def _linked_sums(part: Blocks, matched_by: Float32Array, thresholds: FloatArray) -> FloatArray:
    columns: IdArray = assignment(matched_by, part.starts, part.heights, part.widths)
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(part.heights)])
    return link_sums(part.values, part.starts, part.widths, columns, offsets, thresholds)
