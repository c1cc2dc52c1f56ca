"""The share of the learned score beside BERTScore of the same base model.

Both count the same if their scores vary as much: share * sd(learned) = (1 - share) * sd(BERTScore).
"""

from collections.abc import Sequence

import numpy as np

from tenbin.annotation.encoders.context_encoder import ContextEncoder
from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, SubwordFlag
from tenbin.annotation.encoders.settings import Device, View
from tenbin.building.training_numbers import judging_numbers
from tenbin.core.arrays import FloatArray
from tenbin.resources.checkpoints import Checkpoint

MOST_MEASURED = 300
"""Translations whose spread is measured; of more, so many are drawn."""

_ALIKE = 0.5
_DIGITS = 4


def balanced_share(learned: FloatArray, bertscore: FloatArray) -> float:
    """Return the share of the learned score with which both vary as much.

    >>> balanced_share(np.array([0.0, 3.0]), np.array([0.0, 1.0]))
    0.25
    """
    one, other = float(np.std(learned)), float(np.std(bertscore))
    return round(other / (one + other), _DIGITS) if one + other > 0 else _ALIKE


class BaseBertscore:
    """BERTScore (F, no idf, not rescaled) of the base model, which is opened once."""

    def __init__(self, checkpoint: Checkpoint, layer: int, device: Device = Device.CPU) -> None:
        """Say what texts are compared with.

        Args:
            checkpoint: The base model.
            layer: The layer whose vectors are compared.
            device: CPU or CUDA.
        """
        # Many texts of a teacher are compared there, and three digits are enough for labels.
        self._encoder = ContextEncoder(checkpoint, View((layer,)), device, judging_numbers(device))

    def of(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Return the scores of references and hypotheses."""
        encoded = self._encoder.encode([text for pair in pairs for text in pair])
        special = encoded.having(SubwordFlag.SPECIAL)
        return np.array([_f_score(encoded, special, 2 * place) for place in range(len(pairs))])


def _f_score(encoded: EncodedTexts, special: BoolArray, row: int) -> float:
    sides = []
    for number in (row, row + 1):
        places = encoded.rows.row(number)
        sides.append(encoded.units[places[~special[places]]])
    reference, hypothesis = sides
    if not len(reference) or not len(hypothesis):
        return 0.0
    similar = hypothesis @ reference.T
    precision, recall = float(similar.max(axis=1).mean()), float(similar.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
