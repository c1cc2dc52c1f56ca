"""The settings of the distillation of an encoder."""

from dataclasses import dataclass
from enum import StrEnum

from tenbin.annotation.encoders.settings import Device
from tenbin.building.bert.recipe import Extent, LengthUnit
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.core.errors import UsageError

# Special tokens, a few letters, and something to learn.
_SMALLEST_VOCABULARY = 32
_LARGEST_VOCABULARY = 10_000_000
_SHORTEST_TEXT = 8
_LEAST_BATCH = 2  # a text and one to tell it from
_THREE_EPOCHS = Extent(3, LengthUnit.EPOCHS)


class FirstEmbeddings(StrEnum):
    """What the embeddings of a new vocabulary begin with.

    TEACHER: the mean of the teacher's embeddings of the same text. RANDOM: random numbers.
    """

    TEACHER = "teacher"
    RANDOM = "random"


class WeightType(StrEnum):
    """The number type in which weights are written."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWeights:
    """The weight of each loss beside the cosine, whose weight is 1; 0: it is not computed.

    Attributes:
        contrast: Of telling the right text from those of the same batch.
        masked: Of the prediction of masked subwords.
        matching: Of the match of each subword with its nearest one of the teacher.
        second: Of the cosine and the contrast with the second teacher.
    """

    contrast: float = 0.1
    masked: float = 0.1
    matching: float = 0.0
    second: float = 0.5

    def __post_init__(self) -> None:
        for name in ("contrast", "masked", "matching", "second"):
            given = getattr(self, name)
            if not 0 <= given <= 100:  # noqa: PLR2004 - NaN fails, too
                raise UsageError(f"{name}={given:g}: give a weight from 0 to 100.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderRecipe:
    """The settings of a distillation.

    Attributes:
        teacher: The teacher, a BERT whose layers the student begins with: a resource or a folder.
        second_teacher: Another encoder of the teacher's language; empty: none.
        tokenizer: A ``tokenizer.json``, or the folder of an encoder, whose vocabulary is taken;
            empty: one is learned.
        vocabulary: Maximum size of the vocabulary.
        cased: Whether text keeps its case.
        layers: The layers whose mean vectors are drawn to those of the teacher.
        length: Maximum number of subwords of a text; the rest is cut off.
        batch: Pairs of segments per step.
        rate: The peak learning rate of embeddings and of everything else that is new.
        layer_rate: The peak learning rate of the layers, which are the teacher's.
        dropout: Dropout probability.
        temperature: Languages are drawn in proportion to their pairs to the power of its inverse:
            1 leaves them as they are, many make them equal.
        weights: The weights of the losses.
        embeddings: What the embeddings begin with.
        held_out: Pairs of each language that are not trained on, for the curves.
        seed: Random seed.
        extent: The length of the training.
        device: The device.
        numbers: What is computed with.
        weight_type: The number type of the written weights.
    """

    teacher: str = "minilm-en"
    second_teacher: str = ""
    tokenizer: str = ""
    vocabulary: int = 48_000
    cased: bool = False
    layers: tuple[int, ...] = (4, 6)
    length: int = 128
    batch: int = 512
    rate: float = 5e-4
    layer_rate: float = 1e-4
    dropout: float = 0.0
    temperature: float = 5.0
    weights: LossWeights = LossWeights()
    embeddings: FirstEmbeddings = FirstEmbeddings.TEACHER
    held_out: int = 200
    seed: int = 1
    extent: Extent = _THREE_EPOCHS
    device: Device = Device.AUTO
    numbers: TrainingNumbers = TrainingNumbers.AUTO
    weight_type: WeightType = WeightType.FLOAT32

    def __post_init__(self) -> None:
        least = {
            "vocabulary": _SMALLEST_VOCABULARY,
            "length": _SHORTEST_TEXT,
            "batch": _LEAST_BATCH,
            "held_out": 0,
        }
        for name, number in least.items():
            if getattr(self, name) < number:
                given = getattr(self, name)
                raise UsageError(f"{name}={given}: give a number of at least {number}.")
        if not self.layers or len(set(self.layers)) < len(self.layers) or min(self.layers) < 1:
            listed = ", ".join(map(str, self.layers)) or "none"
            raise UsageError(f"layers={listed}: give numbers of layers from 1 on, each once.")
        for name in ("rate", "layer_rate"):
            given = getattr(self, name)
            if not 0 < given < 1:
                raise UsageError(f"{name}={given:g}: give a number between 0 and 1, such as 5e-4.")
        self._check_rest()
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"seed={self.seed}: give a number from 0 to {2**32 - 1}.")

    def _check_rest(self) -> None:
        if not self.teacher:
            raise UsageError(
                "the name of the teacher is empty. Name a resource, such as minilm-en."
            )
        if self.vocabulary > _LARGEST_VOCABULARY:
            most = f"{_LARGEST_VOCABULARY:,}"
            raise UsageError(f"vocabulary={self.vocabulary}: give a number of at most {most}.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout={self.dropout:g}: give a number from 0 to below 1.")
        if not 1 <= self.temperature < float("inf"):
            raise UsageError(f"temperature={self.temperature:g}: give a number from 1 on.")
