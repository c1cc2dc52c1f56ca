"""Subwords that MoverScore moves, one by one or joined to n-grams, and what they weigh."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, SubwordFlag
from tenbin.annotation.encoders.loading import is_static
from tenbin.annotation.encoders.settings import Pooling, View
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.metrics.choices import MoverScoreVariant
from tenbin.metrics.representations.collected_texts import (
    hypothesis_collections,
    reference_collection,
)
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.joined_ngrams import (
    MovedUnits,
    Side,
    single_subwords,
    subword_ngrams,
)
from tenbin.metrics.representations.model_defaults import last_layer
from tenbin.metrics.representations.representation import PlaceWeights, TokenWeights
from tenbin.metrics.representations.subword_weights import collection_idfs, place_weights
from tenbin.metrics.representations.vector_tokens import VectorTokens

_POOLED_LAYERS = 5  # of the original, below and including the last
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True, kw_only=True)
class JoinedSubwords(ContextualSubwords):
    """Subwords or n-grams of them that weigh their idf, but for punctuation and ends of words.

    Attributes:
        layer: The layer that vectors are taken from, counted from 1; with ``v1`` also the four
            below; None: the last.
        idf: What subwords weigh: True (rare ones more, by the references), False (all the same), a
            dictionary: ``wordfreq`` or a file of ``tenbin build idf``; or ``system``, as in the
            published programs: those of hypotheses by the hypotheses of their system, by which the
            same text scores differently in another system.
        ngram: How many neighboring subwords are moved together; their vector is the sum of those of
            the subwords, by weight.
    """

    match_kind: ClassVar[MatchKind] = MatchKind.VECTOR
    weighs_by_system: ClassVar[bool] = True

    variant: MoverScoreVariant
    ngram: int

    def view(self) -> View:
        """Return the last layer, or the last five."""
        last = self.layer or 0
        if self.variant is MoverScoreVariant.V2 or is_static(self.model):
            return View((last,))
        return View(tuple(range(max(last - _POOLED_LAYERS + 1, 0), last + 1)), Pooling.EXTREMES)

    def usual_layer(self, model: str, language: str) -> int:
        """Return the last layer."""
        return last_layer(model, language)

    def key(self) -> tuple[Hashable, ...]:
        """Return all that what is moved and its similarities depend on."""
        return ("moved", self.choice, self.idf, self.ngram)

    def tokens(self, batch: Batch) -> VectorTokens:
        """Return rows of subwords or n-grams."""
        moved = self._moved(batch)
        key = ("tokens", *self.key())
        return batch.once(key, lambda: VectorTokens.of_texts(moved.texts, moved.classes))

    def rows_of_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of subwords or n-grams that are compared."""
        moved = self._moved(batch)
        return moved.left, moved.right

    def weights(self, batch: Batch) -> TokenWeights:
        """Return what is moved of each subword or n-gram."""
        moved = self._moved(batch)
        return PlaceWeights(moved.texts.rows, moved.supplies, moved.demands)

    def _moved(self, batch: Batch) -> MovedUnits:
        """Return what is moved, and what it weighs."""

        def joined() -> MovedUnits:
            texts, (on_left, on_right) = self.texts(batch), self._side_weights(batch)
            left, right = self.texts_of_pairs(batch)
            own = Side(left, self.systems_of_pairs(batch) % len(on_left), on_left)
            other = Side(right, np.zeros(len(right), dtype=np.int64), on_right[np.newaxis])
            if self.ngram == 1:
                return single_subwords(texts, _counted(texts), own, other)
            return subword_ngrams(texts, _counted(texts), own, other, self.ngram)

        return batch.once(self.key(), joined)

    def _side_weights(self, batch: Batch) -> tuple[FloatArray, FloatArray]:
        """Return the weights of all places on the left, by system, and on the right."""
        texts = self.texts(batch)
        if self.idf is True or self.by_system:
            right = place_weights(texts, collection_idfs(texts, reference_collection(batch)))
            if not self.by_system:
                return right[np.newaxis], right
            own = [collection_idfs(texts, some) for some in hypothesis_collections(batch)]
            return np.stack([place_weights(texts, some) for some in own]), right
        frequencies = self.frequencies()
        if frequencies is None:
            both = place_weights(texts, None, special_tokens_weigh=True)
        else:
            both = place_weights(texts, frequencies.idfs(texts.vocabulary))
        return both[np.newaxis], both


def _counted(texts: EncodedTexts) -> BoolArray:
    """Return which places are neither punctuation nor subwords that go on with a word."""
    signs = np.array([subword in _PUNCTUATION for subword in texts.vocabulary], dtype=np.bool_)
    values = texts.rows.values
    dropped = texts.having(SubwordFlag.CONTINUES)[values]
    if len(signs):
        dropped |= signs[texts.subwords[values]]
    return ~dropped
