"""Subwords with the vectors that an encoder gives them in their texts."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, Encoder, SubwordFlag
from tenbin.annotation.encoders.loading import EncoderChoice, is_network, is_static, load_encoder
from tenbin.annotation.encoders.settings import Device, NumberType, View, settled_device
from tenbin.annotation.languages import parse_language
from tenbin.core.alignment import MatchKind
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, SignatureFacts
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.representations.collected_texts import SYSTEM, reference_collection
from tenbin.metrics.representations.model_defaults import default_layer, default_model
from tenbin.metrics.representations.representation import (
    ComparedTokens,
    PlaceWeights,
    Representation,
    TokenWeights,
)
from tenbin.metrics.representations.subword_weights import (
    collection_idfs,
    filled,
    load_frequencies,
    place_weights,
)
from tenbin.metrics.representations.vector_tokens import VectorTokens
from tenbin.resources.frequencies import TokenFrequencies

# Texts of the kind that the dictionary was made of have nine tenths.
_LEAST_LISTED = 0.5


@dataclass(frozen=True, kw_only=True)
class ContextualSubwords(Representation):
    """Subwords with the vectors of a layer of a model; special tokens of the model weigh nothing.

    Attributes:
        language: The target language; settled by the run.
        model: An encoder: a resource, the folder of a model (config.json, model.safetensors,
            tokenizer), ``owner/name`` of one in the local Hugging Face cache, or ``static:`` and
            word vectors; ``auto``: that of the language.
        layer: The layer that vectors are taken from, counted from 1; None: that of the model.
        idf: Whether rare subwords weigh more: False, True (by the references), or a dictionary:
            ``wordfreq`` or a file of ``tenbin build idf``.
        device: What the model runs on: ``cpu``, ``cuda`` or ``auto``.
        dtype: What the model computes with: ``float32``, ``bfloat16`` or, on a processor, ``int8``.
    """

    match_kind: ClassVar[MatchKind] = MatchKind.CONTEXT
    # Another way to write idf=True.
    learned_from: ClassVar[str] = "references"
    # Whether weights may be learned as published: of hypotheses, from those of their system.
    weighs_by_system: ClassVar[bool] = False

    language: str
    model: str
    layer: int | None
    idf: bool | str
    device: Device
    dtype: NumberType

    def __post_init__(self) -> None:
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)
        if self.idf == self.learned_from:
            object.__setattr__(self, "idf", True)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        if self.idf == "" or (self.by_system and not self.weighs_by_system):
            yield "idf", "True, False, or a file"

    def view(self) -> View:
        """Return the layers that vectors are made of."""
        return View((self.layer or 0,))

    def usual_layer(self, model: str, language: str) -> int:
        """Return the layer that is taken if nobody says: that which agrees best with people."""
        return default_layer(model, language)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with model, layer and device settled."""
        tag = parse_language(language).tag
        model = default_model(tag) if self.model == AUTO else self.model
        if is_static(model):
            if self.layer or self.device is Device.CUDA or self.dtype is not NumberType.FLOAT32:
                raise UsageError(
                    f"{metric}: static vectors have no layers and are looked up, not computed; "
                    "leave layer, device and dtype as they are, or name a model."
                )
            bound = replace(self, language=tag, model=model, layer=0, device=Device.CPU)
        else:
            layer = self.usual_layer(model, tag) if self.layer is None else self.layer
            # A network of convolutions runs on the CPU, whatever the machine has.
            own = self.device is Device.AUTO and is_network(model)
            device = Device.CPU if own else settled_device(self.device)
            bound = replace(self, language=tag, model=model, layer=layer, device=device)
        bound.identities()  # what is missing is told now
        return bound

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on the language."""
        settled = AUTO not in (self.language, self.model, self.device)
        return settled and self.layer is not None

    @property
    def needs(self) -> Needs:
        """An encoder; with weights from the texts, all of them in one batch."""
        kinds = {ResourceKind.ENCODER}
        if isinstance(self.idf, str) and not self.by_system:
            kinds.add(ResourceKind.FREQUENCIES)
        return replace(
            super().needs,
            resources=frozenset(kinds),
            collection=self.idf is True or self.by_system,
            system_weights=self.by_system,
        )

    @property
    def by_system(self) -> bool:
        """Whether weights of hypotheses are learned from the hypotheses of their system."""
        return self.idf == SYSTEM

    @property
    def choice(self) -> EncoderChoice:
        """All that decides which vectors a text gets."""
        return EncoderChoice(
            model=self.model,
            language=self.language,
            view=self.view(),
            device=self.device,
            number_type=self.dtype,
        )

    def encoder(self) -> Encoder:
        """Return the encoder."""
        return load_encoder(self.choice)

    def subword_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many subwords each text has, without encoding them."""
        return [len(subwords) for subwords in self.encoder().tokenize(texts)]

    def frequencies(self) -> TokenFrequencies | None:
        """Return the dictionary that weights come from, if they do."""
        if not isinstance(self.idf, str) or self.by_system:
            return None
        return load_frequencies(name=self.idf, choice=self.choice)

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        if not self.is_bound:
            return []
        frequencies = self.frequencies()
        weights = [] if frequencies is None else [frequencies.identity]
        return [self.encoder().identity, *weights]

    def signature_facts(self) -> SignatureFacts:
        """Return the names of the data, wherever they lie."""
        if not self.is_bound:
            return SignatureFacts()
        name = self.encoder().identity.name
        named = {"model": f"static:{name}" if is_static(self.model) else name}
        frequencies = self.frequencies()
        if frequencies is not None:
            named["idf"] = frequencies.identity.name
        return SignatureFacts(names=named)

    def versions(self) -> Entries:
        """Return the programs that shape the vectors."""
        return self.encoder().versions if self.is_bound else ()

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the subwords and their similarities depend on."""
        return (type(self).texts, self.compared_with, self.choice)

    def texts(self, batch: Batch) -> EncodedTexts:
        """Return the strings of the pool that are compared, encoded; others as if empty."""
        return self.whole_texts(batch)

    def whole_texts(self, batch: Batch) -> EncodedTexts:
        """Return the same with all that the encoder adds."""

        def widened() -> EncodedTexts:
            found = self.encoded(batch)
            return replace(found, units=padded(found.units))

        return batch.once(("encoded texts", self.compared_with, self.choice), widened)

    def encoded(self, batch: Batch) -> EncodedTexts:
        """Return the texts as the encoder leaves them."""
        return self.encoder().encode(self.compared_strings(batch))

    def compared_strings(self, batch: Batch) -> list[str]:
        """Return the strings of the pool; those that are not compared are empty."""
        left, right = self.texts_of_pairs(batch)
        used = {*left.tolist(), *right.tolist()}
        return [text if place in used else "" for place, text in enumerate(batch.strings)]

    def tokens(self, batch: Batch) -> ComparedTokens:
        """Return the subwords of the pool."""
        texts = self.texts(batch)
        return batch.once(("tokens", *self.key()), lambda: VectorTokens.of_texts(texts))

    def weights(self, batch: Batch) -> TokenWeights:
        """Return what the subwords weigh."""
        one = self.place_weights(batch)
        return PlaceWeights(self.texts(batch).rows, one[np.newaxis], one)

    def place_weights(self, batch: Batch) -> FloatArray:
        """Return the weight of each subword of all rows, whichever side it is on."""

        def learned() -> FloatArray:
            texts = self.texts(batch)
            frequencies = self.frequencies()
            if frequencies is not None:
                return place_weights(texts, frequencies.idfs(texts.vocabulary))
            if not self.idf:
                return place_weights(texts, None)
            return place_weights(texts, collection_idfs(texts, reference_collection(batch)))

        return batch.once(("subword weights", *self.key(), self.idf), learned)

    def filled(self, batch: Batch) -> BoolArray:
        """Return which rows have a subword that stands for text."""
        return filled(self.texts(batch))

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on texts that the encoder reads in parts, or hardly at all."""
        texts = self.texts(batch)
        notes = self.encoder().notes(texts)
        frequencies = self.frequencies()
        return notes if frequencies is None else [*notes, *_unlisted(texts, frequencies)]


def _unlisted(texts: EncodedTexts, frequencies: TokenFrequencies) -> list[str]:
    """Return a note if the dictionary lacks most subwords: then it was cut otherwise."""
    listed = np.array([frequencies.count(subword) > 0 for subword in texts.vocabulary], np.bool_)
    inside = texts.rows.values[~texts.having(SubwordFlag.SPECIAL)[texts.rows.values]]
    share = float(listed[texts.subwords[inside]].mean()) if len(inside) else 1.0
    if share >= _LEAST_LISTED:
        return []
    name, cut = frequencies.identity.name, frequencies.tokenizer or "a tokenizer unknown"
    found = f"{name} lists only {share:.0%} of the subwords of the texts"
    return [f"{found}; it was made with {cut}, which should be the tokenizer of the model."]
