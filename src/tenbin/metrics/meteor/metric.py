"""METEOR as a metric: statistics, score, alignment."""

from dataclasses import dataclass, field
from itertools import repeat
from typing import Annotated, ClassVar

import numpy as np

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Annotation, Batch, Column
from tenbin.core.explanation import Explanation
from tenbin.core.limits import LengthLimit, Overlong, SegmentUnit
from tenbin.core.metric import AUTO, IN_FORMULA, NAMES_DATA, BaseMetric, MetricInfo, Property
from tenbin.core.parameters import Exponent, Share, whole_number
from tenbin.core.part import Part
from tenbin.core.run_glossary import RUN
from tenbin.matching.stage_alignment import AlignedPairs, align_pairs, match_counts
from tenbin.metrics.meteor.arithmetic import Formula, score_steps
from tenbin.metrics.meteor.explanation import Evidence, explained_alignment
from tenbin.metrics.meteor.formula import MeteorParts, meteor_parts, penalized_matches
from tenbin.metrics.meteor.knowledge import Knowledge
from tenbin.metrics.meteor.parameters import Compat, MeteorTask, Similarity, Stage, VectorKey
from tenbin.metrics.meteor.settings import MeteorSettings
from tenbin.penalty.applied import AppliedPenalty
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty

MOST_MATCHES = LengthLimit(1_000_000, SegmentUnit.MATCHES)
"""Matches of equal words that the aligner chooses from: a text of 6,000 words has half as many."""


@dataclass(frozen=True, kw_only=True)
class Meteor(BaseMetric):
    """METEOR: F-score of words matched by form, stem, synonym, paraphrase or vector, 0 to 1.

    Function words weigh less than content words, and a penalty grows with the number of chunks that
    the matched words fall into. The best reference counts; the corpus score comes from summed
    counts. No match scores 0.
    """

    name: ClassVar[str] = "meteor"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="METEOR",
        summary="Words matched by form, stem, synonym and paraphrase, with a penalty for order.",
        citation="Denkowski, Lavie (2014), Meteor Universal: Language Specific Translation "
        "Evaluation for Any Target Language, WMT; Servan, Bérard, Elloumi, Blanchon, Besacier "
        "(2016), Word2Vec vs DBnary: Augmenting METEOR using Vector Representations or Lexical "
        "Resources, COLING.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.IDENTITY_IS_BEST}),
        weaknesses="As good as its resources: without them it is a weighted word F-score. The "
        "fragmentation penalty is harsh on free word order.",
        oracle="METEOR 1.5 and METEOR-E",
        longest=LengthLimit(6_000),
    )
    composed_of: ClassVar[tuple[type[Part], ...]] = (MeteorSettings, AppliedPenalty)

    language: str = AUTO
    tokenizer: str = AUTO
    lowercase: bool = True
    stages: tuple[Stage, ...] | None = None
    weights: tuple[Share, ...] | None = field(default=None, metadata=IN_FORMULA)
    drop_missing: bool = False
    task: MeteorTask = MeteorTask.AUTO
    alpha: Share | None = field(default=None, metadata=IN_FORMULA)
    beta: Exponent | None = field(default=None, metadata=IN_FORMULA)
    gamma: Exponent | None = field(default=None, metadata=IN_FORMULA)
    delta: Share | None = field(default=None, metadata=IN_FORMULA)
    lexicon: str = field(default=AUTO, metadata=NAMES_DATA)
    lemmas: bool | None = None
    paraphrases: str = field(default=AUTO, metadata=NAMES_DATA)
    function_words: str = field(default=AUTO, metadata=NAMES_DATA)
    vectors: str | None = field(default=None, metadata=NAMES_DATA)
    vector_key: VectorKey = VectorKey.SURFACE
    threshold: Share | None = None
    similarity: Similarity = Similarity.HALF
    characters: bool = False
    compat: Compat = Compat.METEOR_15
    beam: Annotated[int, whole_number(1, 1_000)] = 40
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)

    @property
    def settings(self) -> MeteorSettings:
        """All that METEOR can be told, but for the penalty."""
        return self.part(MeteorSettings)

    @property
    def tokens(self) -> Annotation:
        """The annotation the metric reads."""
        return self.settings.annotation

    def unused_resources(self, language: str) -> dict[str, str]:
        """Return data that is installed and that no default uses, by parameter."""
        return self.settings.unused_resources(language)

    def overlong(self, batch: Batch) -> Overlong | None:
        """Return a string that is too long, or repeats its words too often to be aligned."""
        found = super().overlong(batch)
        if found is not None:
            return found
        rows = batch.column(self.tokens).rows
        left, right, _ = batch.distinct_pairs()
        # Short rows cannot have too many matches.
        for pair in np.flatnonzero(rows.lengths[left] * rows.lengths[right] > MOST_MATCHES.most):
            own, other = rows.row(int(left[pair])), rows.row(int(right[pair]))
            size = int(max(own.max(), other.max())) + 1
            counts = np.bincount(own, minlength=size) @ np.bincount(other, minlength=size)
            if counts > MOST_MATCHES.most:
                return Overlong(int(left[pair]), int(counts), MOST_MATCHES)
        return None

    def statistics(self, batch: Batch) -> FloatArray:
        """Return METEOR's sufficient statistics for the best reference of each item."""
        column = batch.column(self.tokens)
        left, right, places = batch.distinct_pairs()
        plain = self.pair_counts(column, left, right, self.settings.knowledge())[places]
        counts = self._penalized_counts(batch, 0, plain)
        return counts[batch.best_pairs(self.score(counts), highest=True)]

    def pair_counts(
        self, column: Column, left: IntArray, right: IntArray, knowledge: Knowledge
    ) -> FloatArray:
        """Return the sufficient statistics of each pair of strings."""
        words = column.vocabulary
        lengths = map(len, words) if self.characters else repeat(1)
        functional = map(knowledge.function_words.words.__contains__, words)
        return match_counts(
            column.rows,
            left,
            right,
            self._aligned(column, left, right, knowledge),
            np.fromiter(functional, dtype=np.bool_, count=len(words)),
            stages=len(self.settings.settled_stages),
            sizes=np.fromiter(lengths, dtype=np.int64, count=len(words)),
        )

    def _penalized_counts(self, batch: Batch, first: int, counts: FloatArray) -> FloatArray:
        """Return the statistics of some pairs after the penalty for wrong names and numbers."""
        if self.penalty is Penalty.NONE:
            return counts
        factors = self.part(AppliedPenalty).side_factors(batch)
        return penalized_matches(counts, factors[first : first + len(counts)])

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return METEOR."""
        return self.parts(statistics).score

    def parts(self, statistics: FloatArray) -> MeteorParts:
        """Return what the score is made of."""
        return meteor_parts(
            statistics,
            np.array(self.weights),
            alpha=self.alpha or 0.0,
            beta=self.beta or 0.0,
            gamma=self.gamma or 0.0,
            delta=self.delta or 0.0,
        )

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was matched between an item and its best reference, and why."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the alignment of an item with its best reference, and the way to its score."""
        column, knowledge = batch.column(self.tokens), self.settings.knowledge()
        right = batch.references.row(item).astype(np.int64)
        left = np.repeat(batch.hypotheses[item], right.size)
        plain = self.pair_counts(column, left, right, knowledge)
        counts = self._penalized_counts(batch, int(batch.references.offsets[item]), plain)
        best = int(np.argmax(self.score(counts)))  # the first wins a tie, as in statistics()
        evidence = Evidence(
            stages=self.settings.settled_stages,
            language=self.language,
            knowledge=knowledge,
            nearness=self.settings.nearness,
        )
        parts = self.parts(counts[best])
        losses = self.part(AppliedPenalty).side_losses(
            batch.strings[left[best]], batch.strings[right[best]]
        )
        return Explanation(
            alignment=explained_alignment(
                tuple(column.tokens(left[best])),
                tuple(column.tokens(right[best])),
                self._aligned(column, left, right, knowledge),
                best,
                evidence,
            ),
            steps=score_steps(plain[best], parts, self._formula(), losses),
            score=float(parts.score),
            signature=self.signature(),
            reference=best + 1,
            reference_count=right.size,
        )

    def _formula(self) -> Formula:
        return Formula(
            stages=self.settings.settled_stages,
            weights=self.weights or (),
            alpha=self.alpha or 0.0,
            beta=self.beta or 0.0,
            gamma=self.gamma or 0.0,
            delta=self.delta or 0.0,
            unit="characters" if self.characters else "words",
        )

    def _aligned(
        self, column: Column, left: IntArray, right: IntArray, knowledge: Knowledge
    ) -> AlignedPairs:
        known = knowledge.of_words(
            column.vocabulary, self.settings.settled_stages, self.language, self.settings.nearness
        )
        quirks = self.compat is not Compat.NONE
        return align_pairs(column.rows, left, right, known, compat=quirks, beam=self.beam)
