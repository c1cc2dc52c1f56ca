"""Texts as subwords, one after the other, on the device."""

import numpy as np
import numpy.typing as npt

from benchmarks.students.arrays import IntArray, Tensor, places, sent


class FlatTexts:
    """Many texts.

    Attributes:
        lengths: The number of subwords of each.
    """

    def __init__(self, flat: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> None:
        """Send them to the device.

        Args:
            flat: Ids of the subwords of all texts.
            lengths: How many each has.
        """
        self.lengths: IntArray = lengths.astype(np.int64)
        self._flat = sent(flat.astype(np.int32))
        self._lengths = sent(self.lengths)
        self._starts = sent(np.cumsum(self.lengths) - self.lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def padded(self, numbers: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """Return ids of texts, (texts, width) with 0 after the end, and their lengths.

        Args:
            numbers: Which texts.
            width: At most so many subwords of each are returned.
        """
        lengths = self._lengths[numbers]
        at = (self._starts[numbers][:, None] + places(width)).clamp_max(len(self._flat) - 1)
        inside = places(width) < lengths[:, None]
        return self._flat[at].long() * inside, lengths
