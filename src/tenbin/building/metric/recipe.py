"""The settings of the training of a metric, with their ranges."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Annotated, Any

from tenbin.building.metric.damage import USUAL_SHARES, DamageKind
from tenbin.core.errors import UsageError
from tenbin.core.parameters import Range, Share, declared_ranges, in_range, whole_number

Steps = Annotated[int, whole_number(1, 1_000_000)]
PerStep = Annotated[int, whole_number(0, 100_000)]
Rank = Annotated[int, whole_number(0, 512)]
Alpha = Annotated[float, Range(least=0, most=10_000, above=True)]
LearningRate = Annotated[float, Range(least=0, most=1, above=True)]
LossWeight = Annotated[float, Range(least=0, most=1_000)]
HeadWidth = Annotated[int, whole_number(1, 4_096)]
ReadLayers = Annotated[int, whole_number(0, 1_000)]
TextLength = Annotated[int, whole_number(1, 255)]
BatchSubwords = Annotated[int, whole_number(0, 10_000_000)]
Threads = Annotated[int, whole_number(1, 256)]
SeedNumber = Annotated[int, whole_number(0, 2**32 - 1)]
Patience = Annotated[int, whole_number(1, 10_000)]

CPU_SUBWORDS, CUDA_SUBWORDS = 768, 16_384
"""Subwords, padding included, that are trained on at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRecipe:
    """All that a learned metric depends on, besides the judgments and the base model.

    Attributes:
        steps: Steps of the training.
        rows: Judged translations of a step.
        pairs: Pairs of translations of a step.
        damaged: Pairs of a text and a damaged one of a step.
        rank: Rank of the adapter matrices; 0: all weights of the base model are trained.
        alpha: What their product is multiplied by, times the rank.
        rate: Peak learning rate of adapters and of the mix of layers, or of all weights.
        head_rate: That of the head.
        decay: Weight decay.
        warm_up: Share of the steps over which the rate rises; it then falls to 0.
        largest_gradient: A longer gradient is shortened to this.
        pair_weight: What pairs count beside rows in the loss.
        damage_weight: What damaged texts count.
        width: Size of the hidden layer of the head.
        layers: Layers of the base model that are read, from the first; 0: all.
        length: Most subwords of a text.
        every: Steps between two measurements on what is held out.
        patience: Measurements without gain after which the training ends.
        subwords: Subwords that are trained on at once; 0: as the device takes.
        subword_weight: What the similarity of each subword counts beside the scores of a teacher.
        state_weight: What the teacher's vector of each subword counts.
        dropout: Whether dropout acts, in the layers and in the head.
        keep_embeddings: Whether embeddings stay as they are if all other weights are trained.
        threads: Threads of torch on a CPU; the last digits depend on them.
        seed: Seed of the first weights and of everything that is drawn.
        shares: How often each kind of damage is drawn.
    """

    steps: Steps = 400
    rows: PerStep = 192
    pairs: PerStep = 96
    damaged: PerStep = 48
    rank: Rank = 8
    alpha: Alpha = 16.0
    rate: LearningRate = 5e-4
    head_rate: LearningRate = 3e-4
    decay: Share = 0.01
    warm_up: Share = 0.08
    largest_gradient: LossWeight = 1.0
    pair_weight: LossWeight = 1.0
    damage_weight: LossWeight = 0.3
    width: HeadWidth = 256
    layers: ReadLayers = 0
    length: TextLength = 128
    every: Steps = 40
    patience: Patience = 5
    subwords: BatchSubwords = 0
    subword_weight: LossWeight = 0.0
    state_weight: LossWeight = 0.0
    dropout: bool = True
    keep_embeddings: bool = False
    threads: Threads = 2
    seed: SeedNumber = 1
    shares: Mapping[DamageKind, float] = field(default_factory=lambda: dict(USUAL_SHARES))

    def __post_init__(self) -> None:
        allowed = declared_ranges(MetricRecipe)
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in allowed and (
                isinstance(value, bool)
                or (allowed[one.name].whole and not isinstance(value, int))
                or not in_range(value, allowed[one.name])
            ):
                raise UsageError(f"{one.name}={value}: give {allowed[one.name]}.")
        if not self.rows + self.pairs + self.damaged:
            raise UsageError(
                "rows=0, pairs=0, damaged=0: there is nothing to learn from; give one of them."
            )

    @property
    def learns_subwords(self) -> bool:
        """Whether anything is learned of single subwords."""
        return self.subword_weight > 0 or self.state_weight > 0

    @property
    def is_full(self) -> bool:
        """Whether all weights of the base model are trained."""
        return self.rank == 0

    def as_json(self) -> dict[str, Any]:
        """Return the settings for a card."""
        shares = {str(kind): share for kind, share in self.shares.items()}
        return {**asdict(self), "shares": shares}


FULL_RATE = 3e-5
"""The learning rate if all weights are trained, unless another is given."""
ADAPTING: Mapping[str, Any] = {
    "steps": 60,
    "rows": 32,
    "pairs": 8,
    "damaged": 4,
    "rate": 1e-4,
    "head_rate": 1e-4,
    "every": 20,
}
"""Settings if a metric that is trained already goes on with other judgments."""
STUDYING: Mapping[str, Any] = {
    "steps": 2_000,
    "rows": 384,
    "pairs": 0,
    "damaged": 0,
    "every": 100,
    "subword_weight": 1.0,
    "dropout": False,
}
"""Settings if a metric learns the scores of another; it sees too many texts to need dropout."""
