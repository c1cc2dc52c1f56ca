"""Names for the arrays that kernels take and give."""

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
IdArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
