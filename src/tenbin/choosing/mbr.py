"""Minimum Bayes risk: the candidate that is on average most like the others.

Kumar and Byrne (2004), Minimum Bayes-Risk Decoding for Statistical Machine Translation, NAACL;
Eikema and Aziz (2020), Is MAP Decoding All You Need?, COLING. The utility is any metric, and the
candidates themselves, or another pool, are its references.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.choosing.aggregated import aggregated_scores
from tenbin.choosing.pairs import ComparedTexts, matrix_scores
from tenbin.choosing.requests import Advance, bound_metrics, chunks, feature_of, text_notes
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.candidates import CandidateLists
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import AggregatingMetric, Metric
from tenbin.core.selection import Selection, SelectionKind
from tenbin.evaluation.parallel import mapped

_PAIRWISE = "mean score against each of the {pool}"
_AGGREGATED = (
    "score against the mean n-gram counts of the {pool}, an approximation of the mean score "
    "against each of them"
)
_OTHERS = "other candidates"
_ALL = "candidates, itself among them"
_POOL = "pool"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolOptions:
    """What candidates are compared with.

    Attributes:
        pool: Pseudo-references of each segment; None for the candidates themselves.
        with_self: Whether a candidate is also its own reference, as in mbrs; without it the others
            are, as in comet-mbr.
        aggregate: Whether to compare with the mean of the pool, once, instead of with each of it.
    """

    pool: CandidateLists | None = None
    with_self: bool = False
    aggregate: bool = False

    def __post_init__(self) -> None:
        if self.pool is not None and self.with_self:
            raise UsageError(
                "`with_self` says whether candidates are their own references; with another "
                "`pool` they are not."
            )

    @property
    def leaves_out(self) -> bool:
        """Whether a candidate is not compared with itself."""
        return self.pool is None and not self.with_self

    @property
    def name(self) -> str:
        """What a signature calls it."""
        pool = "others" if self.leaves_out else "all" if self.pool is None else "pool"
        return f"{pool}-aggregated" if self.aggregate else pool

    @property
    def method(self) -> str:
        """How scores are computed, in words."""
        pool = _OTHERS if self.leaves_out else _ALL if self.pool is None else _POOL
        return (_AGGREGATED if self.aggregate else _PAIRWISE).format(pool=pool)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PooledSegment:
    """The candidates of a segment and what they are compared with, each distinct text once.

    Attributes:
        texts: The distinct candidates and the distinct references.
        places: For each candidate its place among the distinct ones.
        counts: How often each distinct reference is in the pool.
        leaves_out: Whether a candidate is not compared with itself.
        aggregate: Whether the references are taken together.
    """

    texts: ComparedTexts
    places: IntArray
    counts: IntArray
    leaves_out: bool
    aggregate: bool

    @property
    def size(self) -> int:
        """The number of pairs; of texts, where the references are taken together."""
        texts = self.texts
        return len(texts.hypotheses) + len(texts.references) if self.aggregate else texts.size


def choose_by_risk(
    candidates: CandidateLists,
    spec: str,
    language: str,
    *,
    source: Sequence[str] | None = None,
    options: PoolOptions | None = None,
    jobs: int = 1,
    advance: Advance | None = None,
) -> Selection:
    """Return the candidates with the best mean utility.

    The mean is rounded once and not in the order of the candidates, so that the same text has the
    same score wherever it stands in its list. A candidate that stands several times in a pool
    counts as often.

    Args:
        candidates: What is chosen from.
        spec: The metric that is the utility.
        language: The target language.
        source: The source of each segment, for metrics that read it.
        options: What candidates are compared with.
        jobs: Worker processes.
        advance: Called with the number of segments done.
    """
    options = options or PoolOptions()
    candidates.check_parallel(source, "source")
    candidates.check_parallel(None if options.pool is None else options.pool.texts, "pool")
    (metric,) = bound_metrics([spec], language, has_references=True, has_source=source is not None)
    if not metric.needs.references:
        raise UsageError(
            f"{spec} reads no reference, so that it cannot compare candidates with each other. "
            "Order them by its scores instead: tenbin rerank."
        )
    if options.aggregate and not isinstance(metric, AggregatingMetric):
        raise UsageError(
            f"{spec} has no aggregated reference (`aggregate`): only metrics over counts of "
            "n-grams have one (chrf, bleu, sentbleu). Compare with each candidate instead."
        )
    read = source if metric.needs.source else None
    notes = text_notes(candidates, [metric], language, read)
    if options.pool is not None:
        notes += text_notes(options.pool, [metric], language, read)
    segments = list(_pooled(candidates, options, read))
    notes += _lonely_notes(segments)
    scores: list[FloatArray] = []
    parts = chunks(segments, of_texts=options.aggregate)
    for part in mapped(partial(utilities, metric=metric), parts, jobs=jobs):
        scores += part
        if advance is not None:
            advance(len(part))
    feature = feature_of(spec, metric, language, (1,), ("mbr", options.name))
    return Selection(
        kind=SelectionKind.MBR,
        language=parse_language(language).tag,
        features=(feature,),
        candidates=candidates,
        scores=tuple(scores),
        higher_is_better=metric.info.higher_is_better,
        method=options.method,
        notes=tuple(dict.fromkeys(notes)),
    )


def utilities(segments: Sequence[PooledSegment], metric: Metric) -> list[FloatArray]:
    """Return the mean utility of each candidate, an array per segment.

    Args:
        segments: What one batch should hold.
        metric: The metric, bound to the language.
    """
    texts = [segment.texts for segment in segments]
    if segments[0].aggregate and isinstance(metric, AggregatingMetric):
        found = aggregated_scores(
            metric,
            texts,
            [segment.counts for segment in segments],
            leaves_out=segments[0].leaves_out,
        )
    else:
        matrices = matrix_scores(metric, texts)
        found = [_means(*both) for both in zip(segments, matrices, strict=True)]
    return [own[segment.places] for segment, own in zip(segments, found, strict=True)]


def _means(segment: PooledSegment, matrix: FloatArray) -> FloatArray:
    """Return the mean of each row; each reference counts as often as it is in the pool."""
    weights = np.repeat(segment.counts[np.newaxis], len(matrix), axis=0)
    if segment.leaves_out:
        # The pool is the candidates, in the same order.
        np.fill_diagonal(weights, segment.counts - 1)
    totals = weights.sum(axis=1)
    means = np.full(len(matrix), np.nan)
    # A score that is not defined does not count where its weight is 0.
    products = np.where(weights > 0, weights * matrix, 0.0)
    for row, (terms, total) in enumerate(zip(products, totals, strict=True)):
        if total:
            means[row] = fsum(terms) / total
    return means


def _pooled(
    candidates: CandidateLists, options: PoolOptions, source: Sequence[str] | None
) -> Iterator[PooledSegment]:
    for number, own in enumerate(candidates.texts):
        distinct = {text: place for place, text in enumerate(dict.fromkeys(own))}
        counts = Counter(own if options.pool is None else options.pool.texts[number])
        yield PooledSegment(
            texts=ComparedTexts(
                hypotheses=tuple(distinct),
                references=tuple(counts),
                source=None if source is None else source[number],
            ),
            places=np.array([distinct[text] for text in own], dtype=np.int64),
            counts=np.array(list(counts.values()), dtype=np.int64),
            leaves_out=options.leaves_out,
            aggregate=options.aggregate,
        )


def _lonely_notes(segments: Sequence[PooledSegment]) -> list[str]:
    alone = sum(segment.leaves_out and len(segment.places) == 1 for segment in segments)
    if not alone:
        return []
    note = (
        f"{counted(alone, 'segment')} of {len(segments):,} with one candidate, which is chosen "
        "without a score: there is no other to compare it with."
    )
    return [note]
