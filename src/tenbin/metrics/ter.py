"""TER (Snover et al. 2006), by sacrebleu's own code or, on large inputs, its compiled twin."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.tokenizers import load_tokenizer, tercom_name
from tenbin.core.arrays import FloatArray, IntArray, Ragged
from tenbin.core.batch import Annotation, AnnotationKind, Batch, Column
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import BaseMetric, MetricInfo, Needs, Property, signature_value
from tenbin.kernels.dispatch import compiled_twin
from tenbin.metrics.error_rates import error_rate

# Grid cells (hypothesis words times reference words) that sacrebleu searches in about two seconds.
_PAYS_OFF = 300_000


@dataclass(frozen=True, kw_only=True)
class Ter(BaseMetric):
    """TER: insertions, deletions, substitutions and block shifts over reference words, in percent.

    The fewest edits over the references count, over their mean length. An empty reference gives 100
    if the hypothesis has words and 0 if not.

    With ``normalized`` sacrebleu separates punctuation of references twice, of hypotheses once, and
    so does Tenbin, to give its numbers: the reference ``Poor's,`` becomes ``Poor 's ,``, the
    hypothesis ``Poor's ,``, so that even equal texts may cost an edit.

    Attributes:
        normalized: Whether punctuation is separated and XML entities are undone.
        no_punct: Whether punctuation is removed.
        asian_support: With ``normalized``, cuts Chinese and Japanese into characters.
        case_sensitive: Whether case is kept; off by default.
    """

    name: ClassVar[str] = "ter"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="TER",
        summary="Edits, block shifts among them, that turn the translation into the reference.",
        citation="Snover, Dorr, Schwartz, Micciulla, Makhoul (2006), A Study of Translation Edit "
        "Rate with Targeted Human Annotation, AMTA.",
        higher_is_better=False,
        minimum=0.0,
        maximum=float("inf"),
        decimals=2,
        properties=frozenset({Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE}),
        weaknesses="A paraphrase costs as much as an error; slow on long segments; by default it "
        "splits at blanks only, so Japanese and Chinese need normalized and asian_support.",
        oracle="sacrebleu 2.6.0",
        longest=LengthLimit(10_000),
    )

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def _tokenizer(self) -> str:
        return tercom_name(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    @property
    def _words(self) -> Annotation:
        return Annotation(kind=AnnotationKind.TOKENS, method=self._tokenizer)

    @property
    def needs(self) -> Needs:
        """Words as tercom cuts them."""
        return Needs(annotations=frozenset({self._words}))

    def statistics(self, batch: Batch) -> FloatArray:
        """Return fewest edits and mean reference length of each item."""
        column, left, right = self._pairs_to_compare(batch)
        # Systems repeat each other, and TER is the dearest of the surface metrics.
        distinct, inverse = np.unique(np.stack([left, right]), axis=1, return_inverse=True)
        edits = _edits(column, *np.ascontiguousarray(distinct))
        pair_edits = edits[inverse.reshape(-1)].astype(np.float64)
        starts = batch.references.offsets[:-1]
        fewest = np.minimum.reduceat(pair_edits, starts)
        lengths = column.rows.lengths[right].astype(np.float64)
        mean_length = np.add.reduceat(lengths, starts) / batch.references.lengths
        return np.column_stack([fewest, mean_length])

    def _pairs_to_compare(self, batch: Batch) -> tuple[Column, IntArray, IntArray]:
        """Return words, hypothesis rows and reference rows of all pairs."""
        column = batch.column(self._words)
        left, right = batch.pairs()
        if not self.normalized:
            return column, left, right
        # sacrebleu's _cache_references cuts a reference, and TER's _extract_reference_info cuts the
        # result again. Only normalization does more the second time.
        tokenize = load_tokenizer(self._tokenizer).tokenize
        rows, position = np.unique(right, return_inverse=True)
        identifiers = {word: number for number, word in enumerate(column.vocabulary)}
        again = Ragged.from_rows(
            [identifiers.setdefault(word, len(identifiers)) for word in tokenize(" ".join(words))]
            for words in map(column.tokens, rows.tolist())
        )
        values = np.concatenate([column.rows.values, again.values])
        offsets = [column.rows.offsets, again.offsets[1:] + len(column.rows.values)]
        extended = Column(Ragged(values, np.concatenate(offsets)), tuple(identifiers))
        return extended, left, position.reshape(-1) + len(column.rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        """Return edits over reference words, in percent."""
        return error_rate(statistics)

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return sacrebleu's facts under sacrebleu's keys."""
        return (
            ("case", "mixed" if self.case_sensitive else "lc"),
            ("tok", "tercom"),
            ("norm", signature_value(self.normalized)),
            ("punct", signature_value(not self.no_punct)),
            ("asian", signature_value(self.asian_support)),
        )

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the version of the program that counts the edits."""
        return load_tokenizer(self._tokenizer).versions


def _edits(column: Column, left: IntArray, right: IntArray) -> IntArray:
    """Return the edits of each pair: by sacrebleu's function, or by its compiled twin."""
    rows, lengths = column.rows, column.rows.lengths
    cells = int((lengths[left] * lengths[right]).sum())
    if compiled := compiled_twin("edits.shifted_edits", work=cells, threshold=_PAYS_OFF):
        edits: IntArray = compiled.shifted_edits(rows.values, rows.offsets, left, right)
        return edits
    from sacrebleu.metrics.lib_ter import translation_edit_rate  # noqa: PLC0415 - on first use

    words = {row: column.tokens(row) for row in {*left.tolist(), *right.tolist()}}
    counted = (
        translation_edit_rate(words[own], words[other])[0]
        for own, other in zip(left.tolist(), right.tolist(), strict=True)
    )
    return np.fromiter(counted, dtype=np.int64, count=len(left))
