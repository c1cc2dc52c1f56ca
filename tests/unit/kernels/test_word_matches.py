"""Word matches: both twins, and cases worked out by hand."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.alignment.match_candidates import MatchCandidates, Relation
from tenbin.kernels.alignment.word_matches import Nearness, WordKnowledge, word_matches
from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import KernelChoice

Rows = list[list[int]]

WORDS = 6
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])
same_word, same_class = Relation.SAME_WORD, Relation.SAME_CLASS
shared_set, near_vector = Relation.SHARED_SET, Relation.NEAR_VECTOR

pools = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=7), min_size=1, max_size=5)
stage_lists = st.lists(st.sampled_from(list(Relation)), max_size=4)
nearnesses = st.builds(
    Nearness,
    threshold=st.floats(-1, 1),
    halved=st.booleans(),
    of_equal_words=st.booleans(),
)


def ragged(rows: Sequence[Sequence[int]]) -> tuple[IdArray, IntArray]:
    values = np.array([value for row in rows for value in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, rows)], dtype=np.int64)


@st.composite
def knowledges(draw: st.DrawFn) -> WordKnowledge:
    sets = [sorted(draw(st.sets(st.integers(0, 5)))) for _ in range(WORDS)]
    set_values, set_offsets = ragged(sets)
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    vectors = rng.normal(size=(4, draw(st.integers(1, 70)))).astype(np.float32)
    numbers = st.lists(st.integers(-1, 3), min_size=WORDS, max_size=WORDS)
    return WordKnowledge(
        classes=np.array(draw(numbers), dtype=np.int32),
        set_values=set_values,
        set_offsets=set_offsets,
        vector_rows=np.array(draw(numbers), dtype=np.int32),
        vectors=vectors / np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32),
    )


def found(
    choice: KernelChoice,
    rows: Rows,
    stages: Sequence[Relation],
    knowledge: WordKnowledge | None = None,
    nearness: Nearness | None = None,
) -> MatchCandidates:
    """Return the matches of every row with every row."""
    numbers = np.array(list(product(range(len(rows)), repeat=2)), dtype=np.int64)
    left, right = numbers.reshape(-1, 2).T.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return word_matches(
            *ragged(rows),
            left,
            right,
            stages=stages,
            knowledge=knowledge or WordKnowledge(),
            nearness=nearness or Nearness(),
        )


def listed(candidates: MatchCandidates, pair: int) -> list[tuple[int, int, int]]:
    """Return stage, right and left position of the matches of a pair."""
    part = slice(*candidates.offsets[pair : pair + 2])
    columns = (candidates.stages, candidates.right_starts, candidates.left_starts)
    return list(zip(*(column[part].tolist() for column in columns), strict=True))


def assert_same(plain: MatchCandidates, compiled: MatchCandidates) -> None:
    for name in MatchCandidates.__dataclass_fields__:
        first, second = getattr(plain, name), getattr(compiled, name)
        assert first.dtype == second.dtype
        assert first.tolist() == second.tolist()


@given(rows=pools, stages=stage_lists, knowledge=knowledges(), nearness=nearnesses)
def test_twins_agree(
    rows: Rows, stages: list[Relation], knowledge: WordKnowledge, nearness: Nearness
) -> None:
    pytest.importorskip("numba")
    plain = found(KernelChoice.PLAIN, rows, stages, knowledge, nearness)
    assert_same(plain, found(KernelChoice.COMPILED, rows, stages, knowledge, nearness))


def test_twins_agree_when_the_table_grows() -> None:
    pytest.importorskip("numba")
    rows = [[0] * 90, [1, 0] * 40, [0]]
    stages = [same_word, same_class]
    knowledge = WordKnowledge(classes=np.zeros(2, dtype=np.int32))
    plain = found(KernelChoice.PLAIN, rows, stages, knowledge)
    assert len(plain) > 10_000
    assert_same(plain, found(KernelChoice.COMPILED, rows, stages, knowledge))


@twins
def test_numbers_of_classes_and_sets_may_lie_far_apart(choice: KernelChoice) -> None:
    # Words 0 and 1 share a class and a set; 2 and 3 are alone in theirs.
    far = np.iinfo(np.int32).max
    set_values, set_offsets = ragged([[7, far], [far], [far - 1], [0]])
    knowledge = WordKnowledge(
        classes=np.array([far, far, 5, -1], dtype=np.int32),
        set_values=set_values,
        set_offsets=set_offsets,
    )
    matches = found(choice, [[0, 2, 3], [3, 1, 2]], [same_class, shared_set], knowledge)
    assert listed(matches, 1) == [(0, 1, 0), (1, 1, 0)]


@twins
def test_matches_come_by_stage_then_right_then_left_position(choice: KernelChoice) -> None:
    knowledge = WordKnowledge(classes=np.array([7, 7, 8], dtype=np.int32))
    matches = found(choice, [[0, 1, 0], [2, 1, 0]], [same_word, same_class], knowledge)
    assert listed(matches, 1) == [(0, 1, 1), (0, 2, 0), (0, 2, 2), (1, 1, 0), (1, 1, 2), (1, 2, 1)]
    assert matches.right_lengths.tolist() == matches.left_lengths.tolist() == [1] * len(matches)
    assert matches.values.tolist() == [1.0] * len(matches)


@twins
def test_equal_rows_have_the_first_stage_only(choice: KernelChoice) -> None:
    knowledge = WordKnowledge(classes=np.zeros(2, dtype=np.int32))
    matches = found(choice, [[0, 1]], [same_class, same_word], knowledge)
    assert listed(matches, 0) == [(0, 0, 1), (0, 1, 0)]
    assert len(found(choice, [[0, 1]], [Relation.PHRASE, same_word])) == 0


@twins
def test_words_without_a_class_match_nothing(choice: KernelChoice) -> None:
    knowledge = WordKnowledge(classes=np.full(2, -1, dtype=np.int32))
    assert len(found(choice, [[0], [1]], [same_class], knowledge)) == 0


@twins
def test_one_common_set_is_enough(choice: KernelChoice) -> None:
    set_values, set_offsets = ragged([[3, 900_000_001], [], [5, 900_000_001], [4]])
    knowledge = WordKnowledge(set_values=set_values, set_offsets=set_offsets)
    matches = found(choice, [[0, 1], [2, 3, 1, 0]], [shared_set], knowledge)
    assert listed(matches, 1) == [(0, 0, 0)]


@twins
@pytest.mark.parametrize(
    ("nearness", "near"),
    [
        (Nearness(threshold=0.8), [(0, 1, 0.8)]),
        (Nearness(threshold=0.801), []),
        (Nearness(threshold=0.6, halved=False), [(0, 1, 0.6)]),
        (Nearness(threshold=0.9, of_equal_words=True), [(0, 0, 1.0), (3, 3, 1.0)]),
    ],
)
def test_vectors(
    nearness: Nearness, near: list[tuple[int, int, float]], choice: KernelChoice
) -> None:
    # Words 0 and 1 have a cosine of 0.6, word 2 is opposite to 0, word 3 is unknown.
    knowledge = WordKnowledge(
        vector_rows=np.array([0, 1, 2, -1], dtype=np.int32),
        vectors=np.array([[1, 0], [0.6, 0.8], [-1, 0]], dtype=np.float32),
    )
    matches = found(choice, [[0, 3], [0, 1, 2, 3]], [near_vector], knowledge, nearness)
    words = [(0, 3), (0, 1, 2, 3)]
    part = slice(*matches.offsets[1:3])
    pairs = [(words[0][j], words[1][i]) for _, i, j in listed(matches, 1)]
    values = matches.values[part].tolist()
    assert pairs == [match[:2] for match in near]
    assert values == pytest.approx([match[2] for match in near])


@pytest.mark.parametrize("relation", [same_class, shared_set, near_vector])
def test_missing_knowledge_is_an_error(relation: Relation) -> None:
    with pytest.raises(ValueError, match=relation.name):
        found(KernelChoice.PLAIN, [[0, 1]], [same_word, relation])


@twins
def test_no_pairs_and_empty_rows(choice: KernelChoice) -> None:
    matches = found(choice, [[], [0]], [same_word])
    assert matches.offsets.tolist() == [0, 0, 0, 0, 1]
    nothing = found(choice, [], [same_word])
    assert nothing.offsets.tolist() == [0]


@twins
def test_rows_with_one_vector_are_not_near_but_words_of_one_row_are(choice: KernelChoice) -> None:
    vectors = np.array([[0.6, 0.8], [0.6, 0.8], [0.8, 0.6]], dtype=np.float32)
    # Words 0 and 1 share a vector by accident, words 2 and 3 are forms of one entry.
    knowledge = WordKnowledge(vector_rows=np.array([0, 1, 2, 2], np.int32), vectors=vectors)
    nearness = Nearness(threshold=0.9, halved=False)
    together = found(choice, [[0], [1]], [near_vector], knowledge, nearness)
    assert not together.values.size
    forms = found(choice, [[2], [3]], [near_vector], knowledge, nearness)
    assert forms.values.tolist() == pytest.approx([1.0, 1.0]), "either way round"
