"""Chooses among candidate matches by a beam search from left to right: the aligner of METEOR.

Denkowski and Lavie (2014), "Meteor Universal: Language Specific Translation Evaluation for Any
Target Language", section 2, as the program METEOR 1.5 does it.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.match_candidates import CandidateSpans, MatchCandidates

BEAM_WIDTH = 40  # METEOR 1.5
NO_MATCH = -1  # where the last match ended, if the last word was skipped

_BoolArray = npt.NDArray[np.bool_]

_UNITS = 1 << 16  # in which a weight of 1 is counted where nothing is truncated
_WORTH_COMPILING = 20_000  # candidates; the plain twin takes about 100 microseconds for each


def beam_alignment(
    candidates: MatchCandidates,
    left_lengths: IntArray,
    right_lengths: IntArray,
    *,
    weights: FloatArray,
    width: int = BEAM_WIDTH,
    compat: bool = True,
) -> tuple[_BoolArray, IntArray]:
    """Return which candidates make up the alignment of each pair, and its number of chunks.

    A candidate is *definite* if no other starts at the same right position or covers any of its
    words; definite candidates are part of every alignment. For the rest, paths run over the right
    positions. At a position that is free, a path branches: for each candidate there, in the order
    given, whose left words are free, a copy takes it; then the path itself skips the position.
    Before each position and after the last one, the paths are sorted (stably) by more weight, then
    fewer chunks, then less distance, and the first ``width`` go on. Chunks are counted when they
    end: by a skipped position, by a match that is not adjacent on the left, or, once the last paths
    are cut to the width, by the end of the row; the first path after one more sort wins.

    METEOR 1.5 has two quirks, kept by ``compat``:

    - The weight of a match is ``floor(weight * words)`` for either side, so that one word of weight
      one half counts nothing: such a match, unless definite, is dropped where it costs a chunk.
      Otherwise: ``weight * words``, exact in units of 2**-16.
    - The distance of a match (between its right and left start) is added not to the path that takes
      it but to those that try the later candidates at the same position, and skip it. Otherwise: to
      the path that takes it.

    The chunks returned are counted on the final alignment: maximal runs of matches adjacent on both
    sides.

    Args:
        candidates: What to choose from.
        left_lengths: Number of tokens of the left row of each pair.
        right_lengths: The same for the right row.
        weights: Weight of each stage in the search; METEOR has 1 for equal words, 0.5 for others.
        width: Number of paths kept.
        compat: Whether to keep the quirks of METEOR 1.5.

    Returns:
        For each candidate whether it was chosen; for each pair the number of chunks.

    Example:
        ``a b`` against ``b a a``: both words match, and a chunk of two is not to be had.

        >>> candidates = MatchCandidates(
        ...     offsets=np.array([0, 3]),
        ...     stages=np.zeros(3, dtype=np.int32),
        ...     right_starts=np.array([0, 1, 2], dtype=np.int32),
        ...     right_lengths=np.ones(3, dtype=np.int32),
        ...     left_starts=np.array([1, 0, 0], dtype=np.int32),
        ...     left_lengths=np.ones(3, dtype=np.int32),
        ...     values=np.ones(3, dtype=np.float32),
        ... )
        >>> beam_alignment(candidates, np.array([2]), np.array([3]), weights=np.ones(1))
        (array([ True,  True, False]), array([2]))
    """
    gains = _gains(candidates, weights, truncated=compat)
    if compiled := compiled_twin(
        "beam_alignment", work=len(candidates), threshold=_WORTH_COMPILING
    ):
        alignments: tuple[_BoolArray, IntArray] = compiled.beam_alignment(
            candidates.spans, gains, left_lengths, right_lengths, width, compat
        )
        return alignments
    return _plain_beam_alignment(
        candidates.spans, gains, right_lengths.tolist(), width, inherited=compat
    )


def _gains(candidates: MatchCandidates, weights: FloatArray, *, truncated: bool) -> IntArray:
    """Return what each candidate adds to the weight of a path, both sides together."""
    left, right = candidates.left_lengths, candidates.right_lengths
    stage_weights = weights[candidates.stages]
    if truncated:
        gains = np.floor(left * stage_weights) + np.floor(right * stage_weights)
    else:
        gains = np.rint(stage_weights * _UNITS) * (left + right)
    return gains.astype(np.int64)


class _Match(NamedTuple):
    number: int
    right: range
    left: range
    gain: int

    @property
    def distance(self) -> int:
        return abs(self.right.start - self.left.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    weight: int = 0
    chunks: int = 0
    distance: int = 0
    left_end: int = NO_MATCH  # end of the last match in the left row
    right_end: int = 0
    matches: tuple[_Match, ...] = ()

    @property
    def rank(self) -> tuple[int, int, int]:
        return -self.weight, self.chunks, self.distance

    def is_free(self, match: _Match) -> bool:
        return all(set(taken.left).isdisjoint(match.left) for taken in self.matches)

    def taking(self, match: _Match) -> "_Path":
        ends_chunk = self.left_end not in {NO_MATCH, match.left.start}
        return replace(
            self,
            weight=self.weight + match.gain,
            chunks=self.chunks + ends_chunk,
            left_end=match.left.stop,
            right_end=match.right.stop,
            matches=(*self.matches, match),
        )

    def skipping(self) -> "_Path":
        return replace(self, chunks=self.chunks + (self.left_end != NO_MATCH), left_end=NO_MATCH)

    def farther(self, match: _Match) -> "_Path":
        return replace(self, distance=self.distance + match.distance)


def _plain_beam_alignment(
    spans: CandidateSpans,
    gains: IntArray,
    right_lengths: list[int],
    width: int,
    *,
    inherited: bool,
) -> tuple[_BoolArray, IntArray]:
    offsets, *columns = (array.tolist() for array in spans)
    everything = [
        _Match(number, range(i, i + m), range(j, j + n), gain)
        for number, (i, m, j, n, gain) in enumerate(zip(*columns, gains.tolist(), strict=True))
    ]
    chosen = np.zeros(len(everything), dtype=np.bool_)
    chunks = np.zeros(len(right_lengths), dtype=np.int64)
    for pair, length in enumerate(right_lengths):
        matches = everything[offsets[pair] : offsets[pair + 1]]
        alignment = _best_path(matches, length, width, inherited=inherited).matches
        chosen[[match.number for match in alignment]] = True
        ends = [(match.right.stop, match.left.stop) for match in alignment]
        starts = [(match.right.start, match.left.start) for match in alignment]
        chunks[pair] = sum(start != end for start, end in zip(starts, [None, *ends], strict=False))
    return chosen, chunks


def _best_path(matches: list[_Match], length: int, width: int, *, inherited: bool) -> _Path:
    definite = {match.right.start: match for match in matches if _is_definite(match, matches)}
    paths = [_Path()]
    for position in range(length):
        here = [match for match in matches if match.right.start == position]
        paths = [
            further
            for path in sorted(paths, key=lambda path: path.rank)[:width]
            for further in _steps(path, position, here, definite, inherited=inherited)
        ]
    last = sorted(paths, key=lambda path: path.rank)[:width]
    return min((path.skipping() for path in last), key=lambda path: path.rank)


def _is_definite(match: _Match, matches: list[_Match]) -> bool:
    """Return whether a match shares neither its right start nor any word with another."""
    return all(
        other is match
        or (
            set(other.right).isdisjoint(match.right) and set(other.left).isdisjoint(match.left)
        )
        for other in matches
    )


def _steps(
    path: _Path, position: int, here: list[_Match], definite: dict[int, _Match], *, inherited: bool
) -> list[_Path]:
    """Return how a path goes on at a position."""
    if position < path.right_end:
        return [path]
    if position in definite:
        return [path.taking(definite[position]).farther(definite[position])]
    steps = []
    for match in here:
        if path.is_free(match):
            taken = path.taking(match)
            steps.append(taken if inherited else taken.farther(match))
            if inherited:
                path = path.farther(match)
    return [*steps, path.skipping()]
