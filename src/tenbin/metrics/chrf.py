"""chrF and chrF++ (Popović 2015, 2017), with sacrebleu's numbers."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated, ClassVar

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch
from tenbin.core.mean_references import MeanReferences
from tenbin.core.metric import BaseMetric, MetricInfo, Needs, Property, signature_value
from tenbin.core.parameters import Range, whole_number
from tenbin.kernels.ngrams.index import ngram_index
from tenbin.kernels.ngrams.matches import common_ngrams
from tenbin.metrics.clipped_ngrams import mean_matches
from tenbin.metrics.f_score import f_by_beta

_EPSILON = 1e-16  # of the original chrF++.py
_LARGEST_ORDER = 12
_DEFAULT_BETA = 2


@dataclass(frozen=True, kw_only=True)
class ChrF(BaseMetric):
    """chrF: F-score of character n-grams and, as chrF++, of word n-grams, 0 to 100.

    N-grams are counted for the reference with the best segment score. As in sacrebleu the first of
    several equally good references counts, so their order can move the corpus score; and an order
    that the reference does not have adds no hypothesis n-grams, so an empty reference takes nothing
    away from the corpus score, and an empty hypothesis costs recall alone.

    Attributes:
        char_order: Longest character n-gram.
        word_order: Longest word n-gram; 0 for chrF, 2 for chrF++.
        beta: Weight of recall over precision.
        lowercase: Whether texts are lower-cased.
        whitespace: Whether character n-grams run across blanks.
        eps_smoothing: F per order, averaged, as the original script does.
    """

    name: ClassVar[str] = "chrf"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="chrF",
        summary="F-score of character n-grams; needs no tokenizer and works for every script.",
        citation="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, WMT; "
        "Popović (2017), chrF++: words helping character n-grams, WMT.",
        higher_is_better=True,
        minimum=0.0,
        maximum=100.0,
        decimals=2,
        properties=frozenset({Property.IDENTITY_IS_BEST}),
        weaknesses="Blind to synonyms; unrelated texts of one language still score 15 to 25; an "
        "empty hypothesis costs a corpus less than its segment score of 0 suggests.",
        oracle="sacrebleu 2.6.0",
    )

    char_order: Annotated[int, whole_number(1, _LARGEST_ORDER)] = 6
    word_order: Annotated[int, whole_number(0, _LARGEST_ORDER)] = 0
    beta: Annotated[float, Range(least=0, most=1_000, above=True)] = _DEFAULT_BETA
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    @property
    def _characters(self) -> Annotation:
        method = "unchanged" if self.whitespace else "without-whitespace"
        return Annotation(kind=AnnotationKind.CHARACTERS, method=method, lowercase=self.lowercase)

    @property
    def _words(self) -> Annotation:
        return Annotation(kind=AnnotationKind.TOKENS, method="chrf-words", lowercase=self.lowercase)

    @property
    def needs(self) -> Needs:
        """Characters and, with a word order, words."""
        words = {self._words} if self.word_order else set()
        return Needs(annotations=frozenset({self._characters} | words))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return the counts of the best reference of each item.

        A row holds, for each order, characters first, the n-grams of the hypothesis, those of the
        reference and those in common.
        """
        parts = [self._counts(batch, self._characters, self.char_order)]
        if self.word_order:
            parts.append(self._counts(batch, self._words, self.word_order))
        pairs = np.concatenate(parts, axis=1).astype(np.float64)
        return pairs[batch.best_pairs(self.score(pairs), highest=True)]

    def _counts(self, batch: Batch, annotation: Annotation, order: int) -> FloatArray:
        rows = batch.column(annotation).rows
        left, right = batch.pairs()
        common = common_ngrams(ngram_index(rows.values, rows.offsets, order), left, right)
        totals = np.maximum(rows.lengths[:, None] - np.arange(order), 0)
        own, reference = totals[left], totals[right]
        own = np.where(reference > 0, own, 0)
        return np.stack([own, reference, common], axis=-1).reshape(len(left), 3 * order)

    def aggregated_statistics(self, batch: Batch, references: MeanReferences) -> FloatArray:
        """Return the counts of each hypothesis and of the mean of its references.

        An n-gram of the mean has the count that the references have on average, and so has the sum
        of n-grams (Vamvas and Sennrich 2024, section 3).
        """
        parts = [self._mean_counts(batch, references, self._characters, self.char_order)]
        if self.word_order:
            parts.append(self._mean_counts(batch, references, self._words, self.word_order))
        return np.concatenate(parts, axis=1)

    def _mean_counts(
        self, batch: Batch, references: MeanReferences, annotation: Annotation, order: int
    ) -> FloatArray:
        rows = batch.column(annotation).rows
        index = ngram_index(rows.values, rows.offsets, order)
        common = mean_matches(index, batch.hypotheses, references)
        totals = np.maximum(rows.lengths[:, None] - np.arange(order), 0).astype(np.float64)
        mean = references.means(totals, batch.hypotheses)
        own = np.where(mean > 0, totals[batch.hypotheses], 0)
        return np.stack([own, mean, common], axis=-1).reshape(len(own), 3 * order)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return chrF from counts."""
        orders = statistics.reshape(*statistics.shape[:-1], statistics.shape[-1] // 3, 3)
        own, reference, common = orders[..., 0], orders[..., 1], orders[..., 2]
        factor = self.beta**2
        missing = np.full(own.shape, _EPSILON if self.eps_smoothing else 0.0)
        precision = np.divide(common, own, out=missing.copy(), where=own > 0)
        recall = np.divide(common, reference, out=missing.copy(), where=reference > 0)
        if self.eps_smoothing:
            per_order = f_by_beta(precision, recall, factor, otherwise=_EPSILON)
            mean: FloatArray = 100 * per_order.sum(axis=-1) / orders.shape[-2]
            return mean
        counted = (own > 0) & (reference > 0)
        effective = np.maximum(counted.sum(axis=-1), 1)
        mean_precision = (precision * counted).sum(axis=-1) / effective
        mean_recall = (recall * counted).sum(axis=-1) / effective
        return 100 * f_by_beta(mean_precision, mean_recall, factor, otherwise=0.0)

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return sacrebleu's facts under its keys; beta, which it has in the name, too."""
        return (
            ("case", "lc" if self.lowercase else "mixed"),
            ("eff", signature_value(not self.eps_smoothing)),
            ("nc", str(self.char_order)),
            ("nw", str(self.word_order)),
            ("beta", signature_value(float(self.beta))),
            ("space", signature_value(self.whitespace)),
        )

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the version of the program whose definition is followed."""
        return (("sacrebleu", version("sacrebleu")),)
