"""Learns vectors from numbered texts: passes over blocks of segments, in one thread or several."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from tenbin.building.corpus import Phase
from tenbin.building.vectors.numbered_text import NumberedText, NumberedVocabulary
from tenbin.building.vectors.recipe import Method, VectorTraining
from tenbin.core.arrays import IntArray
from tenbin.core.errors import InputError
from tenbin.formats.vectors.stream import Float32Array
from tenbin.kernels.training.random_bits import stream_start, uniform_numbers
from tenbin.kernels.training.sampling import alias_table, kept_chances, negative_chances
from tenbin.kernels.training.word_prediction import (
    LanguageSide,
    Updates,
    WordLinks,
    no_links,
    padded,
    sigmoid_table,
    train_bitext,
    train_text,
)

LEAST_RATE = 1e-4
"""The learning rate at the end, as a share of that at the start (word2vec, MultiVec)."""
# Words that are trained in one call: a hundredth of a second, after which Ctrl-C is heard.
_BLOCK_WORDS = 10_000
_ALIGNMENT = 64  # bytes, of a line of the processor's cache

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, eq=False)
class LearnedVectors:
    """What was learned.

    Attributes:
        vectors: The vectors of each side, shape (words, dimensions).
        losses: Mean loss of a prediction in each epoch.
    """

    vectors: tuple[Float32Array, ...]
    losses: tuple[float, ...]


class _Block(NamedTuple):
    """Segments that are trained in one call.

    Attributes:
        epoch: The pass over the text.
        number: The place in the text.
        first: The first segment.
        last: The segment after the last one.
        done: Words that come before it in the order of training.
        words: Words of its segments.
    """

    epoch: int
    number: int
    first: int
    last: int
    done: int
    words: int


def learn_vectors(
    texts: Sequence[NumberedText],
    vocabularies: Sequence[NumberedVocabulary],
    training: VectorTraining,
    phase: Phase,
    *,
    links: WordLinks | None = None,
) -> LearnedVectors:
    """Learn the vectors of one language, or of two in one space.

    With one job the result follows from texts and parameters alone, on every machine.

    Args:
        texts: One text, or source and target of a bitext.
        vocabularies: Their words.
        training: The parameters.
        phase: Shows the progress.
        links: Between the words of a bitext; None: words are aligned uniformly.

    Raises:
        InputError: The vectors grew beyond all bounds.
    """
    sides = [
        _side(text, vocabulary, training, number)
        for number, (text, vocabulary) in enumerate(zip(texts, vocabularies, strict=True))
    ]
    ends: IntArray = np.sum([side.offsets for side in sides], axis=0)
    words = int(ends[-1])
    updates = Updates(
        skipgram=training.method is Method.SKIPGRAM,
        window=training.window,
        negative=training.negative,
        rate=training.first_rate,
        least_rate=training.first_rate * LEAST_RATE,
        beta=float(training.beta),
        total=training.epochs * words,
    )
    table = sigmoid_table()
    chosen = no_links() if links is None else links

    def train(block: _Block) -> tuple[float, int]:
        start = stream_start(training.seed, block.epoch, block.number)
        where = {"first": block.first, "last": block.last, "done": block.done, "start": start}
        if len(sides) == 1:
            return train_text(sides[0], updates, table, **where)
        return train_bitext(sides[0], sides[1], chosen, updates, table, **where)

    blocks = _blocks(ends, training)
    losses = np.zeros((training.epochs, 2))
    with phase("training", updates.total) as advance:
        for block, result in zip(blocks, _in_threads(train, blocks, training.jobs), strict=True):
            losses[block.epoch] += result
            if advance is not None:
                advance(block.words)
    vectors = tuple(side.inputs[:, : training.dimensions] for side in sides)
    if not all(np.isfinite(part).all() for part in vectors):
        raise InputError(
            "the numbers of the vectors grew beyond all bounds at "
            f"rate={training.first_rate:g} and beta={training.beta:g}. Give a smaller rate."
        )
    means = losses[:, 0] / np.maximum(losses[:, 1], 1)
    return LearnedVectors(vectors, tuple(round(float(mean), 6) for mean in means))


def _side(
    text: NumberedText, vocabulary: NumberedVocabulary, training: VectorTraining, number: int
) -> LanguageSide:
    count, dimensions = len(vocabulary.words), training.dimensions
    inputs = _aligned_zeros(count, padded(dimensions))
    # As in word2vec: small numbers for the input vectors, and 0 for the output vectors.
    start = stream_start(training.seed, -1, number)
    random = uniform_numbers(start, count * dimensions).reshape(count, dimensions)
    inputs[:, :dimensions] = (random - np.float32(0.5)) / np.float32(dimensions)
    return LanguageSide(
        words=text.numbers(),
        offsets=text.offsets,
        kept=kept_chances(vocabulary.counts, training.sample),
        samples=alias_table(negative_chances(vocabulary.counts)),
        inputs=inputs,
        outputs=_aligned_zeros(count, padded(dimensions)),
    )


def _aligned_zeros(rows: int, columns: int) -> Float32Array:
    """Return zeros whose rows begin where lines of the processor's cache do."""
    spare = _ALIGNMENT // 4
    room = np.zeros(rows * columns + spare, dtype=np.float32)
    skipped = -(room.ctypes.data // 4) % spare
    return room[skipped : skipped + rows * columns].reshape(rows, columns)


def _blocks(ends: IntArray, training: VectorTraining) -> list[_Block]:
    """Return blocks of whole segments, about as long as each other, of all epochs.

    Their order is another one in each epoch: texts are often sorted by origin, and what came last
    would shape the vectors most.
    """
    cuts = np.searchsorted(ends, np.arange(_BLOCK_WORDS, ends[-1], _BLOCK_WORDS))
    bounds = np.unique(np.concatenate([[0], cuts, [ends.size - 1]]))
    words = np.diff(ends[bounds])
    blocks: list[_Block] = []
    done = 0
    for epoch in range(training.epochs):
        drawn = uniform_numbers(stream_start(training.seed, epoch), words.size)
        for number in np.argsort(drawn, kind="stable").tolist():
            first, last = (int(bound) for bound in bounds[number : number + 2])
            blocks.append(_Block(epoch, number, first, last, done, int(words[number])))
            done += int(words[number])
    return blocks


def _in_threads(
    function: Callable[[_Item], _Result], items: Iterable[_Item], jobs: int
) -> Iterator[_Result]:
    """Yield the function's results in the order of the items.

    Threads update the same vectors without waiting for each other (Niu et al. 2011, "Hogwild!"), so
    that with several of them the result is another one each time.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(jobs)
    waiting: deque[Future[_Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
