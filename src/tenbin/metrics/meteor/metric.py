"""METEOR as a metric: statistics, score, alignment."""

from dataclasses import dataclass, replace
from itertools import repeat
from typing import ClassVar

import numpy as np

from tenbin.annotation.stems import load_stemmer
from tenbin.annotation.tokenizers import METEOR_TOKENIZERS, load_tokenizer
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch, Column
from tenbin.core.explanation import Explanation
from tenbin.core.metric import MetricInfo, Needs, Property
from tenbin.core.signature import Signature
from tenbin.kernels.alignment.word_matches import Nearness
from tenbin.matching.stage_alignment import AlignedPairs, align_pairs, match_counts
from tenbin.metrics.meteor.arithmetic import Formula, score_steps
from tenbin.metrics.meteor.defaults import REQUIRED
from tenbin.metrics.meteor.explanation import Evidence, explained_alignment
from tenbin.metrics.meteor.formula import MeteorParts, lowered_matches, meteor_parts
from tenbin.metrics.meteor.knowledge import Knowledge, load_knowledge
from tenbin.metrics.meteor.parameters import Compat, Similarity, Stage, VectorKey
from tenbin.metrics.meteor.settings import MeteorSettings
from tenbin.metrics.penalties import PenalisedMetric
from tenbin.penalty.texts import Penalty


@dataclass(frozen=True, kw_only=True)
class Meteor(PenalisedMetric, MeteorSettings):
    """METEOR: F-score of words matched by form, stem, synonym, paraphrase or vector, 0 to 1.

    Function words weigh less than content words, and a penalty grows with the number of chunks that
    the matched words fall into. The best reference counts; the corpus score comes from summed
    statistics. No match scores 0.
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
    )

    @property
    def tokens(self) -> Annotation:
        """The annotation the metric reads."""
        own = self.tokenizer in METEOR_TOKENIZERS
        method = f"{self.tokenizer}:{self.language}" if own else self.tokenizer
        return Annotation(
            kind=AnnotationKind.TOKENS, method=method, lowercase=self.lowercase and not own
        )

    @property
    def needs(self) -> Needs:
        """Tokens of hypotheses and references, and the data that a preset leaves to the user."""
        missing = [name for name in ("lexicon", "vectors") if getattr(self, name) == REQUIRED]
        return Needs(annotations=frozenset({self.tokens}), parameters=frozenset(missing))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return METEOR's sufficient statistics for the best reference of each item."""
        column = batch.column(self.tokens)
        left, right, places = batch.distinct_pairs()
        plain = self.pair_counts(column, left, right, self._knowledge())[places]
        counts = self._lowered_counts(batch, 0, plain)
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
            stages=len(self._stages),
            sizes=np.fromiter(lengths, dtype=np.int64, count=len(words)),
        )

    def _lowered_counts(self, batch: Batch, first: int, counts: FloatArray) -> FloatArray:
        """Return the statistics of some pairs after the penalty for wrong names and figures."""
        if self.penalty is Penalty.NONE:
            return counts
        return lowered_matches(counts, self.side_factors(batch)[first : first + len(counts)])

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
        column, knowledge = batch.column(self.tokens), self._knowledge()
        right = batch.references.row(item).astype(np.int64)
        left = np.repeat(batch.hypotheses[item], right.size)
        plain = self.pair_counts(column, left, right, knowledge)
        counts = self._lowered_counts(batch, int(batch.references.offsets[item]), plain)
        best = int(np.argmax(self.score(counts)))  # the first wins a tie, as in statistics()
        evidence = Evidence(
            stages=self._stages,
            language=self.language,
            knowledge=knowledge,
            nearness=self._nearness,
        )
        parts = self.parts(counts[best])
        kept = self.kept_sides(batch.strings[left[best]], batch.strings[right[best]])
        return Explanation(
            alignment=explained_alignment(
                tuple(column.tokens(left[best])),
                tuple(column.tokens(right[best])),
                self._aligned(column, left, right, knowledge),
                best,
                evidence,
            ),
            steps=score_steps(plain[best], parts, self._formula(), kept),
            score=float(parts.score),
            signature=self.signature(),
            reference=best + 1,
            reference_count=right.size,
        )

    def signature(self) -> Signature:
        """Return every choice, and the fingerprints of the resources that are used."""
        plain = super().signature()
        if not self._is_bound:
            return plain
        entries = [identity.signature_entry for identity in self._knowledge().identities()]
        return replace(plain, resources=tuple(entries))

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the versions of the programs that cut words and find stems and lemmas."""
        if not self._is_bound:
            return ()
        stems = load_stemmer(self.language).versions if Stage.STEM in self._stages else ()
        own = self.tokenizer in METEOR_TOKENIZERS
        words = () if own else load_tokenizer(self.tokenizer).versions
        lemmas = self._knowledge().lemma_versions
        return tuple(dict.fromkeys((*words, *stems, *lemmas, *self.penalty_versions())))

    @property
    def _nearness(self) -> Nearness:
        return Nearness(
            threshold=self.threshold,
            halved=self.similarity is Similarity.HALF,
            of_equal_words=self.compat is Compat.METEOR_E,
        )

    def _formula(self) -> Formula:
        return Formula(
            stages=self._stages,
            weights=self.weights or (),
            alpha=self.alpha or 0.0,
            beta=self.beta or 0.0,
            gamma=self.gamma or 0.0,
            delta=self.delta or 0.0,
            unit="characters" if self.characters else "words",
        )

    def _knowledge(self) -> Knowledge:
        return load_knowledge(
            language=self.language,
            tokenizer=self.tokenizer,
            function_words=self.function_words,
            lexicon=self.lexicon,
            lemmas=bool(self.lemmas),
            paraphrases=self.paraphrases,
            vectors=self.vectors if Stage.VECTOR in self._stages else None,
            vector_lemmas=self.vector_key is VectorKey.LEMMA,
        )

    def _aligned(
        self, column: Column, left: IntArray, right: IntArray, knowledge: Knowledge
    ) -> AlignedPairs:
        known = knowledge.of_words(column.vocabulary, self._stages, self.language, self._nearness)
        quirks = self.compat is not Compat.NONE
        return align_pairs(column.rows, left, right, known, compat=quirks, beam=self.beam)
