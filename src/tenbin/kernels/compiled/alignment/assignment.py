"""Compiled twin of `tenbin.kernels.alignment.assignment`.

The same method with the same arithmetic and the same preferences, so that equally good choices are
made alike, on workspace that all blocks share.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

# Distance of each column, the row it was reached from, whether its distance is final.
_Search = tuple[FloatArray, IntArray, npt.NDArray[np.bool_]]


@jit
def assignment(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> IdArray:
    """Return the column of each row of each block, or -1."""
    columns = np.full(heights.sum(), -1, dtype=np.int32)
    tallest = longest = 0
    for pair in range(heights.size):
        tallest = max(tallest, min(heights[pair], widths[pair]))
        longest = max(longest, heights[pair], widths[pair])
    costs = np.empty((tallest, longest))
    prices = np.empty(tallest), np.empty(longest)
    matching = np.empty(tallest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    search = np.empty(longest), np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.bool_)
    first = 0
    for pair in range(heights.size):
        height, width = heights[pair], widths[pair]
        block = blocks[starts[pair] : starts[pair] + height * width].reshape(height, width)
        if height <= width:
            for i in range(height):
                for j in range(width):
                    costs[i, j] = -np.float64(block[i, j])
            _link(costs, height, width, prices, matching, search)
            for i in range(height):
                columns[first + i] = matching[0][i]
        else:
            for i in range(height):
                for j in range(width):
                    costs[j, i] = -np.float64(block[i, j])
            _link(costs, width, height, prices, matching, search)
            for j in range(width):
                columns[first + matching[0][j]] = j
        first += height
    return columns


@jit
def _link(
    costs: FloatArray,
    height: int,
    width: int,
    prices: tuple[FloatArray, FloatArray],
    matching: tuple[IntArray, IntArray],
    search: _Search,
) -> None:
    """Link each row to a column; there are no fewer columns than rows."""
    row_prices, column_prices = prices
    links, owners = matching
    column_prices[:width] = 0.0
    owners[:width] = -1
    for row in range(height):
        lowest, column = np.inf, -1
        for j in range(width):
            cost = costs[row, j]
            if cost < lowest or (cost == lowest and owners[column] >= 0 and owners[j] < 0):
                lowest, column = cost, j
        row_prices[row] = lowest
        links[row] = -1
        if owners[column] < 0:
            links[row], owners[column] = column, row
    for row in range(height):
        if links[row] < 0:
            _augment(row, costs, width, prices, matching, search)


@jit
def _augment(
    start: int,
    costs: FloatArray,
    width: int,
    prices: tuple[FloatArray, FloatArray],
    matching: tuple[IntArray, IntArray],
    search: _Search,
) -> None:
    """Link one more row, moving others along the cheapest path to a free column."""
    row_prices, column_prices = prices
    links, owners = matching
    distances, before, settled = search
    for j in range(width):
        distances[j] = np.inf
        settled[j] = False
    row, column, reached = start, -1, 0.0
    while row >= 0:
        lowest, column = np.inf, -1
        for j in range(width):
            if settled[j]:
                continue
            through = reached + costs[row, j] - row_prices[row] - column_prices[j]
            if through < distances[j]:
                distances[j] = through
                before[j] = row
            distance = distances[j]
            if distance < lowest or (distance == lowest and owners[column] >= 0 and owners[j] < 0):
                lowest, column = distance, j
        reached = lowest
        settled[column] = True
        row = owners[column]
    row_prices[start] += reached
    for j in range(width):
        if settled[j]:
            if owners[j] >= 0:
                row_prices[owners[j]] += reached - distances[j]
            column_prices[j] -= reached - distances[j]
    _move(column, before, links, owners)


@jit
def _move(column: int, before: IntArray, links: IntArray, owners: IntArray) -> None:
    """Give each column of a path, from its free end, to the row that it was reached from."""
    while column >= 0:
        row = before[column]
        owners[column] = row
        column, links[row] = links[row], column
