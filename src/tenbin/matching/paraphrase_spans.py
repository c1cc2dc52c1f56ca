"""Finds the phrases of a table of paraphrase sets in the segments of a pool."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from tenbin.core.arrays import IdArray, IntArray, Ragged
from tenbin.kernels.phrases.index import PhraseSpans, phrase_spans
from tenbin.kernels.phrases.sets import PhraseRows, joined_sets, narrowed
from tenbin.resources.paraphrases import ParaphraseSets


def phrase_rows(
    rows: Ragged, vocabulary: Sequence[str], table: ParaphraseSets | None, *, joined: bool
) -> PhraseRows:
    """Return the rows of a pool with their phrases and the sets of each phrase.

    Args:
        rows: Words of each segment, as places in the vocabulary.
        vocabulary: The words.
        table: The sets; None for a table without phrases.
        joined: Whether sets that share a phrase are one set.
    """
    if table is None:
        none = np.empty(0, dtype=np.int32)
        no_spans = PhraseSpans(
            offsets=np.zeros_like(rows.offsets), starts=none, lengths=none, phrases=none
        )
        set_values, set_offsets, spans = none, np.zeros(1, dtype=np.int64), no_spans
    else:
        set_values, set_offsets = _joined(table) if joined else table.sets_of_phrases
        # The paraphrases in the index are for METEOR, and a table may have none.
        index = replace(table.index, paraphrase_offsets=set_offsets, paraphrases=set_values)
        numbers = table.numbers(vocabulary)
        words = numbers[rows.values] if len(numbers) else rows.values
        spans = phrase_spans(words, rows.offsets, index)
    return narrowed(
        PhraseRows(
            values=rows.values,
            offsets=rows.offsets,
            spans=spans,
            set_values=set_values,
            set_offsets=set_offsets,
            set_count=0 if table is None else table.set_count,
        )
    )


@lru_cache(maxsize=2)
def _joined(table: ParaphraseSets) -> tuple[IdArray, IntArray]:
    """Return the one joined set of each phrase, as `ParaphraseSets.sets_of_phrases` lists sets."""
    names = joined_sets(*table.sets_of_phrases)
    offsets = np.concatenate([[0], np.cumsum(names >= 0)]).astype(np.int64)
    return names[names >= 0], offsets
