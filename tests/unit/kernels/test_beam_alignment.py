"""The aligner of METEOR: both twins, the best of all alignments, and its quirks one by one."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.alignment.beam import beam_alignment
from tenbin.kernels.alignment.match_candidates import MatchCandidates
from tenbin.kernels.dispatch import KernelChoice

# Stage, start and length on the right, start and length on the left.
Match = tuple[int, int, int, int, int]
Pair = tuple[int, int, list[Match]]  # left length, right length, candidates

WEIGHTS = np.array([1.0, 0.5, 0.5])
ALL = 1 << 16
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


@st.composite
def pairs(draw: st.DrawFn, longest: int = 8, most: int = 14) -> Pair:
    left, right = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    matches = []
    for _ in range(draw(st.integers(0, most))):
        i, j = draw(st.integers(0, right - 1)), draw(st.integers(0, left - 1))
        stage = draw(st.integers(0, 2))
        m = n = 1
        if stage == 2:
            m, n = draw(st.integers(1, right - i)), draw(st.integers(1, left - j))
        matches.append((stage, i, m, j, n))
    return left, right, sorted(matches, key=lambda match: match[0])


def batch(*several: Pair) -> MatchCandidates:
    rows = [match for pair in several for match in pair[2]]
    stages, i, m, j, n = np.array(rows, dtype=np.int32).reshape(-1, 5).T.copy()
    return MatchCandidates(
        offsets=np.cumsum([0, *(len(pair[2]) for pair in several)], dtype=np.int64),
        stages=stages,
        right_starts=i,
        right_lengths=m,
        left_starts=j,
        left_lengths=n,
        values=np.ones(len(rows), dtype=np.float32),
    )


def aligned(
    choice: KernelChoice, *several: Pair, width: int = 40, compat: bool = True
) -> tuple[list[bool], list[int]]:
    """Return which candidates are chosen, and the chunks of each pair."""
    lengths = np.array([pair[:2] for pair in several], dtype=np.int64).reshape(-1, 2).T.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        chosen, chunks = beam_alignment(
            batch(*several), *lengths, weights=WEIGHTS, width=width, compat=compat
        )
    assert chosen.dtype == np.bool_
    assert chunks.dtype == np.int64
    return chosen.tolist(), chunks.tolist()


def links(choice: KernelChoice, pair: Pair, *, compat: bool = True) -> list[tuple[int, int]]:
    """Return right and left start of the chosen matches of a pair."""
    chosen, _ = aligned(choice, pair, compat=compat)
    return sorted(m[1::2][:2] for m, taken in zip(pair[2], chosen, strict=True) if taken)


def one_word(left: str, right: str, stage: int = 0) -> list[Match]:
    """Return the matches of equal letters."""
    return [
        (stage, i, 1, j, 1)
        for i, there in enumerate(right)
        for j, here in enumerate(left)
        if here == there
    ]


def exact(left: str, right: str) -> Pair:
    return len(left), len(right), one_word(left, right)


@given(
    several=st.lists(pairs(), max_size=3),
    width=st.sampled_from([1, 2, 5, 40]),
    compat=st.booleans(),
)
def test_twins_agree(several: list[Pair], width: int, compat: bool) -> None:  # noqa: FBT001
    pytest.importorskip("numba")
    plain = aligned(KernelChoice.PLAIN, *several, width=width, compat=compat)
    assert plain == aligned(KernelChoice.COMPILED, *several, width=width, compat=compat)


@pytest.mark.parametrize("compat", [True, False])
def test_twins_agree_on_long_rows(compat: bool) -> None:  # noqa: FBT001
    pytest.importorskip("numba")
    rng = np.random.default_rng(3)
    several = []
    for left, right in rng.integers(60, 150, size=(6, 2)):
        words = [rng.zipf(1.4, size=length) % 40 for length in (left, right)]
        matches = [
            (0, i, 1, j, 1) for i in range(right) for j in range(left) if words[0][j] == words[1][i]
        ]
        several.append((int(left), int(right), matches))
    plain = aligned(KernelChoice.PLAIN, *several, compat=compat)
    assert plain == aligned(KernelChoice.COMPILED, *several, compat=compat)


def alignments(pair: Pair) -> Iterator[tuple[Match, ...]]:
    """Yield every set of matches that share no word."""
    matches = sorted(pair[2], key=lambda match: match[1])
    for size in range(len(matches) + 1):
        for some in combinations(matches, size):
            right = [i for match in some for i in range(match[1], match[1] + match[2])]
            left = [j for match in some for j in range(match[3], match[3] + match[4])]
            if len(right) == len(set(right)) and len(left) == len(set(left)):
                yield some


def rank(alignment: tuple[Match, ...]) -> tuple[float, int, int]:
    """Return what the best alignment has least of: minus weight, chunks, distance."""
    weight = sum(WEIGHTS[stage] * (m + n) for stage, _, m, _, n in alignment)
    ends = [None, *((i + m, j + n) for _, i, m, j, n in alignment)]
    chunks = sum((i, j) != end for (_, i, _, j, _), end in zip(alignment, ends, strict=False))
    return -weight, chunks, sum(abs(i - j) for _, i, _, j, _ in alignment)


@twins
@given(pair=pairs(longest=5, most=7))
def test_a_beam_that_cuts_nothing_finds_the_best_of_all(choice: KernelChoice, pair: Pair) -> None:
    chosen, chunks = aligned(choice, pair, width=ALL, compat=False)
    found = [match for match, taken in zip(pair[2], chosen, strict=True) if taken]
    alignment = tuple(sorted(found, key=lambda match: match[1]))
    assert alignment in set(alignments(pair))
    assert rank(alignment) == min(map(rank, alignments(pair)))
    assert chunks == [rank(alignment)[1]]


@twins
@given(several=st.lists(pairs(), min_size=2, max_size=3))
def test_a_pair_is_aligned_the_same_in_any_batch(choice: KernelChoice, several: list[Pair]) -> None:
    chosen, chunks = aligned(choice, *several)
    alone = [aligned(choice, pair) for pair in several]
    assert chosen == [taken for one, _ in alone for taken in one]
    assert chunks == [number for _, one in alone for number in one]


@twins
def test_fewer_chunks_are_better(choice: KernelChoice) -> None:
    assert links(choice, exact("thecat", "cat")) == [(0, 3), (1, 4), (2, 5)]
    assert aligned(choice, exact("abcab", "abc"))[1] == [1]


@twins
def test_one_word_of_half_weight_is_dropped_where_it_costs_a_chunk(choice: KernelChoice) -> None:
    # The x of the right row may match either x of the left row, but is adjacent to neither.
    pair = (5, 3, [*one_word("xabyx", "ab"), *((1, 2, 1, j, 1) for j in (0, 4))])
    assert links(choice, pair) == [(0, 1), (1, 2)]
    assert links(choice, pair, compat=False) == [(0, 1), (1, 2), (2, 0)]


@twins
def test_a_definite_match_is_kept_whatever_it_costs(choice: KernelChoice) -> None:
    pair = (5, 3, [*one_word("xabyy", "ab"), (1, 2, 1, 0, 1)])
    assert links(choice, pair) == [(0, 1), (1, 2), (2, 0)]
    assert aligned(choice, pair)[1] == [2]


@twins
@pytest.mark.parametrize(("right", "quirk", "sound"), [("aa", 1, 0), ("aaa", 1, 0), ("axa", 2, 0)])
def test_distance_is_not_counted_for_the_path_that_takes_a_match(
    right: str, quirk: int, sound: int, choice: KernelChoice
) -> None:
    # As METEOR 1.5 does: of two paths without distance the one with an open chunk is ahead.
    assert links(choice, exact("a", right)) == [(quirk, 0)]
    assert links(choice, exact("a", right), compat=False) == [(sound, 0)]


@twins
def test_chunks_are_adjacent_on_both_sides(choice: KernelChoice) -> None:
    # Two words on the right match one on the left, then a word follows on both sides.
    pair = (3, 4, [(2, 0, 2, 0, 1), (0, 2, 1, 1, 1), (0, 3, 1, 2, 1)])
    assert aligned(choice, pair) == ([True, True, True], [1])


@twins
def test_nothing_to_choose_from(choice: KernelChoice) -> None:
    assert aligned(choice, (3, 2, []), (0, 4, [])) == ([], [0, 0])
    assert aligned(choice) == ([], [])


def test_rows_beyond_measure_are_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        aligned(KernelChoice.PLAIN, (10**7, 10**7, [(0, 0, 1, 0, 1)]))


@twins
@pytest.mark.parametrize(
    "matches",
    [
        [(0, 1, 1, 1, 1), (2, 0, 1, 0, 2)],  # the last word of a phrase on the left
        [(0, 1, 1, 1, 1), (2, 0, 2, 0, 1)],  # on the right
        [(0, 0, 1, 0, 1), (2, 1, 1, 0, 2)],  # the first word
        [(0, 0, 1, 0, 1), (2, 0, 2, 1, 1)],
    ],
)
def test_a_phrase_that_shares_a_word_is_not_definite(
    choice: KernelChoice, matches: list[Match]
) -> None:
    # Words beyond the last match: an index that is off must not come round to it.
    assert len(links(choice, (4, 4, matches))) == 1
