"""METEOR with tables of 'tenbin build paraphrases': the same scores as with METEOR's own format."""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.building.paraphrases.conversion import export_to_meteor
from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.core.errors import InputError, UsageError
from tenbin.matching.paraphrase_tables import PhraseWords, paraphrases_for, retokenized
from tenbin.resources.paraphrases import write_paraphrase_sets
from tenbin.resources.store.fingerprints import file_sha256

PAIRS = [
    ("can't stand", "hate", 0.5),
    ("can't stand", "detest", 0.25),
    ("hate", "can't stand", 0.5),
    ("well-known", "famous", 0.5),
    ("famous", "well-known", 0.25),
    ("well known", "famous", 0.125),
    ("well-known", "well known", 0.125),
    ("in front of", "before", 0.5),
]
HYPOTHESES = ["I hate the famous house.", "He stood before the well known man", "nothing", ""]
REFERENCES = [
    "I can't stand the well-known house.",
    "He stood in front of the famous man",
    "x",
    "a",
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "own.paraphrases")


def written(path: Path, *, language: str = "en", tokenizer: str = "13a") -> Path:
    groups = [pair[:2] for pair in PAIRS]
    facts = {"language": language, "tokenizer": tokenizer}
    write_paraphrase_sets(str(path), sets_from_groups(groups, PAIRS), facts)
    return path


def meteor(table: Path | str, **more: str) -> tenbin.LoadedMetric:
    chosen = "".join(f', {name}="{value}"' for name, value in more.items())
    spec = f'meteor(paraphrases="{table}", lexicon="none"{chosen})'
    return tenbin.load_metric(spec, language="en")


def test_the_same_scores_as_from_the_exported_file(table: Path, tmp_path: Path) -> None:
    export_to_meteor(sets_from_groups([], PAIRS), str(tmp_path / "own.gz"), language="en")
    direct = meteor(table).score(HYPOTHESES, REFERENCES)
    exported = meteor(tmp_path / "own.gz").score(HYPOTHESES, REFERENCES)
    without = meteor("none").score(HYPOTHESES, REFERENCES)
    assert direct.segments.tolist() == exported.segments.tolist()
    # METEOR cuts "can't" and "well-known" in two: only phrases cut likewise are found.
    assert direct.segments[0] > without.segments[0]
    assert direct.segments[1] > without.segments[1]
    assert file_sha256(table)[:8] in str(direct.signature)


def test_a_table_of_the_same_words_is_used_as_it_is(table: Path) -> None:
    assert meteor(table, tokenizer="13a").score(HYPOTHESES, REFERENCES).segments[0] > 0
    opened = paraphrases_for(str(table), "en", "13a")
    assert "can't" in opened.words
    assert "'t" not in opened.words
    cut = paraphrases_for(str(table), "en", "meteor")
    assert "'t" in cut.words
    assert cut is paraphrases_for(str(table), "en", "meteor")


@pytest.mark.parametrize(
    ("language", "tokenizer", "texts", "message"),
    [
        ("de", "13a", "meteor", "paraphrases in 'de', and the target language is 'en'"),
        ("en", "char", "meteor", "tokenized by 'char', and the texts are tokenized by 'meteor'"),
        ("en", "13a", "char", "tokenized by '13a', and the texts are tokenized by 'char'"),
    ],
)
def test_a_table_of_another_language_or_other_words_is_refused(
    tmp_path: Path, language: str, tokenizer: str, texts: str, message: str
) -> None:
    path = written(tmp_path / "other.paraphrases", language=language, tokenizer=tokenizer)
    with pytest.raises(UsageError, match=message):
        meteor(path, tokenizer=texts).score(HYPOTHESES, REFERENCES)


def test_a_table_that_says_nothing_is_taken_as_text(tmp_path: Path) -> None:
    path = written(tmp_path / "other.paraphrases", language="und", tokenizer="")
    assert "'t" in paraphrases_for(str(path), "en", "meteor").words


def test_an_empty_file_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "empty.paraphrases").touch()
    with pytest.raises(InputError, match="empty"):
        paraphrases_for(str(tmp_path / "empty.paraphrases"), "en", "meteor")


def test_pairs_that_the_tokeniser_leaves_nothing_of() -> None:
    words = ["!", "a", "well", "known", "well-known"]
    values = np.array([0, 1, 2, 3, 4, 1, 0], dtype=np.int32)
    phrases = PhraseWords(words, values, np.array([0, 1, 2, 4, 5, 7]))
    pairs = np.array([0, 1, 2, 3, 4]), np.array([1, 0, 3, 1, 1], dtype=np.int32)
    cut, valid = retokenized(phrases, pairs, load_tokenizer("meteor-nopunct:en"))
    spelled = [" ".join(cut.phrase(number)) for number in range(5)]
    assert spelled[1:] == ["a", "well known", "well known", "a"]
    # A phrase of nothing; two phrases that are one now; a phrase that lost its punctuation.
    assert valid.tolist() == [False, False, False, True, False]
