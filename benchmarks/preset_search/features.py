"""What the score of a pair of texts is made of, under every choice that needs its vectors.

All else (the balance, the penalty, the shares of whole texts and letters) is put together from it
without looking at a vector again; see `scores`.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.preset_search.settings import IDFS, LAYERS, POSITIONS, PUNCTUATIONS, Setting
from tenbin.annotation.encoders.context_encoder import unit_length
from tenbin.annotation.encoders.encoded import EncodedTexts
from tenbin.annotation.encoders.loading import load_encoder
from tenbin.annotation.encoders.settings import Pooling, View
from tenbin.core.arrays import FloatArray, Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.kernels.similarity.blocks import padded
from tenbin.metrics.aggregations.letters import letters_in_common
from tenbin.metrics.aggregations.mixture import GreedyMixture
from tenbin.metrics.f_score import weighted_f
from tenbin.metrics.representations.blocks import Float32Array
from tenbin.metrics.representations.sentences import (
    Sentences,
    SubwordsAndSentences,
    one_layer,
)
from tenbin.metrics.tenbin_score import TenbinScore
from tenbin.penalty.choices import Penalty
from tenbin.penalty.texts import TextPenalty

# Changes when the same texts would give other numbers.
_FORM = "3"
_PAIRS_AT_ONCE = 1_000
WEIGHTS = tuple(product(IDFS, PUNCTUATIONS))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Features:
    """What the scores of some pairs of texts are made of.

    Attributes:
        sides: Precision and recall, ``(layers, weights, positions, pairs, 2)``, in the order of
            `LAYERS`, `WEIGHTS` and `POSITIONS`.
        cosines: Of whole texts, ``(pairs,)``; NaN where one of them has no vector.
        wrong: Names and figures that the other side lacks, ``(pairs, 2, 2)``: of the translation
            and of the reference, names and figures.
        letters: What they have in common letter by letter, ``(pairs,)``; NaN where there are none.
    """

    sides: Float32Array
    cosines: FloatArray
    wrong: FloatArray
    letters: FloatArray

    def scores(self, setting: Setting) -> FloatArray:
        """Return the score of each pair under a setting."""
        layer = LAYERS.index(setting.layers)
        weight = WEIGHTS.index((setting.idf, setting.punctuation))
        both = self.sides[layer, weight, POSITIONS.index(setting.position)].astype(np.float64)
        kinds = [setting.penalty.names, setting.penalty.numbers]
        counts = self.wrong[:, :, kinds].sum(axis=2)
        # 1 + 1/2 + 1/4 + ... of so many terms.
        kept = np.maximum(0.0, 1 - setting.strength * 2 * (1 - 0.5**counts))
        lowered = np.where(both > 0, both * kept, both)
        whole = weighted_f(lowered[:, 0], lowered[:, 1], setting.alpha)
        mixed = (1 - setting.sentence) * whole + setting.sentence * self.cosines
        sense = np.where(np.isnan(self.cosines), whole, mixed)
        spelt = (1 - setting.letters) * sense + setting.letters * self.letters
        return np.where(np.isnan(self.letters), sense, spelt)


def paired(hypotheses: Sequence[str], references: Sequence[str]) -> Batch:
    """Return a batch of pairs of texts."""
    numbering = Numbering()
    own = numbering.numbers(hypotheses)
    other = numbering.numbers(references)
    return Batch(
        strings=tuple(numbering),
        hypotheses=own,
        references=Ragged(other.astype(np.int32), np.arange(len(other) + 1)),
        segments=np.arange(len(own)),
        columns={},
    )


def side_means(
    metrics: Sequence[TenbinScore], batch: Batch, positions: Sequence[float]
) -> FloatArray:
    """Return precision and recall without a penalty, ``(metrics, positions, pairs, 2)``.

    Args:
        metrics: They differ in the weights of pieces alone.
        batch: Pairs of texts.
        positions: What is lost between the first and the last place.
    """
    found = np.empty((len(metrics), len(positions), len(batch.references.values), 2))
    for compared in metrics[0].compared(batch):
        for row, metric in enumerate(metrics):
            weighed = replace(compared, representation=metric.compares)
            aggregation = metric.part(GreedyMixture)
            for place, position in enumerate(positions):
                near = replace(aggregation, position=position).near(compared.blocks)
                found[row, place, compared.pairs] = aggregation.sides(weighed, near)
    return found


def whole_cosines(sentences: Sentences, batch: Batch) -> FloatArray:
    """Return the cosine of each pair of whole texts; NaN where one of them has no vector."""
    pairs = batch.pairs()
    return np.where(sentences.known(*pairs), sentences.cosines(*pairs), np.nan)


def wrong_counts(
    hypotheses: Sequence[str], references: Sequence[str], language: str = "en"
) -> FloatArray:
    """Return how many names and figures the other side lacks, ``(pairs, 2, 2)``."""
    penalty = TextPenalty(penalty=Penalty.BOTH, language=language)
    counts = np.zeros((len(hypotheses), 2, 2))
    for row, texts in enumerate(zip(hypotheses, references, strict=True)):
        for finding in penalty.factors(*texts).findings:
            counts[row, int(finding.of_reference), int(finding.is_number)] += 1
    return counts


def _mixed(encoded: EncodedTexts, all_layers: Sequence[int]) -> Iterator[Sentences]:
    """Yield texts with the vectors of each mixture of layers, and as a whole."""
    size = encoded.units.shape[1] // len(all_layers)
    parts = {layer: encoded.units[:, n * size :][:, :size] for n, layer in enumerate(all_layers)}
    last = replace(encoded, units=unit_length(parts[all_layers[-1]]))
    whole = one_layer(last).vectors
    for layers in LAYERS:
        # The layers of a piece were divided by one length, so that their mean points the same way.
        units = unit_length(np.sum([parts[layer] for layer in layers], axis=0, dtype=np.float32))
        yield Sentences(replace(encoded, units=padded(units)), whole)


def _as_it_is(sentences: Sentences) -> Sentences:
    return sentences


def _weighing() -> list[TenbinScore]:
    """Return the metrics that weigh pieces in the order of `WEIGHTS`."""
    plain = TenbinScore(penalty=Penalty.NONE)
    return [
        replace(plain, idf=idf or False, punctuation=punctuation).bind("en")
        for idf, punctuation in WEIGHTS
    ]


def _features(hypotheses: Sequence[str], references: Sequence[str]) -> Features:
    """Return what the scores of some pairs of texts are made of."""
    metrics = _weighing()
    # The last layer, that of whole texts, is encoded together with those of the pieces.
    tried = {layer for layers in LAYERS for layer in layers}
    represented = metrics[0].part(SubwordsAndSentences)
    used = tuple(sorted(tried | set(represented.view().layers)))
    choice = replace(represented.choice, view=View(used, Pooling.JOINED))
    encoded = load_encoder(choice).encode(paired(hypotheses, references).strings)
    sides = []
    cosines: FloatArray = np.empty(0)
    for sentences in _mixed(encoded, used):
        batch = paired(hypotheses, references)
        # What the metric would make itself, had it such a mixture.
        batch.once(represented.sentences_key(), partial(_as_it_is, sentences))
        cosines = whole_cosines(sentences, batch)
        sides.append(side_means(metrics, batch, POSITIONS))
    return Features(
        sides=np.stack(sides).astype(np.float32),
        cosines=cosines,
        wrong=wrong_counts(hypotheses, references),
        letters=letters_in_common(hypotheses, references),
    )


def load_features(
    hypotheses: Sequence[str], references: Sequence[str], folder: Path, name: str
) -> Features:
    """Return what the scores of pairs of texts are made of; kept in a folder for the next time.

    Args:
        hypotheses: The translations.
        references: The reference of each.
        folder: Where they are kept.
        name: What their file begins with.
    """
    (encoder, *_), (*_, dictionary) = (
        one.compares.identities() for one in _weighing()[:: len(WEIGHTS) - 1]
    )
    known = repr((_FORM, encoder, dictionary, LAYERS, WEIGHTS, POSITIONS, hypotheses, references))
    path = folder / f"{name}-{hashlib.sha256(known.encode()).hexdigest()[:16]}.npz"
    if path.is_file():
        with np.load(path) as stored:
            return Features(**stored)
    bounds = range(0, len(hypotheses), _PAIRS_AT_ONCE)
    parts = [
        _features(hypotheses[start:][:_PAIRS_AT_ONCE], references[start:][:_PAIRS_AT_ONCE])
        for start in bounds
    ]
    found = Features(
        sides=np.concatenate([part.sides for part in parts], axis=-2),
        cosines=np.concatenate([part.cosines for part in parts]),
        wrong=np.concatenate([part.wrong for part in parts]),
        letters=np.concatenate([part.letters for part in parts]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(
        path, sides=found.sides, cosines=found.cosines, wrong=found.wrong, letters=found.letters
    )
    return found
