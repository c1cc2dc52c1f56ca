"""Candidate matches between phrases of pairs of rows, one listed as a paraphrase of the other.

The paraphrase stage of METEOR (Denkowski and Lavie, 2014, "Meteor Universal").
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from tenbin.kernels.alignment.match_candidates import MatchCandidates
from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.phrases.index import PhraseIndex, PhraseSpans

# Spans of the rows of all pairs that the plain twin looks up in half a second.
_WORTH_COMPILING = 80_000


def phrase_matches(
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    *,
    spans: PhraseSpans,
    index: PhraseIndex,
    stage: int,
) -> MatchCandidates:
    """Return the candidate phrase matches of each pair, in the order METEOR 1.5 collects them.

    First come the matches of a phrase on the right with one of its paraphrases on the left: by
    right start, right length, place of the paraphrase in the list of the phrase, left start. Then
    those of a phrase on the left with one of its paraphrases on the right: by left start, left
    length, place in the list, right start. Spans that are paraphrases of each other match twice.
    Pairs of equal rows have matches only if the stage is the first.

    Args:
        values: Words of all rows; equal ids mean equal words.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        left: Hypothesis row of each pair.
        right: Reference row of each pair.
        spans: The phrases in the same rows, from `phrase_spans`.
        index: The paraphrases.
        stage: Position of this stage in the list of stages.
    """
    counts = np.diff(spans.offsets)
    work = int(counts[left].sum() + counts[right].sum())
    if compiled := compiled_twin("phrases.matches", work=work, threshold=_WORTH_COMPILING):
        pair_offsets, found = compiled.phrase_matches(
            (values, offsets),
            left,
            right,
            (spans.offsets, spans.starts, spans.lengths, spans.phrases),
            (index.paraphrase_offsets, index.paraphrases),
            stage,
        )
    else:
        rows = [row.tolist() for row in np.split(values, offsets[1:-1])]
        pair_offsets, found = _plain_phrase_matches(rows, left, right, spans, index, stage)
    return MatchCandidates(
        offsets=pair_offsets,
        stages=np.full(found.shape[1], stage, dtype=np.int32),
        right_starts=found[0],
        right_lengths=found[1],
        left_starts=found[2],
        left_lengths=found[3],
        values=np.ones(found.shape[1], dtype=np.float32),
    )


class _Span(NamedTuple):
    start: int
    length: int
    phrase: int


def _plain_phrase_matches(
    rows: list[list[int]],
    left: IntArray,
    right: IntArray,
    spans: PhraseSpans,
    index: PhraseIndex,
    stage: int,
) -> tuple[IntArray, IdArray]:
    found: list[tuple[int, int, int, int]] = []
    pair_offsets = [0]
    for here, there in zip(left.tolist(), right.tolist(), strict=True):
        if stage == 0 or rows[here] != rows[there]:
            left_spans, right_spans = _row_spans(spans, here), _row_spans(spans, there)
            found += [(*a[:2], *b[:2]) for a, b in _linked(right_spans, left_spans, index)]
            found += [(*b[:2], *a[:2]) for a, b in _linked(left_spans, right_spans, index)]
        pair_offsets.append(len(found))
    table = np.array(found, dtype=np.int32).reshape(-1, 4).T.copy()
    return np.array(pair_offsets, dtype=np.int64), table


def _row_spans(spans: PhraseSpans, row: int) -> list[_Span]:
    part = slice(spans.offsets[row], spans.offsets[row + 1])
    columns = (spans.starts[part], spans.lengths[part], spans.phrases[part])
    return [_Span(*span) for span in zip(*(column.tolist() for column in columns), strict=True)]


def _linked(
    sources: list[_Span], targets: list[_Span], index: PhraseIndex
) -> list[tuple[_Span, _Span]]:
    """Return each source span with each target span that is listed as its paraphrase."""
    by_phrase = defaultdict(list)
    for target in targets:
        by_phrase[target.phrase].append(target)
    links = []
    for source in sources:
        start, stop = index.paraphrase_offsets[source.phrase : source.phrase + 2]
        for paraphrase in index.paraphrases[start:stop].tolist():
            links += [(source, target) for target in by_phrase.get(paraphrase, ())]
    return links
