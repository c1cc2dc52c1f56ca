"""Joining the candidates of two searches."""

import numpy as np

from tenbin.kernels.alignment.match_candidates import MatchCandidates, joined_candidates


def candidates(*pairs: list[tuple[int, int]]) -> MatchCandidates:
    """Return candidates of which only stage and right start differ."""
    rows = [row for pair in pairs for row in pair]
    stages, starts = np.array(rows, dtype=np.int32).reshape(-1, 2).T.copy()
    ones = np.ones(len(rows), dtype=np.int32)
    return MatchCandidates(
        offsets=np.cumsum([0, *map(len, pairs)], dtype=np.int64),
        stages=stages,
        right_starts=starts,
        right_lengths=ones,
        left_starts=starts + 1,
        left_lengths=2 * ones,
        values=starts.astype(np.float32),
    )


def test_stages_come_in_order_within_each_pair() -> None:
    words = candidates([(0, 10), (0, 11), (2, 12)], [], [(2, 13)])
    phrases = candidates([(1, 20), (1, 21)], [(1, 22)], [(1, 23)])
    joined = joined_candidates(words, phrases)
    assert joined.offsets.tolist() == [0, 5, 6, 8]
    assert joined.stages.tolist() == [0, 0, 1, 1, 2, 1, 1, 2]
    assert joined.right_starts.tolist() == [10, 11, 20, 21, 12, 22, 23, 13]
    assert joined.left_starts.tolist() == [11, 12, 21, 22, 13, 23, 24, 14]
    assert joined.values.tolist() == [10, 11, 20, 21, 12, 22, 23, 13]
    assert len(joined) == 8
    assert joined.stages.dtype == joined.right_lengths.dtype == np.int32
    assert joined.values.dtype == np.float32


def test_of_equal_stages_the_first_search_comes_first() -> None:
    joined = joined_candidates(candidates([(1, 5)]), candidates([(0, 7), (1, 4)]))
    assert joined.right_starts.tolist() == [7, 5, 4]


def test_nothing_joined_with_nothing() -> None:
    joined = joined_candidates(candidates([], []), candidates([], []))
    assert joined.offsets.tolist() == [0, 0, 0]
    assert len(joined) == 0
