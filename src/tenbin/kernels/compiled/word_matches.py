"""Compiled twin of `tenbin.kernels.word_matches`.

All left words are compared with one right word at a time. The sets of the left words are hung into
short chains, so that those of the right word are looked up; the vectors of the left words are laid
out in columns, so that many dot products are summed up side by side, each in its own order.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit
from tenbin.kernels.match_candidates import Float32Array, Relation

_Knowledge = tuple[IdArray, IdArray, IntArray, IdArray, Float32Array]
_Nearness = tuple[np.float32, bool, bool]
_Chains = tuple[IdArray, IdArray]
_BoolArray = npt.NDArray[np.bool_]

_SAME_WORD, _SAME_CLASS = int(Relation.SAME_WORD), int(Relation.SAME_CLASS)
_SHARED_SET, _NEAR_VECTOR = int(Relation.SHARED_SET), int(Relation.NEAR_VECTOR)
_FIRST_CAPACITY = 1 << 12
_CHAINS = 1 << 10
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
    size = 0
    for pair in range(left.size):
        here = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        there = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        stage_count = min(stages.size, 1) if np.array_equal(here, there) else stages.size
        for stage in range(stage_count):
            if size + here.size * there.size > similarities.size:
                found, similarities = _grown(found, similarities, size, here.size * there.size)
            before = size
            size = _stage_matches(
                here, there, stages[stage], knowledge, nearness, found, similarities, size
            )
            found[0, before:size] = stage
        pair_offsets[pair + 1] = size
    return pair_offsets, found[:, :size].copy(), similarities[:size].copy()


@jit
def _stage_matches(
    here: IdArray,
    there: IdArray,
    relation: int,
    knowledge: _Knowledge,
    nearness: _Nearness,
    found: IdArray,
    similarities: Float32Array,
    size: int,
) -> int:
    """Write the matches of one stage; return the number of matches found so far."""
    hits = np.zeros(here.size, dtype=np.bool_)
    similarity = np.ones(here.size, dtype=np.float32)
    chains = np.empty(0, dtype=np.int32), np.empty((0, 3), dtype=np.int32)
    columns = np.empty((0, 0), dtype=np.float32)
    if relation == _SHARED_SET:
        chains = _set_chains(here, knowledge)
    elif relation == _NEAR_VECTOR:
        columns = _columns(here, knowledge)
    for i in range(there.size):
        if relation == _SAME_WORD:
            _same_word(here, there[i], hits)
        elif relation == _SAME_CLASS:
            _same_class(here, there[i], knowledge[0], hits)
        elif relation == _SHARED_SET:
            _shared_set(here, there[i], knowledge, chains, hits)
        elif relation == _NEAR_VECTOR:
            _near_vector(here, there[i], knowledge, columns, nearness, hits, similarity)
        for j in range(here.size):
            if hits[j]:
                found[1, size], found[2, size] = i, j
                similarities[size] = similarity[j]
                size += 1
    return size


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
def _same_word(here: IdArray, word: int, hits: _BoolArray) -> None:
    """Mark the words equal to one."""
    for j in range(here.size):
        hits[j] = here[j] == word


@jit
def _same_class(here: IdArray, word: int, classes: IdArray, hits: _BoolArray) -> None:
    """Mark the other words of the class of one."""
    wanted = classes[word]
    for j in range(here.size):
        hits[j] = wanted >= 0 and classes[here[j]] == wanted and here[j] != word


@jit
def _set_chains(here: IdArray, knowledge: _Knowledge) -> _Chains:
    """Return the sets of words in chains: first of each chain; set, position and next of each."""
    set_values, set_offsets = knowledge[1], knowledge[2]
    size = 0
    for word in here:
        size += set_offsets[word + 1] - set_offsets[word]
    heads = np.full(_CHAINS, -1, dtype=np.int32)
    links = np.empty((size, 3), dtype=np.int32)
    size = 0
    for j in range(here.size):
        for place in range(set_offsets[here[j]], set_offsets[here[j] + 1]):
            chain = _chain(set_values[place])
            links[size, 0], links[size, 1], links[size, 2] = set_values[place], j, heads[chain]
            heads[chain] = size
            size += 1
    return heads, links


@jit
def _chain(value: int) -> int:
    """Return the chain of a set."""
    return int(((np.int64(value) * _SPREAD) >> 16) & (_CHAINS - 1))


@jit
def _shared_set(
    here: IdArray, word: int, knowledge: _Knowledge, chains: _Chains, hits: _BoolArray
) -> None:
    """Mark the other words that have a set in common with one."""
    set_values, set_offsets = knowledge[1], knowledge[2]
    heads, links = chains
    hits[:] = False
    for place in range(set_offsets[word], set_offsets[word + 1]):
        value = set_values[place]
        link = heads[_chain(value)]
        while link >= 0:
            if links[link, 0] == value and here[links[link, 1]] != word:
                hits[links[link, 1]] = True
            link = links[link, 2]


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
    word: int,
    knowledge: _Knowledge,
    columns: Float32Array,
    nearness: _Nearness,
    hits: _BoolArray,
    similarity: Float32Array,
) -> None:
    """Mark the words whose vector is near that of one, and say how near."""
    vector_rows, vectors = knowledge[3], knowledge[4]
    threshold, halved, of_equal_words = nearness
    row = vector_rows[word]
    similarity[:] = np.float32(0.0)
    if row >= 0:
        for dimension in range(vectors.shape[1]):
            factor = vectors[row, dimension]
            for j in range(here.size):
                similarity[j] += factor * columns[dimension, j]
    for j in range(here.size):
        if here[j] == word:
            hits[j] = of_equal_words
            similarity[j] = np.float32(1.0)
            continue
        if halved:
            similarity[j] = (np.float32(1.0) + similarity[j]) * np.float32(0.5)
        hits[j] = row >= 0 and vector_rows[here[j]] >= 0 and similarity[j] >= threshold
