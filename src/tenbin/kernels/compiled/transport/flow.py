"""Compiled twin of `kernels.transport.flow`: puts problems into whole numbers, and reads results.

The simplex method itself is in `tenbin.kernels.compiled.transport.simplex`.
"""

import math

import numpy as np

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.compiled.transport.simplex import (
    FLOW,
    LINE_FIELDS,
    NO_LINE,
    PARENT,
    SPACE_PER_LINE,
    cheapest_tree,
)
from tenbin.kernels.transport.flow import (
    COST_BITS,
    GREATEST_SHIFT,
    HALF_BITS,
    MASS_BITS,
)

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
