"""How a combination is learned."""

from dataclasses import dataclass

from tenbin.core.combination import CombinationKind
from tenbin.core.combination_report import HeldOutUnit
from tenbin.core.errors import UsageError
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED

DEFAULT_REGULARIZATION = 0.1
DEFAULT_TREES = 100
DEFAULT_FOLDS = 5
# All subsets of the members are looked at to explain a score of trees.
MOST_MEMBERS = {CombinationKind.RIDGE: 100, CombinationKind.BOOSTING: 12}
_MOST_TREES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinationRecipe:
    """How a combination is learned.

    Attributes:
        kind: A weighted sum, or trees.
        regularization: How much weights are drawn to 0, as a share of the judgments.
        trees: Number of trees of boosting.
        rate: Share of each tree that is added.
        leaves: Most leaves of a tree.
        leaf_size: Least number of judged translations in a leaf.
        held_out: What is left out in turn; None for what there is most of: test sets, else
            documents, else segments.
        folds: Parts of documents or segments.
        resamples: Bootstrap samples of each interval.
        seed: Seed of every random draw.
    """

    kind: CombinationKind = CombinationKind.RIDGE
    regularization: float = DEFAULT_REGULARIZATION
    trees: int = DEFAULT_TREES
    rate: float = 0.1
    leaves: int = 8
    leaf_size: int = 50
    held_out: HeldOutUnit | None = None
    folds: int | None = None
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if not 0 <= self.regularization <= 1_000:  # noqa: PLR2004 - said in the message
            raise UsageError(
                f"`regularization` {self.regularization}: give a number from 0 to 1,000."
            )
        if not 1 <= self.trees <= _MOST_TREES:
            raise UsageError(f"`trees` {self.trees}: give a number from 1 to {_MOST_TREES:,}.")
        if self.seed < 0 or self.resamples < 1:
            raise UsageError("`seed` and `resamples`: give whole numbers, from 0 and from 1.")
