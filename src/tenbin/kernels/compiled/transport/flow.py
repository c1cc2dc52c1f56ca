"""Compiled twin of `tenbin.kernels.transport.flow`: the simplex method on a spanning tree.

A basis of a transportation problem is a tree that spans its rows and columns. Lines (rows, then
columns) are numbered through; each but the root has one arc, to its parent, on which mass moves
from the row to the column. All numbers are integers, so nothing is rounded, and masses are such
that every arc of every basis carries something: an exchange of arcs always lowers the cost, and
the arc that leaves is unique.

The loops over many cells take the minimum of slices: such loops over integers are compiled to
instructions that treat eight at a time, unlike a search for the position, which follows.
"""

import math

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.transport.flow import (
    BLOCK_CELLS,
    COST_BITS,
    GREATEST_SHIFT,
    HALF_BITS,
    MASS_BITS,
)

# Columns of a table of lines. The children of a line are a list linked both ways.
PARENT, FLOW, _DEPTH, _CHILD, _NEXT, _PREVIOUS = range(6)
LINE_FIELDS = 6
NO_LINE = -1
SPACE_PER_LINE = 4

_CLOSED = 1 << 60  # far more than any cost
_MORE = (1 << 63) - 1  # more than any cost, price or mass
_HALF_MASK = (1 << HALF_BITS) - 1
# The exponent of a float, and what it is greater by than that of math.frexp.
_EXPONENT_PLACE = 52
_EXPONENT_MASK = 0x7FF << _EXPONENT_PLACE
_EXPONENT_BIAS = 1022
# Spare bits, and the powers of two by which masses and costs were multiplied.
_Scale = tuple[int, int, int]
# Numbers of rows and of columns.
_Shape = tuple[int, int]


@jit
def cheapest_tree(
    cells: IntArray,
    rows: int,
    columns: int,
    masses: IntArray,
    tree: IntArray,
    prices: IntArray,
    space: IntArray,
    limit: int,
) -> bool:
    """Write the tree of the cheapest plan; return whether so many exchanges were enough.

    Args:
        cells: Cost of row i and column j at ``i * columns + j``.
        rows: Number of rows.
        columns: Number of columns.
        masses: What each line sends or takes, all positive; used up.
        tree: Table of lines, written.
        prices: Room for one number per line.
        space: Room for `SPACE_PER_LINE` numbers per line.
        limit: Number of exchanges after which to give up.
    """
    _first_tree(cells, rows, columns, masses, tree, space)
    _link(cells, rows, columns, space[: rows + columns], tree, prices)
    height = max(1, BLOCK_CELLS // columns)
    first = idle = 0
    while idle < rows:
        last = min(first + height, rows)
        row, column, amount = _dearest(
            cells[first * columns : last * columns],
            prices[first:last],
            prices[rows : rows + columns],
        )
        idle += last - first
        if amount < 0:
            limit -= 1
            if limit < 0:
                return False
            _exchange(first + row, rows + column, amount, rows, tree, prices)
            idle = 0
        first = 0 if last == rows else last
    return True


@jit
def _first_tree(
    cells: IntArray, rows: int, columns: int, masses: IntArray, tree: IntArray, space: IntArray
) -> None:
    """Write a tree that moves as much as it can through the cheapest open cell, again and again.

    Each arc uses up a row or a column, which is closed: it hangs on the other line by this arc, and
    no later arc touches it. Space begins with the lines in the order they are closed, root last.
    """
    lines = rows + columns
    order = space[:lines]
    closed = space[lines : lines + columns]
    closed[:] = 0
    # Cost and place of the cheapest open cell of each row.
    least = space[2 * lines : 2 * lines + rows]
    places = space[3 * lines : 3 * lines + rows]
    for row in range(rows):
        least[row], places[row] = _least(cells[row * columns : (row + 1) * columns], closed)
    open_columns = columns
    for step in range(lines - 1):
        cheapest = _MORE
        for row in range(rows):
            cheapest = min(cheapest, least[row])
        row = 0
        while least[row] != cheapest:
            row += 1
        column = places[row]
        line = rows + column
        if masses[row] < masses[line]:
            tree[row, PARENT], tree[row, FLOW] = line, masses[row]
            masses[line] -= masses[row]
            least[row] = _MORE
            order[step] = row
            continue
        tree[line, PARENT], tree[line, FLOW] = row, masses[line]
        masses[row] -= masses[line]
        closed[column] = _CLOSED
        open_columns -= 1
        order[step] = line
        if open_columns == 0:
            order[step + 1] = row
            tree[row, PARENT] = NO_LINE
            return
        for other in range(rows):
            if places[other] == column and least[other] != _MORE:
                start = other * columns
                least[other], places[other] = _least(cells[start : start + columns], closed)


@jit
def _least(cells: IntArray, closed: IntArray) -> tuple[int, int]:
    """Return the cost and the place of the first cheapest open cell of a row."""
    least = _MORE
    for column in range(cells.size):
        least = min(least, cells[column] + closed[column])
    place = 0
    while cells[place] + closed[place] != least:
        place += 1
    return least, place


@jit
def _link(
    cells: IntArray, rows: int, columns: int, order: IntArray, tree: IntArray, prices: IntArray
) -> None:
    """Complete a first tree: depths, lists of children and prices, from the root down.

    The prices of a row and a column add up to the cost of the arc between them.
    """
    root = order[-1]
    tree[root, _DEPTH] = prices[root] = 0
    for line in range(rows + columns):
        tree[line, _CHILD] = NO_LINE
    for place in range(order.size - 2, -1, -1):
        line = order[place]
        parent = tree[line, PARENT]
        row, column = (line, parent) if line < rows else (parent, line)
        prices[line] = cells[row * columns + column - rows] - prices[parent]
        tree[line, _DEPTH] = tree[parent, _DEPTH] + 1
        _hang(tree, line, parent)


@jit
def _dearest(
    cells: IntArray, row_prices: IntArray, column_prices: IntArray
) -> tuple[int, int, int]:
    """Return the first cell whose cost is farthest below its prices, and how far (negative).

    0 where no cell costs less than its prices.
    """
    columns = column_prices.size
    best = most = 0
    for row in range(row_prices.size):
        costs = cells[row * columns : (row + 1) * columns]
        amount = _MORE
        for column in range(columns):
            amount = min(amount, costs[column] - column_prices[column])
        amount -= row_prices[row]
        if amount < most:
            best, most = row, amount
    column = 0
    if most < 0:
        wanted = most + row_prices[best]
        while cells[best * columns + column] - column_prices[column] != wanted:
            column += 1
    return best, column, most


@jit
def _exchange(
    row: int, column: int, amount: int, rows: int, tree: IntArray, prices: IntArray
) -> None:
    """Let the arc of a row and a column enter the tree, and the arc that it empties leave."""
    # On the way from the row to the root, arcs of rows lose what the new arc carries and those of
    # columns gain it; on the way from the column it is the other way round.
    moved, leaving = _MORE, NO_LINE
    below_row = True
    x, y = row, column
    while x != y:
        if tree[x, _DEPTH] >= tree[y, _DEPTH]:
            if x < rows and tree[x, FLOW] < moved:
                moved, leaving, below_row = tree[x, FLOW], x, True
            x = tree[x, PARENT]
        else:
            if y >= rows and tree[y, FLOW] < moved:
                moved, leaving, below_row = tree[y, FLOW], y, False
            y = tree[y, PARENT]
    meeting = x
    x = row
    while x != meeting:
        tree[x, FLOW] += -moved if x < rows else moved
        x = tree[x, PARENT]
    y = column
    while y != meeting:
        tree[y, FLOW] += moved if y < rows else -moved
        y = tree[y, PARENT]
    # The part below the leaving arc is hung up again by the new arc.
    top, parent = (row, column) if below_row else (column, row)
    line, flow = top, moved
    while True:
        above, above_flow = tree[line, PARENT], tree[line, FLOW]
        _unhang(tree, line, above)
        tree[line, PARENT], tree[line, FLOW] = parent, flow
        _hang(tree, line, parent)
        if line == leaving:
            break
        line, parent, flow = above, line, above_flow
    _reprice(top, amount, rows, tree, prices)


@jit
def _reprice(top: int, amount: int, rows: int, tree: IntArray, prices: IntArray) -> None:
    """Add to the prices of the lines below one that are of its side, subtract from the others."""
    line = top
    while True:
        tree[line, _DEPTH] = tree[tree[line, PARENT], _DEPTH] + 1
        prices[line] += amount if (line < rows) == (top < rows) else -amount
        if tree[line, _CHILD] != NO_LINE:
            line = tree[line, _CHILD]
            continue
        while line != top and tree[line, _NEXT] == NO_LINE:
            line = tree[line, PARENT]
        if line == top:
            return
        line = tree[line, _NEXT]


@jit
def _hang(tree: IntArray, line: int, parent: int) -> None:
    """Make a line the first child of its parent."""
    after = tree[parent, _CHILD]
    tree[line, _PREVIOUS], tree[line, _NEXT] = NO_LINE, after
    if after != NO_LINE:
        tree[after, _PREVIOUS] = line
    tree[parent, _CHILD] = line


@jit
def _unhang(tree: IntArray, line: int, parent: int) -> None:
    """Take a line out of the children of its parent."""
    before, after = tree[line, _PREVIOUS], tree[line, _NEXT]
    if before == NO_LINE:
        tree[parent, _CHILD] = after
    else:
        tree[before, _NEXT] = after
    if after != NO_LINE:
        tree[after, _PREVIOUS] = before


@jit
def transport(
    costs: FloatArray,
    starts: IntArray,
    supplies: FloatArray,
    supply_offsets: IntArray,
    demands: FloatArray,
    demand_offsets: IntArray,
    flows: FloatArray,
    exchanges_per_cell: int,
) -> FloatArray:
    """Return the least costs, nan where not found; write flows, unless their array is empty."""
    values = np.zeros(starts.size - 1, dtype=np.float64)
    most_lines = most_cells = 0
    for problem in range(values.size):
        # One more of each, in case the totals differ.
        rows = supply_offsets[problem + 1] - supply_offsets[problem] + 1
        columns = demand_offsets[problem + 1] - demand_offsets[problem] + 1
        most_lines = max(most_lines, rows + columns)
        most_cells = max(most_cells, rows * columns)
    all_cells = np.empty(most_cells, dtype=np.int64)
    lines = np.empty((3, most_lines), dtype=np.int64)
    sides = np.empty((4, most_lines), dtype=np.int64)
    tree = np.empty((most_lines, LINE_FIELDS), dtype=np.int64)
    space = np.empty(SPACE_PER_LINE * most_lines, dtype=np.int64)
    masses, places, prices = lines[0], lines[1], lines[2]
    for problem in range(values.size):
        block = costs[starts[problem] : starts[problem + 1]]
        supply = supplies[supply_offsets[problem] : supply_offsets[problem + 1]]
        demand = demands[demand_offsets[problem] : demand_offsets[problem + 1]]
        scale = _scale(block, supply, demand)
        rows, columns = _lines(supply, demand, scale, sides, masses, places)
        if rows == 0 or columns == 0:
            continue
        cells = all_cells[: rows * columns]
        _cut(block, (supply.size, demand.size), scale, places[:rows], places[rows:], cells)
        limit = exchanges_per_cell * cells.size
        if not cheapest_tree(cells, rows, columns, masses, tree, prices, space, limit):
            values[problem] = np.nan
            continue
        values[problem] = _cost(cells, (rows, columns), scale, tree)
        if flows.size > 0:
            moved = flows[starts[problem] : starts[problem + 1]]
            _write_flows(moved, (supply.size, demand.size), (rows, columns), scale, tree, places)
    return values


@jit
def _scale(costs: FloatArray, supply: FloatArray, demand: FloatArray) -> _Scale:
    """Return the number of spare bits, and the powers of two that make numbers whole."""
    spare_bits = _bit_length(2 * (max(supply.size, demand.size) + 1))
    total = max(_total(supply), _total(demand))
    mass_bits = min(MASS_BITS, 62 - spare_bits)
    mass_shift = min(mass_bits - math.frexp(total)[1], GREATEST_SHIFT)
    # The greatest exponent is that of the greatest number, and a maximum of whole numbers is
    # taken of eight at a time.
    greatest = 0
    bits = costs.view(np.int64)
    for cell in range(bits.size):
        greatest = max(greatest, bits[cell] & _EXPONENT_MASK)
    exponent = (greatest >> _EXPONENT_PLACE) - _EXPONENT_BIAS
    cost_bits = min(COST_BITS, 62 - _bit_length(2 * (supply.size + demand.size) + 5))
    return spare_bits, mass_shift, min(cost_bits - exponent, GREATEST_SHIFT)


@jit
def _total(masses: FloatArray) -> float:
    total = 0.0
    for mass in masses:
        total += mass
    return total


@jit
def _bit_length(number: int) -> int:
    bits = 0
    while number >> bits > 0:
        bits += 1
    return bits


@jit
def _lines(
    supply: FloatArray,
    demand: FloatArray,
    scale: _Scale,
    sides: IntArray,
    masses: IntArray,
    places: IntArray,
) -> _Shape:
    """Write masses and places of rows, then of columns; return their numbers.

    A line that takes what one side has too much stands, as it were, after the last one given.
    """
    spare_bits, mass_shift, _ = scale
    rows, row_total = _side(supply, mass_shift, sides[0], sides[1])
    columns, column_total = _side(demand, mass_shift, sides[2], sides[3])
    if rows == 0 or columns == 0:
        return 0, 0
    surplus = row_total - column_total
    if surplus > 0:
        sides[2, columns], sides[3, columns] = surplus, demand.size
        columns += 1
    elif surplus < 0:
        sides[0, rows], sides[1, rows] = -surplus, supply.size
        rows += 1
    for row in range(rows):
        masses[row], places[row] = (sides[0, row] << spare_bits) + 1, sides[1, row]
    for column in range(columns):
        masses[rows + column] = sides[2, column] << spare_bits
        places[rows + column] = sides[3, column]
    masses[rows] += rows
    return rows, columns


@jit
def _side(given: FloatArray, shift: int, masses: IntArray, places: IntArray) -> tuple[int, int]:
    """Write the whole masses of one side that are not 0; return their number and their total."""
    unit = 2.0**shift
    count = total = 0
    for place in range(given.size):
        mass = int(np.rint(given[place] * unit))
        if mass > 0:
            masses[count], places[count] = mass, place
            count += 1
            total += mass
    return count, total


@jit
def _cut(
    costs: FloatArray,
    given: _Shape,
    scale: _Scale,
    row_places: IntArray,
    column_places: IntArray,
    cells: IntArray,
) -> None:
    """Write the costs of the lines that take part; a surplus costs nothing."""
    height, width = given
    unit = 2.0 ** scale[2]
    columns = cells.size // row_places.size
    for row in range(row_places.size):
        written = cells[row * columns : (row + 1) * columns]
        if row_places[row] == height:
            written[:] = 0
            continue
        read = costs[row_places[row] * width : (row_places[row] + 1) * width]
        for column in range(columns):
            place = column_places[column]
            written[column] = np.int64(read[place] * unit) if place < width else 0


@jit
def _cost(cells: IntArray, shape: _Shape, scale: _Scale, tree: IntArray) -> float:
    """Return what the flows of a tree cost: one exact sum, of three parts, rounded at the end."""
    rows, columns = shape
    spare_bits, mass_shift, cost_shift = scale
    high = middle = low = 0
    for line in range(rows + columns):
        parent = tree[line, PARENT]
        if parent == NO_LINE:
            continue
        row, column = (line, parent) if line < rows else (parent, line)
        cost = cells[row * columns + column - rows]
        flow = _rounded(tree[line, FLOW], spare_bits)
        cost_high, cost_low = cost >> HALF_BITS, cost & _HALF_MASK
        flow_high, flow_low = flow >> HALF_BITS, flow & _HALF_MASK
        low += flow_low * cost_low
        middle += flow_high * cost_low + flow_low * cost_high + (low >> HALF_BITS)
        high += flow_high * cost_high + (middle >> HALF_BITS)
        low &= _HALF_MASK
        middle &= _HALF_MASK
    value = float(high) * 2.0 ** (2 * HALF_BITS) + float((middle << HALF_BITS) + low)
    return math.ldexp(value, -mass_shift - cost_shift)


@jit
def _write_flows(
    flows: FloatArray, given: _Shape, shape: _Shape, scale: _Scale, tree: IntArray, places: IntArray
) -> None:
    """Write the flows of a tree where they belong; all others are 0 already."""
    height, width = given
    rows, columns = shape
    spare_bits, mass_shift, _ = scale
    for line in range(rows + columns):
        parent = tree[line, PARENT]
        if parent == NO_LINE:
            continue
        row, column = (line, parent) if line < rows else (parent, line)
        if places[row] < height and places[column] < width:
            flow = float(_rounded(tree[line, FLOW], spare_bits))
            flows[places[row] * width + places[column]] = math.ldexp(flow, -mass_shift)


@jit
def _rounded(flow: int, spare_bits: int) -> int:
    """Take out of a flow the units that were put in against ties."""
    return (flow + (1 << (spare_bits - 1))) >> spare_bits
