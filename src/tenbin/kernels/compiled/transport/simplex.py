"""The simplex method on a spanning tree, for `tenbin.kernels.compiled.transport.flow`.

A basis of a transportation problem is a tree that spans its rows and columns. Lines (rows, then
columns) are numbered through; each but the root has one arc, to its parent, on which goods move
from the row to the column. Numbers are whole, so nothing is ever rounded, and masses are such that
every arc of every basis carries something: an exchange of arcs always lowers the cost, and which
arc leaves is never in doubt.

The loops that look at many cells take the minimum of slices: such loops, of whole numbers, are
compiled to instructions that treat eight at a time, which a search for the place is not. The place
is found afterwards.
"""

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.transport.flow import BLOCK_CELLS

# Columns of a table of lines. The children of a line are a list linked both ways.
PARENT, FLOW, _DEPTH, _CHILD, _NEXT, _PREVIOUS = range(6)
LINE_FIELDS = 6
NO_LINE = -1
SPACE_PER_LINE = 4

_CLOSED = 1 << 60  # far more than any cost
_MORE = (1 << 63) - 1  # more than any cost, price or mass


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
