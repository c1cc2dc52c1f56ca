"""IMPACT rounds of chunks: both twins, brute force, and the worked examples."""

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.edits import chunked_subsequence as compiled_module
from tenbin.kernels.edits import chunked_subsequence as plain_module
from tenbin.kernels.edits.chunked_subsequence import ChunkTables

Kernel = Callable[[IdArray, IntArray, IntArray, IntArray, ChunkTables], FloatArray]
Row = Sequence[int]
Match = tuple[int, int]  # reference position, hypothesis position

PLAIN = plain_module.plain_chunked_subsequence
COMPILED = compiled_module.chunked_subsequence
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

ALPHA, BETA = 0.1, 1.2


def columnar(rows: Sequence[Row]) -> tuple[IdArray, IntArray]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([value for row in rows for value in row], dtype=np.int32), offsets


def totals(
    kernel: Kernel, pairs: Sequence[tuple[Row, Row]], alpha: float = ALPHA, beta: float = BETA
) -> list[float]:
    rows = [row for pair in pairs for row in pair]
    left = np.arange(0, len(rows), 2)
    tables = plain_module._tables(max(map(len, rows), default=0), alpha, beta)
    result: list[float] = kernel(*columnar(rows), left, left + 1, tables).tolist()
    return result


def impact(kernel: Kernel, hypothesis: str, reference: str) -> tuple[float, float, float]:
    """Precision, recall and score, by section 6 of the specification."""
    ids: defaultdict[str, int] = defaultdict(lambda: len(ids))
    one, other = ([ids[word] for word in text.split()] for text in (hypothesis, reference))
    (total,) = totals(kernel, [(one, other)])
    recall = (total / len(other) ** BETA) ** (1 / BETA)
    precision = (total / len(one) ** BETA) ** (1 / BETA)
    gamma = precision / recall
    score = (1 + gamma**2) * recall * precision / (recall + gamma**2 * precision)
    return precision, recall, score


def alignments(hypothesis: Row, reference: Row, after: Match = (-1, -1)) -> Iterator[list[Match]]:
    """Every common subsequence behind a match, in every place where it occurs."""
    yield []
    for i in range(after[0] + 1, len(reference)):
        for j in range(after[1] + 1, len(hypothesis)):
            if reference[i] == hypothesis[j]:
                for rest in alignments(hypothesis, reference, (i, j)):
                    yield [(i, j), *rest]


def chunks_of(alignment: list[Match]) -> list[list[Match]]:
    chunks: list[list[Match]] = []
    for i, j in alignment:
        if chunks and chunks[-1][-1] == (i - 1, j - 1):
            chunks[-1].append((i, j))
        else:
            chunks.append([(i, j)])
    return chunks


def brute_force(hypothesis: Row, reference: Row, alpha: float, beta: float) -> float:
    """Rounds that list every alignment and apply the three rules one after the other."""

    def worth(alignment: list[Match]) -> float:
        return sum(float(len(chunk) ** beta) for chunk in chunks_of(alignment))

    def displacement(alignment: list[Match]) -> Fraction:
        starts = (chunk[0] for chunk in chunks_of(alignment))
        return sum(
            (abs(Fraction(j, len(hypothesis)) - Fraction(i, len(reference))) for i, j in starts),
            start=Fraction(0),
        )

    # A taken word becomes a number of its own, equal to nothing.
    left, right = list(hypothesis), list(reference)
    total = 0.0
    for number in itertools.count():
        found = list(alignments(left, right))
        longest = max(map(len, found))
        if longest == 0:
            return total
        found = [alignment for alignment in found if len(alignment) == longest]
        most = max(map(worth, found))
        found = [alignment for alignment in found if worth(alignment) > most - 1e-9]
        least = min(map(displacement, found))
        chosen = min(alignment for alignment in found if displacement(alignment) == least)
        total += alpha**number * worth(chosen)
        for i, j in chosen:
            right[i], left[j] = -1 - i, -1000 - j
    raise AssertionError("unreachable")


def rows_of(alphabet: int, longest: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, alphabet - 1), max_size=longest)


# alpha 1 makes every later round count in full, so that a wrong choice shows; beta below 1 makes
# short chunks the better ones, where no end of a chunk may be passed over.
WEIGHTS = st.tuples(st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from([0.7, 1.0, 1.2, 1.5, 2.0]))


@TWINS
@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ([], [], 0.0),
        ([], [1], 0.0),
        ([1], [], 0.0),
        ([1], [2], 0.0),
        ([1], [1], 1.0),
        ([1, 2, 3, 4], [2, 1, 4, 3], 2.2),
        ([1, 2, 3], [1, 2, 3], 3**BETA),
        # Cut early: 1 and 2 3 4 are worth more than 1 2 and 3 4.
        ([1, 2, 9, 2, 3, 4], [1, 2, 3, 4], 1 + 3**BETA),
        # Taking 2 away does not make 1 and 3 adjacent.
        ([1, 8, 3, 2], [2, 1, 9, 3], 2.1),
    ],
)
def test_known_totals(kernel: Kernel, hypothesis: Row, reference: Row, expected: float) -> None:
    assert totals(kernel, [(hypothesis, reference)]) == pytest.approx([expected], abs=1e-12)


@pytest.mark.parametrize("beta", [1.0, 1.2])
def test_every_short_pair_equals_brute_force(beta: float) -> None:
    rows = [row for length in range(5) for row in itertools.product(range(2), repeat=length)]
    pairs = list(itertools.product(rows, rows))
    expected = [brute_force(*pair, alpha=1.0, beta=beta) for pair in pairs]
    assert totals(PLAIN, pairs, alpha=1.0, beta=beta) == pytest.approx(expected, abs=1e-12)
    assert totals(COMPILED, pairs, alpha=1.0, beta=beta) == pytest.approx(expected, abs=1e-12)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(st.tuples(rows_of(3, 6), rows_of(3, 6)), min_size=1, max_size=5), WEIGHTS)
def test_short_pairs_equal_brute_force(
    pairs: list[tuple[Row, Row]], weights: tuple[float, float]
) -> None:
    expected = [brute_force(*pair, *weights) for pair in pairs]
    assert totals(PLAIN, pairs, *weights) == pytest.approx(expected, abs=1e-12)
    assert totals(COMPILED, pairs, *weights) == pytest.approx(expected, abs=1e-12)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.tuples(rows_of(5, 30), rows_of(5, 30)), max_size=4), WEIGHTS)
def test_twins_agree_to_the_last_bit(
    pairs: list[tuple[Row, Row]], weights: tuple[float, float]
) -> None:
    expected = totals(PLAIN, pairs, *weights)
    assert totals(COMPILED, pairs, *weights) == expected
    rows = [row for pair in pairs for row in pair]
    left = np.arange(0, len(rows), 2)
    alpha, beta = weights
    public = plain_module.chunked_subsequence(
        *columnar(rows), left, left + 1, alpha=alpha, beta=beta
    )
    assert public.tolist() == expected


def test_twins_agree_on_long_rows_and_steep_weights() -> None:
    """Length 90 at exponent 9 leaves less than the finest unit to compare worths in."""
    rng = np.random.default_rng(2007)
    pairs = [(rng.integers(0, 9, 90).tolist(), rng.integers(0, 9, 80).tolist()) for _ in range(3)]
    for alpha, beta in [(0.1, 1.2), (0.9, 9.0)]:
        assert totals(PLAIN, pairs, alpha, beta) == totals(COMPILED, pairs, alpha, beta)


@TWINS
def test_a_pair_is_weighed_alike_in_any_batch(kernel: Kernel) -> None:
    pairs = [([1, 2, 1], [2, 1, 1]), ([], [3]), (list(range(50)), list(range(25, 75)))]
    alone = [totals(kernel, [pair])[0] for pair in pairs]
    assert totals(kernel, pairs) == alone
    assert totals(kernel, pairs[::-1]) == alone[::-1]


@TWINS
def test_no_pairs_give_no_totals(kernel: Kernel) -> None:
    assert totals(kernel, []) == []


def test_rounds_too_light_to_count_change_nothing() -> None:
    row = list(range(60))
    assert totals(COMPILED, [(row, row[::-1])]) == totals(PLAIN, [(row, row[::-1])])


def test_long_rows_fit_in_memory() -> None:
    rng = np.random.default_rng(500)
    pair = (rng.integers(0, 50, 500).tolist(), rng.integers(0, 50, 500).tolist())
    same = [7] * 500
    (total, whole) = totals(COMPILED, [pair, (same, same)])
    assert 0 < total < 500**BETA
    assert whole == 500.0**BETA


@TWINS
@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 1.0),
        ("on the mat the cat sat", "the cat sat on the mat", 0.541332),
        ("a b c d", "b a d c", 0.482272),
        # Segments 1 and 3 of the table of the WAS/MAS/HAS paper, cut by mteval-v13a, lower-cased.
        (
            "in both cases , the postoperative course was good .",
            "in both the cases , postoperative course were good .",
            0.640713,
        ),
        (
            "it is found that the deformation is affected by the pair density distribution .",
            "it was found that the deformation gave effects to the pairing density distribution .",
            0.527472,
        ),
    ],
)
def test_worked_examples(kernel: Kernel, hypothesis: str, reference: str, score: float) -> None:
    assert impact(kernel, hypothesis, reference)[2] == pytest.approx(score, abs=5e-7)


@TWINS
def test_worked_example_with_precision_and_recall(kernel: Kernel) -> None:
    parts = impact(
        kernel,
        "in the treatment , side effect was not recognized .",
        "no side effect was noted during treatment .",
    )
    assert parts == pytest.approx((0.371959, 0.464948, 0.403447), abs=5e-7)
