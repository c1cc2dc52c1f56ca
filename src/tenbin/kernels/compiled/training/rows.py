"""Arithmetic on rows of 32-bit numbers, sixteen at a time.

The compiler turns a loop that adds up products into such instructions only if it may add them up in
any order, which would give other numbers on other processors. Here the order is spelled out: lane
by lane, then the lanes by halves. Rows have a multiple of `LANES` numbers.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic

from tenbin.kernels.training.word_prediction import LANES

# numba and llvmlite have no types.
_Context = Any
_Builder = Any
_Type = Any
_Value = Any
_Signature = Any
_Code = Callable[[_Context, _Builder, _Signature, list[_Value]], _Value]

_inline: Callable[[Callable[..., tuple[_Signature, _Code]]], Any] = intrinsic

_INDEX = ir.IntType(32)
_NUMBERS = ir.VectorType(ir.FloatType(), LANES)
_ALIGNMENT = 4


class _Row:
    """A row of a matrix, while code is generated."""

    def __init__(
        self, context: _Context, builder: _Builder, kind: _Type, matrix: _Value, row: _Value
    ) -> None:
        layout = context.make_array(kind)(context, builder, matrix)
        self._builder = builder
        self.size = builder.extract_value(layout.shape, 1)
        self._start = builder.gep(layout.data, [builder.mul(row, self.size)])

    def load(self, place: _Value) -> _Value:
        return self._builder.load(self._pointer(place), align=_ALIGNMENT)

    def store(self, numbers: _Value, place: _Value) -> None:
        self._builder.store(numbers, self._pointer(place), align=_ALIGNMENT)

    def _pointer(self, place: _Value) -> _Value:
        number = self._builder.gep(self._start, [place])
        return self._builder.bitcast(number, _NUMBERS.as_pointer())


@contextmanager
def _every_sixteen(builder: _Builder, size: _Value) -> Iterator[_Value]:
    """Repeat what is generated in the block, for each start of `LANES` numbers."""
    start, step = (ir.Constant(size.type, number) for number in (0, LANES))
    with cgutils.for_range_slice(builder, start, size, step, size.type) as (place, _):
        yield place


def _everywhere(builder: _Builder, number: _Value) -> _Value:
    """Return a number in all lanes."""
    nothing = ir.Constant(_NUMBERS, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, nothing, _chosen([0] * LANES))


def _chosen(lanes: list[int]) -> _Value:
    return ir.Constant(ir.VectorType(_INDEX, len(lanes)), lanes)


def _sum_of_lanes(builder: _Builder, numbers: _Value) -> _Value:
    half = LANES
    while half > 1:
        half //= 2
        nothing = ir.Constant(numbers.type, ir.Undefined)
        halves = [
            builder.shuffle_vector(numbers, nothing, _chosen(list(range(at, at + half))))
            for at in (0, half)
        ]
        numbers = builder.fadd(*halves)
    return builder.extract_element(numbers, ir.Constant(_INDEX, 0))


@_inline
def row_product(
    _context: _Context, matrix: _Type, _row: _Type, other: _Type, _other_row: _Type
) -> tuple[_Signature, _Code]:
    """Return the inner product of ``matrix[row]`` and ``other[other_row]``."""

    def code(
        context: _Context, builder: _Builder, signature: _Signature, values: list[_Value]
    ) -> _Value:
        one = _Row(context, builder, signature.args[0], values[0], values[1])
        two = _Row(context, builder, signature.args[2], values[2], values[3])
        total: _Value = cgutils.alloca_once_value(  # type: ignore[no-untyped-call]
            builder, ir.Constant(_NUMBERS, [0.0] * LANES)
        )
        with _every_sixteen(builder, one.size) as place:
            products = builder.fmul(one.load(place), two.load(place))
            builder.store(builder.fadd(builder.load(total), products), total)
        return _sum_of_lanes(builder, builder.load(total))

    return types.float32(matrix, types.int64, other, types.int64), code


@_inline
def add_row(
    _context: _Context, matrix: _Type, _row: _Type, other: _Type, _other_row: _Type
) -> tuple[_Signature, _Code]:
    """Add ``other[other_row]`` to ``matrix[row]``."""

    def code(
        context: _Context, builder: _Builder, signature: _Signature, values: list[_Value]
    ) -> _Value:
        sums = _Row(context, builder, signature.args[0], values[0], values[1])
        added = _Row(context, builder, signature.args[2], values[2], values[3])
        with _every_sixteen(builder, sums.size) as place:
            sums.store(builder.fadd(sums.load(place), added.load(place)), place)
        return context.get_dummy_value()

    return types.void(matrix, types.int64, other, types.int64), code


@_inline
def exchange_rows(
    _context: _Context, matrix: _Type, _row: _Type, _scale: _Type, room: _Type
) -> tuple[_Signature, _Code]:
    """Add ``scale * matrix[row]`` to ``room[1]``, and ``scale * room[0]`` to ``matrix[row]``."""

    def code(
        context: _Context, builder: _Builder, signature: _Signature, values: list[_Value]
    ) -> _Value:
        first, second = (ir.Constant(values[1].type, number) for number in (0, 1))
        given = _Row(context, builder, signature.args[3], values[3], first)
        taken = _Row(context, builder, signature.args[3], values[3], second)
        changed = _Row(context, builder, signature.args[0], values[0], values[1])
        factor = _everywhere(builder, values[2])
        with _every_sixteen(builder, changed.size) as place:
            numbers = changed.load(place)
            out = builder.fmul(factor, numbers)
            taken.store(builder.fadd(taken.load(place), out), place)
            back = builder.fmul(factor, given.load(place))
            changed.store(builder.fadd(numbers, back), place)
        return context.get_dummy_value()

    return types.void(matrix, types.int64, types.float32, room), code
