"""The best partner of every word of one row in another, and the other way round, for BERTScore.

Zhang, Kishore, Wu, Weinberger and Artzi (2020), "BERTScore: Evaluating Text Generation with BERT".
"""

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Entries of all blocks; the plain twin looks at about thirty million a second.
_WORTH_COMPILING = 15_000_000


def block_maxima(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> tuple[IdArray, IdArray]:
    """Return where the greatest entry of each row and of each column of each block stands.

    Of equal entries the first one counts. A row without columns, or a column without rows, has -1.

    Args:
        blocks: Entries of all blocks, row-major, one block after the other.
        starts: Where each block starts, and the end of the last.
        heights: Rows of each block.
        widths: Columns of each block.

    Returns:
        The column of the maximum of each row, rows of all blocks one after the other; and the row
        of the maximum of each column, columns of all blocks one after the other.

    Example:
        >>> block = np.array([0.9, 0.2, 0.1, 0.3, 0.8, 0.4], dtype=np.float32)
        >>> one = np.array([2]), np.array([3])
        >>> [best.tolist() for best in block_maxima(block, np.array([0, 6]), *one)]
        [[0, 1], [0, 1, 1]]
    """
    compiled = compiled_twin("similarity.maxima", work=blocks.size, threshold=_WORTH_COMPILING)
    twin = plain_block_maxima if compiled is None else compiled.block_maxima
    columns, rows = twin(blocks, starts, heights, widths)
    return columns, rows


def plain_block_maxima(
    blocks: Float32Array, starts: IntArray, heights: IntArray, widths: IntArray
) -> tuple[IdArray, IdArray]:
    """Return what `block_maxima` returns, one block at a time."""
    columns = np.full(int(heights.sum()), -1, dtype=np.int32)
    rows = np.full(int(widths.sum()), -1, dtype=np.int32)
    row = column = 0
    for start, height, width in zip(
        starts[:-1].tolist(), heights.tolist(), widths.tolist(), strict=True
    ):
        if height and width:
            block = blocks[start : start + height * width].reshape(height, width)
            columns[row : row + height] = block.argmax(axis=1)
            rows[column : column + width] = block.argmax(axis=0)
        row += height
        column += width
    return columns, rows
