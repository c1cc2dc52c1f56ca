"""Type names of the arrays and callables of this room."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

Scorer = Callable[[FloatArray], FloatArray]
"""Maps statistics of shape (..., K) to scores of shape (...)."""
