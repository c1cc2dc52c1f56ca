"""Greedy maxima mixed with what whole texts have in common (the preset `tenbin`)."""

from dataclasses import dataclass

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.aggregations.greedy import GreedyMaxima
from tenbin.metrics.aggregations.letters import letter_steps, letters_of, with_letters
from tenbin.metrics.aggregations.positions import less_apart
from tenbin.metrics.f_score import f_step, weighted_f
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.sentences import Sentences, SubwordsAndSentences
from tenbin.metrics.written_numbers import n


@dataclass(frozen=True, kw_only=True)
class GreedyMixture(GreedyMaxima):
    """F of the most similar subwords, which are less alike the farther apart, and of whole texts.

    Attributes:
        position: The share of a similarity that is lost between the first and the last place.
        alpha: Weight of recall.
        sentence: The share of the cosine of whole texts, where both have a vector.
        letters: The share of the letters in common, in their order, in the score.
    """

    position: float
    alpha: float
    sentence: float
    letters: float

    def near(self, blocks: Blocks) -> Blocks:
        """Return similarities that fall with the distance of two subwords."""
        return less_apart(blocks, self.position)

    def joined(self, compared: Compared, precision: FloatArray, recall: FloatArray) -> FloatArray:
        """Return scores of some pairs from precision and recall."""
        sentences, texts = _sentences(compared), compared.texts
        share = np.where(sentences.known(*texts), self.sentence, 0.0)
        whole = weighted_f(precision, recall, self.alpha)
        mixed: FloatArray = (1 - share) * whole + share * sentences.cosines(*texts)
        return with_letters(mixed, letters_of(compared, self.letters), self.letters)

    def joined_steps(self, compared: Compared, precision: float, recall: float) -> list[Step]:
        """Return the steps from precision and recall of a pair to its score."""
        sentences, texts = _sentences(compared), compared.texts
        steps = [f_step("F", precision, recall, self.alpha, "both together, recall more")]
        score = whole = steps[0].value
        if sentences.known(*texts)[0]:
            cosine = float(sentences.cosines(*texts)[0])
            share = f"{n(1 - self.sentence)} × {n(whole)} + {n(self.sentence)} × {n(cosine)}"
            score = (1 - self.sentence) * whole + self.sentence * cosine
            steps += [
                Step("whole texts", "cosine of the mean vectors of the last layer", "", cosine),
                Step("sense", "subwords and whole texts", share, score),
            ]
        return [
            *steps,
            *letter_steps(score, letters_of(compared, self.letters), self.letters, "sense"),
        ]


def _sentences(compared: Compared) -> Sentences:
    representation = compared.representation
    if not isinstance(representation, SubwordsAndSentences):
        raise TypeError("the mixture reads whole texts, which the representation does not give")
    return representation.sentences(compared.batch)
