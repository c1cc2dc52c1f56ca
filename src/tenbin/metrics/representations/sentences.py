"""Subwords in their texts, and each text as one vector."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from tenbin.annotation.encoders.context_encoder import unit_length
from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, Float32Array, SubwordFlag
from tenbin.annotation.encoders.loading import is_network, is_static, load_encoder
from tenbin.annotation.encoders.settings import Pooling, TextPooling, View
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.model_defaults import last_layer
from tenbin.metrics.representations.subword_weights import filled


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Texts as subwords, and as one vector each.

    Attributes:
        texts: The subwords, with vectors of a layer in the middle.
        vectors: The mean of the vectors of the last layer, or what a sentence encoder gives, of
            length 1; null where there is none, as in an empty text.
    """

    texts: EncodedTexts
    vectors: FloatArray

    def cosines(self, left: IntArray, right: IntArray) -> FloatArray:
        """Return the cosine of pairs of texts; equal texts are exactly 1 alike."""
        found = (self.vectors[left] * self.vectors[right]).sum(axis=1)
        return np.where(left == right, 1.0, np.clip(found, -1.0, 1.0))

    def known(self, left: IntArray, right: IntArray) -> BoolArray:
        """Return which pairs have a vector on both sides."""
        there: BoolArray = np.any(self.vectors, axis=1)
        return there[left] & there[right]


def two_layers(encoded: EncodedTexts) -> Sentences:
    """Return texts whose vectors are those of two layers, end to end."""
    middle = encoded.units.shape[1] // 2
    texts = replace(encoded, units=padded(unit_length(encoded.units[:, :middle])))
    return Sentences(texts, _means(encoded, unit_length(encoded.units[:, middle:])))


def one_layer(encoded: EncodedTexts) -> Sentences:
    """Return texts whose vectors are words', which have no layers."""
    return Sentences(replace(encoded, units=padded(encoded.units)), _means(encoded, encoded.units))


def sentence_vectors(encoded: EncodedTexts, whole: EncodedTexts) -> Sentences:
    """Return texts of a sentence encoder, which has a vector for each as a whole."""
    there = filled(encoded)[:, np.newaxis]
    vectors = np.where(there, whole.units[whole.rows.values].astype(np.float64), 0.0)
    return Sentences(replace(encoded, units=padded(encoded.units)), vectors)


def _means(encoded: EncodedTexts, units: Float32Array) -> FloatArray:
    """Return the mean direction of the subwords of each text, without special tokens."""
    special = encoded.having(SubwordFlag.SPECIAL)
    sums: FloatArray = np.zeros((len(encoded.rows), units.shape[1]))
    for row in range(len(sums)):
        own = encoded.rows.row(row)
        sums[row] = units[own[~special[own]]].sum(axis=0, dtype=np.float64)
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    found: FloatArray = np.zeros(sums.shape)
    np.divide(sums, lengths, out=found, where=lengths > 0)
    return found


@dataclass(frozen=True, kw_only=True)
class SubwordsAndSentences(ContextualSubwords):
    """Subwords of a layer, of which punctuation weighs less, and whole texts of the last layer.

    Attributes:
        punctuation: The weight of punctuation; other subwords weigh 1, or their idf.
    """

    punctuation: float

    def view(self) -> View:
        """Return the layer of the subwords, and the last one, of which whole texts are made."""
        layer = self.layer or 0
        if is_static(self.model) or is_network(self.model):
            return View((layer,))
        return View((layer, last_layer(self.model, self.language)), Pooling.JOINED)

    def sentences_key(self) -> tuple[Hashable, ...]:
        """Return all that subwords and whole texts depend on."""
        return ("subwords and sentences", self.choice)

    def sentences(self, batch: Batch) -> Sentences:
        """Return the texts as subwords and as a whole."""

        def split() -> Sentences:
            encoded = self.encoded(batch)
            if is_network(self.model):
                last = View((last_layer(self.model, self.language),), whole=TextPooling.MODEL)
                whole = load_encoder(replace(self.choice, view=last))
                return sentence_vectors(encoded, whole.encode(self.compared_strings(batch)))
            return one_layer(encoded) if is_static(self.model) else two_layers(encoded)

        return batch.once(self.sentences_key(), split)

    def texts(self, batch: Batch) -> EncodedTexts:
        """Return the texts as subwords."""
        return self.sentences(batch).texts

    def place_weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each subword of all rows; punctuation weighs less."""
        texts = self.texts(batch)
        # Signs such as $ count as well; what a model writes before a subword (##) is none.
        signs = np.array(
            [not any(map(str.isalnum, subword)) for subword in texts.vocabulary], dtype=np.bool_
        )
        plain = super().place_weights(batch)
        if not len(plain):
            return plain
        lowered = np.where(signs[texts.subwords[texts.rows.values]], self.punctuation, 1.0) * plain
        rows = texts.rows
        row_of = np.repeat(np.arange(len(rows)), rows.lengths)
        # A text of nothing but punctuation is compared as any other.
        weighty = np.bincount(row_of, lowered, minlength=len(rows)) > 0
        return np.where(weighty[row_of], lowered, plain)
