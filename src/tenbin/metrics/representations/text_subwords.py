"""Subwords of the text alone, with YiSi's weights; of references, or of sources."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, SubwordFlag
from tenbin.annotation.encoders.loading import is_static
from tenbin.core.batch import Batch, Column
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.metrics.representations.collected_texts import SYSTEM
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.lexical_weights import learned_weights
from tenbin.metrics.representations.representation import OtherSide, PlaceWeights, TokenWeights
from tenbin.metrics.representations.vector_tokens import kept_words
from tenbin.resources.frequencies import WORDFREQ

_NO_ONE_LANGUAGE = frozenset({"und", "mul"})


def without_special_tokens(subwords: ContextualSubwords, batch: Batch) -> EncodedTexts:
    """Return texts whose rows lack the special tokens of the model."""

    def shortened() -> EncodedTexts:
        texts = subwords.whole_texts(batch)
        return replace(texts, rows=kept_words(texts.rows, ~texts.having(SubwordFlag.SPECIAL)))

    return batch.once(("texts of subwords", *subwords.key()), shortened)


def rare_weigh_more(subwords: ContextualSubwords, batch: Batch) -> TokenWeights:
    """Return what the subwords weigh: their idf by the texts, by a dictionary, or 1."""
    texts = subwords.texts(batch)
    if subwords.idf is True or subwords.by_system:
        column = Column(texts.subword_rows, texts.vocabulary)
        by_system = subwords.by_system
        return learned_weights(subwords, batch, column, texts.subwords, by_system=by_system)

    def looked_up() -> TokenWeights:
        frequencies = subwords.frequencies()
        same = np.ones(len(texts.vocabulary))
        by_subword = same if frequencies is None else frequencies.idfs(texts.vocabulary)
        both = by_subword[texts.subwords[texts.rows.values]]
        return PlaceWeights(texts.rows, both[np.newaxis], both)

    return batch.once(("subword weights", *subwords.key(), subwords.idf), looked_up)


@dataclass(frozen=True, kw_only=True)
class TextSubwords(ContextualSubwords):
    """Subwords without the special tokens of the model, which are no words of an n-gram.

    Attributes:
        idf: What subwords weigh: True (rare ones more, by the references), False (all the same), or
            a dictionary: ``wordfreq`` or a file of ``tenbin build idf``.
    """

    texts = without_special_tokens
    weights = rare_weigh_more


@dataclass(frozen=True, kw_only=True)
class BilingualSubwords(ContextualSubwords):
    """The same of translations and their sources, by a model that reads both languages.

    Attributes:
        model: A model that was trained on both languages together: ``use-multilingual``, or the
            folder of another (config.json, model.safetensors, tokenizer); there is no default.
        idf: What subwords weigh: True (rare ones more, by the sources), False (all the same), a
            dictionary of both languages: a file of ``tenbin build idf``; or ``system``, as
            published: those of hypotheses by the hypotheses of their system, by which the same text
            scores differently in another system.
    """

    compared_with: ClassVar[OtherSide] = OtherSide.SOURCE
    learned_from: ClassVar[str] = "sources"
    weighs_by_system: ClassVar[bool] = True
    texts = without_special_tokens
    weights = rare_weigh_more

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield parameters that are out of their range."""
        yield from super().faults()
        if self.idf == WORDFREQ:
            yield "idf", f"True, False, a file, or {SYSTEM}"

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with layer and device settled."""
        if self.model == AUTO:
            raise UsageError(
                f"{metric} has no model of its own: name one that reads both the source and the "
                'target language, be it model="use-multilingual" (16 languages) or the folder of '
                'another (model="FOLDER": config.json, model.safetensors and tokenizer).'
            )
        if is_static(self.model):
            raise UsageError(
                f"{metric}: static vectors have no context. For tables of two languages in one "
                'space take yisi2(vectors="TARGET", source_vectors="SOURCE"), which cuts either '
                "language with a tokenizer of its own."
            )
        return super().bind(language, metric)

    @property
    def needs(self) -> Needs:
        """An encoder and the source; with weights from the texts, all of them in one batch."""
        missing = frozenset({"model"} if self.model == AUTO else ())
        return replace(super().needs, parameters=missing)

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on the texts, and on a model that is known to read one language alone."""
        notes = super().notes(batch)
        identity = self.encoder().identity
        if identity.language in _NO_ONE_LANGUAGE:
            return notes
        told = f"{identity.name!r} is a model of {identity.language!r} alone"
        return [*notes, f"{told}: what it makes of another language says little."]
