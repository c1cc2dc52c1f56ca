"""ParaEval as a metric: statistics, score, signature."""

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Self

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.tokenizers import canonical_tokenizer, plain_tokenizer
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.explanation import Explanation
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import AUTO, NAMES_DATA, MetricInfo, Needs, Property
from tenbin.core.parameters import Share, whole_number
from tenbin.core.part import Part
from tenbin.core.resource import ResourceKind
from tenbin.core.run_glossary import RUN
from tenbin.core.signature import Signature
from tenbin.kernels.phrases.clipping import clipped_matches
from tenbin.kernels.phrases.sets import PhraseRows
from tenbin.matching.paraphrase_spans import phrase_rows
from tenbin.metrics.f_score import EVEN, weighted_f
from tenbin.metrics.paraeval.choices import NONE, REQUIRED, Merge, ParaEvalMeasure, RecallReference
from tenbin.metrics.paraeval.explanation import Item, alignment_of, score_steps
from tenbin.metrics.token_metric import TokenMetric
from tenbin.metrics.tokens import Tokens
from tenbin.penalty.applied import AppliedPenalty
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty
from tenbin.resources.paraphrases import ParaphraseSets, load_paraphrase_sets


@dataclass(frozen=True, kw_only=True)
class ParaEval(TokenMetric):
    """ParaEval: words matched by paraphrase or by themselves, over all words, 0 to 1.

    Phrases of one paraphrase set match each other, a set no more often than one reference has
    phrases of it; then the words that are left match equal words, clipped likewise. A corpus is
    scored by its summed counts. An empty hypothesis scores 0, as does the recall of an empty
    reference.

    Attributes:
        lowercase: Whether texts are lower-cased before they are cut into tokens; tables are.
        table: Paraphrase sets: a resource or a file of 'tenbin build paraphrases'; there is no
            default. ``none``: single words alone.
        measure: ``precision`` (share of the hypothesis), ``recall`` (of a reference) or ``f`` (the
            harmonic mean of both).
        min_length: Least number of words of a phrase of the hypothesis; 3 is what the authors found
            reliable.
        merge: ``components``: sets that share a phrase are one set; else ``none``.
        references: Of several references, recall is that of the best (``max``) or their ``mean``.
    """

    name: ClassVar[str] = "paraeval"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="ParaEval",
        summary="Word precision and recall with paraphrases learned from bilingual text.",
        citation="Zhou, Lin, Hovy (2006), Re-evaluating Machine Translation Results with "
        "Paraphrase Support, EMNLP.",
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE}),
        weaknesses="As good as its table, whose short phrases are often wrong: min_length=3 keeps "
        "the others. Sees no word order. Matching is greedy, so a text may score below 1 against "
        "itself where its phrases are in several sets, or with a min_length of more than 1.",
        oracle="figures 1 and 4 of the paper; brute force from its description",
        longest=LengthLimit(10_000),
    )
    family: ClassVar[TokenizerFamily] = TokenizerFamily.COMPARABLE
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens, AppliedPenalty)

    lowercase: bool = True
    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: Share = STRENGTH
    glossary: str = field(default=RUN, metadata=NAMES_DATA)
    table: str = field(default=REQUIRED, metadata=NAMES_DATA)
    measure: ParaEvalMeasure = ParaEvalMeasure.PRECISION
    min_length: Annotated[int, whole_number(1, 100)] = 1
    merge: Merge = Merge.NONE
    references: RecallReference = RecallReference.MAX

    def bind(self, language: str) -> Self:
        """Return the metric with the tokenizer settled: that of the table, if it says so.

        Raises:
            UsageError: No table was named, or it is of another language or other tokens.
        """
        if self.table == REQUIRED:
            raise UsageError(
                "paraeval has no paraphrases of its own. Name a resource or a file with "
                "table=\"FILE\"; 'tenbin build paraphrases' makes one from bilingual text. With "
                'table="none" single words are compared.'
            )
        settled = parse_language(language if self.language == AUTO else self.language)
        bound = replace(self, language=settled.tag)
        table = bound.sets()
        cut_by = (
            "" if table is None or not table.tokenizer else canonical_tokenizer(table.tokenizer)
        )
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            tokenizer = cut_by or settled.tokenizer(self.family)
        if table is not None and cut_by not in {"", plain_tokenizer(tokenizer)}:
            raise UsageError(
                f"the table {table.identity.name!r} was cut into words by {cut_by!r}, and the "
                f"texts are to be cut by {tokenizer!r}: few phrases would be found. Leave out "
                "tokenizer=..., or build the table with that tokenizer."
            )
        made_for = "" if table is None else str(table.facts.get("language", ""))
        if table is not None and made_for not in {"", "und"}:
            code = parse_language(made_for).code
            if code != settled.code:
                raise UsageError(
                    f"the table {table.identity.name!r} has paraphrases in {code!r}, and the "
                    f"target language is {settled.code!r}. Name a table of that language."
                )
        return super(ParaEval, replace(bound, tokenizer=tokenizer)).bind(language)

    @property
    def needs(self) -> Needs:
        """Tokens, and paraphrases unless there are to be none."""
        missing = frozenset({"table"} if self.table == REQUIRED else ())
        kinds = frozenset({ResourceKind.PARAPHRASES} if self.table != NONE else ())
        return replace(super().needs, resources=kinds, parameters=missing)

    def sets(self) -> ParaphraseSets | None:
        """Return the paraphrases, or None."""
        return None if self.table == NONE else load_paraphrase_sets(self.table, self.language)

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (matched words, words) of the hypothesis, of the reference, or of both."""
        rows = self.phrase_rows(batch)
        parts = []
        if self.measure is not ParaEvalMeasure.RECALL:
            parts.append(self._precision_counts(batch, rows))
        if self.measure is not ParaEvalMeasure.PRECISION:
            parts.append(self._recall_counts(batch, rows))
        return np.column_stack(parts)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return matched words over words, or the harmonic mean of two such quotients."""
        first = _quotient(statistics[..., 0], statistics[..., 1])
        if self.measure is not ParaEvalMeasure.F:
            return first
        second = _quotient(statistics[..., 2], statistics[..., 3])
        return weighted_f(first, second, EVEN)

    def phrase_rows(self, batch: Batch) -> PhraseRows:
        """Return the tokens of the pool and the phrases in them."""
        column = self.token_column(batch)
        joined = self.merge is Merge.COMPONENTS
        return batch.once(
            ("phrase rows", self.tokens, self.table, joined),
            lambda: phrase_rows(column.rows, column.vocabulary, self.sets(), joined=joined),
        )

    def _precision_counts(self, batch: Batch, rows: PhraseRows) -> FloatArray:
        matched = clipped_matches(
            rows,
            batch.hypotheses,
            batch.references.values.astype(np.int64),
            batch.references.offsets,
            least_scored=self.min_length,
        ).sum(axis=1)
        lengths = np.diff(rows.offsets)[batch.hypotheses]
        counts = np.column_stack([matched, lengths]).astype(np.float64)
        if self.penalty is not Penalty.NONE:
            # Words may match any reference, so that the one counts that contradicts least.
            factors = self.part(AppliedPenalty).side_factors(batch)[:, 0]
            counts[:, 0] *= np.maximum.reduceat(factors, batch.references.offsets[:-1])
        return counts

    def _recall_counts(self, batch: Batch, rows: PhraseRows) -> FloatArray:
        counts = self.pair_recalls(batch, rows)
        if self.references is RecallReference.MAX:
            return counts[batch.best_pairs(_preference(batch, counts), highest=True)]
        # The mean of the quotients, with the weight of a reference of mean length. One reference
        # keeps its counts to the last bit.
        starts = batch.references.offsets[:-1]
        numbers = batch.references.lengths
        mean_lengths = np.add.reduceat(counts[:, 1], starts) / numbers
        weights = _quotient(np.repeat(mean_lengths, numbers), counts[:, 1])
        matched = np.add.reduceat(counts[:, 0] * weights, starts) / numbers
        return np.column_stack([matched, mean_lengths])

    def pair_recalls(self, batch: Batch, rows: PhraseRows) -> FloatArray:
        """Return matched words and words of the reference of each pair of the batch."""
        left, right, places = batch.distinct_pairs()
        matched = clipped_matches(
            rows, right, left, np.arange(len(left) + 1), least_other=self.min_length
        ).sum(axis=1)
        counts = np.column_stack([matched, np.diff(rows.offsets)[right]])[places]
        lowered = counts.astype(np.float64)
        if self.penalty is not Penalty.NONE:
            lowered[:, 0] *= self.part(AppliedPenalty).side_factors(batch)[:, 1]
        return lowered

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was matched between an item and its best reference, and why."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return what was matched in an item, by which sets, and the way to its score."""
        rows = self.phrase_rows(batch)
        references = batch.references.row(item).tolist()
        found = Item(
            column=self.token_column(batch),
            rows=rows,
            hypothesis=int(batch.hypotheses[item]),
            references=references,
            min_length=self.min_length,
            table=self.sets(),
            joined=self.merge is Merge.COMPONENTS,
        )
        start, stop = batch.references.offsets[item : item + 2]
        counted = self.measure is not ParaEvalMeasure.PRECISION
        recalls = self.pair_recalls(batch, rows)[start:stop] if counted else None
        own = batch.strings[found.hypothesis]
        penalty = self.part(AppliedPenalty)
        losses = [penalty.side_losses(own, batch.strings[other]) for other in references]
        steps = score_steps(found, self.measure, self.references, recalls, losses)
        shown = found.best_reference(recalls)
        return Explanation(
            alignment=alignment_of(found, shown, self.measure),
            steps=steps,
            score=steps[-1].value,
            signature=self.signature(),
            reference=shown + 1,
            reference_count=len(references),
        )

    def signature(self) -> Signature:
        """Return every choice, and the fingerprint of the table."""
        plain = super().signature()
        table = self.sets() if self._is_bound else None
        return (
            plain
            if table is None
            else replace(plain, resources=(table.identity.signature_entry, *plain.resources))
        )

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters, the table by its name, and how phrases are chosen."""
        plain = super().signature_fields()
        table = self.sets() if self._is_bound else None
        named = {} if table is None else {"table": table.identity.name}
        fields = tuple((key, named.get(key, value)) for key, value in plain)
        # The paper leaves it open; another choice of phrases would be another score.
        return (*fields, ("match", "longest-leftmost"))

    @property
    def _is_bound(self) -> bool:
        return AUTO not in (self.language, self.tokenizer) and self.table != REQUIRED


def _preference(batch: Batch, counts: FloatArray) -> FloatArray:
    """Return what is highest for the pair of each item that recall is that of.

    Of references with equal recall the longest counts, so that their order does not matter.
    """
    recalls = _quotient(counts[:, 0], counts[:, 1])
    best = np.maximum.reduceat(recalls, batch.references.offsets[:-1])
    return np.where(recalls == np.repeat(best, batch.references.lengths), counts[:, 1], -1.0)


def _quotient(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return quotients, 0 where there is nothing to divide by."""
    quotient: FloatArray = np.zeros(np.shape(numerator))
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient
