"""Aligns pairs of segments stage by stage, and counts the matches."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.kernels.alignment.beam import BEAM_WIDTH, beam_alignment
from tenbin.kernels.alignment.match_candidates import MatchCandidates, Relation, joined_candidates
from tenbin.kernels.alignment.match_totals import match_totals
from tenbin.kernels.alignment.word_matches import Nearness, WordKnowledge, word_matches
from tenbin.kernels.phrases.index import PhraseIndex, phrase_spans
from tenbin.kernels.phrases.matches import phrase_matches

_BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StageKnowledge:
    """The data that the stages need about the tokens of a pool.

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
    """The candidates of a batch of pairs, those chosen, and the number of chunks."""

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
        aligned: The alignment.
        function_words: For each word of the vocabulary whether it is a function word.
        stages: Number of stages.
        sizes: The size of each word of the vocabulary: 1, or its number of characters.
    """
    functional = sizes * function_words
    kinds = np.stack([sizes - functional, functional, np.ones_like(sizes)], axis=1)
    candidates = aligned.candidates
    counts = np.zeros((len(left), 4 + 4 * stages + 3))
    content, function, _ = _row_totals(rows, kinds).T
    sides = (
        (candidates.left_starts, candidates.left_lengths, left),
        (candidates.right_starts, candidates.right_lengths, right),
    )
    for side, span in enumerate(sides):
        matched = match_totals(
            rows.values,
            rows.offsets,
            span,
            candidates.offsets,
            candidates.stages,
            aligned.chosen,
            counts=kinds,
            stage_count=stages,
        )
        for kind in (0, 1):
            counts[:, 4 + 2 * side + kind : 4 + 4 * stages : 4] = matched[:, :, kind]
        counts[:, 4 + 4 * stages + 1 + side] = matched[:, :, 2].sum(axis=1)
        counts[:, side] = (content + function)[span[2]]
        counts[:, 2 + side] = function[span[2]]
    # A pair that is matched whole in one chunk is not fragmented at all.
    whole = (counts[:, -2] == rows.lengths[left]) & (counts[:, -1] == rows.lengths[right])
    counts[:, -3] = np.where(whole & (aligned.chunks == 1), 0, aligned.chunks)
    return counts


def _row_totals(rows: Ragged, counts: IntArray) -> IntArray:
    """Return sums over the words of each row, shape (rows, kinds): a row is a span of itself."""
    number = np.arange(len(rows))
    starts = np.zeros(len(rows), dtype=np.int32)
    return match_totals(
        rows.values,
        rows.offsets,
        (starts, rows.lengths.astype(np.int32), number),
        np.arange(len(rows) + 1),
        starts,
        np.ones(len(rows), dtype=np.bool_),
        counts=counts,
        stage_count=1,
    )[:, 0]
