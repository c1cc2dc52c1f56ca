"""Chances of words: exact in their tables, and near them when drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.training.random_bits import (
    INCREMENT,
    RandomBits,
    mixed,
    stream_start,
    uniform_numbers,
)
from tenbin.kernels.training.sampling import CERTAIN, alias_table, kept_chances, negative_chances
from tenbin.kernels.training.word_prediction import LanguageSide, Updates, _Learner, sigmoid_table


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=50))
def test_the_alias_table_has_the_chances_of_the_words(counts: list[int]) -> None:
    chances = negative_chances(np.array(counts))
    table = alias_table(chances)
    found = np.zeros(len(counts))
    for place, (accepted, alias) in enumerate(table.tolist()):
        assert 0 <= accepted <= CERTAIN
        found[place] += accepted / CERTAIN
        found[alias] += 1 - accepted / CERTAIN
    np.testing.assert_allclose(found / len(counts), chances, atol=1e-9)


def test_chances_of_words() -> None:
    # By hand: f = 0.9, (sqrt(0.9 / 0.001) + 1) * 0.001 / 0.9.
    kept = kept_chances(np.array([900, 100]), 1e-3) / CERTAIN
    assert kept[0] == pytest.approx((900**0.5 + 1) / 900, rel=1e-6)
    assert kept_chances(np.array([900, 1]), 0).tolist() == [CERTAIN] * 2
    assert kept_chances(np.array([1] * 5000), 1e-3).tolist() == [CERTAIN] * 5000


def test_kept_words_are_those_of_gensim() -> None:
    models = pytest.importorskip("gensim.models")
    counts = {"a": 1000, "b": 200, "c": 30, "d": 5}
    model = models.Word2Vec(min_count=1, sample=1e-2)
    model.build_vocab_from_freq(dict(counts))
    theirs = [model.wv.get_vecattr(word, "sample_int") for word in counts]
    ours = kept_chances(np.array(list(counts.values())), 1e-2)
    np.testing.assert_allclose(np.minimum(ours, 2**32 - 1), theirs, atol=2)


def test_negative_samples_are_those_of_gensim() -> None:
    models = pytest.importorskip("gensim.models")
    counts = {"a": 1000, "b": 200, "c": 30, "d": 5}
    model = models.Word2Vec(min_count=1)
    model.build_vocab_from_freq(dict(counts))
    theirs = np.diff(model.cum_table, prepend=0) / model.cum_table[-1]
    np.testing.assert_allclose(negative_chances(np.array(list(counts.values()))), theirs, atol=1e-8)


def test_drawn_words_have_their_chances() -> None:
    chances = np.array([0.5, 0.3, 0.15, 0.05])
    samples = alias_table(chances)
    nothing = np.zeros((4, 16), dtype=np.float32)
    empty = np.zeros(0, dtype=np.int64)
    text = LanguageSide(empty.astype(np.int32), empty, empty, samples, nothing, nothing)
    updates = Updates(
        skipgram=False, window=1, negative=1, rate=0.05, least_rate=0, beta=1, total=1
    )
    learner = _Learner(updates, sigmoid_table(), RandomBits(5))
    drawn = np.bincount([learner._negative(text) for _ in range(40_000)], minlength=4) / 40_000
    np.testing.assert_allclose(drawn, chances, atol=0.01)


def test_random_bits_are_those_of_the_published_generator() -> None:
    # Of the reference program splitmix64.c (Vigna 2015), seed 1234567.
    random = RandomBits(1234567)
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [random.draw() for _ in range(5)] == expected


@given(st.integers(0, 2**64 - 1))
def test_all_at_once_or_one_by_one(start: int) -> None:
    random = RandomBits(start)
    expected = [(random.draw() >> 40) / 2**24 for _ in range(20)]
    assert uniform_numbers(start, 20).tolist() == expected


def test_sequences_differ() -> None:
    starts = {
        stream_start(seed, epoch, block)
        for seed in range(5)
        for epoch in range(-1, 5)
        for block in range(100)
    }
    assert len(starts) == 5 * 6 * 100
    assert mixed(INCREMENT) != mixed(0)
