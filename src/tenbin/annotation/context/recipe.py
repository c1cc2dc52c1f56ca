"""The settings of a context model and of its training, with their ranges."""

from dataclasses import dataclass, fields
from typing import Annotated

from tenbin.core.errors import UsageError
from tenbin.core.parameters import Range, declared_ranges, in_range, whole_number

Layers = Annotated[int, whole_number(1, 4)]
Units = Annotated[int, whole_number(1, 1_024)]
Rate = Annotated[float, Range(least=0, most=1, above=True)]
Passes = Annotated[int, whole_number(1, 100)]
BatchSize = Annotated[int, whole_number(1, 1_024)]
MostWords = Annotated[int, whole_number(1, 100_000)]
Seed = Annotated[int, whole_number(0, 2**32 - 1)]

LAYERS, UNITS, EMBEDDING, RATE = 1, 256, 256, 1e-3
EPOCHS, REPEATS, SEED = 10, 10, 1
# Chosen so that 2,000 pairs are trained in minutes on two cores; docs/formulas/we_wpi_attention.md.
BATCH, VOCABULARY = 64, 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRecipe:
    """All that a context model depends on, besides the texts.

    Attributes:
        layers: GRU layers of the encoder, and of the decoder.
        units: Size of a state, and so of a context vector.
        embedding: Size of a word embedding.
        rate: Learning rate of Adam.
        epochs: Most passes over the repeated pairs.
        repeats: How often each pair stands in an epoch.
        batch: Pairs of a training step.
        vocabulary: Most words of each language; rarer ones are one unknown word.
        seed: Seed of the first weights and of the order of the pairs.
    """

    layers: Layers = LAYERS
    units: Units = UNITS
    embedding: Units = EMBEDDING
    rate: Rate = RATE
    epochs: Passes = EPOCHS
    repeats: Passes = REPEATS
    batch: BatchSize = BATCH
    vocabulary: MostWords = VOCABULARY
    seed: Seed = SEED

    def __post_init__(self) -> None:
        allowed = declared_ranges(ContextRecipe)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not in_range(value, allowed[field.name]):
                raise UsageError(f"{field.name}={value}: give {allowed[field.name]}.")
