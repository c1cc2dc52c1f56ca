"""Candidate matches of pairs of rows: what an aligner may choose from.

`tenbin.kernels.alignment.word_matches` and `tenbin.kernels.phrases.matches` find them,
`tenbin.kernels.alignment.beam` chooses.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray

# What the compiled aligner takes of the candidates: offsets, then start and length on the right and
# on the left. A bare tuple, because numba's disk cache stores the module path of any class.
CandidateSpans = tuple[IntArray, IdArray, IdArray, IdArray, IdArray]


class Relation(IntEnum):
    """What makes two words, or two phrases, a candidate."""

    SAME_WORD = 0
    SAME_CLASS = 1
    SHARED_SET = 2
    NEAR_VECTOR = 3
    PHRASE = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchCandidates:
    """Candidates of a batch of pairs, each a span of either row; arrays have one item a candidate.

    Attributes:
        offsets: Pair p has the candidates ``offsets[p]`` to ``offsets[p + 1]``, in the order in
            which METEOR collects them: stages one after the other. Where candidates are equally
            good, the aligner prefers by this order.
        stages: Position in the list of stages.
        right_starts: First token in the right row (reference).
        right_lengths: Number of tokens there.
        left_starts: First token in the left row (hypothesis).
        left_lengths: Number of tokens there.
        values: How alike the two are; 1 but for vectors.
    """

    offsets: IntArray
    stages: IdArray
    right_starts: IdArray
    right_lengths: IdArray
    left_starts: IdArray
    left_lengths: IdArray
    values: Float32Array

    def __len__(self) -> int:
        return self.stages.size

    @property
    def spans(self) -> CandidateSpans:
        """Offsets and spans, as compiled kernels take them."""
        return (
            self.offsets,
            self.right_starts,
            self.right_lengths,
            self.left_starts,
            self.left_lengths,
        )


def joined_candidates(first: MatchCandidates, second: MatchCandidates) -> MatchCandidates:
    """Return the candidates of two searches over the same pairs, stages in order.

    Within a pair and a stage, those of the first come before those of the second.
    """
    both = [first, second]
    stage_count = max((int(part.stages.max(initial=0)) for part in both), default=0) + 1
    pairs = np.arange(first.offsets.size - 1)
    keys = [np.repeat(pairs, np.diff(part.offsets)) * stage_count + part.stages for part in both]
    # Two sorted runs: a stable sort merges them in one pass.
    order = np.argsort(np.concatenate(keys), kind="stable")
    return MatchCandidates(
        offsets=first.offsets + second.offsets,
        stages=np.concatenate([part.stages for part in both])[order],
        right_starts=np.concatenate([part.right_starts for part in both])[order],
        right_lengths=np.concatenate([part.right_lengths for part in both])[order],
        left_starts=np.concatenate([part.left_starts for part in both])[order],
        left_lengths=np.concatenate([part.left_lengths for part in both])[order],
        values=np.concatenate([part.values for part in both])[order],
    )
