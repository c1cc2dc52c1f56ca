"""What metrics over encoded texts share: the encoder, its layer, the weights of pieces."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, Encoder, PieceFlag
from tenbin.annotation.encoders.loading import EncoderChoice, is_static, load_encoder
from tenbin.annotation.encoders.settings import Device, NumberType, View, settled_device
from tenbin.annotation.languages import parse_language
from tenbin.core.alignment import Alignment
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.explanation import Explanation
from tenbin.core.metric import AUTO, NAMES_DATA, BaseMetric, Needs
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.core.signature import Signature
from tenbin.kernels.similarity.blocks import padded, similarity_blocks
from tenbin.metrics.contextual.model_defaults import default_model
from tenbin.metrics.contextual.piece_weights import load_frequencies
from tenbin.metrics.token_metric import best_segment_rows
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array, part_bounds
from tenbin.metrics.vectors.links import Sides
from tenbin.resources.frequencies import TokenFrequencies

# Another way to write idf=True.
_REFERENCES = "references"
# Texts of the kind that the dictionary was made of have nine tenths.
_LEAST_LISTED = 0.5


@dataclass(frozen=True, kw_only=True)
class EncoderMetric(BaseMetric, ABC):
    """A metric that compares the pieces of texts by the vectors that an encoder gives them.

    Attributes:
        language: The target language; settled by the run.
        model: An encoder: a resource, the folder of a model (config.json, model.safetensors,
            tokenizer), or ``static:`` and word vectors; ``auto``: that of the language.
        layer: The layer that vectors are taken from, counted from 1; None: that of the model.
        idf: Whether rare pieces weigh more: False, True (by the texts that are scored), or a
            dictionary: ``wordfreq`` or a file of ``tenbin build idf``.
        device: What the model runs on: ``cpu``, ``cuda`` or ``auto``.
        dtype: What the model computes with: ``float32``, ``bfloat16`` or, on a processor, ``int8``.
    """

    compared_with: ClassVar[str] = "reference"

    language: str = AUTO
    model: str = field(default=AUTO, metadata=NAMES_DATA)
    layer: int | None = None
    idf: bool | str = field(default=False, metadata=NAMES_DATA)
    device: Device = Device.AUTO
    dtype: NumberType = NumberType.FLOAT32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language != AUTO:
            object.__setattr__(self, "language", parse_language(self.language).tag)
        if self.idf == _REFERENCES:
            object.__setattr__(self, "idf", True)
        valid = self.layer is None or self.layer >= 0
        self.require("layer", valid=valid, expected="the number of a layer, or None")
        self.require("idf", valid=self.idf != "", expected="True, False, or a file")

    @abstractmethod
    def view(self) -> View:
        """Return the layers that vectors are made of."""

    @abstractmethod
    def usual_layer(self, model: str, language: str) -> int:
        """Return the layer that is taken if nobody says."""

    @abstractmethod
    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs of a batch, from the pair with a number on."""

    @abstractmethod
    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the links of a pair of a batch, and the steps from them to its score."""

    def bind(self, language: str) -> Self:
        """Return the metric with model, layer and device settled."""
        tongue = parse_language(language if self.language == AUTO else self.language)
        model = default_model(tongue.tag) if self.model == AUTO else self.model
        if is_static(model):
            if self.layer or self.device is Device.CUDA or self.dtype is not NumberType.FLOAT32:
                raise UsageError(
                    f"{self.name}: static vectors have no layers and are looked up, not computed; "
                    "leave layer, device and dtype as they are, or name a model."
                )
            bound = replace(self, language=tongue.tag, model=model, layer=0, device=Device.CPU)
        else:
            layer = self.usual_layer(model, tongue.tag) if self.layer is None else self.layer
            device = settled_device(self.device)
            bound = replace(self, language=tongue.tag, model=model, layer=layer, device=device)
        bound.identities()  # what is missing is told now
        return bound

    @property
    def needs(self) -> Needs:
        """An encoder; with weights from the texts, all of them in one batch."""
        kinds = {ResourceKind.ENCODER}
        if isinstance(self.idf, str):
            kinds.add(ResourceKind.FREQUENCIES)
        return Needs(resources=frozenset(kinds), collection=self.idf is True)

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

    def frequencies(self) -> TokenFrequencies | None:
        """Return the dictionary that weights come from, if they do."""
        if not isinstance(self.idf, str):
            return None
        return load_frequencies(name=self.idf, choice=self.choice)

    def texts(self, batch: Batch) -> EncodedTexts:
        """Return the strings of the pool that are compared, encoded; others as if empty."""

        def widened() -> EncodedTexts:
            found = self.encoded(batch)
            return replace(found, units=padded(found.units))

        return batch.once(("encoded texts", self.compared_with, self.choice), widened)

    def encoded(self, batch: Batch) -> EncodedTexts:
        """Return the texts as the encoder leaves them."""
        left, right = self.text_pairs(batch)
        used = {*left.tolist(), *right.tolist()}
        strings = [text if place in used else "" for place, text in enumerate(batch.strings)]
        return self.encoder().encode(strings)

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on texts that the encoder reads in parts, or hardly at all."""
        notes = self.encoder().notes(self.texts(batch))
        frequencies = self.frequencies()
        return notes if frequencies is None else [*notes, *self._unlisted(batch, frequencies)]

    def _unlisted(self, batch: Batch, frequencies: TokenFrequencies) -> list[str]:
        """Return a note if the dictionary lacks most pieces: then it was cut otherwise."""
        texts = self.texts(batch)
        listed = np.array([frequencies.count(piece) > 0 for piece in texts.vocabulary], np.bool_)
        inside = texts.rows.values[~texts.having(PieceFlag.SPECIAL)[texts.rows.values]]
        share = float(listed[texts.pieces[inside]].mean()) if len(inside) else 1.0
        if share >= _LEAST_LISTED:
            return []
        name, cut = frequencies.identity.name, frequencies.tokenizer or "a tokenizer unknown"
        found = f"{name} lists only {share:.0%} of the pieces of the texts"
        return [f"{found}; it was made with {cut}, which should be the tokenizer of the model."]

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1) with the score of the best reference."""
        return best_segment_rows(batch, self.pair_scores(batch), highest=True)

    def pair_scores(self, batch: Batch) -> FloatArray:
        """Return the score of each pair."""
        parts = [self.block_scores(batch, first, part) for first, part in self._parts(batch)]
        return np.concatenate(parts) if parts else np.empty(0)

    def text_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the places of the texts that are compared, item after item."""
        return batch.pairs()

    def compared(self, batch: Batch) -> EncodedTexts:
        """Return the rows that are compared: pieces, unless a metric joins them."""
        return self.texts(batch)

    def pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return the rows of `compared` that belong to `text_pairs`."""
        return self.text_pairs(batch)

    def pair_range(self, batch: Batch, item: int) -> tuple[int, int]:
        """Return the numbers of the pairs of an item."""
        start, stop = batch.references.offsets[item : item + 2].tolist()
        return start, stop

    def align(self, batch: Batch, item: int) -> Alignment:
        """Return what was compared between an item and its best reference."""
        return self.explain(batch, item).alignment

    def explain(self, batch: Batch, item: int) -> Explanation:
        """Return the links of an item with its best reference, and the way to its score."""
        start, stop = self.pair_range(batch, item)
        blocks = self._blocks(batch, start, stop)
        scores = self.block_scores(batch, start, blocks)
        best = int(np.argmax(scores))  # the first wins a tie, as in statistics()
        alignment, steps = self.reasons(batch, start + best, blocks.one(best))
        return Explanation(
            alignment=alignment,
            steps=steps,
            score=float(scores[best]),
            signature=self.signature(),
            reference=best + 1,
            reference_count=stop - start,
        )

    def sides(self, batch: Batch, pair: int) -> Sides:
        """Return the pieces of both sides of a pair."""
        left, right = self.pairs(batch)
        texts = self.compared(batch)
        return texts.tokens(int(left[pair])), texts.tokens(int(right[pair]))

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on."""
        frequencies = self.frequencies()
        weights = [] if frequencies is None else [frequencies.identity]
        return [self.encoder().identity, *weights]

    def signature(self) -> Signature:
        """Return every choice, and the fingerprints of the data."""
        plain = super().signature()
        if not self.is_bound:
            return plain
        entries = [identity.signature_entry for identity in self.identities()]
        return replace(plain, resources=tuple(entries))

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters; data by their names, wherever they lie."""
        plain = super().signature_fields()
        if not self.is_bound:
            return plain
        name = self.encoder().identity.name
        named = {"model": f"static:{name}" if is_static(self.model) else name}
        frequencies = self.frequencies()
        if frequencies is not None:
            named["idf"] = frequencies.identity.name
        return tuple((key, named.get(key, value)) for key, value in plain)

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the programs that shape the vectors."""
        return self.encoder().versions if self.is_bound else ()

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on the language."""
        settled = AUTO not in (self.language, self.model, self.device)
        return settled and self.layer is not None

    def _parts(self, batch: Batch) -> Iterator[tuple[int, Blocks]]:
        """Yield the similarities of all pairs, as many at a time as memory should hold."""
        left, right = self.pairs(batch)
        lengths = self.compared(batch).rows.lengths
        for start, stop in part_bounds(lengths[left] * lengths[right]):
            yield start, self._blocks(batch, start, stop)

    def _blocks(self, batch: Batch, start: int, stop: int) -> Blocks:
        texts = self.compared(batch)
        left, right = (side[start:stop] for side in self.pairs(batch))
        values, starts = similarity_blocks(
            texts.units,
            np.arange(len(texts.units), dtype=np.int32),
            texts.known,
            texts.rows.values,
            texts.rows.offsets,
            left,
            right,
            equal_unknown=True,
        )
        lengths = texts.rows.lengths
        return Blocks(values, starts, lengths[left], lengths[right])
