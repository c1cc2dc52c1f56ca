"""EED and CharacTER equal the programs of their authors on every stored row.

Provenance: rwth-i6/ExtendedEditDistance, commit f944adc, its Python function and its C++ function;
rwth-i6/CharacTER, commit c4b25cb, and package cer 1.2.0; inputs and scores stored with their
description in `tests/oracles/data/eed-character`. The texts are the bundled example's, or written
for the test.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import FloatArray
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

LANGUAGES = {"en": "en", "ja": "ja", "ru": "ru", "edge": "en"}
EED_RULES = {"en": "en", "ja": "ja", "ru": "en", "edge": "en"}
CHARACTER_WORDS = {"en": "13a", "ja": "sudachi-c", "ru": "13a", "edge": "none"}
COUNTS = {"en": 60, "ja": 40, "ru": 20, "edge": 12}

ALL_SETS = pytest.mark.parametrize("name", LANGUAGES)
Row = dict[str, str]


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", request.param)


@pytest.fixture(scope="module")
def folder(oracle_data: Path) -> Path:
    return oracle_data / "eed-character"


def read_rows(path: Path, name: str) -> list[Row]:
    """Return the rows of one set by column name."""
    heading, *lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    names = heading.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    return [row for row in rows if row["set"] == name]


def assert_equal(folder: Path, name: str, spec: str, strings: str, column: str) -> None:
    """Score a pair of input columns and compare segments and mean with a column of scores."""
    inputs = read_rows(folder / "inputs.tsv", name)
    stored = read_rows(folder / "scores.tsv", name)
    assert [row["segment"] for row in stored] == [row["segment"] for row in inputs]
    assert len(inputs) == COUNTS[name]
    expected = np.array([float(row[column]) for row in stored])
    table = tenbin.score(
        [row[f"{strings}hypothesis"] for row in inputs],
        [row[f"{strings}reference"] for row in inputs],
        metrics=[spec],
        language=LANGUAGES[name],
        segments=True,
    )
    result = table.score_set.results[0]
    assert result.segments is not None
    np.testing.assert_allclose(result.segments[0], expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.scores, [expected.mean()], rtol=0, atol=1e-12)


@ALL_SETS
def test_eed_of_raw_text(folder: Path, name: str) -> None:
    assert_equal(folder, name, "eed(preprocessing=none)", "", "eed_raw")


@ALL_SETS
def test_eed_of_text_the_authors_preprocessed(folder: Path, name: str) -> None:
    assert_equal(folder, name, "eed(preprocessing=none)", "eed_", "eed")


@ALL_SETS
def test_eed_with_our_preprocessing(folder: Path, name: str) -> None:
    assert_equal(folder, name, f"eed(preprocessing={EED_RULES[name]})", "", "eed")
    assert_equal(folder, name, "eed", "", "eed")


@ALL_SETS
def test_eed_of_the_command_line_program(folder: Path, name: str) -> None:
    rules = EED_RULES[name]
    assert_equal(folder, name, f"eed(preprocessing={rules}, variant=cpp)", "", "eed_cpp_float32")
    assert_equal(folder, name, "eed(preprocessing=none, variant=cpp)", "eed_", "eed_cpp_float32")


@ALL_SETS
@pytest.mark.parametrize("column", ["character", "character_pypi_cer"])
def test_character_of_stored_words(folder: Path, name: str, column: str) -> None:
    assert_equal(folder, name, "character(tokenizer=none)", "character_", column)


@ALL_SETS
def test_character_with_our_words(folder: Path, name: str) -> None:
    if name == "ja":
        pytest.importorskip("sudachipy")
    tokenizer = CHARACTER_WORDS[name]
    assert_equal(folder, name, f'character(tokenizer="{tokenizer}")', "", "character")


@pytest.mark.parametrize("name", ["en", "ru", "edge"])
def test_character_of_words_between_blanks(folder: Path, name: str) -> None:
    assert_equal(folder, name, "character", "", "character_untokenised")


def test_character_of_uncut_japanese_is_refused_but_defined(folder: Path) -> None:
    inputs, stored = (read_rows(folder / table, "ja") for table in ("inputs.tsv", "scores.tsv"))
    hypotheses = tuple(row["hypothesis"] for row in inputs)
    references = tuple((row["reference"],) for row in inputs)
    with pytest.raises(tenbin.InputError, match="sudachi-c"):
        tenbin.score(hypotheses, references, metrics=["character(tokenizer=none)"], language="ja")
    # The stored numbers of whole sentences as single words are reached below that check.
    test_set = TestSet(hypotheses={"system": hypotheses}, references=references)
    (rows,) = chunk_statistics(test_set, [registry.load("character(tokenizer=none)")])
    found: FloatArray = rows[0, :, 0]
    expected = [float(row["character_untokenised"]) for row in stored]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_sudachi_gives_the_stored_words(
    folder: Path, example: Callable[[str, str], list[str]]
) -> None:
    pytest.importorskip("sudachipy")
    tokenize = load_tokenizer("sudachi-c").tokenize
    for row in read_rows(folder / "inputs.tsv", "ja"):
        text = example("en-ja", row["system"])[int(row["line"]) - 1]
        assert text == row["hypothesis"]
        assert " ".join(tokenize(text)) == row["character_hypothesis"]
        assert " ".join(tokenize(row["reference"])) == row["character_reference"]
