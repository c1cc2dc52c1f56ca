"""Decides whether an input is worth the start-up of the compiled kernels."""

import importlib
import os
import sys
from enum import StrEnum
from types import ModuleType

_COMPILED_PACKAGE = "tenbin.kernels.compiled"
# Loading another kernel takes a fiftieth of the time of importing numba and loading the first.
_CHEAPER = 20


class KernelChoice(StrEnum):
    """Which twin of a kernel may run; read from the variable ``TENBIN_KERNELS``."""

    AUTO = "auto"
    PLAIN = "plain"
    COMPILED = "compiled"


def compiled_twin(kernel: str, *, work: int, threshold: int) -> ModuleType | None:
    """Return the compiled module of a kernel, or None if the plain twin is faster.

    Importing numba and loading a cached kernel costs half a second to two, so an input below
    ``threshold`` runs the plain twin, unless the compiled module is loaded already; a twentieth is
    enough once numba is imported. Both twins give the same numbers to the last bit, so the choice
    never shows in a score.

    Args:
        kernel: Module name, the same in both packages.
        work: Size of the input in the kernel's own unit (pairs, characters, ...).
        threshold: Work from which the compiled twin pays for its start-up.
    """
    choice = KernelChoice(os.environ.get("TENBIN_KERNELS", KernelChoice.AUTO))
    name = f"{_COMPILED_PACKAGE}.{kernel}"
    if choice is KernelChoice.PLAIN:
        return None
    # Most of the start-up is numba's own, which another kernel may have paid already.
    worth = threshold // _CHEAPER if "numba" in sys.modules else threshold
    if choice is KernelChoice.AUTO and name not in sys.modules and work < worth:
        return None
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name is None or not error.name.startswith(("numba", "llvmlite")):
            raise
        return None  # no numba for this Python yet: slower, same numbers
