"""Whole texts, each as one vector; compared with references, or with sources."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.encoded import Encoder
from tenbin.annotation.encoders.loading import (
    EncoderChoice,
    declared_pooling,
    is_network,
    is_static,
    load_encoder,
)
from tenbin.annotation.encoders.settings import Device, NumberType, TextPooling, View
from tenbin.annotation.languages import parse_language
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, Part, SignatureFacts
from tenbin.core.resource import ResourceIdentity
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.model_defaults import default_text_model, last_layer
from tenbin.metrics.representations.representation import OtherSide, Representation
from tenbin.metrics.representations.vector_tokens import VectorTokens, kept_words
from tenbin.resources.store.manifest import bundled_manifest

_NO_ONE_LANGUAGE = frozenset({"und", "mul"})


@dataclass(frozen=True, kw_only=True)
class WholeTexts(Representation):
    """Texts with one vector each: that of a sentence encoder, or the mean of their subwords.

    Attributes:
        model: An encoder: a resource, the folder of a model (config.json, model.safetensors,
            tokenizer), ``owner/name`` of one in the local Hugging Face cache, or ``static:`` and
            word vectors, which are averaged; ``auto``: ``use-multilingual``, if it reads the
            language.
        layer: The layer that is pooled, counted from 1; None: the last.
        pooling: How subwords become one vector: ``mean``, ``first`` (a special token), ``model``
            (by further layers, ``use-multilingual`` alone), or ``auto``: as the model says.
    """

    composed_of: ClassVar[tuple[type[Part], ...]] = (ContextualSubwords,)
    match_kind: ClassVar[MatchKind] = MatchKind.CONTEXT

    language: str
    model: str
    layer: int | None
    pooling: TextPooling
    device: Device
    dtype: NumberType

    @property
    def subwords(self) -> ContextualSubwords:
        """The subwords that texts are made of."""
        return ContextualSubwords(
            language=self.language,
            model=self.model,
            layer=self.layer,
            idf=False,
            device=self.device,
            dtype=self.dtype,
        )

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with model, layer, pooling and device settled.

        Raises:
            UsageError: The model has no such pooling.
        """
        tag = parse_language(language).tag
        model = default_text_model(tag) if self.model == AUTO else self.model
        layer, pooling = self.layer, self.pooling
        if pooling is TextPooling.AUTO:
            pooling = declared_pooling(model, tag)
        if is_static(model):
            if pooling is not TextPooling.MEAN:
                raise UsageError(
                    f'{metric}: static vectors have no pooling="{pooling}"; choose "mean".'
                )
        elif layer is None:
            layer = last_layer(model, tag)
        if pooling is TextPooling.MODEL and not (
            is_network(model) and layer == last_layer(model, tag)
        ):
            raise UsageError(
                f'{metric}: pooling="model" is for use-multilingual and its last layer; '
                'choose "mean" or "first".'
            )
        bound = replace(self.subwords, model=model, layer=layer).bind(language, metric)
        return replace(
            self,
            language=bound.language,
            model=model,
            layer=bound.layer,
            pooling=pooling,
            device=bound.device,
        )

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on language and model."""
        return self.subwords.is_bound and self.pooling is not TextPooling.AUTO

    @property
    def needs(self) -> Needs:
        """An encoder, and references or the source."""
        return replace(super().needs, resources=self.subwords.needs.resources)

    @property
    def choice(self) -> EncoderChoice:
        """All that decides which vector a text gets."""
        whole = None if is_static(self.model) else self.pooling
        return replace(self.subwords.choice, view=View((self.layer or 0,), whole=whole))

    def encoder(self) -> Encoder:
        """Return the encoder."""
        return load_encoder(self.choice)

    def subword_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many subwords each text has, without encoding them."""
        return self.subwords.subword_counts(texts)

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        return self.subwords.identities()

    def signature_facts(self) -> SignatureFacts:
        """Return the name of the model, wherever it lies."""
        return self.subwords.signature_facts()

    def versions(self) -> Entries:
        """Return the programs that shape the vectors."""
        return self.subwords.versions()

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the texts and their similarities depend on."""
        return ("whole texts", self.compared_with, self.choice)

    def strings(self, batch: Batch) -> list[str]:
        """Return the strings of the pool; those that are not compared are empty."""
        left, right = self.texts_of_pairs(batch)
        used = {*left.tolist(), *right.tolist()}
        return [text.strip() if at in used else "" for at, text in enumerate(batch.strings)]

    def tokens(self, batch: Batch) -> VectorTokens:
        """Return texts as rows of a single unit, or of none if there is nothing in a text.

        With static vectors they are rows of words, which the aggregation averages.
        """

        def whole() -> VectorTokens:
            if is_static(self.model):
                words = self.encoder().encode(self.strings(batch))
                return VectorTokens.of_texts(replace(words, units=padded(words.units)))
            numbering = Numbering()
            places = numbering.numbers(self.strings(batch))
            distinct = tuple(numbering)
            encoded = self.encoder().encode(distinct)
            there = np.array([bool(text) for text in distinct], dtype=np.bool_)
            rows = Ragged(places.astype(np.int32), np.arange(len(places) + 1))
            return VectorTokens(
                vocabulary=distinct,
                rows=kept_words(rows, there),
                units=padded(encoded.units[encoded.rows.values]),
                known=np.ones(len(distinct), dtype=np.bool_),
                classes=np.arange(len(distinct), dtype=np.int32),
                equal_unknown=True,
                # Different texts may well have one vector; how they are spelled says nothing.
                fold=None,
            )

        return batch.once(("tokens", *self.key()), whole)

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on texts that the encoder reads in parts, or hardly at all."""
        strings = [text for text in self.strings(batch) if text]
        return self.encoder().notes(self.encoder().encode(strings)) if strings else []


@dataclass(frozen=True, kw_only=True)
class BilingualTexts(WholeTexts):
    """The same of translations and their sources, by a model that reads both languages."""

    compared_with: ClassVar[OtherSide] = OtherSide.SOURCE

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on the texts, and on a model that is known to read one language alone."""
        notes = super().notes(batch)
        identity = self.encoder().identity
        # Of a folder nothing is known: it has the language of the run.
        named = identity.name in bundled_manifest()
        if not named or identity.language in _NO_ONE_LANGUAGE:
            return notes
        told = f"{identity.name!r} is a model of {identity.language!r} alone"
        return [*notes, f"{told}: what it makes of another language says little."]
