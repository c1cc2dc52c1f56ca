"""The one way kernels are compiled: cached on disk, no thread settings, strict arithmetic."""

from collections.abc import Callable
from typing import TypeVar

import numba

_Function = TypeVar("_Function", bound=Callable[..., object])


def jit(function: _Function) -> _Function:
    """Compile a function of arrays, keeping the machine code in a cache on disk.

    numba writes the cache beside the source, or in the user's cache directory where the package
    directory is read-only. Where neither can be written the kernel is compiled for this process
    alone: slower to start, same numbers. No fast-math: twins must agree to the last bit.
    """
    try:
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[return-value]
    except RuntimeError:  # numba: "no locator available"
        return numba.njit(nogil=True)(function)  # type: ignore[return-value]
