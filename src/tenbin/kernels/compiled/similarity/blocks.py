"""Compiled twin of `tenbin.kernels.similarity.blocks`.

A compiler that may not reorder sums does not see that sixteen partial sums fit into vector
registers, so the innermost loop is written in the instructions of LLVM: four dot products (two
words by two) at a time, each in one vector of sixteen numbers, which LLVM maps to the registers
that the processor has. No fused multiply-add: it would round differently from processor to
processor.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.similarity.blocks import LANES, MOST_OF_DIFFERENT_WORDS

_BoolArray = npt.NDArray[np.bool_]

_INDEX = ir.IntType(64)
_SUMS = ir.VectorType(ir.FloatType(), LANES)
_LEAST, _NONE, _SAME = np.float32(-1), np.float32(0), np.float32(1)


@jit
def similarity_blocks(
    units: Float32Array,
    classes: IdArray,
    known: _BoolArray,
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    equal_unknown: bool,  # noqa: FBT001 - numba has no keyword-only arguments
) -> tuple[Float32Array, IntArray]:
    """Return the blocks of all pairs and their bounds; the vectors are padded."""
    starts = np.zeros(left.size + 1, dtype=np.int64)
    widest = 0
    for pair in range(left.size):
        height = offsets[left[pair] + 1] - offsets[left[pair]]
        width = offsets[right[pair] + 1] - offsets[right[pair]]
        starts[pair + 1] = starts[pair] + height * width
        widest = max(widest, width)
    blocks = np.empty(starts[-1], dtype=np.float32)
    there_known = np.empty(widest, dtype=np.bool_)
    there_classes = np.empty(widest, dtype=np.int32)
    for pair in range(left.size):
        here = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        there = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        block = blocks[starts[pair] : starts[pair + 1]]
        _dot_products(units, here, there, block)
        for j in range(there.size):
            there_known[j] = known[there[j]]
            # Classes are not negative: these two values equal no class and not each other.
            there_classes[j] = classes[there[j]] if there_known[j] or equal_unknown else -1
        for i in range(here.size):
            word_known = known[here[i]]
            word_class = classes[here[i]] if word_known or equal_unknown else -2
            row = block[i * there.size : (i + 1) * there.size]
            _settle(row, word_known, word_class, there_known, there_classes)
    return blocks, starts


@jit
def _settle(
    row: Float32Array,
    word_known: bool,  # noqa: FBT001
    word_class: int,
    there_known: _BoolArray,
    there_classes: IdArray,
) -> None:
    """Turn dot products with one word into similarities."""
    for j in range(row.size):
        value = min(max(row[j], _LEAST), MOST_OF_DIFFERENT_WORDS)
        if not (word_known and there_known[j]):
            value = _NONE
        if word_class == there_classes[j]:
            value = _SAME
        row[j] = value


@jit
def _dot_products(units: Float32Array, here: IdArray, there: IdArray, block: Float32Array) -> None:
    """Write the dot products of all pairs of words; the last of an odd number is done twice."""
    dimensions, height, width = units.shape[1], here.size, there.size
    for i in range(0, height, 2):
        next_i = min(i + 1, height - 1)
        one, two = here[i] * dimensions, here[next_i] * dimensions
        for j in range(0, width, 2):
            next_j = min(j + 1, width - 1)
            three, four = there[j] * dimensions, there[next_j] * dimensions
            top, bottom = i * width, next_i * width
            targets = top + j, top + next_j, bottom + j, bottom + next_j
            _four_dot_products(units, dimensions, (one, two, three, four), block, targets)


def _code_of_four_dot_products(
    _context: object,
    units: types.Type,
    dimensions: types.Type,
    words: types.Type,
    block: types.Type,
    targets: types.Type,
) -> tuple[Any, Any]:
    """Write the dot products of the words 0 and 1 with the words 2 and 3.

    Args:
        units: Vectors, in rows of a multiple of sixteen numbers.
        dimensions: Length of a row, at least sixteen.
        words: Where the rows of four words start.
        block: What is written to.
        targets: Where to write the products of words 0 and 2, 0 and 3, 1 and 2, 1 and 3.
    """

    def generate(context: Any, builder: Any, _signature: object, arguments: Any) -> Any:  # noqa: ANN401 - numba has no types
        source = context.make_array(units)(context, builder, arguments[0]).data
        target = context.make_array(block)(context, builder, arguments[3]).data
        firsts = [builder.extract_value(arguments[2], k) for k in range(4)]
        entry = builder.block
        loop = builder.append_basic_block("coordinates")
        done = builder.append_basic_block("products")
        builder.branch(loop)

        builder.position_at_end(loop)
        place = builder.phi(_INDEX)
        sums = [builder.phi(_SUMS) for _ in range(4)]
        parts = [_load(builder, source, builder.add(first, place)) for first in firsts]
        pairs = [(0, 2), (0, 3), (1, 2), (1, 3)]
        products = [builder.fmul(parts[one], parts[other]) for one, other in pairs]
        more = [builder.fadd(old, new) for old, new in zip(sums, products, strict=True)]
        next_place = builder.add(place, _INDEX(LANES))
        place.add_incoming(_INDEX(0), entry)
        place.add_incoming(next_place, loop)
        for old, new in zip(sums, more, strict=True):
            old.add_incoming(_SUMS([0.0] * LANES), entry)
            old.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", next_place, arguments[1]), loop, done)

        builder.position_at_end(done)
        for k, partial_sums in enumerate(more):
            where = builder.gep(target, [builder.extract_value(arguments[4], k)])
            builder.store(_total(builder, partial_sums), where)
        return context.get_dummy_value()

    return types.void(units, dimensions, words, block, targets), generate


# Called from compiled code with the values whose types the function above is given.
_four_dot_products: Any = intrinsic(_code_of_four_dot_products)


def _load(builder: Any, source: Any, place: Any) -> Any:  # noqa: ANN401
    address = builder.bitcast(builder.gep(source, [place]), _SUMS.as_pointer())
    return builder.load(address, align=4)


def _total(builder: Any, sums: Any) -> Any:  # noqa: ANN401
    """Add the upper half of the partial sums to the lower one until one is left."""
    half = LANES // 2
    while half:
        halves = [
            builder.shuffle_vector(
                sums,
                ir.Constant(sums.type, ir.Undefined),
                ir.VectorType(ir.IntType(32), half)(list(range(start, start + half))),
            )
            for start in (0, half)
        ]
        sums = builder.fadd(*halves)
        half //= 2
    return builder.extract_element(sums, ir.IntType(32)(0))
