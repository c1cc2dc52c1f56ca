"""Tokens matched one by one in rounds: equal ones, then those with near vectors (MEE)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tenbin.core.alignment import Alignment, MatchKind
from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.kernels.alignment.greedy_links import GreedyLinks, greedy_links
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.links import link
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.written_numbers import n

_ROUNDS = ("exact", "and roots", "and synonyms")


@dataclass(frozen=True, kw_only=True)
class MatchingRounds(Aggregation):
    """The mean of three F-scores of tokens that take the first one that is near enough.

    Attributes:
        alpha: Weight of recall.
        root: Least cosine of words of the same root.
        synonym: Least cosine of synonyms.
        compat: Whether words that are matched exactly look for a second match by vector, as in the
            released script.
    """

    alpha: float
    root: float
    synonym: float
    compat: bool

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        if self.synonym > self.root:
            yield "synonym", "a number not above that of root"

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        part = compared.blocks
        matched = np.cumsum(self._links(compared).counts, axis=1).astype(np.float64)
        own, other = (sizes.astype(np.float64)[:, None] for sizes in (part.heights, part.widths))
        return _mean_of_three(self._f_scores(matched, own, other))

    def explanation(self, compared: Compared) -> Explained:
        """Return the links of the three rounds, and their F-scores."""
        links, similarities = self._links(compared), compared.similarities()
        sides = compared.words()
        matches = []
        for own in range(len(sides[0])):
            equal, near = int(links.equal[own]), int(links.near[own])
            if equal >= 0:
                matches.append(link(own, equal, MatchKind.EXACT, 1.0, sides[0][own]))
            if near >= 0:
                cosine = float(similarities[own, near])
                said = "root" if links.same_root[own] else "synonym"
                kind = compared.representation.match_kind
                matches.append(link(own, near, kind, cosine, f"{said}, cosine {cosine:.3f}"))
        steps = []
        matched = np.cumsum(links.counts[0]).astype(np.float64)
        lengths = np.array([[len(side)] for side in sides], dtype=np.float64)
        scores = self._f_scores(matched[None, :], lengths[:1], lengths[1:])
        for label, count, score in zip(_ROUNDS, matched, scores[0], strict=True):
            shares = [f"{n(count)} / {len(side)}" for side in sides]
            formula = f"{n(count)} matches: P {shares[0]}, R {shares[1]}"
            steps.append(
                Step(label, f"F-score, recall weighs {n(self.alpha)}", formula, float(score))
            )
        written = f"({' + '.join(n(score) for score in scores[0])}) / 3"
        total = float(_mean_of_three(scores)[0])
        steps.append(Step("score", "mean of the three", written, total))
        alignment = Alignment(
            hypothesis=sides[0],
            reference=sides[1],
            matches=tuple(matches),
            # The released script may link a word twice.
            exclusive=not self.compat,
        )
        return alignment, tuple(steps)

    def _links(self, compared: Compared) -> GreedyLinks:
        part, rows = compared.blocks, compared.tokens.rows
        return greedy_links(
            part.values,
            part.starts,
            rows.values,
            rows.offsets,
            *compared.rows,
            root=self.root,
            synonym=self.synonym,
            every=self.compat,
        )

    def _f_scores(self, matched: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
        precision = matched / np.maximum(own, 1)
        recall = matched / np.maximum(other, 1)
        return weighted_f(precision, recall, self.alpha)


def _mean_of_three(scores: FloatArray) -> FloatArray:
    mean: FloatArray = (scores[:, 0] + scores[:, 1] + scores[:, 2]) / 3
    return mean
