"""Compiled twin of `tenbin.kernels.alignment.word_matches`.

The left words are hung into chains, one for each word, class or set, so that those of a right word
are looked up. The vectors of the left words are laid out in columns, so that many dot products are
summed up side by side, each in its own order.
"""

import numpy as np

from tenbin.kernels.alignment.match_candidates import Relation
from tenbin.kernels.alignment.word_matches import MOST_OF_DIFFERENT_VECTORS
from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.compiled.jit import jit

_Knowledge = tuple[IdArray, IdArray, IntArray, IdArray, Float32Array]
_Nearness = tuple[np.float32, bool, bool]
_Sets = tuple[IdArray, IntArray]  # of all words, and where those of each begin

_SAME_WORD, _SAME_CLASS = int(Relation.SAME_WORD), int(Relation.SAME_CLASS)
_SHARED_SET, _NEAR_VECTOR = int(Relation.SHARED_SET), int(Relation.NEAR_VECTOR)
_FIRST_CAPACITY = 1 << 12
_END = -1  # of a chain, or nothing in a slot
# Knuth, The Art of Computer Programming 3, 6.4: 2**32 / golden ratio.
_SPREAD = 0x9E3779B9


@jit
def word_matches(
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    stages: IntArray,
    knowledge: _Knowledge,
    nearness: _Nearness,
) -> tuple[IntArray, IdArray, Float32Array]:
    """Return offsets by pair; stage, right and left position, shape (3, matches); similarities."""
    pair_offsets = np.zeros(left.size + 1, dtype=np.int64)
    found = np.empty((3, _FIRST_CAPACITY), dtype=np.int32)
    similarities = np.empty(_FIRST_CAPACITY, dtype=np.float32)
    classes, class_count = _shared_numbers(knowledge[0])
    sets, set_count = _shared_numbers(knowledge[1])
    set_rows = _known_sets(sets, knowledge[2])
    # The first left word of each chain; all chains are empty between pairs.
    words = np.int64(values.max()) + 1 if values.size else 0
    heads = np.full(max(words, class_count, set_count), _END, dtype=np.int32)
    size = 0
    for pair in range(left.size):
        here = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        there = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        stage_count = min(stages.size, 1) if _equal(here, there) else stages.size
        for stage in range(stage_count):
            if size + here.size * there.size > similarities.size:
                found, similarities = _grown(found, similarities, size, here.size * there.size)
            before = size
            relation = stages[stage]
            if relation in (_SAME_WORD, _SAME_CLASS):
                size = _same_key(here, there, relation, classes, heads, found, size)
                similarities[before:size] = np.float32(1.0)
            elif relation == _SHARED_SET:
                size = _shared_set(here, there, set_rows, heads, found, size)
                similarities[before:size] = np.float32(1.0)
            elif relation == _NEAR_VECTOR:
                size = _near_vector(here, there, knowledge, nearness, found, similarities, size)
            found[0, before:size] = stage
        pair_offsets[pair + 1] = size
    return pair_offsets, found[:, :size].copy(), similarities[:size].copy()


@jit
def _shared_numbers(numbers: IdArray) -> tuple[IdArray, int]:
    """Return numbers anew, from 0 on, and how many there are; -1 for those that occur once.

    A class that one word is in, or a set, joins it with no other. Negative numbers give -1 too.
    """
    slot_count = 1
    while slot_count < 2 * numbers.size:
        slot_count *= 2
    slots = np.full(slot_count, _END, dtype=np.int32)  # where a number occurs first
    anew = np.full(numbers.size, -1, dtype=np.int32)
    count = 0
    for place in range(numbers.size):
        if numbers[place] < 0:
            continue
        slot = (np.int64(numbers[place]) * _SPREAD >> 16) & (slot_count - 1)
        while slots[slot] != _END and numbers[slots[slot]] != numbers[place]:
            slot = (slot + 1) & (slot_count - 1)
        first = slots[slot]
        if first == _END:
            slots[slot] = place
            continue
        if anew[first] < 0:
            anew[first] = count
            count += 1
        anew[place] = anew[first]
    return anew, count


@jit
def _known_sets(sets: IdArray, offsets: IntArray) -> _Sets:
    """Return the sets of each word and their offsets, -1 left out."""
    selected = np.empty(sets.size, dtype=np.int32)
    selected_offsets = np.zeros(offsets.size, dtype=np.int64)
    size = 0
    for word in range(offsets.size - 1):
        for place in range(offsets[word], offsets[word + 1]):
            if sets[place] >= 0:
                selected[size] = sets[place]
                size += 1
        selected_offsets[word + 1] = size
    return selected[:size], selected_offsets


@jit
def _equal(here: IdArray, there: IdArray) -> bool:
    """Return whether two rows are the same."""
    if here.size != there.size:
        return False
    place = 0
    while place < here.size and here[place] == there[place]:
        place += 1
    return place == here.size


@jit
def _grown(
    found: IdArray, similarities: Float32Array, size: int, more: int
) -> tuple[IdArray, Float32Array]:
    """Return wider arrays with the same content, with room for so many more matches."""
    capacity = max(2 * similarities.size, size + more)
    wider_found = np.empty((3, capacity), dtype=np.int32)
    wider_found[:, :size] = found[:, :size]
    wider_similarities = np.empty(capacity, dtype=np.float32)
    wider_similarities[:size] = similarities[:size]
    return wider_found, wider_similarities


@jit
def _same_key(
    here: IdArray,
    there: IdArray,
    relation: int,
    classes: IdArray,
    heads: IdArray,
    found: IdArray,
    size: int,
) -> int:
    """Write the matches of equal words, or of other words of a class; return how many there are."""
    by_class = relation == _SAME_CLASS
    following = np.empty(here.size, dtype=np.int32)
    for j in range(here.size - 1, -1, -1):  # backwards: chains begin with the first word
        key = classes[here[j]] if by_class else here[j]
        if key >= 0:
            following[j] = heads[key]
            heads[key] = j
    for i in range(there.size):
        key = classes[there[i]] if by_class else there[i]
        j = heads[key] if key >= 0 else _END
        while j != _END:
            if not by_class or here[j] != there[i]:
                found[1, size], found[2, size] = i, j
                size += 1
            j = following[j]
    for word in here:
        key = classes[word] if by_class else word
        if key >= 0:
            heads[key] = _END
    return size


@jit
def _shared_set(
    here: IdArray,
    there: IdArray,
    sets: _Sets,
    heads: IdArray,
    found: IdArray,
    size: int,
) -> int:
    """Write the matches of other words with a set in common; return how many there are."""
    set_values, set_offsets = sets
    links = _set_chains(here, sets, heads)
    hits = np.zeros(here.size, dtype=np.bool_)
    for i in range(there.size):
        anything = False
        for place in range(set_offsets[there[i]], set_offsets[there[i] + 1]):
            link = heads[set_values[place]]
            while link != _END:
                if here[links[link, 0]] != there[i]:
                    hits[links[link, 0]] = anything = True
                link = links[link, 1]
        if anything:
            for j in np.flatnonzero(hits):
                found[1, size], found[2, size] = i, j
                size += 1
            hits[:] = False
    for word in here:
        for place in range(set_offsets[word], set_offsets[word + 1]):
            heads[set_values[place]] = _END
    return size


@jit
def _set_chains(here: IdArray, sets: _Sets, heads: IdArray) -> IdArray:
    """Write which link each set begins with; return links: left word, next link of the set."""
    set_values, set_offsets = sets
    count = 0
    for word in here:
        count += set_offsets[word + 1] - set_offsets[word]
    links = np.empty((count, 2), dtype=np.int32)
    count = 0
    for j in range(here.size):
        for place in range(set_offsets[here[j]], set_offsets[here[j] + 1]):
            links[count, 0], links[count, 1] = j, heads[set_values[place]]
            heads[set_values[place]] = count
            count += 1
    return links


@jit
def _columns(here: IdArray, knowledge: _Knowledge) -> Float32Array:
    """Return the vectors of words as columns; an unknown word has any."""
    vector_rows, vectors = knowledge[3], knowledge[4]
    columns = np.zeros((vectors.shape[1], here.size), dtype=np.float32)
    for j in range(here.size):
        row = vector_rows[here[j]]
        if row >= 0:
            for dimension in range(vectors.shape[1]):
                columns[dimension, j] = vectors[row, dimension]
    return columns


@jit
def _near_vector(
    here: IdArray,
    there: IdArray,
    knowledge: _Knowledge,
    nearness: _Nearness,
    found: IdArray,
    similarities: Float32Array,
    size: int,
) -> int:
    """Write the matches of words with near vectors, and how near; return how many there are."""
    vector_rows, vectors = knowledge[3], knowledge[4]
    threshold, halved, of_equal_words = nearness
    columns = _columns(here, knowledge)
    similarity = np.empty(here.size, dtype=np.float32)
    for i in range(there.size):
        row = vector_rows[there[i]]
        similarity[:] = np.float32(0.0)
        if row >= 0:
            for dimension in range(vectors.shape[1]):
                factor = vectors[row, dimension]
                for j in range(here.size):
                    similarity[j] += factor * columns[dimension, j]
        for j in range(here.size):
            value = similarity[j]
            other = vector_rows[here[j]]
            hit = row >= 0 and other >= 0
            if value > MOST_OF_DIFFERENT_VECTORS and row != other:
                hit = False
            if halved:
                value = (np.float32(1.0) + value) * np.float32(0.5)
            hit = hit and value >= threshold
            if here[j] == there[i]:
                hit, value = of_equal_words, np.float32(1.0)
            if hit:
                found[1, size], found[2, size] = i, j
                similarities[size] = value
                size += 1
    return size
