"""The penalty for wrong names and figures, as parameters that a metric over two texts can take on.

A metric inherits from `PenalisedMetric` and multiplies the scores of its pairs by `pair_factors`
(or precision and recall by `side_factors`) before it chooses the best reference.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from tenbin.annotation.names import NameSource, settled_source
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import AUTO, BaseMetric
from tenbin.matching.penalty_factor import harmonic
from tenbin.matching.text_penalty import STRENGTH, Finding, Penalty, TextFactors, TextPenalty
from tenbin.resources.sudachi import load_sudachi


@dataclass(frozen=True, kw_only=True)
class PenalisedMetric(BaseMetric):
    """A metric that can punish wrong names and figures.

    Attributes:
        penalty: What is punished: ``none``, ``names``, ``numbers`` (also units, dates and times) or
            ``names+numbers``.
        names: What tells names from words: ``propn`` (Sudachi's part of speech), ``ner`` (GiNZA),
            ``capitals``; ``auto``: what the language allows.
        strength: The share of the score that one wrong name or figure takes off; the next one takes
            half of that, and so on.
    """

    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: float = STRENGTH

    def __post_init__(self) -> None:
        super().__post_init__()
        valid = 0 <= self.strength <= 1
        self.require("strength", valid=valid, expected="a number from 0 to 1")
        possible = self.names is not NameSource.RARE or self.takes_rare
        self.require("names", valid=possible, expected="auto, propn, ner or capitals")

    @property
    def takes_rare(self) -> bool:
        """Whether the metric knows rare tokens by a dictionary, and punishes them itself."""
        return False

    def text_penalty(self) -> TextPenalty | None:
        """Return what compares names and figures; None where nothing is to be punished.

        Raises:
            UsageError: Names cannot be told in the language.
        """
        if self.penalty is Penalty.NONE:
            return None
        language = str(getattr(self, "language", AUTO))
        punished = self.penalty
        if self.names is NameSource.RARE:
            # The metric itself punishes rare tokens; figures are left.
            if not punished.numbers:
                return None
            punished = Penalty.NUMBERS
        source = NameSource.AUTO if self.names is NameSource.RARE else self.names
        return TextPenalty(
            penalty=punished, language=language, names=source, strength=self.strength
        )

    def side_factors(self, batch: Batch) -> FloatArray:
        """Return the factors of precision and recall of each pair, shape (pairs, 2)."""
        penalty = self.text_penalty()
        left, right = batch.pairs()
        if penalty is None:
            return np.ones((len(left), 2))

        def compared() -> FloatArray:
            rows = {
                (own, other): penalty.factors(batch.strings[own], batch.strings[other])[:2]
                for own, other in set(zip(left.tolist(), right.tolist(), strict=True))
            }
            found = [rows[pair] for pair in zip(left.tolist(), right.tolist(), strict=True)]
            return np.array(found, dtype=np.float64).reshape(-1, 2)

        return batch.once(("penalty factors", penalty), compared)

    def pair_factors(self, batch: Batch) -> FloatArray:
        """Return the factor of the score of each pair: the harmonic mean of its two factors."""
        sides = self.side_factors(batch)
        sums = sides.sum(axis=1)
        both: FloatArray = np.zeros(len(sums))
        np.divide(2 * sides.prod(axis=1), sums, out=both, where=sums > 0)
        return both

    def lowered(self, batch: Batch, scores: FloatArray) -> FloatArray:
        """Return the scores of pairs after the penalty; what is negative stays as it is.

        Args:
            batch: The batch.
            scores: Of shape (pairs,) or (pairs, more).
        """
        if self.penalty is Penalty.NONE:
            return scores
        factors = self.pair_factors(batch).reshape(-1, *[1] * (scores.ndim - 1))
        return np.where(scores > 0, scores * factors, scores)

    def penalty_steps(self, score: float, hypothesis: str, reference: str) -> tuple[Step, ...]:
        """Return how the penalty changes a score; nothing where it is off."""
        penalty = self.text_penalty()
        if penalty is None:
            return ()
        return penalty_steps(score, penalty.factors(hypothesis, reference), self.strength)

    def penalty_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that tell names from words, for the signature."""
        language = str(getattr(self, "language", AUTO))
        if not self.penalty.names or language == AUTO or self.names is NameSource.RARE:
            return ()
        source = settled_source(self.names, language)
        if source is NameSource.CAPITALS:
            return (("simplemma", version("simplemma")),)
        programs = load_sudachi().versions
        ginza = (("ja-ginza", version("ja-ginza")),) if source is NameSource.NER else ()
        return (*programs, *ginza)


def penalty_steps(score: float, factors: TextFactors, strength: float) -> tuple[Step, ...]:
    """Return the steps from a score to the score after the penalty."""
    extra = [one for one in factors.findings if not one.of_reference]
    missing = [one for one in factors.findings if one.of_reference]
    steps = []
    for found, label, meaning, factor in (
        (extra, "wrong here", "names and figures that the reference has not", factors.precision),
        (
            missing,
            "missing",
            "names and figures of the reference that are not here",
            factors.recall,
        ),
    ):
        listed = f": {_listed(found)}" if found else ""
        costs = " - ".join(f"{strength / 2**place:g}" for place in range(len(found)))
        formula = f"1 - {costs}" if found else ""
        steps.append(Step(label, f"{meaning}{listed}", formula, factor))
    factor = harmonic(factors.precision, factors.recall)
    lowered = score * factor if score > 0 else score
    return (
        *steps,
        Step("penalty", "harmonic mean of the two", "", factor),
        Step("score", "after the penalty", f"{score:.4f} * {factor:.4f}", lowered),
    )


def _listed(findings: Sequence[Finding]) -> str:
    return ", ".join(one.text for one in findings)
