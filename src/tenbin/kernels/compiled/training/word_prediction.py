"""Compiled twin of `tenbin.kernels.training.word_prediction`.

Inner functions take arrays one by one: taken out of a tuple there, each would be counted as a
reference, which costs as much as the arithmetic.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.compiled.training.rows import add_row, exchange_rows, row_product
from tenbin.kernels.training import random_bits
from tenbin.kernels.training.word_prediction import (
    LAST_STEP,
    SIGMOID_LIMIT,
    SIGMOID_SCALE,
    UNKNOWN,
    LanguageSide,
    Updates,
    WordLinks,
)

_INCREMENT = np.uint64(random_bits.INCREMENT)
_FIRST_FACTOR = np.uint64(random_bits.FIRST_FACTOR)
_SECOND_FACTOR = np.uint64(random_bits.SECOND_FACTOR)
_FIRST_SHIFT, _SECOND_SHIFT, _LAST_SHIFT = map(np.uint64, random_bits.SHIFTS)
_UPPER = np.uint64(random_bits.HALF)
_LOWER = np.uint64((1 << random_bits.HALF) - 1)
_HALF = random_bits.HALF
_LIMIT, _SCALE, _LAST = map(np.float32, (SIGMOID_LIMIT, SIGMOID_SCALE, LAST_STEP))
_ZERO, _ONE = np.float32(0), np.float32(1)

_Random = npt.NDArray[np.uint64]  # one number, the state
# Rows of the room of a prediction: the mean of the context, and what it receives.
_HIDDEN, _RECEIVED = 0, 1
_ACCEPTED, _ALIAS = 0, 1
_SIGMOID, _LOSS = 0, 1


@jit
def train_text(
    side: LanguageSide,
    updates: Updates,
    table: Float32Array,
    first: int,
    last: int,
    done: int,
    start: np.uint64,
) -> tuple[float, int]:
    """Update vectors by some segments; return the sum of the losses and their number."""
    words, offsets, chances, samples, inputs, outputs = side
    random = np.full(1, start, dtype=np.uint64)
    room = np.zeros((2, inputs.shape[1]), dtype=np.float32)
    longest = _longest(offsets, first, last)
    kept, places = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    loss = 0.0
    number = 0
    for segment in range(first, last):
        rate = _rate_at(updates, done)
        begin, end = offsets[segment], offsets[segment + 1]
        count = _keep(words, begin, end, chances, random, kept, places)
        more, new = _predict_all(
            outputs, samples, inputs, kept, count, updates, table, rate, random, room
        )
        loss += more
        number += new
        done += end - begin
    return loss, number


@jit
def train_bitext(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
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
    """Update the vectors of two languages; return the sum of the losses and their number."""
    words, offsets, chances, samples, inputs, outputs = source
    words_2, offsets_2, chances_2, samples_2, inputs_2, outputs_2 = target
    source_links, target_links, link_offsets = links
    random = np.full(1, start, dtype=np.uint64)
    room = np.zeros((2, inputs.shape[1]), dtype=np.float32)
    longest, longest_2 = _longest(offsets, first, last), _longest(offsets_2, first, last)
    kept, places = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    kept_2, places_2 = np.empty(longest_2, dtype=np.int64), np.empty(longest_2, dtype=np.int64)
    loss = 0.0
    number = 0
    for segment in range(first, last):
        rate = _rate_at(updates, done)
        begin, end = offsets[segment], offsets[segment + 1]
        begin_2, end_2 = offsets_2[segment], offsets_2[segment + 1]
        count = _keep(words, begin, end, chances, random, kept, places)
        count_2 = _keep(words_2, begin_2, end_2, chances_2, random, kept_2, places_2)
        more, new = _predict_all(
            outputs, samples, inputs, kept, count, updates, table, rate, random, room
        )
        loss += more
        number += new
        more, new = _predict_all(
            outputs_2, samples_2, inputs_2, kept_2, count_2, updates, table, rate, random, room
        )
        loss += more
        number += new
        rate *= updates.beta
        linked = link_offsets.size > 0
        first_link, last_link = 0, end - begin if end_2 > begin_2 else 0
        if linked:
            first_link, last_link = link_offsets[segment], link_offsets[segment + 1]
        for link in range(first_link, last_link):
            here = places[source_links[link] if linked else link]
            even = link * (end_2 - begin_2) // (end - begin) if not linked else 0
            there = places_2[target_links[link] if linked else even]
            if min(here, there) == UNKNOWN:
                continue
            more, new = _predict(
                outputs,
                samples,
                kept[here],
                inputs_2,
                kept_2,
                count_2,
                there,
                updates,
                table,
                rate,
                random,
                room,
            )
            loss += more
            number += new
            more, new = _predict(
                outputs_2,
                samples_2,
                kept_2[there],
                inputs,
                kept,
                count,
                here,
                updates,
                table,
                rate,
                random,
                room,
            )
            loss += more
            number += new
        done += end - begin + end_2 - begin_2
    return loss, number


@jit
def _longest(offsets: IntArray, first: int, last: int) -> int:
    """Return the number of words of the longest of some segments."""
    longest = 0
    for segment in range(first, last):
        longest = max(longest, offsets[segment + 1] - offsets[segment])
    return longest


@jit
def _rate_at(updates: Updates, done: int) -> float:
    return updates.rate - (updates.rate - updates.least_rate) * (done / updates.total)


@jit
def _draw(random: _Random) -> np.uint64:
    """Return 64 random bits."""
    number = random[0] + _INCREMENT
    random[0] = number
    number = (number ^ (number >> _FIRST_SHIFT)) * _FIRST_FACTOR
    number = (number ^ (number >> _SECOND_SHIFT)) * _SECOND_FACTOR
    bits: np.uint64 = number ^ (number >> _LAST_SHIFT)
    return bits


@jit
def _keep(
    words: IdArray,
    begin: int,
    end: int,
    chances: IntArray,
    random: _Random,
    kept: IntArray,
    places: IntArray,
) -> int:
    """Write the words of a segment that are kept, and the place of each word among them."""
    count = 0
    for position in range(begin, end):
        word = np.int64(words[position])
        places[position - begin] = UNKNOWN
        if word != UNKNOWN and np.int64(_draw(random) >> _UPPER) < chances[word]:
            kept[count] = word
            places[position - begin] = count
            count += 1
    return count


@jit
def _predict_all(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    outputs: Float32Array,
    samples: IntArray,
    inputs: Float32Array,
    kept: IntArray,
    count: int,
    updates: Updates,
    table: Float32Array,
    rate: float,
    random: _Random,
    room: Float32Array,
) -> tuple[float, int]:
    """Predict every kept word of a segment from the others."""
    loss = 0.0
    number = 0
    for place in range(count):
        more, new = _predict(
            outputs,
            samples,
            kept[place],
            inputs,
            kept,
            count,
            place,
            updates,
            table,
            rate,
            random,
            room,
        )
        loss += more
        number += new
    return loss, number


@jit
def _predict(  # noqa: PLR0913, PLR0917 - a kernel takes arrays one by one
    outputs: Float32Array,
    samples: IntArray,
    word: int,
    inputs: Float32Array,
    kept: IntArray,
    count: int,
    place: int,
    updates: Updates,
    table: Float32Array,
    rate: float,
    random: _Random,
    room: Float32Array,
) -> tuple[float, int]:
    """Predict a word from those around a place; return the loss and the number of predictions.

    Args:
        outputs: Output vectors of the language of the word.
        samples: Alias table of that language.
        word: The word.
        inputs: Input vectors of the language of the context.
        kept: Words of the segment that were kept.
        count: Their number.
        place: The place among them that the context surrounds.
        updates: The parameters.
        table: Sigmoid and loss.
        rate: Learning rate.
        random: Random state.
        room: Room for two rows.
    """
    reach: Any = np.int64(_draw(random) >> _UPPER) * updates.window
    window: int = 1 + (reach >> _HALF)
    first, last = max(0, place - window), min(count, place + window + 1)
    size = last - first - 1
    loss = 0.0
    # CBOW has one prediction from all of the context, skip-gram one from each of its words.
    for step in range(size if updates.skipgram else min(size, 1)):
        if updates.skipgram:
            only = first + step if first + step < place else first + step + 1
            begin, end, share = only, only + 1, _ONE
        else:
            begin, end, share = first, last, np.float32(1 / size)
        _gather(inputs, kept, begin, end, place, share, room)
        loss += _push(outputs, word, _ONE, table, rate, room)
        for _ in range(updates.negative):
            drawn = _negative(samples, random)
            if drawn != word:
                loss += _push(outputs, drawn, _ZERO, table, rate, room)
        for one in range(begin, end):
            if one != place:
                add_row(inputs, kept[one], room, _RECEIVED)
    return loss, size if updates.skipgram else min(size, 1)


@jit
def _gather(
    inputs: Float32Array,
    kept: IntArray,
    begin: int,
    end: int,
    left_out: int,
    share: np.float32,
    room: Float32Array,
) -> None:
    """Write the mean of the context, which has received nothing yet."""
    for column in range(room.shape[1]):
        room[_HIDDEN, column] = _ZERO
        room[_RECEIVED, column] = _ZERO
    for one in range(begin, end):
        if one != left_out:
            add_row(room, _HIDDEN, inputs, kept[one])
    for column in range(room.shape[1]):
        room[_HIDDEN, column] *= share


@jit
def _negative(samples: IntArray, random: _Random) -> int:
    """Return a negative sample."""
    bits = _draw(random)
    place = (np.int64(bits >> _UPPER) * samples.shape[0]) >> _HALF
    refused = np.int64(bits & _LOWER) >= samples[place, _ACCEPTED]
    drawn: int = samples[place, _ALIAS] if refused else place
    return drawn


@jit
def _push(
    outputs: Float32Array,
    row: int,
    label: np.float32,
    table: Float32Array,
    rate: float,
    room: Float32Array,
) -> Any:  # noqa: ANN401 - a number of 32 bits
    """Move an output vector towards the context, or away from it; return the loss."""
    product: np.float32 = row_product(outputs, row, room, _HIDDEN)
    place = (product + _LIMIT) * _SCALE
    # Also where it is not a number.
    place = place if place > _ZERO else _ZERO
    place = min(place, _LAST)
    step = np.int64(place)
    rest = place - np.float32(step)
    sigmoid = table[_SIGMOID, step]
    sigmoid += rest * (table[_SIGMOID, step + 1] - sigmoid)
    loss = table[_LOSS, step]
    loss += rest * (table[_LOSS, step + 1] - loss)
    exchange_rows(outputs, row, (label - sigmoid) * np.float32(rate), room)
    return loss if label > _ZERO else loss + product
