"""Candidate matches between the words of pairs of rows, by what is known of each word.

The word stages of METEOR (Denkowski and Lavie, 2014, "Meteor Universal"), which are equal words,
equal stems and shared synonym sets, and of its extension by word vectors (Servan, Berard, Elloumi,
Blanchon and Besacier, 2016, "Word2Vec vs DBnary").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tenbin.kernels.alignment.match_candidates import MatchCandidates, Relation
from tenbin.kernels.arrays import Float32Array, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# A larger cosine of vectors in 32 bits is that of a vector with itself.
MOST_OF_DIFFERENT_VECTORS = np.float32(1 - 2**-16)

# Comparisons of two words, summed over stages, that the plain twin makes in half a second.
_WORTH_COMPILING = 500_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordKnowledge:
    """What is known of each word id of a vocabulary; what no stage asks for may be left out.

    Attributes:
        classes: Class of each word, such as its stem; -1: none, it matches nothing.
        set_values: Sets of all words, such as synonym sets, in increasing order within a word.
        set_offsets: Word w is in the sets ``set_values[set_offsets[w] : set_offsets[w + 1]]``.
        vector_rows: Row of each word in ``vectors``; -1: unknown, it is near no other word. Words
            of one row are as near as can be.
        vectors: Vectors of length 1, shape (rows, dimensions). Two rows with one vector are not
            near: they stem from a table that gives one vector to many words, and it says nothing.
    """

    classes: IdArray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    set_values: IdArray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    set_offsets: IntArray = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    vector_rows: IdArray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    vectors: Float32Array = field(default_factory=lambda: np.empty((0, 1), dtype=np.float32))

    def covers(self, relation: Relation, words: int) -> bool:
        """Return whether this holds what a relation asks of that many words."""
        sizes = {
            Relation.SAME_CLASS: self.classes.size,
            Relation.SHARED_SET: self.set_offsets.size - 1,
            Relation.NEAR_VECTOR: self.vector_rows.size,
        }
        return sizes.get(relation, words) >= words


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """When two word vectors are near.

    Attributes:
        threshold: Least similarity, compared in 32 bits.
        halved: Whether the similarity is (1 + cosine) / 2, as in METEOR Vector, or the cosine.
        of_equal_words: Whether a word is also near itself (value 1, known or not), as in the
            released program. Every word that is equal then has two candidates.
    """

    threshold: float = 0.8
    halved: bool = True
    of_equal_words: bool = False


def word_matches(
    values: IdArray,
    offsets: IntArray,
    left: IntArray,
    right: IntArray,
    *,
    stages: Sequence[Relation],
    knowledge: WordKnowledge,
    nearness: Nearness = Nearness(),  # noqa: B008 - frozen
) -> MatchCandidates:
    """Return the candidate word matches of each pair: by stage, then right, then left position.

    A word matches an equal word in the stage ``SAME_WORD`` only (see `Nearness` for the exception);
    the other stages join different words: of the same class, with a set in common, or with near
    vectors. Pairs of equal rows have candidates of the first stage only. A stage ``PHRASE`` holds
    its place in the list and finds nothing here.

    The dot product of two vectors is summed up dimension by dimension in 32 bits, as METEOR Vector
    does.

    Args:
        values: Word ids of all rows, from 0; equal ids mean equal words.
        offsets: Row r is ``values[offsets[r] : offsets[r + 1]]``.
        left: Hypothesis row of each pair.
        right: Reference row of each pair.
        stages: What each stage looks for.
        knowledge: What is known of the words.
        nearness: What the stage ``NEAR_VECTOR`` accepts.

    Raises:
        ValueError: If a stage asks for knowledge that is not there.

    Example:
        >>> rows, bounds = np.array([0, 1, 2, 0], dtype=np.int32), np.array([0, 2, 4])
        >>> stems = WordKnowledge(classes=np.array([5, 6, 6], dtype=np.int32))
        >>> found = word_matches(
        ...     rows, bounds, np.array([0]), np.array([1]),
        ...     stages=[Relation.SAME_WORD, Relation.SAME_CLASS], knowledge=stems,
        ... )
        >>> found.stages.tolist(), found.right_starts.tolist(), found.left_starts.tolist()
        ([0, 1], [1, 0], [0, 1])
    """
    words = int(values.max(initial=-1)) + 1
    for relation in stages:
        if not knowledge.covers(relation, words):
            raise ValueError(f"stage {relation.name}: nothing is known of some of {words} words")
    lengths = np.diff(offsets)
    work = int(lengths[left] @ lengths[right]) * len(stages)
    if compiled := compiled_twin("alignment.word_matches", work=work, threshold=_WORTH_COMPILING):
        pair_offsets, found, similarities = compiled.word_matches(
            values,
            offsets,
            left,
            right,
            np.array(stages, dtype=np.int64),
            (
                knowledge.classes,
                knowledge.set_values,
                knowledge.set_offsets,
                knowledge.vector_rows,
                knowledge.vectors,
            ),
            (np.float32(nearness.threshold), nearness.halved, nearness.of_equal_words),
        )
    else:
        search = _Search(list(stages), knowledge, nearness)
        pair_offsets, found, similarities = _plain_word_matches(
            values, offsets, left, right, search
        )
    ones = np.ones(similarities.size, dtype=np.int32)
    return MatchCandidates(
        offsets=pair_offsets,
        stages=found[0],
        right_starts=found[1],
        right_lengths=ones,
        left_starts=found[2],
        left_lengths=ones,
        values=similarities,
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """What the plain twin looks for."""

    stages: list[Relation]
    knowledge: WordKnowledge
    nearness: Nearness

    def matches(self, left: list[int], right: list[int]) -> Iterator[tuple[int, int, int, float]]:
        """Yield stage, right position, left position and value of each match of two rows."""
        for stage, relation in enumerate(self.stages):
            if stage > 0 and left == right:
                return
            for i, there in enumerate(right):
                for j, here in enumerate(left):
                    similarity = self.similarity(relation, here, there)
                    if similarity is not None:
                        yield stage, i, j, similarity

    def similarity(self, relation: Relation, here: int, there: int) -> float | None:
        """Return how alike two words are, or None if they do not match."""
        if relation is Relation.NEAR_VECTOR:
            return self.vector_similarity(here, there)
        known = self.knowledge
        matching = False
        if relation is Relation.SAME_WORD:
            matching = here == there
        elif here != there and relation is Relation.SAME_CLASS:
            matching = bool(known.classes[here] == known.classes[there] >= 0)
        elif here != there and relation is Relation.SHARED_SET:
            matching = not self.sets(here).isdisjoint(self.sets(there))
        return 1.0 if matching else None

    def sets(self, word: int) -> set[int]:
        """Return the sets of a word."""
        start, stop = self.knowledge.set_offsets[word : word + 2]
        return set(self.knowledge.set_values[start:stop].tolist())

    def vector_similarity(self, here: int, there: int) -> float | None:
        """Return the similarity of the vectors of two words, None if they are not near."""
        if here == there:
            return 1.0 if self.nearness.of_equal_words else None
        rows = self.knowledge.vector_rows[[here, there]]
        if rows.min() < 0:
            return None
        first, second = self.knowledge.vectors[rows]
        similarity = np.cumsum(first * second, dtype=np.float32)[-1]  # one by one, in order
        if similarity > MOST_OF_DIFFERENT_VECTORS and rows[0] != rows[1]:
            return None
        if self.nearness.halved:
            similarity = (np.float32(1) + similarity) * np.float32(0.5)
        return float(similarity) if similarity >= np.float32(self.nearness.threshold) else None


def _plain_word_matches(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray, search: _Search
) -> tuple[IntArray, IdArray, Float32Array]:
    tokens = values.tolist()
    matches: list[tuple[int, int, int, float]] = []
    pair_offsets = [0]
    for here, there in zip(left.tolist(), right.tolist(), strict=True):
        left_row = tokens[offsets[here] : offsets[here + 1]]
        right_row = tokens[offsets[there] : offsets[there + 1]]
        matches.extend(search.matches(left_row, right_row))
        pair_offsets.append(len(matches))
    return (
        np.array(pair_offsets, dtype=np.int64),
        np.array([match[:3] for match in matches], dtype=np.int32).reshape(-1, 3).T.copy(),
        np.array([match[3] for match in matches], dtype=np.float32),
    )
