"""The penalty for wrong names and figures, as parameters that a metric over two texts can take on.

A metric inherits from `PenalisedMetric`, before the class that tells it what to compare, and
multiplies the scores of its pairs by `pair_factors` (or precision and recall by `side_factors`)
before it chooses the best reference.
"""

from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Self

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import MissingExtra, UsageError
from tenbin.core.explanation import Step
from tenbin.core.metric import AUTO, BaseMetric
from tenbin.metrics.penalty_steps import KeptSides, score_steps
from tenbin.penalty.names.recognition import (
    NameSource,
    name_spans,
    proper_noun_versions,
    settled_source,
)
from tenbin.penalty.texts import STRENGTH, Penalty, TextPenalty
from tenbin.resources.lexicons.sudachi import load_sudachi

_Reasons = tuple[Alignment, tuple[Step, ...]]


@dataclass(frozen=True, kw_only=True)
class PenalisedMetric(BaseMetric):
    """A metric that can punish wrong names and figures.

    Attributes:
        language: The target language; settled by the run.
        penalty: What is punished: ``none``, ``names``, ``numbers`` (also units, dates and times) or
            ``names+numbers``.
        names: What tells names from words: ``propn`` (the part of speech, by Sudachi or jieba),
            ``ner`` (GiNZA), ``capitals``; ``auto``: what the language allows.
        strength: The share of the score that one wrong name or figure takes off; the next one takes
            half of that, and so on.
    """

    language: str = AUTO
    penalty: Penalty = Penalty.NONE
    names: NameSource = NameSource.AUTO
    strength: float = STRENGTH

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)
        valid = 0 <= self.strength <= 1
        self.require("strength", valid=valid, expected="a number from 0 to 1")
        possible = self.names is not NameSource.RARE or self.takes_rare
        self.require("names", valid=possible, expected="auto, propn, ner or capitals")

    @property
    def takes_rare(self) -> bool:
        """Whether the metric knows rare tokens by a dictionary, and punishes them itself."""
        return False

    def bind(self, language: str) -> Self:
        """Return the metric with all settled that depends on the language.

        Raises:
            UsageError: Wrong names are to be punished, and cannot be told in the language.
            ResourceError: What tells them is not installed.
        """
        tag = parse_language(language if self.language == AUTO else self.language).tag
        bound = super().bind(tag)
        if bound.language == AUTO:
            bound = replace(bound, language=tag)
        return bound.with_names_settled()

    def with_names_settled(self) -> Self:
        """Return the metric, its language settled, with what tells names from words settled too.

        Raises:
            UsageError: Wrong names are to be punished, and cannot be told in the language.
            ResourceError: What tells them is not installed.
        """
        self.text_penalty()
        self.penalty_versions()
        if self.names is not NameSource.AUTO:
            return self
        try:
            source = settled_source(self.names, self.language)
        except UsageError:
            # Nothing asks for names, or that had been said above.
            source = NameSource.RARE if self.takes_rare else NameSource.CAPITALS
        return replace(self, names=source)

    def text_penalty(self) -> TextPenalty | None:
        """Return what compares names and figures; None where nothing is to be punished.

        Raises:
            UsageError: Names cannot be told in the language.
        """
        if self.penalty is Penalty.NONE:
            return None
        punished = self.penalty
        if self.names is NameSource.RARE:
            # The metric itself punishes rare tokens; figures are left.
            if not punished.numbers:
                return None
            punished = Penalty.NUMBERS
        source = NameSource.AUTO if self.names is NameSource.RARE else self.names
        return TextPenalty(
            penalty=punished, language=self.language, names=source, strength=self.strength
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
        return self.lowered_part(batch, 0, scores)

    def lowered_part(self, batch: Batch, first: int, scores: FloatArray) -> FloatArray:
        """Return the scores of some pairs after the penalty, from the pair with a number on."""
        if self.penalty is Penalty.NONE:
            return scores
        factors = self.pair_factors(batch)[first : first + len(scores)]
        factors = factors.reshape(-1, *[1] * (scores.ndim - 1))
        return np.where(scores > 0, scores * factors, scores)

    def lowered_reasons(self, batch: Batch, pair: int, reasons: _Reasons) -> _Reasons:
        """Return links and steps, with the steps from the score to the one after the penalty."""
        links, steps = reasons
        own, other = (batch.strings[int(side[pair])] for side in batch.pairs())
        return links, (*steps, *self.penalty_steps(steps[-1].value, own, other))

    def penalty_steps(self, score: float, hypothesis: str, reference: str) -> tuple[Step, ...]:
        """Return how the penalty changes a score; nothing where it is off."""
        penalty = self.text_penalty()
        if penalty is None:
            return ()
        return score_steps(score, penalty.factors(hypothesis, reference), self.strength)

    def kept_sides(self, hypothesis: str, reference: str) -> KeptSides:
        """Return what is left of precision and recall, and the names and figures that are wrong."""
        penalty = self.text_penalty()
        if penalty is None:
            return KeptSides()
        factors = penalty.factors(hypothesis, reference)
        wrong: tuple[list[str], list[str]] = ([], [])
        for finding in factors.findings:
            wrong[finding.of_reference].append(finding.text)
        extra, missing = map(", ".join, wrong)
        return KeptSides(factors.precision, factors.recall, extra, missing)

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that shape the score, and those that know names."""
        # Sudachi may do both.
        return tuple(dict.fromkeys((*super().signature_versions(), *self.penalty_versions())))

    def penalty_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that tell names from words, for the signature.

        Raises:
            ResourceError: One is not installed.
        """
        if not self.penalty.names or self.language == AUTO or self.names is NameSource.RARE:
            return ()
        source = settled_source(self.names, self.language)
        if source is NameSource.CAPITALS:
            try:
                return (("simplemma", version("simplemma")),)
            except PackageNotFoundError as error:
                raise MissingExtra("telling names from words", "lexicons") from error
        if source is NameSource.PROPN:
            return proper_noun_versions(self.language)
        name_spans("", self.language, source)  # says how to install it
        return (*load_sudachi().versions, ("ja-ginza", version("ja-ginza")))
