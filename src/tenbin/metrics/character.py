"""CharacTER (Wang et al. 2016): character edits after word shifts."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.languages import TokenizerFamily
from tenbin.annotation.pipeline import characters_of
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.limits import LengthLimit
from tenbin.core.metric import MetricInfo, Property
from tenbin.kernels.edits.block_shift import block_shift_distance
from tenbin.metrics.token_metric import TokenMetric, best_segment_rows


@dataclass(frozen=True, kw_only=True)
class CharacTer(TokenMetric):
    """CharacTER: character edits after greedy word shifts, over hypothesis characters, 0 to 1.

    An empty hypothesis scores 1, identical texts 0. The best reference counts; a corpus is the
    mean. Shifts need equal words, as in the released program.
    """

    name: ClassVar[str] = "character"
    family: ClassVar[TokenizerFamily] = TokenizerFamily.BLANKS
    info: ClassVar[MetricInfo] = MetricInfo(
        title="CharacTER",
        summary="Character edit rate after whole words have been shifted into place.",
        citation="Wang, Peter, Rosendahl, Ney (2016), CharacTer: Translation Edit Rate on "
        "Character Level, WMT.",
        higher_is_better=False,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {
                Property.IDENTITY_IS_BEST,
                Property.REFERENCE_ORDER_FREE,
                Property.MEAN_OF_SEGMENTS,
            }
        ),
        weaknesses="Divides by the hypothesis, so long hypotheses look better; blind to synonyms.",
        oracle="CharacTER of its authors and cer 1.2.0",
        longest=LengthLimit(20_000),
    )

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        column = self.token_column(batch)
        letters = characters_of(column.vocabulary)
        left, right = batch.pairs()
        cost, length = block_shift_distance(
            column.rows.values, column.rows.offsets, letters.values, letters.offsets, left, right
        ).T
        both_empty = (column.rows.lengths[left] == 0) & (column.rows.lengths[right] == 0)
        score = np.divide(cost, length, out=np.ones(len(cost)), where=length > 0)
        score = np.where(both_empty, 0.0, np.minimum(score, 1.0))
        return best_segment_rows(batch, score, highest=False)
