"""Metrics over encoded texts that can punish wrong names and figures."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tenbin.annotation.names import NameSource, settled_source
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.matching.text_penalty import Penalty
from tenbin.metrics.contextual.encoder_metric import EncoderMetric
from tenbin.metrics.penalties import PenalisedMetric
from tenbin.metrics.vectors.block_metric import Reasons


@dataclass(frozen=True, kw_only=True)
class PenalisedEncoderMetric(PenalisedMetric, EncoderMetric):
    """A metric over encoded texts that can punish wrong names and figures."""

    def bind(self, language: str) -> Self:
        """Return the metric with all settled that depends on the language."""
        bound = super().bind(language)
        bound.text_penalty()  # where names cannot be told in the language, that is said now
        return replace(bound, names=self._settled_names(bound.language))

    def _settled_names(self, language: str) -> NameSource:
        if self.names is not NameSource.AUTO:
            return self.names
        try:
            return settled_source(self.names, language)
        except UsageError:
            # Nothing asks for names, or binding had failed.
            return NameSource.RARE if self.takes_rare else NameSource.CAPITALS

    def lowered_part(self, batch: Batch, first: int, scores: FloatArray) -> FloatArray:
        """Return scores of some pairs after the penalty; what is negative stays as it is."""
        if self.penalty is Penalty.NONE:
            return scores
        factors = self.pair_factors(batch)[first : first + len(scores)]
        return np.where(scores > 0, scores * factors, scores)

    def lowered_reasons(self, batch: Batch, pair: int, reasons: Reasons) -> Reasons:
        """Return links and steps, with the steps from the score to the one after the penalty."""
        links, steps = reasons
        own, other = (batch.strings[int(side[pair])] for side in batch.pairs())
        return links, (*steps, *self.penalty_steps(steps[-1].value, own, other))

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that shape the vectors, and those that know names."""
        if not self.is_bound:
            return ()
        # Sudachi may do both.
        programs = [*super().signature_versions(), *self.penalty_versions()]
        return tuple(dict(programs).items())
