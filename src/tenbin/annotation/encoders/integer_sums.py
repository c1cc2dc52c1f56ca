"""Products of matrices of 8-bit integers, exact on every processor.

Where a processor has no instruction for them (VNNI of x86), libraries add two products of an input
from 0 to 255 and a weight in 16 bits, and cut off what does not fit: some sums are then wrong by
thousands, and a score by hundredths. With weights from -64 to 63 everything fits, so there a
product is made of two: of the halves of the weights, and of what is left of them, which is 0 or 1.
"""

from functools import cache
from typing import Any

Tensor = Any  # of torch, which is not imported here

_GREATEST = 127
_SIZE = 64  # of the matrices with which a processor is tried


class IntegerWeights:
    """A matrix of weights that matrices of inputs are multiplied by."""

    def __init__(self, torch: Any, weights: Tensor) -> None:  # noqa: ANN401 - not imported here
        """Keep weights.

        Args:
            torch: The library.
            weights: Integers from -127 to 127, shape (outputs, inputs).
        """
        self._torch = torch
        self._parts = [
            one.t().contiguous()
            for one in ([weights] if fits(torch) else [weights >> 1, weights & 1])
        ]

    def sums(self, inputs: Tensor, out: Tensor | None = None) -> Tensor:
        """Return the product of inputs and weights.

        Args:
            inputs: Integers from -127 to 127, shape (rows, inputs).
            out: Where the sums are written, shape (rows, outputs); None for new memory.
        """
        product = self._torch._int_mm  # noqa: SLF001 - torch has no public name for it
        first, *rest = self._parts
        found = product(inputs, first) if out is None else product(inputs, first, out=out)
        for one in rest:
            found.mul_(2).add_(product(inputs, one))
        return found


@cache
def fits(torch: Any) -> bool:  # noqa: ANN401 - not imported here
    """Return whether this processor adds the greatest products of integers exactly."""
    one = torch.full((_SIZE, _SIZE), _GREATEST, dtype=torch.int8)
    sums = torch._int_mm(one, one)  # noqa: SLF001 - torch has no public name for it
    return bool((sums == _SIZE * _GREATEST**2).all())
