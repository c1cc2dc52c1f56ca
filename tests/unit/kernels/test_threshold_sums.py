"""Sums over similarities that count: both twins, the definition, independence of grid and order."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.kernels.arrays import FloatArray
from tenbin.kernels.compiled.similarity import threshold_sums as compiled_module
from tenbin.kernels.similarity import threshold_sums as plain_module
from tenbin.kernels.similarity.threshold_sums import TOLERANCE

Kernel = Callable[..., FloatArray]
Block = npt.NDArray[np.float32]
Links = Sequence[int]

# (sums of blocks, sums of links) of each twin; they take bounds, thresholds less the tolerance.
PLAIN = plain_module.plain_threshold_sums, plain_module.plain_link_sums
COMPILED = compiled_module.threshold_sums, compiled_module.link_sums
TWINS = pytest.mark.parametrize(
    ("of_blocks", "of_links"), [PLAIN, COMPILED], ids=["plain", "compiled"]
)
GRID = np.linspace(-1, 1, 41)
TOY = np.array([[0.928, 0.48, 0.8, 0], [0.48, 0.8, 0, 0], [0.768, 0, 0.96, 0]], dtype=np.float32)


def sums_of(kernel: Kernel, blocks: Sequence[Block], thresholds: FloatArray) -> FloatArray:
    heights = np.array([len(block) for block in blocks], dtype=np.int64)
    widths = np.array([block.shape[1] for block in blocks], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    flat = np.concatenate([np.empty(0, dtype=np.float32), *(block.ravel() for block in blocks)])
    return kernel(flat, starts, heights, widths, thresholds - TOLERANCE)


def link_sums_of(
    kernel: Kernel, blocks: Sequence[Block], links: Sequence[Links], thresholds: FloatArray
) -> FloatArray:
    heights = np.array([len(block) for block in blocks], dtype=np.int64)
    widths = np.array([block.shape[1] for block in blocks], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(heights * widths)])
    flat = np.concatenate([np.empty(0, dtype=np.float32), *(block.ravel() for block in blocks)])
    columns = np.array([column for row in links for column in row], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(heights)])
    return kernel(flat, starts, widths, columns, offsets, thresholds - TOLERANCE)


def random_blocks(seed: int, count: int) -> list[Block]:
    rng = np.random.default_rng(seed)
    blocks = []
    for height, width in rng.integers(0, 14, (count, 2)).tolist():
        cosines = rng.uniform(-1, 1, (height, width)) ** 3
        rounded = rng.integers(-20, 21, (height, width)) / 20  # on the thresholds of the grid
        chosen = np.where(rng.random((height, width)) < 0.5, cosines, rounded)
        blocks.append(chosen.astype(np.float32))
    return blocks


def random_links(blocks: Sequence[Block]) -> list[list[int]]:
    rng = np.random.default_rng(7)
    return [rng.integers(-1, block.shape[1], len(block)).tolist() for block in blocks]


def kept(values: Sequence[np.float32], threshold: float) -> list[float]:
    found = [float(value) for value in values if float(value) >= threshold - TOLERANCE]
    return [math.fsum(found), len(found)]


def definition(block: Block, threshold: float) -> list[float]:
    rows = [max(row) for row in block if row.size]
    columns = [max(column) for column in block.T if column.size]
    parts = kept(list(block.ravel()), threshold), kept(rows, threshold), kept(columns, threshold)
    return [number for part in parts for number in part]


@TWINS
def test_worked_example(of_blocks: Kernel, of_links: Kernel) -> None:
    """The table of WAS, MAS and HAS in the specification, zero and survivors."""
    ((at_0, at_half, at_nine_tenths),) = sums_of(of_blocks, [TOY], np.array([0, 0.5, 0.9]))
    assert at_0[0] / 12 == pytest.approx(0.434667, abs=5e-7)
    assert at_0[1] == 12
    assert at_half[0] / 12 == pytest.approx(0.354667, abs=5e-7)
    assert at_half[0] / at_half[1] == pytest.approx(0.8512, abs=5e-7)
    assert at_nine_tenths[0] / 12 == pytest.approx(0.157333, abs=5e-7)
    assert at_nine_tenths[0] / at_nine_tenths[1] == pytest.approx(0.944, abs=5e-7)
    for sums, expected in [(at_0, 0.784), (at_half, 0.784), (at_nine_tenths, 0.550667)]:
        assert (sums[2] / 3 + sums[4] / 4) / 2 == pytest.approx(expected, abs=5e-7)
    assert at_nine_tenths[3::2].tolist() == [2, 2]
    ((has_0, has_nine_tenths),) = link_sums_of(of_links, [TOY], [[0, 1, 2]], np.array([0, 0.9]))
    assert has_0 == pytest.approx([3 * 0.896, 3], abs=1e-6)
    assert has_nine_tenths == pytest.approx([3 * 0.629333, 2], abs=2e-6)


@TWINS
@pytest.mark.parametrize("thresholds", [GRID, np.array([0.35]), np.array([-2.0, 0.1, 0.1, 3.0])])
def test_definition(of_blocks: Kernel, of_links: Kernel, thresholds: FloatArray) -> None:
    blocks = random_blocks(1, 40)
    links = random_links(blocks)
    found = sums_of(of_blocks, blocks, thresholds)
    linked = link_sums_of(of_links, blocks, links, thresholds)
    for k, (block, columns) in enumerate(zip(blocks, links, strict=True)):
        chosen = [block[row, column] for row, column in enumerate(columns) if column >= 0]
        for t, threshold in enumerate(thresholds):
            assert found[k, t] == pytest.approx(definition(block, threshold), abs=1e-10)
            assert linked[k, t] == pytest.approx(kept(chosen, threshold), abs=1e-11)


@pytest.mark.parametrize("seed", [2, 3])
def test_twins_agree(seed: int) -> None:
    blocks = random_blocks(seed, 60)
    links = random_links(blocks)
    for grid in (GRID, GRID[13:14], GRID[:0], np.linspace(-1.1, 1.1, 700)):
        one, other = (sums_of(twin[0], blocks, grid) for twin in (PLAIN, COMPILED))
        assert one.tolist() == other.tolist()
        one, other = (link_sums_of(twin[1], blocks, links, grid) for twin in (PLAIN, COMPILED))
        assert one.tolist() == other.tolist()


@TWINS
def test_a_threshold_alone_gives_the_numbers_of_the_grid(
    of_blocks: Kernel, of_links: Kernel
) -> None:
    blocks = random_blocks(4, 20)
    links = random_links(blocks)
    together = sums_of(of_blocks, blocks, GRID)
    linked = link_sums_of(of_links, blocks, links, GRID)
    for t in range(GRID.size):
        alone = sums_of(of_blocks, blocks, GRID[t : t + 1])
        assert alone[:, 0].tolist() == together[:, t].tolist()
        alone = link_sums_of(of_links, blocks, links, GRID[t : t + 1])
        assert alone[:, 0].tolist() == linked[:, t].tolist()


@TWINS
def test_neither_order_nor_batch_matters(of_blocks: Kernel, of_links: Kernel) -> None:
    blocks = random_blocks(5, 20)
    together = sums_of(of_blocks, blocks, GRID)
    linked = link_sums_of(of_links, blocks, random_links(blocks), GRID)
    for k, block in enumerate(blocks):
        (turned,) = sums_of(of_blocks, [block.T[::-1, ::-1]], GRID)
        assert turned[:, [0, 1, 4, 5, 2, 3]].tolist() == together[k].tolist()
        columns = random_links(blocks)[k]
        (reversed_links,) = link_sums_of(of_links, [block[::-1]], [columns[::-1]], GRID)
        assert reversed_links.tolist() == linked[k].tolist()


@TWINS
def test_computed_thresholds_keep_what_equals_them(of_blocks: Kernel, of_links: Kernel) -> None:
    block = np.array([[0.75, 1.0, 1 - 2**-20]], dtype=np.float32)
    ((three_quarters, one),) = sums_of(of_blocks, [block], np.array([0.75, 1]) * (1 + 1e-12))
    assert three_quarters[1] == 3
    assert one.tolist() == [1, 1, 1, 1, 1, 1]
    ((linked,),) = link_sums_of(of_links, [block], [[1]], np.array([1 + 1e-12]))
    assert linked.tolist() == [1, 1]


@TWINS
def test_a_bound_itself_is_kept(of_blocks: Kernel, of_links: Kernel) -> None:
    block = np.array([0.75, 0.5], dtype=np.float32)
    starts, one, two = np.array([0, 2]), np.array([1]), np.array([2])
    bounds = np.array([0.5, 0.75])
    found = of_blocks(block, starts, one, two, bounds)
    assert found[0, :, 1].tolist() == [2, 1]
    links = np.array([0], dtype=np.int32)
    assert of_links(block, starts, two, links, np.array([0, 1]), bounds)[0, 1, 1] == 1


@TWINS
def test_empty_sides_and_no_blocks(of_blocks: Kernel, of_links: Kernel) -> None:
    blocks = [np.empty(shape, dtype=np.float32) for shape in [(0, 0), (0, 3), (2, 0)]]
    assert not sums_of(of_blocks, blocks, GRID).any()
    assert not link_sums_of(of_links, blocks, [[], [], [-1, -1]], GRID).any()
    assert sums_of(of_blocks, [], GRID).shape == (0, 41, 6)
    assert link_sums_of(of_links, [], [], GRID).shape == (0, 41, 2)


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_public_functions(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    starts, heights, widths = np.array([0, 12]), np.array([3]), np.array([4])
    found = plain_module.threshold_sums(TOY.ravel(), starts, heights, widths, GRID)
    assert found.tolist() == sums_of(PLAIN[0], [TOY], GRID).tolist()
    columns = np.array([0, 1, 2], dtype=np.int32)
    linked = plain_module.link_sums(TOY.ravel(), starts, widths, columns, np.array([0, 3]), GRID)
    assert linked.tolist() == link_sums_of(PLAIN[1], [TOY], [[0, 1, 2]], GRID).tolist()


@pytest.mark.parametrize("wrong", [[0.5, 0.4], [0.1, np.nan]])
def test_thresholds_must_ascend(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="increasing order"):
        plain_module.threshold_sums(
            TOY.ravel(), np.array([0, 12]), np.array([3]), np.array([4]), np.array(wrong)
        )
