"""The cheapest way to move masses from one side to the other: the earth mover's distance.

Rubner, Tomasi, Guibas (2000), "The Earth Mover's Distance as a Metric for Image Retrieval", section
3, by the simplex method for transportation problems of Dantzig (1951), on whole numbers:

- Masses are rounded to multiples of a power of two of which the greater total has 56 binary digits,
  and costs are cut to multiples of one of which the greatest has 53 (one less for each doubling of
  the greater side beyond 30 lines, of both sides together beyond 253). From there on nothing is
  rounded: the plan found is a best one, without a tolerance, and its cost, added up exactly, is the
  same whichever best plan is found; so it is also the same with the two sides exchanged.
- Lines (rows and columns) without mass are left out. What masses are multiples of is divided into
  more than twice as many units as there are rows; each row gets one unit more and the first column
  gets them all. Then no set of rows has the mass of a set of columns, but for all of them, and each
  exchange lowers the cost: the method cannot go round in circles, as it can where masses are alike.
  Rounding the flows takes the units out again.
"""

import math
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

MASS_BITS = 56  # of the greater total
COST_BITS = 53  # of the greatest cost
HALF_BITS = 28  # the lower part of the exact cost has twice as many, the upper part the others
GREATEST_SHIFT = 1000  # so that the power of two is a float
BLOCK_CELLS = 1024  # among so many cells, the one that enters the plan is chosen

_GREATEST = 1e150  # such that a product of a mass and a cost is a float
_EXCHANGES_PER_CELL = 50  # far more than needed: 25 x 25 cells take about 30 exchanges in all
_WORTH_COMPILING = 200_000  # cells that the plain twin goes through in half a second
_USUAL_LINES = 100
_Problems = tuple[FloatArray, IntArray, FloatArray, IntArray, FloatArray, IntArray]
_Basis = dict[tuple[int, int], int]  # flow of each cell, (row, column)


def transport(
    costs: FloatArray,
    starts: IntArray,
    supplies: FloatArray,
    supply_offsets: IntArray,
    demands: FloatArray,
    demand_offsets: IntArray,
) -> FloatArray:
    """Return the least cost of moving supplies to demands, per problem.

    The cost is ``sum(flow[i, j] * cost[i, j])`` for the cheapest flows that are not negative, take
    at most ``supplies[i]`` from row ``i``, bring at most ``demands[j]`` to column ``j`` and move
    all that can be moved: the lesser of the two totals. (The general earth mover's distance is the
    mean cost, this divided by that total.) What one side has too much stays where leaving it is
    best, be it a real surplus or the last bit of weights that should add up to 1. Where one side is
    empty or has no mass, nothing is moved and the cost is 0; a distance for that case is the
    caller's to define.

    Args:
        costs: Costs of all problems, one after the other, each row by row; at most 1e150.
        starts: Costs of problem ``p`` are ``costs[starts[p] : starts[p + 1]]``.
        supplies: Masses of the rows of all problems, from 0 to 1e150.
        supply_offsets: Where those of each problem begin and, last, where they end.
        demands: Masses of the columns.
        demand_offsets: The same for these.

    Raises:
        ValueError: If sizes do not fit together, a number is not finite or a mass is negative.
        ArithmeticError: If a problem takes more exchanges than any should.

    Example:
        >>> costs = np.array([0.0, 0.3, 0.5, 0.0])
        >>> supplies, demands, ends = np.array([0.75, 0.25]), np.array([0.5, 0.5]), np.array([0, 2])
        >>> transport(costs, np.array([0, 4]), supplies, ends, demands, ends)
        array([0.075])
    """
    values, _ = _solve_all(
        (costs, starts, supplies, supply_offsets, demands, demand_offsets), with_flows=False
    )
    return values


def transport_flows(
    costs: FloatArray,
    starts: IntArray,
    supplies: FloatArray,
    supply_offsets: IntArray,
    demands: FloatArray,
    demand_offsets: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """Return what `transport` returns, and the flows, laid out like the costs.

    Where several plans are best, which one is returned depends on the order of rows and columns
    alone. At most rows + columns - 1 flows of a problem are not 0.
    """
    return _solve_all(
        (costs, starts, supplies, supply_offsets, demands, demand_offsets), with_flows=True
    )


def _solve_all(problems: _Problems, *, with_flows: bool) -> tuple[FloatArray, FloatArray]:
    # What cannot be written to is another type to the compiler, which would set to work again.
    costs, supplies, demands = (np.require(part, np.float64, ["C", "W"]) for part in problems[::2])
    ends = [np.require(part, np.int64, ["C", "W"]) for part in problems[1::2]]
    starts, supply_offsets, demand_offsets = ends
    heights, widths = np.diff(supply_offsets), np.diff(demand_offsets)
    if [*map(len, problems[::2])] != [int(offsets[-1]) for offsets in ends]:
        raise ValueError("the last problem must end at the last cost, supply and demand")
    if not np.array_equal(np.diff(starts), heights * widths):
        raise ValueError("a problem must have as many costs as supplies times demands")
    # Written so that nan fails.
    if costs.size and not -_GREATEST <= costs.min() <= costs.max() <= _GREATEST:
        raise ValueError(f"costs must be finite and at most {_GREATEST}")
    masses = np.concatenate((supplies, demands))
    if masses.size and not 0 <= masses.min() <= masses.max() <= _GREATEST:
        raise ValueError(f"supplies and demands must be from 0 to {_GREATEST}")
    # Exchanges grow with the lines of a problem; those of usual segments are what was measured.
    lines = np.maximum((heights + widths) / _USUAL_LINES, 1)
    work = int((heights * widths * lines).sum())
    compiled = compiled_twin("transport.flow", work=work, threshold=_WORTH_COMPILING)
    twin = plain_transport if compiled is None else compiled.transport
    flows = np.zeros(costs.size if with_flows else 0)
    values: FloatArray = twin(
        costs, starts, supplies, supply_offsets, demands, demand_offsets, flows, _EXCHANGES_PER_CELL
    )
    if np.isnan(values).any():
        number = int(np.argmax(np.isnan(values)))
        raise ArithmeticError(
            f"problem {number}, of {heights[number]} x {widths[number]} cells, was not solved"
            f" within {_EXCHANGES_PER_CELL} exchanges per cell; please report it"
        )
    return values, flows


def plain_transport(
    costs: FloatArray,
    starts: IntArray,
    supplies: FloatArray,
    supply_offsets: IntArray,
    demands: FloatArray,
    demand_offsets: IntArray,
    flows: FloatArray,
    exchanges_per_cell: int,
) -> FloatArray:
    """Return the least costs, nan where not found; write flows, unless their array is empty.

    The basis is a mapping from cells to flows; prices and paths are found anew for each exchange.
    """
    values = np.zeros(len(starts) - 1)
    for number in range(len(values)):
        supply = supplies[supply_offsets[number] : supply_offsets[number + 1]]
        demand = demands[demand_offsets[number] : demand_offsets[number + 1]]
        block = slice(starts[number], starts[number + 1])
        problem = _whole_problem(costs[block].reshape(len(supply), len(demand)), supply, demand)
        if problem is None:
            continue
        basis = _first_basis(problem)
        if not _improve(basis, problem.cells, exchanges_per_cell * problem.cells.size):
            values[number] = math.nan
            continue
        half = 1 << (problem.spare_bits - 1)
        plan = {cell: (flow + half) >> problem.spare_bits for cell, flow in basis.items()}
        cost = sum(flow * int(problem.cells[cell]) for cell, flow in plan.items())
        high, low = divmod(cost, 1 << 2 * HALF_BITS)
        cost_unit = -problem.mass_shift - problem.cost_shift
        values[number] = math.ldexp(high * 2.0 ** (2 * HALF_BITS) + low, cost_unit)
        if flows.size:
            moved = np.zeros((len(supply) + 1, len(demand) + 1))  # one more each for a surplus
            for (row, column), flow in plan.items():
                place = problem.rows[row], problem.columns[column]
                moved[place] = math.ldexp(flow, -problem.mass_shift)
            flows[block] = moved[:-1, :-1].ravel()
    return values


class _Problem(NamedTuple):
    cells: IntArray  # costs
    supplies: list[int]
    demands: list[int]
    rows: list[int]  # their places among those given
    columns: list[int]
    spare_bits: int
    mass_shift: int
    cost_shift: int


def _whole_problem(costs: FloatArray, supply: FloatArray, demand: FloatArray) -> _Problem | None:
    """Return the problem in whole numbers, or None where nothing can be moved."""
    height, width = costs.shape
    spare_bits = (2 * (max(height, width) + 1)).bit_length()
    total = max(float(np.add.accumulate([0.0, *side])[-1]) for side in (supply, demand))
    mass_shift = _shift(total, min(MASS_BITS, 62 - spare_bits))
    sides = [np.rint(side * 2.0**mass_shift).astype(np.int64) for side in (supply, demand)]
    rows, columns = ([int(place) for place in np.flatnonzero(side)] for side in sides)
    supplies, demands = ([int(mass) for mass in side if mass] for side in sides)
    if not rows or not columns:
        return None
    largest = float(np.abs(costs).max())
    cost_shift = _shift(largest, min(COST_BITS, 62 - (2 * (height + width) + 5).bit_length()))
    cells = (costs[np.ix_(rows, columns)] * 2.0**cost_shift).astype(np.int64)
    surplus = sum(supplies) - sum(demands)
    if surplus > 0:
        cells = np.pad(cells, ((0, 0), (0, 1)))
        demands.append(surplus)
        columns.append(width)
    elif surplus < 0:
        cells = np.pad(cells, ((0, 1), (0, 0)))
        supplies.append(-surplus)
        rows.append(height)
    supplies = [(mass << spare_bits) + 1 for mass in supplies]
    demands = [mass << spare_bits for mass in demands]
    demands[0] += len(supplies)
    return _Problem(cells, supplies, demands, rows, columns, spare_bits, mass_shift, cost_shift)


def _shift(greatest: float, bits: int) -> int:
    """Return the power of two that makes numbers whole, of which the greatest has so many bits."""
    return min(bits - math.frexp(greatest)[1], GREATEST_SHIFT)


def _first_basis(problem: _Problem) -> _Basis:
    """Move as much as can be moved through the cheapest cell, again and again.

    Each time the row or the column is used up; the first cell of equally cheap ones is taken.
    """
    left, wanted = list(problem.supplies), list(problem.demands)
    still_open = np.ones(problem.cells.shape, dtype=np.bool_)
    basis = {}
    while still_open.any():
        cheapest = np.argmin(np.where(still_open, problem.cells, np.iinfo(np.int64).max))
        row, column = divmod(int(cheapest), len(wanted))
        moved = basis[row, column] = min(left[row], wanted[column])
        left[row] -= moved
        wanted[column] -= moved
        still_open[row] &= left[row] > 0
        still_open[:, column] &= wanted[column] > 0
    return basis


def _improve(basis: _Basis, cells: IntArray, limit: int) -> bool:
    """Exchange cells of the basis until it is the cheapest; return whether the limit sufficed.

    The cell that enters is, of the next block of rows where there is one, the first of those whose
    cost is farthest below the prices of row and column.
    """
    rows, columns = cells.shape
    height = max(1, BLOCK_CELLS // columns)
    first = idle = 0
    while idle < rows:
        row_prices, column_prices = _prices(basis, cells)
        last = min(first + height, rows)
        amounts = cells[first:last] - row_prices[first:last, None] - column_prices
        place = int(np.argmin(amounts))
        idle += last - first
        if amounts.flat[place] < 0:
            limit -= 1
            if limit < 0:
                return False
            _exchange(basis, rows, (first + place // columns, place % columns))
            idle = 0
        first = last % rows
    return True


def _prices(basis: _Basis, cells: IntArray) -> tuple[IntArray, IntArray]:
    """Return numbers of rows and columns that add up to the costs of the cells of the basis."""
    rows = len(cells)
    prices = np.zeros(sum(cells.shape), dtype=np.int64)
    for line, parent in _parents(basis, rows, root=0).items():
        cell = (line, parent - rows) if line < rows else (parent, line - rows)
        prices[line] = cells[cell] - prices[parent]
    return prices[:rows], prices[rows:]


def _exchange(basis: _Basis, rows: int, entering: tuple[int, int]) -> None:
    """Let a cell enter the basis with all it can carry, and the cell that it empties leave."""
    row, column = entering
    parents = _parents(basis, rows, root=row)
    path = [rows + column]
    while path[-1] != row:
        path.append(parents[path[-1]])
    # From the column to the row, every other cell loses what the new one carries.
    cells = [(min(pair), max(pair) - rows) for pair in pairwise(path)]
    moved, leaving = min((basis[cell], cell) for cell in cells[::2])
    for place, cell in enumerate(cells):
        basis[cell] += moved if place % 2 else -moved
    basis[entering] = moved
    del basis[leaving]


def _parents(basis: _Basis, rows: int, *, root: int) -> dict[int, int]:
    """Return the parent of each line but the root, parents first; columns come after rows."""
    neighbors = defaultdict(list)
    for row, column in basis:
        neighbors[row].append(rows + column)
        neighbors[rows + column].append(row)
    parents, queue = {root: root}, [root]
    for line in queue:
        found = [other for other in neighbors[line] if other not in parents]
        parents.update(dict.fromkeys(found, line))
        queue.extend(found)
    del parents[root]
    return parents
