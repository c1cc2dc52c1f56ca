"""Whole texts, each as one vector; compared with references, or with sources."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.loading import declared_pooling, is_network, is_static
from tenbin.annotation.encoders.settings import TextPooling, View
from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.representations.blocks import BoolArray
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.model_defaults import default_text_model, last_layer
from tenbin.metrics.representations.representation import OtherSide
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words

_NO_ONE_LANGUAGE = frozenset({"und", "mul"})


@dataclass(frozen=True, kw_only=True)
class WholeTexts(ContextualSubwords):
    """Texts with one vector each: that of a sentence encoder, or the mean of their subwords.

    Attributes:
        model: An encoder: a resource, the folder of a model (config.json, model.safetensors,
            tokenizer), or ``static:`` and word vectors, which are averaged; ``auto``:
            ``use-multilingual``, if it reads the language.
        layer: The layer that is pooled, counted from 1; None: the last.
        pooling: How subwords become one vector: ``mean``, ``first`` (a special token), ``model``
            (by further layers, ``use-multilingual`` alone), or ``auto``: as the model says.
    """

    idf: bool | str = False
    pooling: TextPooling

    def view(self) -> View:
        """Return the layer that is pooled, and how."""
        if is_static(self.model):
            return View((0,))
        return View((self.layer or 0,), whole=self.pooling)

    def usual_model(self, language: str) -> str:
        """Return the model that is taken if nobody says."""
        return default_text_model(language)

    def usual_layer(self, model: str, language: str) -> int:
        """Return the last layer."""
        return last_layer(model, language)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with model, layer, pooling and device settled.

        Raises:
            UsageError: The model has no such pooling, or is no model but word vectors.
        """
        tag = parse_language(language).tag
        model = self.usual_model(tag) if self.model == AUTO else self.model
        pooling = self.pooling
        if pooling is TextPooling.AUTO:
            pooling = declared_pooling(model, tag)
        if is_static(model) and pooling is not TextPooling.MEAN:
            raise UsageError(
                f'{metric}: static vectors have no pooling="{pooling}"; choose "mean".'
            )
        if pooling is TextPooling.MODEL and not (is_network(model) and self.layer in {None, 1}):
            raise UsageError(
                f'{metric}: pooling="model" is for use-multilingual and its last layer; '
                'choose "mean" or "first".'
            )
        settled = replace(self, model=model, pooling=pooling)
        return super(WholeTexts, settled).bind(language, metric)

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on language and model."""
        return super().is_bound and self.pooling is not TextPooling.AUTO

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the texts and their similarities depend on."""
        return ("whole texts", self.compared_with, self.choice)

    def tokens(self, batch: Batch) -> VectorTokens:
        """Return texts as rows of a single unit, or of none if there is nothing in a text.

        With static vectors they are rows of words, which the aggregation averages.
        """
        if is_static(self.model):
            return VectorTokens.of_texts(self.texts(batch))

        def whole() -> VectorTokens:
            numbering = Numbering()
            places = numbering.numbers([text.strip() for text in self.compared_strings(batch)])
            distinct = tuple(numbering)
            encoded = self.encoder().encode(distinct)
            units = encoded.units[encoded.rows.values]
            there = np.array([bool(text) for text in distinct], dtype=np.bool_)
            rows = Ragged(places.astype(np.int32), np.arange(len(places) + 1))
            return VectorTokens(
                vocabulary=distinct,
                rows=kept_words(rows, there),
                units=padded(units),
                known=np.any(units, axis=1),
                classes=np.arange(len(distinct), dtype=np.int32),
                equal_unknown=True,
                # Different texts may well have one vector; how they are spelled says nothing.
                fold=None,
            )

        return batch.once(("tokens", *self.key()), whole)

    def filled(self, batch: Batch) -> BoolArray:
        """Return which texts have something in them."""
        there: BoolArray = self.tokens(batch).rows.lengths > 0
        return there


@dataclass(frozen=True, kw_only=True)
class BilingualTexts(WholeTexts):
    """The same of translations and their sources, by a model that reads both languages."""

    compared_with: ClassVar[OtherSide] = OtherSide.SOURCE

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on the texts, and on a model that is known to read one language alone."""
        notes = super().notes(batch)
        identity = self.encoder().identity
        # A folder has the language of the run: nothing is known of it.
        if identity.version == "local" or identity.language in _NO_ONE_LANGUAGE:
            return notes
        told = f"{identity.name!r} is a model of {identity.language!r} alone"
        return [*notes, f"{told}: what it makes of another language says little."]
