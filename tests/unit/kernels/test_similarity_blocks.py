"""Blocks of cosines: both twins, the documented order of summation, 64-bit dot products."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.similarity import blocks as compiled_module
from tenbin.kernels.similarity import blocks as plain_module

Row = Sequence[int]
Kernel = Callable[..., tuple[Float32Array, IntArray]]

PUBLIC = plain_module.similarity_blocks
PLAIN = plain_module.plain_similarity_blocks
COMPILED = compiled_module.similarity_blocks
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

NEAREST = np.float32(1 - 2**-20)
# The toy table of the specification; the last word has no vector.
WORDS = ["cat", "kitten", "dog", "sat", "sits", "mat", "the", "a", "zzz"]
VECTORS = [
    [1, 0, 0],
    [0.8, 0.6, 0],
    [0.6, 0.8, 0],
    [0, 0, 1],
    [0, 0.28, 0.96],
    [0, 1, 0],
    [0.6, 0, 0.8],
    [0.48, 0.36, 0.8],
    [0, 0, 0],
]


def columnar(rows: Sequence[Row]) -> tuple[IdArray, IntArray]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([value for row in rows for value in row], dtype=np.int32), offsets


def blocks_of(
    kernel: Kernel,
    units: Any,
    pairs: Sequence[tuple[Row, Row]],
    *,
    classes: Row | None = None,
    unknown: Row = (),
    equal_unknown: bool = True,
) -> list[Float32Array]:
    vectors = plain_module.padded(np.array(units, dtype=np.float32))
    known = ~np.isin(np.arange(len(vectors)), unknown)
    numbers = np.array(range(len(vectors)) if classes is None else classes, dtype=np.int32)
    rows = [row for pair in pairs for row in pair]
    left = np.arange(0, len(rows), 2)
    arguments = (vectors, numbers, known, *columnar(rows), left, left + 1)
    flat, starts = kernel(*arguments, equal_unknown)
    shapes = [(len(one), len(other)) for one, other in pairs]
    assert starts.tolist() == np.cumsum([0, *(a * b for a, b in shapes)]).tolist()
    assert flat.dtype == np.float32
    assert flat.size == starts[-1]
    blocks = np.split(flat, starts[1:-1]) if pairs else []
    return [block.reshape(shape) for block, shape in zip(blocks, shapes, strict=True)]


def random_units(rng: np.random.Generator, words: int, dimensions: int) -> Float32Array:
    vectors = rng.standard_normal((words, dimensions))
    units: Float32Array = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("f4")
    return units


def random_pairs(rng: np.random.Generator, words: int, count: int) -> list[tuple[Row, Row]]:
    lengths = rng.integers(0, 12, (count, 2))
    return [
        (rng.integers(0, words, one).tolist(), rng.integers(0, words, other).tolist())
        for one, other in lengths
    ]


def dot_product(one: Float32Array, other: Float32Array) -> np.float32:
    """Sum up in the documented order, one number at a time."""
    sums = [np.float32(0)] * 16
    for d, (a, b) in enumerate(zip(one, other, strict=True)):
        sums[d % 16] += a * b
    for half in (8, 4, 2, 1):
        for k in range(half):
            sums[k] += sums[k + half]
    return sums[0]


@TWINS
def test_worked_example(kernel: Kernel) -> None:
    pair = [
        [WORDS.index(word) for word in text.split()]
        for text in ("a kitten sits", "the cat sat zzz")
    ]
    (block,) = blocks_of(kernel, VECTORS, [(pair[0], pair[1])], unknown=[8])
    expected = [[0.928, 0.48, 0.8, 0], [0.48, 0.8, 0, 0], [0.768, 0, 0.96, 0]]
    np.testing.assert_allclose(block, expected, atol=1e-7)


@TWINS
@pytest.mark.parametrize("equal_unknown", [False, True])
def test_equal_and_unknown_words(kernel: Kernel, *, equal_unknown: bool) -> None:
    # Words 0 and 1 share a vector, 2 is opposite; 3 and 4 are unknown although they have numbers.
    units = [[1, 0], [1, 0], [-1, 0], [1, 0], [1, 0]]
    everything = [0, 1, 2, 3, 4]
    (block,) = blocks_of(
        kernel, units, [(everything, everything)], unknown=[3, 4], equal_unknown=equal_unknown
    )
    own = 1 if equal_unknown else 0
    expected = [
        [1, NEAREST, -1, 0, 0],
        [NEAREST, 1, -1, 0, 0],
        [-1, -1, 1, 0, 0],
        [0, 0, 0, own, 0],
        [0, 0, 0, 0, own],
    ]
    assert block.tolist() == np.array(expected, dtype=np.float32).tolist()


@TWINS
def test_words_of_one_class_are_one_word(kernel: Kernel) -> None:
    units = [[1, 0], [0, 1], [0, 1]]
    pairs = [([0, 1, 2], [1])]
    (block,) = blocks_of(kernel, units, pairs, classes=[7, 7, 8])
    assert block.ravel().tolist() == [1, 1, NEAREST]
    (block,) = blocks_of(kernel, units, pairs, classes=[7, 7, 8], unknown=[0])
    assert block.ravel().tolist() == [1, 1, NEAREST]
    (block,) = blocks_of(kernel, units, pairs, classes=[7, 7, 8], unknown=[0], equal_unknown=False)
    assert block.ravel().tolist() == [0, 1, NEAREST]


@TWINS
def test_products_beyond_the_range_are_cut(kernel: Kernel) -> None:
    (block,) = blocks_of(kernel, [[1.001, 0], [1.001, 0], [-1.001, 0]], [([0], [1, 2])])
    assert block.tolist() == [[NEAREST, -1]]


@pytest.mark.parametrize("dimensions", [1, 2, 3, 15, 16, 17, 31, 32, 100, 300])
def test_sums_are_made_in_the_documented_order(dimensions: int) -> None:
    rng = np.random.default_rng(dimensions)
    units = random_units(rng, 9, dimensions)
    here, there = [0, 1, 2, 3], [4, 5, 6, 7, 8]
    expected = [[dot_product(units[i], units[j]) for j in there] for i in here]
    expected = np.clip(np.array(expected), np.float32(-1), NEAREST).tolist()
    for kernel in (PLAIN, COMPILED):
        (block,) = blocks_of(kernel, units, [(here, there)])
        assert block.tolist() == expected
        np.testing.assert_allclose(
            block, units[here].astype(float) @ units[there].astype(float).T, atol=1e-6
        )


@pytest.mark.parametrize("dimensions", [1, 3, 16, 48, 100, 300])
def test_twins_agree(dimensions: int) -> None:
    rng = np.random.default_rng(1000 + dimensions)
    units = random_units(rng, 60, dimensions)
    pairs = random_pairs(rng, 60, 60)
    options: dict[str, Any] = {"classes": rng.integers(0, 50, 60).tolist(), "unknown": [3, 5, 8]}
    for equal_unknown in (False, True):
        one = blocks_of(PLAIN, units, pairs, **options, equal_unknown=equal_unknown)
        other = blocks_of(COMPILED, units, pairs, **options, equal_unknown=equal_unknown)
        assert [block.tolist() for block in one] == [block.tolist() for block in other]


@TWINS
def test_a_pair_is_alike_in_any_batch_and_either_way_round(kernel: Kernel) -> None:
    rng = np.random.default_rng(5)
    units = random_units(rng, 40, 100)
    pairs = random_pairs(rng, 40, 20)
    together = blocks_of(kernel, units, pairs)
    for pair, block in zip(pairs, together, strict=True):
        (alone,) = blocks_of(kernel, units, [pair])
        (turned,) = blocks_of(kernel, units, [pair[::-1]])
        assert alone.tolist() == block.tolist() == turned.T.tolist()


@TWINS
def test_empty_rows_and_no_pairs(kernel: Kernel) -> None:
    pairs: list[tuple[Row, Row]] = [([], []), ([0], []), ([], [1]), ([0], [1])]
    blocks = blocks_of(kernel, [[1, 0], [0.6, 0.8]], pairs)
    assert [block.shape for block in blocks] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert blocks[3].tolist() == [[np.float32(0.6)]]
    assert blocks_of(kernel, [[1, 0]], []) == []


def test_padding_copies_only_what_needs_zeros() -> None:
    wide = np.ones((2, 32), dtype=np.float32)
    assert plain_module.padded(wide) is wide
    narrow = plain_module.padded(np.ones((2, 3), dtype=np.float32))
    assert narrow.tolist() == [[1.0] * 3 + [0.0] * 13] * 2
    assert plain_module.padded(np.ones((2, 0), dtype=np.float32)).tolist() == [[0.0] * 16] * 2


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_the_public_function_takes_vectors_of_any_width(
    choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    units = np.array(VECTORS, dtype=np.float32)
    units.flags.writeable = False  # as a memory map is
    values, offsets = columnar([[7, 1, 4], [6, 0, 3, 8]])
    blocks, starts = PUBLIC(
        units,
        np.arange(9, dtype=np.int32),
        np.arange(9) < 8,
        values,
        offsets,
        np.array([0]),
        np.array([1]),
        equal_unknown=True,
    )
    assert starts.tolist() == [0, 12]
    (expected,) = blocks_of(PLAIN, VECTORS, [([7, 1, 4], [6, 0, 3, 8])], unknown=[8])
    assert blocks.tolist() == expected.ravel().tolist()
