"""How vectors are learned, and with which parameters."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from tenbin.core.errors import UsageError
from tenbin.core.parameters import Range, declared_ranges, whole_number

# The rates that word2vec starts with.
_RATE_OF_CBOW = 0.05
_RATE_OF_SKIPGRAM = 0.025


class Method(StrEnum):
    """How vectors are learned.

    CBOW predicts a word from its context, SKIPGRAM the context from a word (Mikolov et al.
    2013); FASTTEXT is skip-gram over the character n-grams of words too, so that unknown words get
    a vector (Bojanowski et al. 2017).
    """

    CBOW = "cbow"
    SKIPGRAM = "skipgram"
    FASTTEXT = "fasttext"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTraining:
    """The parameters of a training.

    Attributes:
        method: How vectors are learned.
        dimensions: Dimension of the vectors.
        window: Maximum number of context words on each side.
        min_count: Rarer words get no vector.
        epochs: Number of passes over the corpus.
        negative: Number of negative samples.
        sample: Words that are more frequent than this share of the text are subsampled; 0: none is.
        rate: Learning rate at the start, from which it falls evenly; None: 0.05 for CBOW and 0.025
            for the others.
        beta: Weight of predictions from the other language, or from tags or lemmas.
        seed: Random seed.
        jobs: Number of threads; results are reproducible with one thread only.
    """

    method: Method = Method.CBOW
    dimensions: Annotated[int, whole_number(1, 10_000)] = 300
    window: Annotated[int, whole_number(1, 1_000)] = 5
    min_count: Annotated[int, whole_number(1, 10**9)] = 5
    epochs: Annotated[int, whole_number(1, 10_000)] = 5
    negative: Annotated[int, whole_number(1, 1_000)] = 5
    sample: Annotated[float, Range(least=0, most=1)] = 1e-3
    rate: Annotated[float, Range(least=0, most=1, above=True)] | None = None
    beta: Annotated[float, Range(least=0, most=100)] = 1.0
    seed: Annotated[int, whole_number(0, 2**32 - 1)] = 1
    jobs: Annotated[int, whole_number(1, 1_000)] = 1

    def __post_init__(self) -> None:
        for name, allowed in declared_ranges(VectorTraining).items():
            value = getattr(self, name)
            wrong_kind = allowed.whole and not isinstance(value, int)
            if value is not None and (wrong_kind or value not in allowed):
                raise UsageError(f"{name}={value}: give {allowed}.")

    @property
    def first_rate(self) -> float:
        """The learning rate at the start."""
        if self.rate is not None:
            return self.rate
        return _RATE_OF_CBOW if self.method is Method.CBOW else _RATE_OF_SKIPGRAM
