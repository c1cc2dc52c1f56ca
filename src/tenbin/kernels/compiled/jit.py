"""The one way kernels are compiled: cached on disk, no thread settings, strict arithmetic."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numba

_Function = TypeVar("_Function", bound=Callable[..., object])


def jit(function: _Function) -> _Function:
    """Compile a function of arrays, with the machine code in a cache on disk.

    numba writes the cache beside the source, or in the user's cache directory where the package
    directory is read-only. Where neither can be written, or the disk is full, the kernel is
    compiled for this process alone: slower to start, same numbers. No fast-math: twins must agree
    to the last bit.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: "no locator available"
        return numba.njit(nogil=True)(function)  # type: ignore[return-value]
    _tolerate_full_disk(compiled)
    return compiled  # type: ignore[return-value]


def _tolerate_full_disk(compiled: Any) -> None:  # noqa: ANN401 - numba has no types
    # numba finds out that a disk is full, or a quota used up, only after compiling, and then fails.
    cache = compiled._cache  # noqa: SLF001 - there is no public way
    save = cache.save_overload

    def save_if_possible(*arguments: object) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.save_overload = save_if_possible
