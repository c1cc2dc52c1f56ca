"""Chooses among candidate matches by a beam search from left to right: the aligner of METEOR.

Denkowski and Lavie (2014), "Meteor Universal: Language Specific Translation Evaluation for Any
Target Language", section 2, as the program METEOR 1.5 does it.
"""

from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.kernels.alignment.match_candidates import CandidateSpans, MatchCandidates
from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

BEAM_WIDTH = 40  # METEOR 1.5
NO_MATCH = -1  # where the last match ended, if the last word was skipped

_BoolArray = npt.NDArray[np.bool_]

_THOUSAND = 1000  # units of a weight of 1, where weights are not truncated
_LIMIT = 2.0**62  # what the compiled twin sorts paths by is one 64-bit number
_WORTH_COMPILING = 6_000  # candidates that the plain twin chooses from in half a second


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

    METEOR 1.5 has two quirks, reproduced by ``compat``:

    - The weight of a match is ``floor(weight * words)`` for either side, so that one word of weight
      one half counts nothing: such a match, unless definite, is dropped where it costs a chunk.
      Otherwise: ``weight * words``, the weight taken in thousandths.
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
        width: Beam width, the number of paths.
        compat: Whether to keep the quirks of METEOR 1.5.

    Raises:
        ValueError: If rows are too long to be aligned; a few thousand tokens are not.

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
    _check_size(candidates, gains, left_lengths, right_lengths)
    if compiled := compiled_twin(
        "alignment.beam", work=len(candidates), threshold=_WORTH_COMPILING
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
    if truncated and left.max(initial=1) == right.max(initial=1) == 1:
        return (2 * np.floor(weights)).astype(np.int64)[candidates.stages]
    stage_weights = weights[candidates.stages]
    if truncated:
        return (np.floor(left * stage_weights) + np.floor(right * stage_weights)).astype(np.int64)
    gains = np.rint(stage_weights * _THOUSAND).astype(np.int64) * (left + right)
    return gains // max(int(np.gcd.reduce(gains)), 1)


def _check_size(
    candidates: MatchCandidates, gains: IntArray, left_lengths: IntArray, right_lengths: IntArray
) -> None:
    """Refuse pairs whose weights, chunks and distances might not fit into one number."""
    longest = float(right_lengths.max(initial=0))
    weight = longest * float(gains.max(initial=0))
    apart = max(longest, float(left_lengths.max(initial=0)))
    distance = apart * float(np.diff(candidates.offsets).max(initial=0)) + 1
    if weight * (longest + 1) * distance > _LIMIT:
        raise ValueError(f"rows of {apart:.0f} tokens are too long to be aligned")


class _Match(NamedTuple):
    number: int
    right: range
    left: range
    gain: int

    @property
    def distance(self) -> int:
        return abs(self.right.start - self.left.start)


class _Path(NamedTuple):
    weight: int = 0
    chunks: int = 0
    distance: int = 0
    left_end: int = NO_MATCH  # of the last match, if the last word was not skipped
    right_end: int = 0
    used: frozenset[int] = frozenset()  # left words
    matches: tuple[_Match, ...] = ()

    @property
    def rank(self) -> tuple[int, int, int]:
        return -self.weight, self.chunks, self.distance

    def taking(self, match: _Match) -> "_Path":
        ends_chunk = self.left_end not in {NO_MATCH, match.left.start}
        return self._replace(
            weight=self.weight + match.gain,
            chunks=self.chunks + ends_chunk,
            left_end=match.left.stop,
            right_end=match.right.stop,
            used=self.used.union(match.left),
            matches=(*self.matches, match),
        )

    def skipping(self) -> "_Path":
        return self._replace(chunks=self.chunks + (self.left_end != NO_MATCH), left_end=NO_MATCH)

    def farther(self, match: _Match) -> "_Path":
        return self._replace(distance=self.distance + match.distance)


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
    cover = Counter(position for match in matches for position in match.right)
    left_cover = Counter(position for match in matches for position in match.left)
    definite = {
        match.right.start: match
        for match in matches
        if all(cover[i] == 1 for i in match.right) and all(left_cover[j] == 1 for j in match.left)
    }
    at = defaultdict(list)
    for match in matches:
        at[match.right.start].append(match)
    paths = [_Path()]
    for position in range(length):
        paths = [
            step
            for path in sorted(paths, key=lambda path: path.rank)[:width]
            for step in _steps(path, position, at[position], definite, inherited=inherited)
        ]
    last = sorted(paths, key=lambda path: path.rank)[:width]
    return min((path.skipping() for path in last), key=lambda path: path.rank)


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
        if path.used.isdisjoint(match.left):
            taken = path.taking(match)
            steps.append(taken if inherited else taken.farther(match))
            path = path.farther(match) if inherited else path
    return [*steps, path.skipping()]
