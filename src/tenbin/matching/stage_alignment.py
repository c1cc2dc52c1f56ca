"""Aligns pairs of segments stage by stage, and counts what was matched."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.kernels.beam_alignment import BEAM_WIDTH, beam_alignment
from tenbin.kernels.match_candidates import MatchCandidates, Relation, joined_candidates
from tenbin.kernels.phrase_index import PhraseIndex, phrase_spans
from tenbin.kernels.phrase_matches import phrase_matches
from tenbin.kernels.word_matches import Nearness, WordKnowledge, word_matches

_BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StageKnowledge:
    """All that the stages know about the tokens of a pool.

    Attributes:
        stages: What each stage looks for, in order.
        words: What is known of each word of the vocabulary.
        nearness: When two word vectors are near.
        phrases: The paraphrase table, where there is a phrase stage.
        phrase_words: For each word of the vocabulary its number in that table, or -1.
        beam_weights: Weight of each stage in the search for an alignment.
    """

    stages: tuple[Relation, ...]
    words: WordKnowledge
    nearness: Nearness
    phrases: PhraseIndex | None
    phrase_words: IdArray
    beam_weights: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlignedPairs:
    """Candidates of a batch of pairs, which of them were chosen, and the chunks they make."""

    candidates: MatchCandidates
    chosen: _BoolArray
    chunks: IntArray


def align_pairs(
    rows: Ragged,
    left: IntArray,
    right: IntArray,
    knowledge: StageKnowledge,
    *,
    compat: bool,
    beam: int = BEAM_WIDTH,
) -> AlignedPairs:
    """Return the alignment of each pair of rows."""
    candidates = word_matches(
        rows.values,
        rows.offsets,
        left,
        right,
        stages=knowledge.stages,
        knowledge=knowledge.words,
        nearness=knowledge.nearness,
    )
    if Relation.PHRASE in knowledge.stages and knowledge.phrases is not None:
        table_words = knowledge.phrase_words[rows.values]
        spans = phrase_spans(table_words, rows.offsets, knowledge.phrases)
        found = phrase_matches(
            rows.values,
            rows.offsets,
            left,
            right,
            spans=spans,
            index=knowledge.phrases,
            stage=knowledge.stages.index(Relation.PHRASE),
        )
        candidates = joined_candidates(candidates, found)
    lengths = rows.lengths
    chosen, chunks = beam_alignment(
        candidates,
        lengths[left],
        lengths[right],
        weights=knowledge.beam_weights,
        width=beam,
        compat=compat,
    )
    return AlignedPairs(candidates=candidates, chosen=chosen, chunks=chunks)


def match_counts(
    rows: Ragged,
    left: IntArray,
    right: IntArray,
    aligned: AlignedPairs,
    function_words: _BoolArray,
    *,
    stages: int,
    sizes: IntArray,
) -> FloatArray:
    """Return METEOR's sufficient statistics of each pair, shape (pairs, 4 + 4 * stages + 3).

    Args:
        rows: Tokens of the pool.
        left: Hypothesis row of each pair.
        right: Reference row of each pair.
        aligned: What was matched.
        function_words: For each word of the vocabulary whether it is a function word.
        stages: Number of stages.
        sizes: What each word of the vocabulary counts: 1, or its number of characters.
    """
    total = _Running(rows, sizes)
    function = _Running(rows, sizes * function_words)
    words = _Running(rows, np.ones_like(sizes))
    candidates = aligned.candidates
    pairs = np.repeat(np.arange(len(left)), np.diff(candidates.offsets))[aligned.chosen]
    stage = candidates.stages[aligned.chosen]
    cell = pairs * stages + stage
    counts = np.zeros((len(left), 4 + 4 * stages + 3))
    sides = (
        (left, candidates.left_starts, candidates.left_lengths),
        (right, candidates.right_starts, candidates.right_lengths),
    )
    for side, (row_of_pair, starts, lengths) in enumerate(sides):
        row = row_of_pair[pairs]
        span = (row, starts[aligned.chosen], lengths[aligned.chosen])
        functional = function.between(*span)
        content = total.between(*span) - functional
        for kind, values in enumerate((content, functional)):
            sums = np.bincount(cell, weights=values, minlength=len(left) * stages)
            column = 4 + 2 * side + kind
            counts[:, column : 4 + 4 * stages : 4] = sums.reshape(len(left), stages)
        matched = np.bincount(pairs, weights=words.between(*span), minlength=len(left))
        counts[:, 4 + 4 * stages + 1 + side] = matched
        counts[:, side] = total.of_rows()[row_of_pair]
        counts[:, 2 + side] = function.of_rows()[row_of_pair]
    # A pair that is matched whole in one chunk is not fragmented at all.
    whole = (counts[:, -2] == rows.lengths[left]) & (counts[:, -1] == rows.lengths[right])
    counts[:, -3] = np.where(whole & (aligned.chunks == 1), 0, aligned.chunks)
    return counts


class _Running:
    """Running sums of a value of each word, so that any span is one subtraction."""

    def __init__(self, rows: Ragged, values: IntArray) -> None:
        self._offsets = rows.offsets
        self._sums = np.concatenate([[0], np.cumsum(values[rows.values])])

    def between(self, row: IntArray, start: IdArray, length: IdArray) -> IntArray:
        first = self._offsets[row] + start
        sums: IntArray = self._sums[first + length] - self._sums[first]
        return sums

    def of_rows(self) -> IntArray:
        sums: IntArray = self._sums[self._offsets[1:]] - self._sums[self._offsets[:-1]]
        return sums
