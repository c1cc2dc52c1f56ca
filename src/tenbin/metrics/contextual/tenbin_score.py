"""The preset `tenbin`: BERTScore with what was found to agree better with people."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts
from tenbin.annotation.encoders.loading import is_static
from tenbin.annotation.encoders.settings import Pooling, View
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.core.metric import MetricInfo, Property
from tenbin.metrics.contextual.bertscore_steps import both_sides
from tenbin.metrics.contextual.greedy_metric import GreedyMetric
from tenbin.metrics.contextual.letters import letters_in_common
from tenbin.metrics.contextual.model_defaults import last_layer
from tenbin.metrics.contextual.sentences import Sentences, less_apart, one_layer, two_layers
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.links import n
from tenbin.penalty.texts import Penalty

# Chosen on twenty test sets; docs/formulas/tenbin.md has the search and what it is worth.
_POSITION, _PUNCTUATION, _RECALL, _FIGURE, _SENTENCE, _LETTERS = 0.4, 0.5, 0.6, 0.05, 0.15, 0.02


@dataclass(frozen=True, kw_only=True)
class TenbinScore(GreedyMetric):
    """Tenbin's preset: BERTScore with positions, wrong figures and the sense of the whole, 0 to 1.

    Each piece is compared with the most similar piece of the other side, as in BERTScore; pieces
    that stand far apart are less alike, punctuation weighs less, recall more than precision, and
    wrong figures are punished. A share of the score is the cosine of the two texts as a whole, and
    a small one what they have in common letter by letter, which tells apart texts that are the same
    to a model without capitals. The best reference counts; a corpus is the mean. An empty segment
    scores 0.

    Attributes:
        position: The share of a similarity that is lost between the first and the last place.
        punctuation: The weight of punctuation; other pieces weigh 1, or their idf.
        alpha: Weight of recall.
        sentence: The share of the cosine of whole texts, where both have a vector.
        letters: The share of the letters in common, in their order, in the score.
    """

    name: ClassVar[str] = "tenbin"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="Tenbin",
        summary="BERTScore with positions, figures and whole sentences, chosen on WMT data.",
        citation="Tenbin; after Zhang et al. (2020), BERTScore: Evaluating Text Generation with "
        "BERT, ICLR.",
        higher_is_better=True,
        minimum=-1.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset(
            {Property.IDENTITY_IS_BEST, Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}
        ),
        weaknesses="Its settings were chosen for translations into English. Scores of different "
        "models or layers do not compare.",
        oracle="bert-score 0.3.13, with all that is added turned off",
    )

    penalty: Penalty = Penalty.NUMBERS
    strength: float = _FIGURE
    position: float = _POSITION
    punctuation: float = _PUNCTUATION
    alpha: float = _RECALL
    sentence: float = _SENTENCE
    letters: float = _LETTERS

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("position", "punctuation", "alpha", "sentence", "letters"):
            valid = 0 <= getattr(self, name) <= 1
            self.require(name, valid=valid, expected="a number from 0 to 1")

    def view(self) -> View:
        """Return the layer of the pieces, and the last one, of which whole texts are made."""
        layer = self.layer or 0
        if is_static(self.model):
            return View((layer,))
        return View((layer, last_layer(self.model, self.language)), Pooling.JOINED)

    def sentences(self, batch: Batch) -> Sentences:
        """Return the texts as pieces and as a whole."""

        def split() -> Sentences:
            encoded = self.encoded(batch)
            return one_layer(encoded) if is_static(self.model) else two_layers(encoded)

        return batch.once(("pieces and sentences", self.choice), split)

    def texts(self, batch: Batch) -> EncodedTexts:
        """Return the texts as pieces."""
        return self.sentences(batch).texts

    def weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each piece of all rows; punctuation weighs less."""
        texts = self.texts(batch)
        # Signs such as $ count as well; what a model writes before a piece (##) is none.
        marks = np.array(
            [not any(map(str.isalnum, piece)) for piece in texts.vocabulary], dtype=np.bool_
        )
        plain = super().weights(batch)
        if not len(plain):
            return plain
        lowered = np.where(marks[texts.pieces[texts.rows.values]], self.punctuation, 1.0) * plain
        rows = texts.rows
        row_of = np.repeat(np.arange(len(rows)), rows.lengths)
        # A text of nothing but punctuation is compared as any other.
        weighty = np.bincount(row_of, lowered, minlength=len(rows)) > 0
        return np.where(weighty[row_of], lowered, plain)

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs."""
        near = less_apart(part, self.position)
        precision, recall = self.sides_of(batch, first, near).T
        pairs = slice(first, first + len(part.heights))
        left, right = (side[pairs] for side in batch.pairs())
        sentences = self.sentences(batch)
        share = np.where(sentences.known(left, right), self.sentence, 0.0)
        whole = weighted_f(precision, recall, self.alpha)
        mixed: FloatArray = (1 - share) * whole + share * sentences.cosines(left, right)
        return self._with_letters(mixed, self._letters(batch, left, right))

    def _letters(self, batch: Batch, left: IntArray, right: IntArray) -> FloatArray:
        """Return what texts have in common letter by letter; NaN where there are none."""
        if not self.letters:
            return np.full(len(left), np.nan)
        own, other = ([batch.strings[row] for row in side.tolist()] for side in (left, right))
        return letters_in_common(own, other)

    def _with_letters(self, scores: FloatArray, alike: FloatArray) -> FloatArray:
        mixed: FloatArray = (1 - self.letters) * scores + self.letters * alike
        return np.where(np.isnan(alike), scores, mixed)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the most similar pieces as links, and the way to the score."""
        near = less_apart(Blocks.of(similarities), self.position).one(0)
        facts = self.facts(batch, pair, near)
        links, steps, (precision, recall) = both_sides(self.sides(batch, pair), near, facts)
        whole = float(weighted_f(np.array([precision]), np.array([recall]), self.alpha)[0])
        left, right = (side[pair : pair + 1] for side in batch.pairs())
        below = f"({n(self.alpha)} × {n(precision)} + {n(1 - self.alpha)} × {n(recall)})"
        formula = f"{n(precision)} × {n(recall)} / {below}" if whole else "0"
        steps.append(Step("F", "both together, recall more", formula, whole))
        score = whole
        if self.sentences(batch).known(left, right)[0]:
            cosine = float(self.sentences(batch).cosines(left, right)[0])
            share = f"{n(1 - self.sentence)} × {n(whole)} + {n(self.sentence)} × {n(cosine)}"
            score = (1 - self.sentence) * whole + self.sentence * cosine
            steps += [
                Step("whole texts", "cosine of the mean vectors of the last layer", "", cosine),
                Step("sense", "pieces and whole texts", share, score),
            ]
        alike = float(self._letters(batch, left, right)[0])
        if np.isnan(alike):
            steps.append(Step("score", "there are no letters to compare", "", score))
            return links, tuple(steps)
        share = f"{n(1 - self.letters)} × {n(score)} + {n(self.letters)} × {n(alike)}"
        score = float(self._with_letters(np.array([score]), np.array([alike]))[0])
        steps += [
            Step("letters", "letters in common, in their order", "", alike),
            Step("score", "sense and letters", share, score),
        ]
        return links, tuple(steps)
