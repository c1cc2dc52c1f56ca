"""Word frequencies from wordfreq and from files."""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources.frequencies import WORDFREQ, load_frequencies

TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")


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
    with pytest.raises(UsageError, match="no word frequencies of 'sw'"):
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
    assert score(str(path)) < score("testset")
    signature = tenbin.load_metric(
        f"we_wpi(vectors={TOY!r}, idf={str(path)!r})", language="en"
    ).signature
    assert [name for name, _ in signature.resources] == ["toy.vec", "counts.tsv"]
