"""Texts as context vectors of a model that is trained on references and sources."""

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Self

import numpy as np

from tenbin.annotation.context.context_model import ContextModel, ContextVector
from tenbin.annotation.context.loading import (
    model_folder,
    opened_facts,
    opened_model,
    trained_model,
)
from tenbin.annotation.context.model_folder import model_identity
from tenbin.annotation.context.network import require_context_models
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch, Column
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, Part, SignatureFacts
from tenbin.core.resource import ResourceIdentity
from tenbin.metrics.representations.blocks import BoolArray
from tenbin.metrics.representations.collected_texts import reference_collection
from tenbin.metrics.tokens import Tokens

TEST_SET = "test-set"
"""Value of ``context``: the model is trained on the texts that are scored."""

SOURCE_TOKENIZER = "13a"
"""The tokenizer of sources, whose language is not known."""

_PAIRS_AT_ONCE = 4_096
_SHOWN_DIGITS = 16
_RECIPE = tuple(field.name for field in fields(ContextRecipe))
_UNSPACED_NOTE = (
    "the sources have hardly any spaces, so that whole sentences are words of the context model; "
    'choose a tokenizer of their language: source_tokenizer="char", "jieba", "sudachi-c" ...'
)
# Letters of a word, on average; of German, which has the longest, seven.
_LONG_WORDS = 15


@dataclass(frozen=True, kw_only=True)
class TrainedContext(Part):
    """A model that reads a text and predicts its source, and the vectors of texts in it.

    Attributes:
        context: The context model: the folder of one that ``tenbin build context`` made, or
            ``test-set``: one that is trained on the references and sources of the run.
        context_vector: What stands for a text: the mean of the context vectors of ``attention``
            over the source, or the last state of the encoder (``encoder_last``).
        other_references: Whether a context model may have been trained on other texts than those
            that are scored.
        source_tokenizer: Name of the tokenizer of the source language; of a context model from a
            folder, its own.
        layers: GRU layers of the encoder, and of the decoder. This and the settings below are those
            of the training; of a context model from a folder, its own.
        units: Size of a state, and so of a context vector.
        embedding: Size of a word embedding.
        rate: Learning rate of Adam.
        epochs: Most passes over the repeated pairs; fewer where one gains less than 0.01 nats per
            word.
        repeats: How often each pair of a reference and its source stands in an epoch.
        batch: Pairs of a training step.
        vocabulary: Most words of each language; rarer ones are one unknown word.
        seed: Seed of the first weights and of the order of the pairs.
    """

    tokenizer: str
    lowercase: bool
    language: str
    source_tokenizer: str
    context: str
    context_vector: ContextVector
    other_references: bool
    layers: int
    units: int
    embedding: int
    rate: float
    epochs: int
    repeats: int
    batch: int
    vocabulary: int
    seed: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "source_tokenizer", self.source_tokenization.tokenizer)

    @property
    def tokenization(self) -> Tokens:
        """How texts become words."""
        return Tokens(tokenizer=self.tokenizer, lowercase=self.lowercase)

    @property
    def source_tokenization(self) -> Tokens:
        """How sources become words."""
        return Tokens(tokenizer=self.source_tokenizer, lowercase=self.lowercase)

    @property
    def recipe(self) -> ContextRecipe:
        """The settings of the training."""
        return ContextRecipe(**{name: getattr(self, name) for name in _RECIPE})

    @property
    def folder(self) -> Path | None:
        """The folder of the model; None where it is trained on the texts that are scored."""
        return None if self.context == TEST_SET else model_folder(self.context)

    @property
    def needs(self) -> Needs:
        """Tokens of texts and sources; all references where the model depends on them."""
        both = frozenset({self.tokenization.annotation, self.source_tokenization.annotation})
        return Needs(
            source=True,
            annotations=both,
            source_annotations=both - {self.tokenization.annotation},
            collection=self.context == TEST_SET or not self.other_references,
        )

    def bind(self, language: str, metric: str) -> Self:  # noqa: ARG002 - the tokenizer is settled
        """Return the part with the settings of the model in its folder.

        Raises:
            MissingExtra: The libraries of the model are not installed.
            UnreadableFile: There is no model in the folder.
            UsageError: The model has other settings than those that were asked for.
        """
        require_context_models()
        folder = self.folder
        if folder is None:
            return self
        facts, tokens = opened_facts(folder)
        own = {
            **{name: getattr(facts.recipe, name) for name in _RECIPE},
            "source_tokenizer": tokens.get("source_tokenizer", self.source_tokenizer),
        }
        usual = {**_default_settings(), "source_tokenizer": SOURCE_TOKENIZER}
        for name, value in own.items():
            asked = getattr(self, name)
            if asked not in (value, usual[name]):
                raise UsageError(
                    f"{metric}: the context model {self.context} was trained with "
                    f"{name}={value}, and {name}={asked} was asked for. Leave it out, or train "
                    "another model."
                )
        for name, used in (("tokenizer", self.tokenizer), ("lowercase", str(self.lowercase))):
            if tokens.get(name, used) != used:
                raise UsageError(
                    f"{metric}: the context model {self.context} was trained with "
                    f"{name}={tokens[name]}, and the texts are scored with {name}={used}. Score "
                    f"with {name}={tokens[name]}, or train another model."
                )
        return replace(self, **own)

    def identities(self) -> list[ResourceIdentity]:
        """Return the model of a folder."""
        if self.language == AUTO or self.folder is None:
            return []
        return [model_identity(self.folder, self.language)]

    def versions(self) -> Entries:
        """Return the versions behind the tokenizer of the sources and behind the model."""
        if self.language == AUTO:
            return self.source_tokenization.versions()
        return (*self.source_tokenization.versions(), ("torch", version("torch")))

    def signature_facts(self) -> SignatureFacts:
        """Return that the model has seen the references, and the seed of its training."""
        unchecked = self.context != TEST_SET and self.other_references
        seen = "unchecked" if unchecked else "yes"
        # The seed of a run is that of its bootstrap samples.
        last = (("training_seed", str(self.seed)), ("transductive", seen))
        return SignatureFacts(replaced=frozenset({"seed"}), last=last)

    def notes(self, batch: Batch) -> list[str]:
        """Return that the results are transductive, and a note on sources that are not cut."""
        notes = []
        if self.context == TEST_SET:
            notes.append(
                "we_wpi_attention: the context model is trained on the references and sources that "
                "are scored (transductive): scores of other test sets do not compare."
            )
        elif self.other_references:
            notes.append(
                f"we_wpi_attention: whether the context model {self.context} was trained on these "
                "references was not checked (other_references=True)."
            )
        _, words = self.columns(batch)
        used = np.unique(_sources(batch))
        seen = [word for place in used.tolist() for word in words.tokens(place)]
        letters = sum(map(len, seen))
        return [*notes, *([_UNSPACED_NOTE] if seen and letters > _LONG_WORDS * len(seen) else [])]

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the vectors of a batch depend on."""
        model = self.context if self.context == TEST_SET else str(self.folder)
        texts = (self.tokenization.annotation, self.source_tokenization.annotation)
        return (*texts, model, self.context_vector, self.other_references, self.recipe)

    def columns(self, batch: Batch) -> tuple[Column, Column]:
        """Return the words of the pool, as texts and as sources."""
        own, source = self.tokenization.annotation, self.source_tokenization.annotation
        return batch.column(own), batch.column(source)

    def cosines(self, batch: Batch, left: IntArray, right: IntArray) -> FloatArray:
        """Return the cosine of the context vectors of pairs of texts.

        Equal texts are exactly 1 alike. A text without words has no vector, and a cosine of 0.

        Args:
            batch: The batch.
            left: The hypothesis of each pair of the batch.
            right: Its reference.
        """
        sources = np.repeat(_sources(batch), batch.references.lengths)
        vectors, numbers = self._vectors(batch, np.tile(sources, 2), np.concatenate([left, right]))
        own, other = numbers[: len(left)], numbers[len(left) :]
        found = np.empty(len(left))
        # In parts: the vectors of all pairs take gigabytes.
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            some = slice(start, start + _PAIRS_AT_ONCE)
            found[some] = (vectors[own[some]] * vectors[other[some]]).sum(axis=1)
        filled: BoolArray = np.any(vectors, axis=1)
        equal = (own == other) & filled[own]
        return np.where(equal, 1.0, np.clip(found, -1.0, 1.0))

    def _vectors(
        self, batch: Batch, sources: IntArray, texts: IntArray
    ) -> tuple[FloatArray, IntArray]:
        """Return the vectors of distinct pairs of text and source, and which one each pair has."""
        model = self.model(batch)
        size = len(batch.strings)
        keys, numbers = np.unique(sources * size + texts, return_inverse=True)
        source, text = np.divmod(keys, size)
        columns = self.columns(batch)
        own = model.text_words.ids(columns[0].vocabulary)
        other = model.source_words.ids(columns[1].vocabulary)
        filled = np.flatnonzero(columns[0].rows.lengths[text])
        vectors: FloatArray = np.zeros((len(keys), model.facts.recipe.units))
        vectors[filled] = model.vectors(
            [own[columns[0].rows.row(place)] for place in text[filled].tolist()],
            [other[columns[1].rows.row(place)] for place in source[filled].tolist()],
            self.context_vector,
        )
        return vectors, numbers.reshape(-1)

    def model(self, batch: Batch) -> ContextModel:
        """Return the model: the one of the folder, or one that is trained on the batch.

        Raises:
            InputError: The model of the folder was trained on other texts.
        """
        pairs = None
        if self.context == TEST_SET or not self.other_references:
            pairs = self.pairs(batch)
        folder = self.folder
        if folder is None:
            return trained_model(pairs or self.pairs(batch), self.recipe)
        facts, _ = opened_facts(folder)
        if pairs is not None and facts.pairs != pairs.digest:
            own, other = facts.pairs[:_SHOWN_DIGITS], pairs.digest[:_SHOWN_DIGITS]
            raise InputError(
                f"{self.context}: the context model was trained on other references and sources "
                f"({counted(facts.pair_count, 'pair')}, sha256 {own}) than those that are scored "
                f"({counted(len(pairs), 'pair')}, sha256 {other}). Train one on these with 'tenbin "
                "build context', or score anyway with other_references=True."
            )
        return opened_model(folder)

    def pairs(self, batch: Batch) -> ContextPairs:
        """Return the references of all segments, each with its source."""
        items = batch.distinct_segments()
        sources = np.repeat(_sources(batch)[items], batch.references.lengths[items])
        return ContextPairs.of_columns(
            batch.strings,
            *self.columns(batch),
            zip(reference_collection(batch).tolist(), sources.tolist(), strict=True),
        )


def _default_settings() -> dict[str, object]:
    return {field.name: field.default for field in fields(ContextRecipe)}


def _sources(batch: Batch) -> IntArray:
    if batch.sources is None:
        raise UsageError("the metric reads the source text, which was not given (`source`).")
    return batch.sources
