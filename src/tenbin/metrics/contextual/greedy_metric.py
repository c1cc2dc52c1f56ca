"""What metrics share that look for the most similar piece: weights, penalty, both sides."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.metrics.contextual.greedy_means import precision_and_recall
from tenbin.metrics.contextual.model_defaults import default_layer
from tenbin.metrics.contextual.penalised_encoder import PenalisedEncoderMetric
from tenbin.metrics.contextual.piece_weights import collection_idfs, filled, place_weights
from tenbin.metrics.contextual.rare_tokens import RareTokens
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.word_weights import reference_collection, spread
from tenbin.penalty.names.comparison import Coefficient
from tenbin.penalty.names.recognition import NameSource
from tenbin.resources.lexicons.sudachi import load_sudachi


class PairFacts(NamedTuple):
    """What an explanation of a pair needs.

    Attributes:
        weights: What each piece weighs, on either side.
        scored: Whether both sides have text.
        kept: What the penalty leaves of precision and recall.
        punished: The names and figures of either side that are wrong.
    """

    weights: tuple[FloatArray, FloatArray]
    scored: bool
    kept: tuple[float, float]
    punished: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class GreedyMetric(PenalisedEncoderMetric):
    """A metric over each piece and the most similar piece of the other side.

    Attributes:
        names: What tells names from words: ``rare`` (tokens that are rare by the dictionary that
            ``idf`` names), ``propn`` (the part of speech, by Sudachi or jieba), ``ner`` (GiNZA),
            ``capitals``; ``auto``: what the language allows.
        coefficient: With ``names="rare"``, how rare tokens are compared with what they are linked
            to: ``direction``, ``shared`` or ``token``; ``strength`` does not enter.
    """

    coefficient: Coefficient = Coefficient.DIRECTION

    @property
    def takes_rare(self) -> bool:
        """Rare tokens are known by the dictionary of the weights."""
        return True

    @property
    def punishes_rare(self) -> bool:
        """Whether rare tokens are punished that were linked to others."""
        return self.penalty.names and self.names is NameSource.RARE

    def bind(self, language: str) -> Self:
        """Return the metric with all settled that depends on the language."""
        if self.punishes_rare and not isinstance(self.idf, str):
            raise UsageError(
                f'{self.name}: names="rare" needs a dictionary of document frequencies. Make one '
                'of a large corpus with "tenbin build idf" and name it (idf=FILE), or tell names '
                'otherwise (names="auto").'
            )
        return super().bind(language)

    def usual_layer(self, model: str, language: str) -> int:
        """Return the layer that agrees best with people, as far as that is known."""
        return default_layer(model, language)

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on the texts, and on what the dictionary takes for rare."""
        notes = super().check_batch(batch)
        frequencies = self.frequencies()
        if frequencies is None or not self.punishes_rare:
            return notes
        return [*notes, *frequencies.notes()]

    def weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each piece of all rows."""

        def learned() -> FloatArray:
            texts = self.texts(batch)
            frequencies = self.frequencies()
            if frequencies is not None:
                return place_weights(texts, frequencies.idfs(texts.vocabulary))
            if not self.idf:
                return place_weights(texts, None)
            return place_weights(texts, collection_idfs(texts, reference_collection(batch)))

        return batch.once(("piece weights", self.name, self.choice, self.idf), learned)

    def sides_of(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return precision and recall of some pairs after the penalty, shape (pairs, 2)."""
        texts, weights = self.texts(batch), self.weights(batch)
        pairs = slice(first, first + len(part.heights))
        left, right = (side[pairs] for side in batch.pairs())
        rows = filled(texts)
        scored = rows[left] & rows[right]
        (own, _), (other, _) = spread(texts.rows, left), spread(texts.rows, right)
        means = precision_and_recall(part, weights[own], weights[other])
        both = np.column_stack(means)
        lowered = np.where(both > 0, both * self.kept(batch, first, part), both)
        return np.where(scored[:, np.newaxis], lowered, 0.0)

    def kept(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return what the penalty leaves of precision and recall of some pairs, (pairs, 2)."""
        pairs = slice(first, first + len(part.heights))
        factors = self.side_factors(batch)[pairs]
        if not self.punishes_rare:
            return factors
        left, right = (side[pairs] for side in batch.pairs())
        return factors * self.rare_tokens(batch).factors(part, left, right)

    def rare_tokens(self, batch: Batch) -> RareTokens:
        """Return the rare tokens of the texts."""
        frequencies = self.frequencies()
        if frequencies is None:
            raise ValueError("rare tokens are known by a dictionary")
        texts = self.texts(batch)
        rare = frequencies.rare(texts.vocabulary)
        if self.penalty.numbers:
            # Figures are punished as figures, once.
            rare &= [not any(map(str.isdecimal, piece)) for piece in texts.vocabulary]
        return RareTokens(texts, rare, self.language, self.coefficient)

    def facts(self, batch: Batch, pair: int, similarities: Float32Array) -> PairFacts:
        """Return what an explanation of a pair needs."""
        texts, weights = self.texts(batch), self.weights(batch)
        rows = [int(side[pair]) for side in batch.pairs()]
        own, other = (weights[slice(*texts.rows.offsets[row : row + 2])] for row in rows)
        kept = self.kept(batch, pair, Blocks.of(similarities))[0]
        return PairFacts(
            (own, other),
            bool(filled(texts)[rows].all()),
            (float(kept[0]), float(kept[1])),
            self.punished(batch, pair, similarities),
        )

    def punished(self, batch: Batch, pair: int, similarities: Float32Array) -> tuple[str, str]:
        """Return which names and figures of either side are wrong, as text."""
        own, other = (int(side[pair]) for side in batch.pairs())
        sides: tuple[list[str], list[str]] = ([], [])
        if self.punishes_rare and similarities.size:
            tokens = self.rare_tokens(batch)
            found = (
                tokens.links(own, other, similarities.argmax(axis=1)),
                tokens.links(other, own, similarities.argmax(axis=0)),
            )
            for side, links in zip(sides, found, strict=True):
                side += [f"{link.token} (linked to {link.partner})" for link in links]
        kept = self.kept_sides(batch.strings[own], batch.strings[other])
        extra, missing = [*sides[0], kept.extra], [*sides[1], kept.missing]
        return ", ".join(filter(None, extra)), ", ".join(filter(None, missing))

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that shape the vectors, and those that know names or read them."""
        found = super().signature_versions()
        if not (self.is_bound and self.punishes_rare and self.language.split("-")[0] == "ja"):
            return found
        return tuple(dict([*found, *load_sudachi().versions]).items())
