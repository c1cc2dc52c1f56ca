"""The settings of a pretraining."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.annotation.encoders.settings import Device
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.core.errors import UsageError

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""The special tokens of a model; their ids are their positions here."""

# Special tokens, a few letters, and something to learn.
_SMALLEST_VOCABULARY = 32
_SHORTEST_ROW = 8


class LengthUnit(StrEnum):
    """The unit in which the length of a training is given."""

    STEPS = "steps"
    EPOCHS = "epochs"
    MINUTES = "minutes"


@dataclass(frozen=True, slots=True)
class Extent:
    """The length of a training.

    Attributes:
        amount: The number of units.
        measure: The unit: steps, epochs or minutes.
    """

    amount: float
    measure: LengthUnit

    def __post_init__(self) -> None:
        whole = self.measure is not LengthUnit.STEPS or self.amount == int(self.amount)
        if not (self.amount > 0 and whole):
            raise UsageError(f"{self.measure}={self.amount:g}: give a number above 0.")

    def steps(self, rows: int, batch: int) -> int | None:
        """Return the number of steps; None if the length is in minutes."""
        if self.measure is LengthUnit.MINUTES:
            return None
        count = self.amount if self.measure is LengthUnit.STEPS else self.amount * rows / batch
        return max(round(count), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BertRecipe:
    """The settings of a pretraining.

    Attributes:
        vocabulary: Maximum size of the vocabulary.
        layers: Number of transformer layers.
        width: Hidden size; a multiple of the number of heads.
        heads: Number of attention heads of each layer.
        length: Subwords of a row, special tokens at both ends included.
        batch: Rows per step.
        rate: The peak learning rate.
        dropout: Dropout probability.
        seed: Random seed.
        extent: The length of the training.
        device: The device.
        numbers: What is computed with.
    """

    vocabulary: int = 16_000
    layers: int = 6
    width: int = 384
    heads: int = 6
    length: int = 128
    batch: int = 256
    rate: float = 5e-4
    dropout: float = 0.1
    seed: int = 1
    extent: Extent = Extent(10, LengthUnit.EPOCHS)
    device: Device = Device.AUTO
    numbers: TrainingNumbers = TrainingNumbers.AUTO

    def __post_init__(self) -> None:
        least = {
            "vocabulary": _SMALLEST_VOCABULARY,
            "layers": 1,
            "width": 1,
            "heads": 1,
            "length": _SHORTEST_ROW,
            "batch": 1,
        }
        for name, number in least.items():
            if getattr(self, name) < number:
                given = getattr(self, name)
                raise UsageError(f"{name}={given}: give a number of at least {number}.")
        if self.width % self.heads:
            raise UsageError(
                f"width={self.width}: give a multiple of the number of heads, {self.heads}."
            )
        if not 0 < self.rate < 1:
            raise UsageError(f"rate={self.rate:g}: give a number between 0 and 1, such as 5e-4.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout={self.dropout:g}: give a number from 0 to below 1.")
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"seed={self.seed}: give a number from 0 to {2**32 - 1}.")
