"""ParaEval with paraphrases of at least so many words, and how many words they match."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.arrays import IntArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.spec import Spec
from tenbin.core.study import CorrelationRow, Shares
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.kernels.phrases.clipping import clipped_matches
from tenbin.meta.scoring import read_texts
from tenbin.metrics.paraeval.choices import NONE, ParaEvalMeasure
from tenbin.metrics.paraeval.metric import ParaEval
from tenbin.metrics.registry import load_all
from tenbin.studies.correlations import correlation_row, correlations
from tenbin.studies.places import StudyPlace
from tenbin.studies.planning import StudyMetric, StudyOptions, paraeval

_CHUNK_SEGMENTS = 1_000


def correlations_by_length(
    place: StudyPlace, options: StudyOptions, *, is_alone: bool
) -> tuple[list[CorrelationRow], list[str]]:
    """Return the correlation at each least length, without paraphrases first, and notes.

    Every row says how many words of the translations are matched in phrases, and how many alone.

    Args:
        place: The language pair.
        options: The paraphrases, the lengths and the measures of ParaEval.
        is_alone: As in `correlations`.
    """
    measures = tuple(dict.fromkeys(options.measures)) or (ParaEvalMeasure.PRECISION,)
    lengths = (0, *sorted(set(options.lengths)))
    bound = bound_paraeval(paraeval(options, ParaEvalMeasure.PRECISION, 1).spec, place.pair)
    metrics = [
        _of_length(options, measure, length, bound.tokenizer)
        for measure in measures
        for length in lengths
    ]
    found, notes = correlations(place, metrics, place.references, options, is_alone=is_alone)
    if not found:
        return [], notes
    texts = read_texts(place.folder, place.pair, place.references, found[0].systems)
    shares = dict(zip(lengths, matched_shares(texts, bound, lengths), strict=True))
    bases = {(one.human, one.metric.label): one for one in found if one.metric.min_length == 0}
    rows = [
        correlation_row(
            one,
            baseline=bases[one.human, one.metric.label],
            shares=shares[one.metric.min_length or 0],
        )
        for one in found
    ]
    return rows, notes


def _of_length(
    options: StudyOptions, measure: ParaEvalMeasure, length: int, tokenizer: str
) -> StudyMetric:
    if length:
        return replace(paraeval(options, measure, length), min_length=length)
    parsed = Spec.parse(paraeval(replace(options, table=NONE), measure, 1).spec)
    # The tokenizer of the table, whatever is usual for the language.
    cut = Spec(parsed.name, (*parsed.parameters, ("tokenizer", tokenizer)))
    return StudyMetric(str(cut), f"ParaEval {measure}", min_length=0)


def bound_paraeval(spec: str, pair: str) -> ParaEval:
    """Return ParaEval, bound to the target language of a pair."""
    (metric,) = load_all([spec])
    if not isinstance(metric, ParaEval):
        raise UsageError(f"{spec!r} is not ParaEval, whose phrases are counted here.")
    return metric.bind(target_language(pair))


def matched_shares(texts: TestSet, metric: ParaEval, lengths: Sequence[int]) -> list[Shares]:
    """Return the shares of the words of all translations that are matched, for each least length.

    Phrases that are equal on both sides are in one set and count as phrases; what paraphrases add
    is the sum of both shares less the share of single words without any table.

    Args:
        texts: Translations of all systems and their references.
        metric: ParaEval, bound to the language.
        lengths: Least numbers of words of a phrase of the translation; 0 for no phrases.
    """
    counts = np.zeros((len(lengths), 2), dtype=np.int64)
    words = 0
    for chunk in texts.chunks(_CHUNK_SEGMENTS):
        batch = build_batch(chunk, sorted(metric.needs.annotations), sources=False)
        rows = metric.phrase_rows(batch)
        words += int(np.diff(rows.offsets)[batch.hypotheses].sum())
        for place, length in enumerate(lengths):
            counts[place] += _matched(metric, batch, length)
    return [
        Shares(phrases=int(phrases) / max(words, 1), words=int(single) / max(words, 1))
        for phrases, single in counts
    ]


def _matched(metric: ParaEval, batch: Batch, length: int) -> IntArray:
    rows = metric.phrase_rows(batch)
    # No phrase has as many words as all texts together.
    least = length or len(rows.values) + 1
    found: IntArray = clipped_matches(
        rows,
        batch.hypotheses,
        batch.references.values.astype(np.int64),
        batch.references.offsets,
        least_scored=least,
    ).sum(axis=0)
    return found
