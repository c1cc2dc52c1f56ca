"""Names for the arrays and callables that statistics take and give."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

Scorer = Callable[[FloatArray], FloatArray]
"""Maps statistics of shape (..., K) to scores of shape (...)."""
