"""Transport with positions mixed with the cosine of context vectors (WE_WPI-Attention)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.context.context_model import ContextVector
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import Needs, ScoreBounds
from tenbin.core.part import Entries, Part, SignatureFacts, differing, part_of
from tenbin.core.resource import ResourceIdentity
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.trained_context import TrainedContext
from tenbin.metrics.aggregations.transport import PositionedWork
from tenbin.metrics.choices import FlowAlignment, PositionPenalty
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.representation import Representation
from tenbin.metrics.representations.static_vectors import NO_VECTORS
from tenbin.metrics.written_numbers import n


@dataclass(frozen=True, kw_only=True)
class ContextMixture(Aggregation):
    """The weighted mean of the cosine of two context vectors and of WE_WPI.

    Attributes:
        vectors: Word vectors: a resource or a file; ``auto``: those that Tenbin has for the
            language, or, where it has none, ``none``: the cosine of context vectors alone.
        w1: Weight of the cosine of context vectors.
        w2: Weight of WE_WPI.
        clip: Whether negative cosines count as 0, of words and of context vectors.
    """

    composed_of: ClassVar[tuple[type[Part], ...]] = (PositionedWork, TrainedContext)

    position: PositionPenalty
    alignment: FlowAlignment
    normalized: bool
    clip: bool
    vectors: str
    w1: float
    w2: float
    tokenizer: str
    lowercase: bool
    language: str
    source_tokenizer: str
    context: str
    context_vector: ContextVector
    other_references: bool
    layers: int
    units: int
    embedding: int
    rate: float
    epochs: int
    repeats: int
    batch: int
    vocabulary: int
    seed: int

    def __post_init__(self) -> None:
        for name, value in differing(self.trained, self).items():
            object.__setattr__(self, name, value)

    @property
    def trained(self) -> TrainedContext:
        """What gives the context vectors."""
        return part_of(TrainedContext, self)

    @property
    def work(self) -> PositionedWork:
        """What gives WE_WPI."""
        return part_of(PositionedWork, self)

    @property
    def _has_words(self) -> bool:
        """Whether words have vectors, so that WE_WPI counts."""
        return self.vectors != NO_VECTORS

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        if not self.w1 + self.w2:
            yield "w1", "a number above 0, or another w2 than 0"

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with the settings of a context model in its folder."""
        return replace(self, **differing(self.trained.bind(language, metric), self))  # type: ignore[arg-type]

    @property
    def needs(self) -> Needs:
        """What the context model needs."""
        return self.trained.needs

    def identities(self) -> list[ResourceIdentity]:
        """Return the context model, where it is from a folder."""
        return self.trained.identities()

    def versions(self) -> Entries:
        """Return the versions behind the tokenizer of the sources."""
        return self.trained.versions()

    def signature_facts(self) -> SignatureFacts:
        """Return what the signature says about the context model."""
        return self.trained.signature_facts()

    def notes(self, representation: Representation, batch: Batch) -> list[str]:  # noqa: ARG002
        """Return notes on the training, and on a language without vectors."""
        notes = self.trained.notes(batch)
        if self._has_words:
            return notes
        alone = "the score is the cosine of the context vectors alone"
        advice = "vectors=FILE adds WE_WPI, as do those of 'tenbin build vectors'"
        return [
            *notes,
            f"we_wpi_attention: no word vectors of {self.language!r}: {alone}; {advice}.",
        ]

    def bounds(self) -> ScoreBounds:
        """Return the range: cosines may be negative where they are not clipped."""
        return ScoreBounds(0.0 if self.clip else -1.0, 1.0)

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        cosines = self._cosines(compared)
        if not self._has_words:
            return cosines
        return self.mixed(cosines, self.work.scores(compared))

    def mixed(self, cosines: FloatArray, work: FloatArray) -> FloatArray:
        """Return (W1 cos + W2 WE_WPI) / (W1 + W2)."""
        found: FloatArray = (self.w1 * cosines + self.w2 * work) / (self.w1 + self.w2)
        return found

    def explanation(self, compared: Compared) -> Explained:
        """Return the flow of WE_WPI, the context cosine beside it, and their mean."""
        cosine = float(self._cosines(compared)[0])
        shown = Step("context cosine", self._meaning(), "", cosine)
        if not self._has_words:
            own, other = compared.words()
            alignment = Alignment(hypothesis=own, reference=other, matches=(), exclusive=False)
            return alignment, (shown, Step("score", "there are no word vectors", "", cosine))
        alignment, steps = self.work.explanation(compared)
        words = steps[-1].value
        mean = f"({n(self.w1)} × {n(cosine)} + {n(self.w2)} × {n(words)}) / {n(self.w1 + self.w2)}"
        score = float(self.mixed(np.array(cosine), np.array(words)))
        meaning = "weighted mean of context cosine and WE_WPI"
        return alignment, (
            *steps[:-1],
            replace(steps[-1], label="WE_WPI"),
            shown,
            Step("score", meaning, mean, score),
        )

    def _meaning(self) -> str:
        vectors = (
            "mean context vectors of attention over the source"
            if self.context_vector is ContextVector.ATTENTION
            else "last states of the encoder"
        )
        return f"of the {vectors}" + ("; 0 if negative" if self.clip else "")

    def _cosines(self, compared: Compared) -> FloatArray:
        batch, trained = compared.batch, self.trained
        trained.columns(batch)  # what was not declared is missed, be the cosines known or not

        def of_all() -> FloatArray:
            return trained.cosines(batch, *compared.representation.texts_of_pairs(batch))

        cosines = batch.once(("context cosines", *trained.key()), of_all)[compared.pairs]
        return np.maximum(cosines, 0.0) if self.clip else cosines
