"""Document frequencies: the idf, the boundary of rare tokens, dictionaries from wordfreq."""

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.idf_file import write_idf_file
from tenbin.resources.token_frequencies import (
    WORDFREQ_DOCUMENTS,
    WORDFREQ_LENGTH,
    TokenFrequencies,
    expected_documents,
    load_token_frequencies,
    threshold_of,
)

IDENTITY = ResourceIdentity("toy", ResourceKind.FREQUENCIES, "1", "en", "CC0-1.0", "0" * 64)


def test_the_idf_of_bertscore() -> None:
    toy = TokenFrequencies(IDENTITY, 9, {"the": 9, "cat": 4, "mat": 1})
    assert toy.idfs(["the", "cat", "mat", "dog"]).tolist() == [0.0, log(2), log(5), log(10)]


def test_the_boundary_is_the_token_at_seventy_percent() -> None:
    toy = TokenFrequencies(IDENTITY, 99, {f"t{count}": count for count in range(1, 11)})
    # Ascending by idf: t10, t9 … t1; the seventh of ten is t4.
    assert toy.threshold == (log(100 / 5), False)
    assert toy.rare(["t10", "t5", "t4", "t3", "t1", "new"]).tolist() == [False] * 3 + [True] * 3
    assert toy.notes() == []


def test_a_rank_that_is_not_whole_is_rounded_up() -> None:
    # ceil(0.7 * 4) = 3, ceil(0.7 * 1) = 1.
    assert threshold_of(99, np.array([40.0, 30, 20, 10])).idf == log(100 / 21)
    assert threshold_of(99, np.array([40.0])) == (log(100 / 41), True)


def test_more_than_thirty_percent_hapaxes_are_all_rare() -> None:
    counts = dict.fromkeys("abcd", 5) | dict.fromkeys("wxyz", 1)
    toy = TokenFrequencies(IDENTITY, 5, counts)
    assert toy.threshold == (log(6 / 2), True)
    assert toy.rare(["a", "w", "new"]).tolist() == [False, True, True]
    assert "more than 30% of its tokens have the highest idf" in toy.notes()[0]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=60))
def test_unknown_tokens_are_always_rare_and_common_ones_never(counts: list[int]) -> None:
    toy = TokenFrequencies(IDENTITY, 20, {f"t{n}": count for n, count in enumerate(counts)})
    assert toy.rare(["new"]).all()
    rare = int(toy.rare(list(toy.counts)).sum())
    if toy.threshold.inclusive:
        assert rare == Counter(counts)[min(counts)]
    else:
        assert rare <= 0.3 * len(counts) + 1e-9


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "news.idf"
    facts = {"tokenizer": "13a", "language": "en", "lowercase": True}
    sha256 = write_idf_file(str(path), 3, [("the", 3), ("cat", 1)], facts)
    read = load_token_frequencies(str(path), "en")
    assert read.identity.signature_entry == ("news.idf", sha256[:16])
    assert (read.tokenizer, read.count("The"), read.count("dog")) == ("13a", 3, 0)
    assert load_token_frequencies(str(path), "en") is read
    write_idf_file(str(path), 4, [("the", 4)], facts)
    assert load_token_frequencies(str(path), "en").documents == 4
    with pytest.raises(UnreadableFile, match="there is no such file"):
        load_token_frequencies(str(tmp_path / "none.idf"), "en")


def test_expected_documents() -> None:
    assert expected_documents(0.0) == 0
    assert expected_documents(1 / 2, documents=100, length=1) == pytest.approx(50)
    assert expected_documents(1 / 2, documents=100, length=2) == pytest.approx(75)
    # A rare word stands in about as many documents as it occurs.
    rare = 1e-8 * WORDFREQ_DOCUMENTS * WORDFREQ_LENGTH
    assert expected_documents(1e-8) == pytest.approx(rare, rel=1e-6)


def test_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    english = load_token_frequencies("wordfreq", "en")
    idfs = english.idfs(["the", "The", "mountain", "xylophone", "qwrtz"])
    assert idfs[0] == idfs[1] < idfs[2] < idfs[3] < idfs[4] == log(WORDFREQ_DOCUMENTS + 1)
    # A year is listed nowhere, and rarer than a number of four digits.
    assert 0 < english.count("1984") < english.count("0000")
    assert english.rare(["the", "mountain", "qwrtz"]).tolist() == [False, False, True]
    assert not english.threshold.inclusive
    assert english.identity.name == "wordfreq-en"
    japanese = load_token_frequencies("wordfreq", "ja")
    assert japanese.idf("の") < japanese.idf("環境") < japanese.idf("齊藤")
    with pytest.raises(UsageError, match="wordfreq has no word frequencies of 'sw'"):
        load_token_frequencies("wordfreq", "sw")


def test_pieces_of_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    letters = load_token_frequencies("wordfreq", "en", pieces=list)
    whole = load_token_frequencies("wordfreq", "en")
    # 'e' is in more words than 'z', and each of them in more than any one word with it.
    assert letters.count("e") > letters.count("z") > whole.count("zero")
    assert letters.count("e") < WORDFREQ_DOCUMENTS + 1
