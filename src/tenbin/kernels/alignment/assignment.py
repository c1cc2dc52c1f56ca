"""One-to-one links between two rows that make the sum of their similarities greatest, for HAS.

The method is that of Jonker and Volgenant (1987), "A Shortest Augmenting Path Algorithm for Dense
and Sparse Linear Assignment Problems", for blocks of any shape: rows take their best column while
it is free, and every other row is linked along a shortest augmenting path.
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, FloatArray, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Entries of all blocks; the plain twin goes through about a million a second.
_WORTH_COMPILING = 700_000
_USUAL_SIDE = 50


def assignment(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> IdArray:
    """Return the column that each row of each block is linked to, or -1.

    As many links as the smaller side of a block has, no two in one row or column, and no other
    such choice has a greater sum. Sums are made in 64 bits, so the sum is the greatest up to
    rounding (1e-15 per link). Where several choices are equally good, which one is returned depends
    on the block alone, and both twins return the same.

    Args:
        blocks: Similarities of all blocks, row-major, one block after the other.
        starts: Where each block starts, and the end of the last.
        heights: Rows of each block.
        widths: Columns of each block.

    Returns:
        Columns of the rows of all blocks, one block after the other.

    Raises:
        ValueError: If a similarity is infinite or not a number; no search for links would end.

    Example:
        >>> blocks = np.array([0.9, 0.8, 0.85, 0.1], dtype=np.float32)
        >>> assignment(blocks, np.array([0, 4]), np.array([2]), np.array([2]))
        array([1, 0], dtype=int32)
    """
    if not np.all(np.isfinite(blocks)):
        raise ValueError("similarities to assign by must be finite numbers")
    # The paths that free a column grow with the block.
    longer = np.maximum(np.minimum(heights, widths) / _USUAL_SIDE, 1)
    work = int((heights * widths * longer).sum())
    compiled = compiled_twin("alignment.assignment", work=work, threshold=_WORTH_COMPILING)
    twin = plain_assignment if compiled is None else compiled.assignment
    columns: IdArray = twin(blocks, starts, heights, widths)
    return columns


def plain_assignment(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> IdArray:
    """Return what `assignment` returns, with the same arithmetic on whole rows."""
    columns = [np.empty(0, dtype=np.int32)]
    for start, height, width in zip(starts[:-1], heights, widths, strict=True):
        costs = -blocks[start : start + height * width].reshape(height, width).astype(np.float64)
        if height <= width:
            links = _cheapest_columns(costs)
        else:
            links = np.full(height, -1)
            links[_cheapest_columns(costs.T)] = np.arange(width)
        columns.append(links.astype(np.int32))
    return np.concatenate(columns)


def _cheapest_columns(costs: FloatArray) -> IntArray:
    """Return the column of each row of a matrix that has no more rows than columns.

    Row prices u and column prices v are such that no cost is below u + v, that it equals u + v
    where row and column are linked, and that v is 0 for every free column: with these, a complete
    set of links is optimal.
    """
    height, width = costs.shape
    row_prices = costs.min(axis=1, initial=np.inf)
    column_prices = np.zeros(width)
    links = np.full(height, -1)
    owners = np.full(width, -1)
    for row in range(height):
        column = _first_lowest(costs[row], owners)
        if owners[column] < 0:
            links[row], owners[column] = column, row
    for row in np.flatnonzero(links < 0).tolist():
        _augment(row, costs, (row_prices, column_prices), (links, owners))
    return links


def _first_lowest(values: FloatArray, owners: IntArray) -> int:
    """Return the first column with the lowest value, or the first free one of those."""
    lowest = np.flatnonzero(values == values.min())
    free = lowest[owners[lowest] < 0]
    return int(free[0] if free.size else lowest[0])


def _augment(
    start: int,
    costs: FloatArray,
    prices: tuple[FloatArray, FloatArray],
    matching: tuple[IntArray, IntArray],
) -> None:
    """Link one more row, moving others along the cheapest path to a free column."""
    row_prices, column_prices = prices
    links, owners = matching
    distances = np.full(owners.size, np.inf)
    settled = np.zeros(owners.size, dtype=bool)
    before = np.full(owners.size, -1)  # row from which a column was reached
    rows = [start]
    reached, column = 0.0, -1
    while column < 0 or owners[column] >= 0:
        row = rows[-1]
        through = reached + costs[row] - row_prices[row] - column_prices
        nearer = ~settled & (through < distances)
        distances[nearer], before[nearer] = through[nearer], row
        column = _first_lowest(np.where(settled, np.inf, distances), owners)
        reached = distances[column]
        settled[column] = True
        rows.append(int(owners[column]))
    row_prices[start] += reached
    for row in rows[1:-1]:
        row_prices[row] += reached - distances[links[row]]
    column_prices[settled] -= reached - distances[settled]
    while column >= 0:
        owner = before[column]
        owners[column] = owner
        column, links[owner] = links[owner], column
