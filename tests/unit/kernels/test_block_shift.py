"""CharacTER: both twins, the worked examples, the authors' program and the package `cer`."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.edits import block_shift as compiled_module
from tenbin.kernels.compiled.edits.levenshtein import edit_distance, prepared, release
from tenbin.kernels.edits import block_shift as plain_module

Kernel = Callable[[IdArray, IntArray, IdArray, IntArray, IntArray, IntArray], FloatArray]
Words = Sequence[str]
Pair = tuple[Words, Words]

VECTORS = Path(__file__).resolve().parents[3].parent / "shared" / "oracles" / "eed-character"
PLAIN = plain_module.plain_block_shift_distance
COMPILED = compiled_module.block_shift_distance
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

PATENT_HYPOTHESIS = (
    "The above configuration and operation, the water drops, even in the case where the window"
    " is not expected operation, it is possible to surely stopped, and the operation switch"
    " ( dn ) is operated and the window is opened, it is possible to a vehicle occupant moves"
    " out from possible."
)
PATENT_REFERENCE = (
    "With the above-described construction and operation, even when an automobile falls into"
    " water, the windows are surely stopped without performing unexpected operations, and can"
    " be surely opened by operating the operation switch ( dn ), thus enabling occupants to"
    " escape from the automobile."
)
# Specification, section 7: package cer 1.2.0. The last four are the examples of the table of the
# WAS/MAS/HAS paper, first split at blanks, then as mteval-v13a cuts them.
WORKED = [
    ("the cat is on mat", "the cat sat on the mat", 0.411765, 0.411765),
    ("on the mat sat the cat", "the cat sat on the mat", 0.121212, 0.121212),
    (
        "In both cases, the postoperative course was good.",
        "In both the cases, postoperative course were good.",
        0.183673,
        0.117647,
    ),
    (
        "In the treatment, side effect was not recognized.",
        "No side effect was noted during treatment.",
        0.663265,
        0.764706,
    ),
    (
        "It is found that the deformation is affected by the pair density distribution.",
        "It was found that the deformation gave effects to the pairing density distribution.",
        0.179487,
        0.177215,
    ),
    (
        PATENT_HYPOTHESIS,
        PATENT_REFERENCE,
        0.719681,
        0.737616,
    ),
]

words = st.sampled_from(["a", "b", "cc", "bcd", "é", "木木"])
sides = st.lists(words, max_size=10)


def columnar(rows: Sequence[Sequence[int]]) -> tuple[IdArray, IntArray]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([value for row in rows for value in row], dtype=np.int32), offsets


def distances(kernel: Kernel, pairs: Sequence[Pair]) -> list[list[float]]:
    vocabulary: dict[str, int] = {}
    rows = [
        [vocabulary.setdefault(word, len(vocabulary)) for word in side]
        for pair in pairs
        for side in pair
    ]
    spelling = columnar([[ord(character) for character in word] for word in vocabulary])
    left = np.arange(0, len(rows), 2)
    result: list[list[float]] = kernel(*columnar(rows), *spelling, left, left + 1).tolist()
    return result


def scores(kernel: Kernel, pairs: Sequence[Pair]) -> list[float]:
    return [min(1.0, cost / length) for cost, length in distances(kernel, pairs)]


def spaced(text: str) -> str:
    return text.replace(",", " ,").removesuffix(".") + " ."


def moved_blocks(rng: random.Random, row: list[str], moves: int) -> list[str]:
    for _ in range(moves):
        start, end = sorted(rng.randint(0, len(row)) for _ in range(2))
        rest = row[:start] + row[end:]
        target = rng.randint(0, len(rest))
        row = rest[:target] + row[start:end] + rest[target:]
    return row


def random_pairs(seed: int, count: int, longest: int) -> list[Pair]:
    """Half of unrelated sides, half of the same words in another order; few words, many ties."""
    rng = random.Random(seed)  # noqa: S311
    known = ["a", "b", "cc", "bcd", "eee", "d", "ffff", "c d"]
    pairs: list[Pair] = []
    for number in range(count):
        drawn = known[: rng.randint(1, len(known))]
        reference = rng.choices(drawn, k=rng.randint(1, longest))
        if number % 2:
            pairs.append((moved_blocks(rng, reference, 3), reference))
        else:
            pairs.append((rng.choices(drawn, k=rng.randint(1, longest)), reference))
    return pairs


@TWINS
def test_worked_examples(kernel: Kernel) -> None:
    found = scores(kernel, [(one.split(), other.split()) for one, other, *_ in WORKED])
    assert found == pytest.approx([score for *_, score, _ in WORKED], abs=5e-7)
    cut = [(spaced(one).split(), spaced(other).split()) for one, other, *_ in WORKED[2:]]
    assert scores(kernel, cut) == pytest.approx([score for *_, score in WORKED[2:]], abs=5e-7)


@pytest.mark.skipif(not VECTORS.is_dir(), reason="shared/oracles/eed-character is not here")
@TWINS
@pytest.mark.parametrize(
    ("prefix", "column"), [("character_", "character"), ("", "character_untokenised")]
)
def test_authors_program(kernel: Kernel, prefix: str, column: str) -> None:
    inputs, expected = (
        [line.split("\t") for line in (VECTORS / name).read_text("utf-8").rstrip("\n").split("\n")]
        for name in ("inputs.tsv", "scores.tsv")
    )
    one, other = (inputs[0].index(prefix + side) for side in ("hypothesis", "reference"))
    pairs = [(row[one].split(), row[other].split()) for row in inputs[1:]]
    numbers = [float(row[expected[0].index(column)]) for row in expected[1:]]
    assert len(numbers) == 112
    assert scores(kernel, pairs) == pytest.approx(numbers, rel=0, abs=1e-12)


@pytest.mark.oracle
@pytest.mark.parametrize(("seed", "count", "longest"), [(1, 4000, 12), (2, 200, 30), (3, 6, 100)])
def test_package_cer(seed: int, count: int, longest: int) -> None:
    cer = pytest.importorskip("cer", reason="package cer is not installed")
    pairs = random_pairs(seed, count, longest)
    expected = [cer.calculate_cer(list(one), list(other)) for one, other in pairs]
    assert scores(COMPILED, pairs) == expected


@TWINS
def test_empty_sides(kernel: Kernel) -> None:
    pairs: list[Pair] = [([], []), ([], ["abc", "d"]), (["abc", "d"], [])]
    assert distances(kernel, pairs) == [[0, 0], [5, 0], [5, 5]]


@TWINS
@pytest.mark.parametrize("numbered", ["a bb ccc", "ccc bb a"])
def test_ties_go_to_the_greatest_words_whatever_their_ids(kernel: Kernel, numbered: str) -> None:
    # Value of package cer 1.2.0; with the least words it would be 0.6.
    first = numbered.split(), numbered.split()
    tied = ["a", "a", "bb", "ccc"], ["bb", "a", "ccc", "a"]
    assert scores(kernel, [first, tied]) == [0.0, 0.1]


@TWINS
def test_rounding_of_the_rate_allows_a_move_without_gain(kernel: Kernel) -> None:
    # 5/6 - (5/6 - 2/6) is above 2/6 in floating point; value of package cer 1.2.0.
    pair = ["b", "bcd", "cc", "d", "bcd", "ffff"], ["cc", "ffff", "bcd", "d", "b", "bcd"]
    assert scores(kernel, [pair]) == [0.2631578947368421]


@given(st.lists(st.tuples(sides, sides), max_size=4))
def test_twins_agree_to_the_last_bit(pairs: list[Pair]) -> None:
    assert distances(COMPILED, pairs) == distances(PLAIN, pairs)


@pytest.mark.parametrize("seed", range(3))
def test_twins_agree_beyond_a_machine_word(seed: int) -> None:
    pairs = random_pairs(seed, 4, 90)
    assert distances(COMPILED, pairs) == distances(PLAIN, pairs)


@TWINS
@given(pairs=st.lists(st.tuples(sides, sides), min_size=1, max_size=4))
def test_a_pair_does_not_depend_on_its_batch(kernel: Kernel, pairs: list[Pair]) -> None:
    alone = [row for pair in pairs for row in distances(kernel, [pair])]
    assert distances(kernel, pairs) == alone


@TWINS
def test_read_only_rows(kernel: Kernel) -> None:
    arrays = *columnar([[0, 1], [1, 0]]), *columnar([[97], [98]]), np.array([0]), np.array([1])
    for array in arrays:
        array.setflags(write=False)
    assert kernel(*arrays).tolist() == [[1, 3]]


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_public_function_runs_either_twin(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    pairs = [(one.split(), other.split()) for one, other, *_ in WORKED]
    assert distances(plain_module.block_shift_distance, pairs) == distances(PLAIN, pairs)


def test_repeated_words_do_not_take_for_ever() -> None:
    repeated = ["the"] * 1000, ["the"] * 900
    alternating = ["a", "b"] * 500, ["b", "a"] * 500
    assert distances(COMPILED, [repeated, alternating]) == [[400, 3999], [1, 1999]]


rows = st.lists(st.integers(0, 4), max_size=200)


@settings(max_examples=200)
@given(rows, rows)
def test_bit_vectors_give_the_levenshtein_distance(one: list[int], other: list[int]) -> None:
    classes = np.zeros(5, dtype=np.int32)
    pattern = prepared(np.array(other, dtype=np.int32), classes)
    text = np.array(one, dtype=np.int32)
    assert edit_distance(text, pattern) == Levenshtein.distance(one, other)
    release(pattern)
    assert not classes.any()
