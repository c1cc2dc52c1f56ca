"""Numbered words on disk: counted as other corpora are, and removed at the end."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenbin.building.corpus import count_words
from tenbin.building.vectors import numbered_text
from tenbin.building.vectors.numbered_text import NumberedText
from tenbin.core.errors import InputError

SEGMENTS = st.lists(st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=8), min_size=1)


def test_words_that_are_frequent_get_numbers_by_frequency(tmp_path: Path) -> None:
    with NumberedText(tmp_path) as text:
        for segment in (["b", "a", "c"], ["a"], ["b", "a"]):
            text.add(segment)
        vocabulary = text.vocabulary(2)
        assert vocabulary.words == ("a", "b")
        assert vocabulary.counts.tolist() == [3, 2]
        assert (vocabulary.total, vocabulary.known, vocabulary.dropped_up_to) == (6, 5, 0)
        assert text.numbers().tolist() == [1, 0, -1, 0, 1, 0]
        assert text.offsets.tolist() == [0, 3, 4, 6]
        assert type(text.numbers()) is np.ndarray
        assert list(tmp_path.iterdir()) == []


def test_words_with_blanks_have_no_place_in_the_file(tmp_path: Path) -> None:
    with NumberedText(tmp_path) as text:
        text.add(["a b", "a", "\n", "", "a\u00a0b", "a"])
        assert text.vocabulary(1).words == ("a", "a\u00a0b")
        assert text.numbers().tolist() == [-1, 0, -1, -1, 1, 0]


@given(SEGMENTS, st.integers(2, 12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_rare_words_are_dropped_where_there_are_many(
    tmp_path: Path, segments: list[list[str]], most: int
) -> None:
    expected = count_words(segments, most=most)
    with NumberedText(tmp_path, most=most) as text:
        for segment in segments:
            text.add(segment)
        if not expected.counts:
            with pytest.raises(InputError, match="no word occurs"):
                text.vocabulary(1)
            return
        found = text.vocabulary(1)
        assert list(zip(found.words, found.counts.tolist(), strict=True)) == expected.ranked(1)
        assert (found.total, found.dropped_up_to) == (expected.total, expected.dropped_up_to)
        # Where a word has a number, it is that of the word.
        words = [word for segment in segments for word in segment]
        for word, number in zip(words, text.numbers().tolist(), strict=True):
            assert number == -1 or found.words[number] == word


def test_blocks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    segments = [[f"w{n}" for n in rng.integers(0, 50, 7)] for _ in range(300)]
    found = []
    for size in (2**20, 10, 1):
        monkeypatch.setattr(numbered_text, "_BLOCK", size)
        with NumberedText(tmp_path) as text:
            for segment in segments:
                text.add(segment)
            words = text.vocabulary(3).words
            found.append((words, text.numbers().tolist()))
    assert found[0] == found[1] == found[2]
