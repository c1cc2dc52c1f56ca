"""One-to-one links with the greatest sum: both twins, all permutations, scipy."""

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.kernels.alignment import assignment as plain_module
from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.alignment import assignment as compiled_module

Kernel = Callable[[Float32Array, IntArray, IntArray, IntArray], IdArray]
Block = npt.NDArray[np.float32]

PUBLIC = plain_module.assignment
PLAIN = plain_module.plain_assignment
COMPILED = compiled_module.assignment
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

KINDS = ["cosines", "negative", "zeros and ones", "quarters", "all equal", "exact words"]


def links_of(kernel: Kernel, blocks: Sequence[Block]) -> list[list[int]]:
    heights = np.array([len(block) for block in blocks], dtype=np.int64)
    widths = np.array([block.shape[1] for block in blocks], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    flat = np.concatenate([np.empty(0, dtype=np.float32), *(block.ravel() for block in blocks)])
    columns = kernel(flat, starts, heights, widths)
    assert columns.dtype == np.int32
    assert columns.size == heights.sum()
    return [part.tolist() for part in np.split(columns, np.cumsum(heights)[:-1])]


def block_of(rng: np.random.Generator, kind: str, height: int, width: int) -> Block:
    shape = height, width
    cosines = rng.uniform(-0.2, 0.9, shape)
    values = {
        "cosines": cosines,
        "negative": -rng.random(shape),
        "zeros and ones": rng.integers(0, 2, shape),
        "quarters": rng.integers(-2, 5, shape) / 4,
        "all equal": np.full(shape, 0.3),
        "exact words": np.where(rng.random(shape) < 0.1, 1, cosines),
    }
    return np.asarray(values[kind], dtype=np.float32)


def blocks_of_kind(kind: str, count: int, longest: int) -> list[Block]:
    rng = np.random.default_rng(KINDS.index(kind))
    sides = rng.integers(0, longest + 1, (count, 2))
    sides[::5, 1] = sides[::5, 0]
    return [block_of(rng, kind, height, width) for height, width in sides.tolist()]


def total(block: Block, links: Sequence[int]) -> float:
    """Return the sum of valid links: as many as can be, no column twice."""
    rows = [row for row, column in enumerate(links) if column >= 0]
    columns = [links[row] for row in rows]
    assert len(links) == len(block)
    assert len(rows) == len(set(columns)) == min(block.shape)
    return float(block[rows, columns].astype(np.float64).sum())


def greatest(block: Block) -> float:
    tall = block.T if len(block) > block.shape[1] else block
    choices = permutations(range(tall.shape[1]), len(tall))
    return max(float(sum(map(float, tall[range(len(tall)), list(c)]))) for c in choices)


@TWINS
def test_known_links(kernel: Kernel) -> None:
    blocks = [
        np.array([[0.9, 0.8], [0.85, 0.1]], dtype=np.float32),  # not the greatest entry
        np.array([[1.0, 1.0, 0.2], [1.0, 0.1, 0.1]], dtype=np.float32),
        np.array([[0.1], [0.7], [0.7]], dtype=np.float32),
        np.array([[-0.5, -0.1]], dtype=np.float32),  # linked even so
    ]
    assert links_of(kernel, blocks) == [[1, 0], [1, 0], [-1, 0, -1], [1]]


@TWINS
@pytest.mark.parametrize("kind", KINDS)
def test_no_permutation_is_better(kernel: Kernel, kind: str) -> None:
    blocks = blocks_of_kind(kind, 60, 5)
    for block, links in zip(blocks, links_of(kernel, blocks), strict=True):
        assert total(block, links) == pytest.approx(greatest(block), abs=1e-12)


@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_scipy_finds_nothing_better(kind: str) -> None:
    linear_sum_assignment = pytest.importorskip("scipy.optimize").linear_sum_assignment
    blocks = blocks_of_kind(kind, 200, 40)
    for block, links in zip(blocks, links_of(COMPILED, blocks), strict=True):
        rows, columns = linear_sum_assignment(block.astype(np.float64), maximize=True)
        best = block[rows, columns].astype(np.float64).sum()
        assert total(block, links) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_twins_choose_alike_among_equals(kind: str) -> None:
    blocks = blocks_of_kind(kind, 80, 25)
    assert links_of(PLAIN, blocks) == links_of(COMPILED, blocks)


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_the_public_function_runs_either_twin(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    blocks = blocks_of_kind("exact words", 10, 9)
    assert links_of(PUBLIC, blocks) == links_of(PLAIN, blocks)


@TWINS
def test_a_block_is_linked_alike_in_any_batch(kernel: Kernel) -> None:
    blocks = [*blocks_of_kind("quarters", 15, 9), *blocks_of_kind("cosines", 15, 30)]
    alone = [links_of(kernel, [block])[0] for block in blocks]
    assert links_of(kernel, blocks) == alone
    assert links_of(kernel, blocks[::-1]) == alone[::-1]


@TWINS
def test_empty_sides_and_no_blocks(kernel: Kernel) -> None:
    blocks = [np.empty(shape, dtype=np.float32) for shape in [(0, 0), (0, 3), (2, 0)]]
    assert links_of(kernel, blocks) == [[], [], [-1, -1]]
    none = np.empty(0, dtype=np.int64)
    assert kernel(np.empty(0, dtype=np.float32), np.zeros(1, np.int64), none, none).size == 0


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_similarities_must_be_finite(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        links_of(PUBLIC, [np.array([[0.5, wrong]], dtype=np.float32)])
