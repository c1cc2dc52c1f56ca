"""Word frequencies and document frequencies: lists, files, damaged files."""

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbin
from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.idf_file import write_idf_file
from tenbin.resources.frequencies import (
    WORDFREQ,
    WORDFREQ_DOCUMENTS,
    WORDFREQ_LENGTH,
    TokenFrequencies,
    expected_documents,
    load_frequencies,
    load_token_frequencies,
    threshold_of,
)

TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")
IDENTITY = ResourceIdentity("toy", ResourceKind.FREQUENCIES, "1", "en", "CC0-1.0", "0" * 64)


def test_wordfreq_knows_common_words_and_floors_the_others() -> None:
    pytest.importorskip("wordfreq")
    found = load_frequencies(WORDFREQ, "en")
    the, upper, dog, nothing = found.shares(["the", "The", "dog", "qqqzzzqqq"])
    assert the == upper > dog > nothing == found.least > 0
    year, other_year, stop = found.shares(["2014", "1987", "."])
    assert year == other_year > nothing
    assert stop == found.most >= the
    assert found.identity.kind is ResourceKind.FREQUENCIES
    assert found.identity.name == "wordfreq-en"
    assert len(found.identity.fingerprint) == 64


def test_wordfreq_must_have_the_language() -> None:
    pytest.importorskip("wordfreq")
    with pytest.raises(UsageError, match="no word frequencies for 'sw'"):
        load_frequencies(WORDFREQ, "sw")


def test_a_file_of_counts(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("the\t6\ncat\t3\nNew York\t1\n", encoding="utf-8")
    found = load_frequencies(str(path), "en")
    words = ["the", "Cat", "New York", "dog", ".", "000"]
    assert found.shares(words).tolist() == [0.6, 0.3, 0.1, 0.1, 0.6, 0.1]
    assert found.identity.name == "counts.tsv"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("the 6\n", "no count"),
        ("the\tmany\n", "no count"),
        ("the\t0\n", "above 0"),
        ("\t3\n", "above 0"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("a\t1\n" + text, encoding="utf-8")
    with pytest.raises(MalformedLine, match=f"line 2: .*{problem}"):
        load_frequencies(str(path), "en")


def test_there_must_be_a_file() -> None:
    with pytest.raises(UnreadableFile, match="nowhere"):
        load_frequencies("nowhere.tsv", "en")


def test_weights_of_a_metric_come_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("the\t600\nsat\t300\ncat\t1\nmat\t1\n", encoding="utf-8")
    hypothesis, references = ["the mat sat"], ["the cat sat"]

    def score(idf: str) -> float:
        spec = f"we_wpi(vectors={TOY!r}, idf={idf!r})"
        return tenbin.load_metric(spec, language="en").score(hypothesis, references).score

    # The words that differ are rare, so they weigh more than in a test set of one segment.
    assert score(str(path)) < score("references")
    signature = tenbin.load_metric(
        f"we_wpi(vectors={TOY!r}, idf={str(path)!r})", language="en"
    ).signature
    assert [name for name, _ in signature.resources] == ["toy.vec", "counts.tsv"]


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
    with pytest.raises(UsageError, match="wordfreq has no word frequencies for 'sw'"):
        load_token_frequencies("wordfreq", "sw")


def test_pieces_of_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    letters = load_token_frequencies("wordfreq", "en", subwords=list)
    whole = load_token_frequencies("wordfreq", "en")
    # 'e' is in more words than 'z', and each of them in more than any one word with it.
    assert letters.count("e") > letters.count("z") > whole.count("zero")
    assert letters.count("e") < WORDFREQ_DOCUMENTS + 1
