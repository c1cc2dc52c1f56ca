"""What metrics over tokens share: the tokenizer and the case, settled by the target language."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.languages import TokenizerFamily
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, Batch, Column
from tenbin.core.metric import AUTO, BaseMetric
from tenbin.core.part import Part
from tenbin.metrics.tokens import Tokens


@dataclass(frozen=True, kw_only=True)
class TokenMetric(BaseMetric):
    """A metric that reads tokens."""

    family: ClassVar[TokenizerFamily] = TokenizerFamily.WORDS
    composed_of: ClassVar[tuple[type[Part], ...]] = (Tokens,)

    tokenizer: str = AUTO
    lowercase: bool = False

    @property
    def tokens(self) -> Annotation:
        """The annotation the metric reads."""
        return self.part(Tokens).annotation

    def token_column(self, batch: Batch) -> Column:
        """Return the tokens of the pool."""
        return batch.column(self.tokens)


def best_segment_rows(batch: Batch, pair_scores: FloatArray, *, highest: bool) -> FloatArray:
    """Return rows ``(score, 1)`` with each item's best score over its references."""
    best = pair_scores[batch.best_pairs(pair_scores, highest=highest)]
    return np.column_stack([best, np.ones(len(best))])
