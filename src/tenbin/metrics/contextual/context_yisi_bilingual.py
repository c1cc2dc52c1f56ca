"""YiSi-2 (Lo 2019) on vectors in context: the translation against the source, no reference."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.encoders.loading import is_static
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO, MetricInfo, Needs, Property
from tenbin.metrics.contextual.context_ngrams import ContextNgrams, SideWeights
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Blocks, Float32Array
from tenbin.metrics.vectors.word_weights import (
    hypothesis_collections,
    lexical_weights,
    source_collection,
    system_numbers,
    system_runs,
)
from tenbin.metrics.vectors.yisi import CITATION
from tenbin.resources.frequencies import WORDFREQ

_NO_ONE_LANGUAGE = frozenset({"und", "mul"})


@dataclass(frozen=True, kw_only=True)
class ContextYisi2(ContextNgrams):
    """YiSi-2 in context: n-grams of source and translation, by a model of both languages, 0 to 1.

    Reads no reference. Pieces of words are as alike as the cosine of their vectors, or 0 if that is
    negative. Rare pieces weigh more, by the sources and by the hypotheses of the system. A corpus
    is the mean. An empty segment scores 0.

    Attributes:
        model: The folder of a model that was trained on both languages together (config.json,
            model.safetensors, tokenizer); there is no default.
        idf: What pieces weigh: True (rare ones more, on either side by its own texts), False (all
            the same), or a dictionary of both languages: a file of ``tenbin build idf``.
    """

    name: ClassVar[str] = "yisi2-context"
    info: ClassVar[MetricInfo] = MetricInfo(
        title="YiSi-2, contextual",
        summary="n-grams of the source that the translation answers, by a model of both languages.",
        citation=CITATION,
        higher_is_better=True,
        minimum=0.0,
        maximum=1.0,
        decimals=4,
        properties=frozenset({Property.REFERENCE_ORDER_FREE, Property.MEAN_OF_SEGMENTS}),
        weaknesses="Without semantic roles. As good as the model at bringing both languages into "
        "one space: a model of one language gives numbers too. Weights depend on the test set.",
        oracle="a plain program over the same vectors; not compared with the WMT submissions",
    )

    compared_with: ClassVar[str] = "source"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("idf", valid=self.idf != WORDFREQ, expected="True, False, or a file")

    def bind(self, language: str) -> Self:
        """Return the metric with layer and device settled."""
        if self.model == AUTO:
            raise UsageError(
                "yisi2-context has no model of its own: Tenbin knows none that reads both the "
                "source and the target language. Give the folder of a multilingual one "
                '(model="FOLDER": config.json, model.safetensors and tokenizer).'
            )
        if is_static(self.model):
            raise UsageError(
                "yisi2-context: static vectors have no context. For tables of two languages in one "
                'space take yisi2(vectors="TARGET", source_vectors="SOURCE"), which cuts either '
                "language with a tokenizer of its own."
            )
        return super().bind(language)

    @property
    def needs(self) -> Needs:
        """An encoder and the source; with weights from the texts, all of them in one batch."""
        missing = frozenset({"model"} if self.model == AUTO else ())
        return replace(super().needs, source=True, references=False, parameters=missing)

    def text_pairs(self, batch: Batch) -> tuple[IntArray, IntArray]:
        """Return hypotheses and sources."""
        if batch.sources is None:
            raise UsageError("yisi2-context reads the source text, which was not given.")
        return batch.hypotheses, batch.sources

    def pair_range(self, batch: Batch, item: int) -> tuple[int, int]:  # noqa: ARG002
        """Return the number of the one pair of an item."""
        return item, item + 1

    def check_batch(self, batch: Batch) -> list[str]:
        """Return notes on the texts, and on a model that is known to read one language alone."""
        notes = super().check_batch(batch)
        identity = self.encoder().identity
        if identity.language in _NO_ONE_LANGUAGE:
            return notes
        told = f"{identity.name!r} is a model of {identity.language!r} alone"
        return [*notes, f"{told}: what it makes of another language says little."]

    def statistics(self, batch: Batch) -> FloatArray:
        """Return rows (score, 1)."""
        return np.column_stack([self.pair_scores(batch), np.ones(len(batch))])

    def block_scores(self, batch: Batch, first: int, part: Blocks) -> FloatArray:
        """Return the scores of some pairs; each system has weights of its own."""
        count = len(part.heights)
        left, right = (side[first : first + count] for side in self.pairs(batch))
        scores = [np.empty(0)]
        for system, start, stop in system_runs(batch, first, count):
            weights = self._weights(batch, system)
            run, some = slice(start, stop), part.some(start, stop)
            scores.append(self.ngram_scores(batch, some, left[run], right[run], weights))
        return np.concatenate(scores)

    def reasons(self, batch: Batch, pair: int, similarities: Float32Array) -> Reasons:
        """Return the pieces of the best n-grams, and precision and recall."""
        weights = self._weights(batch, int(system_numbers(batch)[pair]))
        return self.ngram_reasons(batch, pair, similarities, weights)

    def _weights(self, batch: Batch, system: int) -> SideWeights:
        """Return the weights of all pieces: by the hypotheses of a system, by the sources."""
        own = 0 if self.idf is not True else system

        def learned() -> SideWeights:
            texts = self.texts(batch)
            places = texts.pieces[texts.rows.values]
            if self.idf is True:
                collections = hypothesis_collections(batch)[own], source_collection(batch)
                ours, theirs = (
                    lexical_weights(texts.piece_rows, some, texts.vocabulary)
                    for some in collections
                )
                return ours[places], theirs[places]
            frequencies = self.frequencies()
            same = np.ones(len(texts.vocabulary))
            both = (same if frequencies is None else frequencies.idfs(texts.vocabulary))[places]
            return both, both

        return batch.once(("piece weights", self.name, self.choice, self.idf, own), learned)
