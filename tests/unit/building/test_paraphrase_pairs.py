"""Pairs that are read some rows at a time: the order of all of them at once, in less memory."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.paraphrases import pairs
from tenbin.building.paraphrases.pairs import pairs_of_pivot
from tenbin.building.paraphrases.pivot import UNITS
from tenbin.core.arrays import IntArray

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def write(folder: Path, rows: IntArray, *, parts: int = 1) -> None:
    folder.mkdir()
    for number, part in enumerate(np.array_split(rows, parts)):
        columns = dict(zip(("e1", "e2", "units"), part.T, strict=True))
        parquet.write_table(pa.table(columns), folder / f"part-{number}.parquet")


def random_rows(seed: int, numbers: IntArray, size: int) -> IntArray:
    """Return distinct pairs in no order, many of them as likely as others."""
    rng = np.random.default_rng(seed)
    keys = rng.choice(numbers.size**2, size=size, replace=False)
    units = rng.integers(1, 5, size=size) * (UNITS // 7)
    return np.column_stack([numbers[keys // numbers.size], numbers[keys % numbers.size], units])


@pytest.fixture
def phrases() -> tuple[IntArray, IntArray]:
    """Numbers of phrases, sorted, and the places of their words."""
    rng = np.random.default_rng(1)
    return np.unique(rng.integers(-(2**62), 2**62, size=60)), rng.permutation(60)


@pytest.mark.parametrize("rows_at_once", [1, 7, 64, 10_000])
@pytest.mark.parametrize("parts", [1, 3])
def test_the_order_of_all_rows(
    tmp_path: Path,
    phrases: tuple[IntArray, IntArray],
    monkeypatch: pytest.MonkeyPatch,
    rows_at_once: int,
    parts: int,
) -> None:
    monkeypatch.setattr(pairs, "_ROWS", rows_at_once)
    numbers, ranks = phrases
    rows = random_rows(2, numbers, 500)
    write(tmp_path / "pairs", rows, parts=parts)
    offsets, others, shares = pairs_of_pivot(tmp_path / "pairs", numbers, ranks)
    rank = dict(zip(numbers.tolist(), ranks.tolist(), strict=True))
    listed = sorted((rank[one], -units, rank[other]) for one, other, units in rows.tolist())
    assert np.repeat(np.arange(60), np.diff(offsets)).tolist() == [row[0] for row in listed]
    assert others.tolist() == [row[2] for row in listed]
    assert shares.tolist() == [np.float32(-row[1] / UNITS) for row in listed]
    assert [one.dtype.str[1:] for one in (offsets, others, shares)] == ["i8", "i4", "f4"]


def test_no_pairs(tmp_path: Path, phrases: tuple[IntArray, IntArray]) -> None:
    write(tmp_path / "pairs", np.empty((0, 3), dtype=np.int64))
    offsets, others, shares = pairs_of_pivot(tmp_path / "pairs", *phrases)
    assert offsets.tolist() == [0] * 61
    assert others.size == shares.size == 0


def test_memory_is_that_of_the_result_and_little_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "_ROWS", 1_000)
    size, numbers = 100_000, np.arange(1_000)
    write(tmp_path / "pairs", random_rows(3, numbers, size))
    pairs_of_pivot(tmp_path / "pairs", numbers, numbers)  # whatever is imported on first use
    tracemalloc.start()
    pairs_of_pivot(tmp_path / "pairs", numbers, numbers)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 8 bytes a pair are the result, 8 are held meanwhile; a table in memory would have 24 more.
    assert peak < 20 * size
