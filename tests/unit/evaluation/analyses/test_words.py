"""Lengths and frequencies of words."""

import numpy as np
import pytest

from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.errors import MissingExtra
from tenbin.evaluation.analyses import words
from tenbin.evaluation.analyses.words import (
    mean_frequencies,
    word_column,
    word_counts,
    word_tokenizer,
)


def test_punctuation_is_no_word() -> None:
    column = word_column(["The cat, the dog.", "", "...", "one"], "en")
    assert word_counts(column).tolist() == [4, 0, 0, 1]


def test_a_language_that_is_not_known_is_cut_at_blanks() -> None:
    assert word_tokenizer("") == "none"
    assert word_counts(word_column(["eine Katze ,", "x"], "")).tolist() == [2, 1]


def test_characters_stand_in_for_words_where_nothing_finds_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> object:
        if name != "char":
            raise MissingExtra(name, "ja")
        return load_tokenizer(name)

    monkeypatch.setattr(words, "load_tokenizer", missing)
    assert word_tokenizer.__wrapped__("ja") == "char"


def test_frequent_words_have_higher_frequencies() -> None:
    pytest.importorskip("wordfreq")
    column = word_column(["the and of", "sesquipedalian zymurgy", "", "the , ."], "en")
    found = mean_frequencies(column, "en")
    assert found is not None
    assert found[0] > 7
    assert 0 < found[1] < 3
    assert np.isnan(found[2])
    # wordfreq.zipf_frequency("the", "en") is 7.73; punctuation has no say.
    assert found[3] == pytest.approx(7.73, abs=0.01)


@pytest.mark.parametrize("language", ["", "sw", "ja"])
def test_where_frequencies_are_not_known_there_are_none(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str, _language: str) -> object:
        raise MissingExtra("wordfreq", "lexicons")

    monkeypatch.setattr(words, "load_frequencies", missing)
    assert mean_frequencies(word_column(["a b"], ""), language) is None
