"""What an aggregation gives: the scores of pairs of texts, and the way to each of them."""

from abc import abstractmethod
from typing import ClassVar

from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import ScoreBounds, mean_of_rows
from tenbin.core.part import Part
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.representation import Representation

Explained = tuple[Alignment, tuple[Step, ...]]
"""Links between tokens, and the steps from them to the score, which is the last one."""


class Aggregation(Part):
    """Says how the similarities of the tokens of two texts become a score, and explains it."""

    reads_blocks: ClassVar[bool] = True
    """Whether scores are made of similarities; if not, all pairs are scored at once."""

    @abstractmethod
    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs of texts."""

    @abstractmethod
    def explanation(self, compared: Compared) -> Explained:
        """Return the links of a single pair, and the steps from them to its score."""

    def bounds(self) -> ScoreBounds | None:
        """Return the range of scores, where parameters can change what the metric declares."""
        return None

    def notes(self, representation: Representation, batch: Batch) -> list[str]:  # noqa: ARG002
        """Return notes on texts that suit badly, besides those of the representation."""
        return []

    def columns(
        self,
        representation: Representation,  # noqa: ARG002 - for aggregations that have columns
        batch: Batch,  # noqa: ARG002
        pairs: IntArray,  # noqa: ARG002
    ) -> tuple[FloatArray | IntArray, ...]:
        """Return what is summed up of chosen pairs besides their score and their number."""
        return ()

    def corpus_score(self, statistics: FloatArray) -> FloatArray:
        """Map sums of rows ``(score, 1, *columns)`` to scores of systems."""
        return mean_of_rows(statistics)
