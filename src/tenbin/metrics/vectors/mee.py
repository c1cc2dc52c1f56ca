"""MEE (Mukherjee et al. 2020): words matched greedily, by form and then by vector."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import MetricInfo, Property
from tenbin.kernels.alignment.greedy_links import GreedyLinks, greedy_links
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.choices import OutOfVocabulary
from tenbin.metrics.vectors.links import n
from tenbin.metrics.vectors.penalised_blocks import PenalisedVectorMetric


@dataclass(frozen=True, kw_only=True)
class Mee(PenalisedVectorMetric):
    """MEE: the mean of three F-scores of words matched exactly, by root and by synonym, 0 to 1.

    Each word of the hypothesis takes the first equal word of the reference; then each word without
    a match takes the first remaining word with a cosine of at least ``root`` (of the same root) or
    ``synonym`` (a synonym). F counts the exact matches, those and the roots, all. The best
    reference counts; a corpus is the mean. No match scores 0.

    Attributes:
        alpha: Weight of recall.
        root: Least cosine of words of the same root.
        synonym: Least cosine of synonyms.
        compat: Whether words that are matched exactly look for a second match by vector, as in the
            released script.
    """

    name: ClassVar[str] = "mee"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="MEE",
        summary="Words matched by form and by vector, in three rounds.",
        citation="Mukherjee, Ala, Shrivastava, Sharma (2020), MEE: An Automatic Metric for "
        "Evaluation Using Embeddings for Machine Translation, DSAA.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Takes the first word that is near enough, not the nearest; blind to word "
        "order. As good as its vectors.",
        oracle="worked examples of the definition",
    )

    oov: OutOfVocabulary = OutOfVocabulary.ZERO
    alpha: float = 0.9
    root: float = 0.5
    synonym: float = 0.4
    compat: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", valid=0 <= self.alpha <= 1, expected="a number from 0 to 1")
        for parameter in ("root", "synonym"):
            valid = -1 <= getattr(self, parameter) <= 1
            self.require(parameter, valid=valid, expected="a number from -1 to 1")
        valid = self.synonym <= self.root
        self.require("synonym", valid=valid, expected="a number not above that of root")

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        matched = np.cumsum(self._links(batch, first, part).counts, axis=1).astype(np.float64)
        own, other = (sizes.astype(np.float64)[:, None] for sizes in (part.heights, part.widths))
        three = self._f_scores(matched, own, other)
        mean: FloatArray = (three[:, 0] + three[:, 1] + three[:, 2]) / 3
        return mean

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of the three rounds, and their F-scores."""
        links = self._links(batch, pair, Blocks.of(similarities))
        sides = self.sides(batch, pair)
        matches = []
        for own in range(len(sides[0])):
            equal, near = int(links.equal[own]), int(links.near[own])
            if equal >= 0:
                matches.append(_match(own, equal, MatchKind.EXACT, 1.0, sides[0][own]))
            if near >= 0:
                cosine = float(similarities[own, near])
                said = "root" if links.same_root[own] else "synonym"
                matches.append(
                    _match(own, near, MatchKind.VECTOR, cosine, f"{said}, cosine {cosine:.3f}")
                )
        steps = []
        matched = np.cumsum(links.counts[0]).astype(np.float64)
        lengths = np.array([[len(side)] for side in sides], dtype=np.float64)
        scores = self._f_scores(matched[None, :], lengths[:1], lengths[1:])[0]
        for label, count, score in zip(_ROUNDS, matched, scores, strict=True):
            shares = [f"{n(count)} / {len(side)}" for side in sides]
            formula = f"{n(count)} matches: P {shares[0]}, R {shares[1]}"
            steps.append(
                Step(label, f"F-score, recall weighs {n(self.alpha)}", formula, float(score))
            )
        written = f"({' + '.join(n(score) for score in scores)}) / 3"
        total = float((scores[0] + scores[1] + scores[2]) / 3)
        steps.append(Step("score", "mean of the three", written, total))
        alignment = Alignment(
            hypothesis=sides[0],
            reference=sides[1],
            matches=tuple(matches),
            # The released script may link a word twice.
            exclusive=not self.compat,
        )
        return alignment, tuple(steps)

    def _links(self, batch: Batch, first: int, part: Blocks) -> GreedyLinks:
        rows = self.words(batch).rows
        left, right = (side[first : first + len(part.heights)] for side in self.pairs(batch))
        return greedy_links(
            part.values,
            part.starts,
            rows.values,
            rows.offsets,
            left,
            right,
            root=self.root,
            synonym=self.synonym,
            every=self.compat,
        )

    def _f_scores(self, matched: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
        precision = matched / np.maximum(own, 1)
        recall = matched / np.maximum(other, 1)
        return weighted_f(precision, recall, self.alpha)


_ROUNDS = ("exact", "and roots", "and synonyms")


def _match(own: int, other: int, kind: MatchKind, similarity: float, evidence: str) -> Match:
    return Match(
        hypothesis=Span(own, own + 1),
        reference=Span(other, other + 1),
        kind=kind,
        similarity=similarity,
        evidence=evidence,
    )
