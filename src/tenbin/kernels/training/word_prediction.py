"""Updates of word vectors: each word of a text is predicted from the words around it.

Mikolov et al. (2013), with negative samples, as in their program word2vec. Every word has two
vectors: an input vector, as a word of the context, and an output vector, as the word predicted. At
each position that is left after subsampling, a window of 1 to ``window`` words on each side is
drawn, and

- CBOW: the mean h of the input vectors of the context predicts the word,
- skip-gram: the input vector h of each word of the context alone does.

The output vector v of the word should have a large product with h (label 1), those of ``negative``
random words a small one (label 0). With g = rate * (label - sigmoid(v h)), h receives the sum of
all g v, and each v receives g h. Each word of the context gets the whole of what h receives, as in
word2vec and MultiVec; the gradient of a mean would divide it by the number of these words.

Two languages, after Luong, Pham and Manning (2015), "Bilingual Word Representations with
Monolingual Quality in Mind" (bivec): besides, each word is predicted from the words around its
counterpart in the other language, with the rate times ``beta``. Without links, word i of a source
segment has the counterpart ``i * targets // sources`` (MultiVec, Berard et al. 2016).

Rows are padded with zeros to a multiple of `LANES`, and products are added up lane by lane, so that
a seed gives the same bytes on every processor.
"""

import math
from typing import NamedTuple

import numpy as np

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin
from tenbin.kernels.training.random_bits import HALF, RandomBits

LANES = 16
UNKNOWN = -1
"""Number of a word without a vector."""
SIGMOID_LIMIT = 10.0
SIGMOID_STEPS = 2048
SIGMOID_SCALE = SIGMOID_STEPS / (2 * SIGMOID_LIMIT)
LAST_STEP = SIGMOID_STEPS - 0.0005  # a number of 32 bits below the last step

_WORTH_COMPILING = 20_000  # words that the plain twin goes through in a few seconds
_HALF_MASK = (1 << HALF) - 1


class LanguageSide(NamedTuple):
    """A text in one language, and the vectors of its words.

    Attributes:
        words: Numbers of the words of all segments; `UNKNOWN` for words without a vector.
        offsets: Where each segment begins and, last, where the last one ends.
        kept: Chance of each word to be kept (`tenbin.kernels.training.sampling`).
        samples: The alias table of negative samples.
        inputs: Input vectors, shape (words, padded dimensions); updated.
        outputs: Output vectors; updated.
    """

    words: IdArray
    offsets: IntArray
    kept: IntArray
    samples: IntArray
    inputs: Float32Array
    outputs: Float32Array


class WordLinks(NamedTuple):
    """Links between the words of a bitext.

    Attributes:
        sources: Positions in the source segments.
        targets: Positions in the target segments.
        offsets: Where the links of each segment begin and, last, where they end; empty if words
            are aligned uniformly.
    """

    sources: IdArray
    targets: IdArray
    offsets: IntArray


class Updates(NamedTuple):
    """How vectors are updated.

    Attributes:
        skipgram: Whether each word of the context predicts alone.
        window: Most words on each side.
        negative: Number of negative samples.
        rate: Learning rate at the start.
        least_rate: Learning rate at the end.
        beta: Weight of predictions from the other language.
        total: Number of words of all passes, after which the rate is the least.
    """

    skipgram: bool
    window: int
    negative: int
    rate: float
    least_rate: float
    beta: float
    total: int


def padded(dimensions: int) -> int:
    """Return the length of the rows for vectors.

    >>> padded(50), padded(64)
    (64, 64)
    """
    return -(-dimensions // LANES) * LANES


def uniform_alignment(sources: int, targets: int) -> list[int]:
    """Return the counterpart of each source word if words are aligned uniformly.

    >>> uniform_alignment(4, 6)
    [0, 1, 3, 4]
    """
    return [place * targets // sources for place in range(sources)]


def no_links() -> WordLinks:
    """Return the links of words that are aligned uniformly."""
    return WordLinks(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64))


def sigmoid_table() -> Float32Array:
    """Return the sigmoid and the loss -log(sigmoid) at even steps; they are interpolated."""
    points = [step / SIGMOID_SCALE - SIGMOID_LIMIT for step in range(SIGMOID_STEPS + 1)]
    sigmoid = [1 / (1 + math.exp(-point)) for point in points]
    loss = [math.log1p(math.exp(-point)) for point in points]
    return np.array([sigmoid, loss], dtype=np.float32)


def train_text(
    side: LanguageSide,
    updates: Updates,
    table: Float32Array,
    *,
    first: int,
    last: int,
    done: int,
    start: int,
) -> tuple[float, int]:
    """Update vectors by some segments of a text.

    Args:
        side: The text and its vectors.
        updates: The parameters.
        table: That of `sigmoid_table`.
        first: The first segment.
        last: The segment after the last one.
        done: Words that were trained before, in all passes.
        start: Where the random numbers begin.

    Returns:
        The sum of the losses, and the number of predictions.
    """
    compiled = compiled_twin(
        "training.word_prediction", work=updates.total, threshold=_WORTH_COMPILING
    )
    twin = plain_train_text if compiled is None else compiled.train_text
    loss, predictions = twin(side, updates, table, first, last, done, np.uint64(start))
    return float(loss), int(predictions)


def train_bitext(  # noqa: PLR0913 - a kernel takes arrays one by one
    source: LanguageSide,
    target: LanguageSide,
    links: WordLinks,
    updates: Updates,
    table: Float32Array,
    *,
    first: int,
    last: int,
    done: int,
    start: int,
) -> tuple[float, int]:
    """Update the vectors of two languages by some pairs of segments.

    Each pair gives four sets of predictions: of each language from itself, and of linked words from
    each other's context. Links whose source or target has no vector, or was not kept, are skipped.
    The arguments and results are those of `train_text`.
    """
    compiled = compiled_twin(
        "training.word_prediction", work=updates.total, threshold=_WORTH_COMPILING
    )
    twin = plain_train_bitext if compiled is None else compiled.train_bitext
    sides = source, target
    loss, predictions = twin(*sides, links, updates, table, first, last, done, np.uint64(start))
    return float(loss), int(predictions)


def plain_train_text(
    side: LanguageSide,
    updates: Updates,
    table: Float32Array,
    first: int,
    last: int,
    done: int,
    start: np.uint64,
) -> tuple[float, int]:
    """Return what `train_text` does."""
    learner = _Learner(updates, table, RandomBits(int(start)))
    for segment in range(first, last):
        words = _segment(side, segment)
        learner.rate = _rate_at(updates, done)
        learner.predict_all(side, learner.kept(side, words)[0])
        done += words.size
    return learner.loss, learner.predictions


def plain_train_bitext(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    source: LanguageSide,
    target: LanguageSide,
    links: WordLinks,
    updates: Updates,
    table: Float32Array,
    first: int,
    last: int,
    done: int,
    start: np.uint64,
) -> tuple[float, int]:
    """Return what `train_bitext` does."""
    learner = _Learner(updates, table, RandomBits(int(start)))
    for segment in range(first, last):
        words = _segment(source, segment), _segment(target, segment)
        rate = _rate_at(updates, done)
        source_kept, source_places = learner.kept(source, words[0])
        target_kept, target_places = learner.kept(target, words[1])
        learner.rate = rate
        learner.predict_all(source, source_kept)
        learner.predict_all(target, target_kept)
        learner.rate = rate * updates.beta
        for i, j in _segment_links(links, segment, words[0].size, words[1].size):
            here, there = source_places[i], target_places[j]
            if UNKNOWN not in {here, there}:
                learner.predict(source, source_kept[here], target, target_kept, there)
                learner.predict(target, target_kept[there], source, source_kept, here)
        done += words[0].size + words[1].size
    return learner.loss, learner.predictions


def _segment(side: LanguageSide, segment: int) -> IdArray:
    return side.words[side.offsets[segment] : side.offsets[segment + 1]]


def _segment_links(
    links: WordLinks, segment: int, sources: int, targets: int
) -> list[tuple[int, int]]:
    if not links.offsets.size:
        return list(enumerate(uniform_alignment(sources, targets))) if targets else []
    part = slice(links.offsets[segment], links.offsets[segment + 1])
    return list(zip(links.sources[part].tolist(), links.targets[part].tolist(), strict=True))


def _rate_at(updates: Updates, done: int) -> float:
    return updates.rate - (updates.rate - updates.least_rate) * (done / updates.total)


class _Learner:
    """The plain twin's updates, with one random sequence."""

    def __init__(self, updates: Updates, table: Float32Array, random: RandomBits) -> None:
        self.rate = 0.0
        self.loss = 0.0
        self.predictions = 0
        self._updates = updates
        self._table = table
        self._random = random

    def kept(self, side: LanguageSide, words: IdArray) -> tuple[list[int], list[int]]:
        """Return the words that are kept, and the place of each word of the segment among them."""
        kept: list[int] = []
        places = []
        for word in words.tolist():
            stays = word != UNKNOWN and self._random.draw() >> HALF < side.kept[word]
            places.append(len(kept) if stays else UNKNOWN)
            if stays:
                kept.append(word)
        return kept, places

    def predict_all(self, side: LanguageSide, kept: list[int]) -> None:
        """Predict every word of a segment."""
        for place, word in enumerate(kept):
            self.predict(side, word, side, kept, place)

    def predict(
        self, side: LanguageSide, word: int, other: LanguageSide, kept: list[int], place: int
    ) -> None:
        """Predict a word from the words around a place of its own or of another language."""
        window = 1 + ((self._random.draw() >> HALF) * self._updates.window >> HALF)
        before, after = kept[max(0, place - window) : place], kept[place + 1 : place + window + 1]
        context = before + after
        if self._updates.skipgram:
            for one in context:
                self._update(side, word, other, [one])
        elif context:
            self._update(side, word, other, context)

    def _update(
        self, side: LanguageSide, word: int, other: LanguageSide, context: list[int]
    ) -> None:
        with np.errstate(all="ignore"):
            hidden = np.zeros(side.outputs.shape[1], dtype=np.float32)
            for one in context:
                hidden += other.inputs[one]
            hidden *= np.float32(1 / len(context))
            received = np.zeros_like(hidden)
            self._push(side.outputs[word], hidden, received, 1)
            for _ in range(self._updates.negative):
                drawn = self._negative(side)
                if drawn != word:
                    self._push(side.outputs[drawn], hidden, received, 0)
            for one in context:
                other.inputs[one] += received
        self.predictions += 1

    def _negative(self, side: LanguageSide) -> int:
        bits = self._random.draw()
        place = (bits >> HALF) * len(side.samples) >> HALF
        accepted, alias = side.samples[place].tolist()
        return place if bits & _HALF_MASK < accepted else int(alias)

    def _push(
        self, output: Float32Array, hidden: Float32Array, received: Float32Array, label: int
    ) -> None:
        """Move an output vector towards or away from the context."""
        product = _product(output, hidden)
        sigmoid, loss = self._at(product)
        self.loss += float(loss if label else loss + product)
        scale = (np.float32(label) - sigmoid) * np.float32(self.rate)
        received += scale * output
        output += scale * hidden

    def _at(self, x: np.float32) -> tuple[np.float32, np.float32]:
        place = (x + np.float32(SIGMOID_LIMIT)) * np.float32(SIGMOID_SCALE)
        # Also where it is not a number.
        place = place if place > 0 else np.float32(0)
        place = min(place, np.float32(LAST_STEP))
        step = int(place)
        rest = place - np.float32(step)
        sigmoid, loss = (
            values[step] + rest * (values[step + 1] - values[step]) for values in self._table
        )
        return sigmoid, loss


def _product(one: Float32Array, other: Float32Array) -> np.float32:
    """Return the inner product of two rows, added up in an order that is the same everywhere."""
    lanes = np.zeros(LANES, dtype=np.float32)
    for start in range(0, one.size, LANES):
        lanes += one[start : start + LANES] * other[start : start + LANES]
    while lanes.size > 1:
        half = lanes.size // 2
        lanes = lanes[:half] + lanes[half:]
    total: np.float32 = lanes[0]
    return total
