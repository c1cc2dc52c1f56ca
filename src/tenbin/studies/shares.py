"""How much of the systems' words ParaEval matches in phrases, and how much as single words."""

from collections.abc import Sequence

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.arrays import IntArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.kernels.phrases.clipping import clipped_matches
from tenbin.metrics.paraeval.metric import ParaEval
from tenbin.metrics.registry import load_all
from tenbin.reports.study_rows import Shares

_CHUNK_SEGMENTS = 1_000


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
