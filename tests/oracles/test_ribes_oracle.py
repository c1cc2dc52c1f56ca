"""RIBES equals the program of its authors on every stored row, segments and corpus.

Provenance: RIBES.py 1.03.1 (nttcslab-nlp/RIBES) under Python 3.11, command
`RIBES.py -r REF1 [-r REF2] -s -a ALPHA -b BETA [-c] HYP`; inputs and scores stored with their
description in `tests/oracles/data/ribes`. The texts are the bundled example's.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import FloatArray

LANGUAGES = {"en": "en", "ja": "ja", "jachar": "ja", "edge": "en"}
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default": {"alpha": 0.25, "beta": 0.1},
    "a0.5b0.3": {"alpha": 0.5, "beta": 0.3},
    "case.a1b0": {"alpha": 1.0, "beta": 0.0, "lowercase": False},
}
RUNS = [
    (name, count, configuration)
    for name, count in [("en", 1), ("en", 2), ("ja", 1), ("jachar", 1), ("edge", 1)]
    for configuration in CONFIGURATIONS
]

Row = dict[str, str]


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", request.param)


@pytest.fixture(scope="module")
def folder(oracle_data: Path) -> Path:
    return oracle_data / "ribes"


def read_rows(path: Path, **chosen: str) -> list[Row]:
    """Return the rows of a table that have the chosen values, by column name."""
    heading, *lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    names = heading.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    return [row for row in rows if all(row[key] == value for key, value in chosen.items())]


def spec(tokenizer: str = "none", **parameters: Any) -> str:
    inside = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    return f'ribes(tokenizer="{tokenizer}", {inside})'


def scores(metric: str, inputs: list[Row], count: int) -> tuple[float, FloatArray]:
    """Return corpus score and segment scores with one or two references."""
    table = tenbin.score(
        [row["hypothesis"] for row in inputs],
        [[row[f"reference{number}"] for number in range(1, count + 1)] for row in inputs],
        reference_axis="segment",
        metrics=[metric],
        language=LANGUAGES[inputs[0]["set"]],
        segments=True,
    )
    result = table.score_set.results[0]
    assert result.segments is not None
    return float(result.scores[0]), result.segments[0]


def column(rows: list[Row], name: str) -> FloatArray:
    return np.array([float(row[name]) for row in rows])


@pytest.mark.parametrize(("name", "count", "configuration"), RUNS)
def test_segments(folder: Path, name: str, count: int, configuration: str) -> None:
    inputs = read_rows(folder / "inputs.tsv", set=name)
    stored = read_rows(folder / "scores.tsv", set=name, references=str(count), config=configuration)
    assert [row["segment"] for row in stored] == [row["segment"] for row in inputs]
    _, found = scores(spec(**CONFIGURATIONS[configuration]), inputs, count)
    np.testing.assert_allclose(found, column(stored, "ribes"), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found, column(stored, "printed"), rtol=0, atol=5.1e-7)


@pytest.mark.parametrize(("name", "count", "configuration"), RUNS)
def test_corpus(folder: Path, name: str, count: int, configuration: str) -> None:
    inputs = read_rows(folder / "inputs.tsv", set=name)
    (stored,) = read_rows(
        folder / "corpus.tsv", set=name, references=str(count), config=configuration
    )
    found, _ = scores(spec(**CONFIGURATIONS[configuration]), inputs, count)
    assert found == pytest.approx(float(stored["printed_corpus_score"]), abs=5.1e-7)


@pytest.mark.parametrize("name", LANGUAGES)
def test_factors_with_one_reference(folder: Path, name: str) -> None:
    inputs = read_rows(folder / "inputs.tsv", set=name)
    stored = read_rows(folder / "scores.tsv", set=name, references="1", config="default")
    correlation, precision, penalty = (column(stored, key) for key in ("nkt", "precision", "bp"))
    _, found = scores(spec(alpha=0.0, beta=0.0), inputs, 1)
    np.testing.assert_allclose(found, correlation, rtol=0, atol=1e-12)
    _, found = scores(spec(alpha=1.0, beta=0.0), inputs, 1)
    np.testing.assert_allclose(found, correlation * precision, rtol=0, atol=1e-12)
    _, found = scores(spec(alpha=0.0, beta=1.0), inputs, 1)
    np.testing.assert_allclose(found, correlation * penalty, rtol=0, atol=1e-12)


def test_no_row_is_left_out(folder: Path) -> None:
    for table in ("scores.tsv", "corpus.tsv"):
        rows = read_rows(folder / table)
        seen = {(row["set"], int(row["references"]), row["config"]) for row in rows}
        assert seen == set(RUNS)


@pytest.mark.parametrize(("name", "tokenizer"), [("ja", "sudachi-c"), ("jachar", "char")])
def test_raw_japanese_gives_the_stored_tokens_and_scores(
    folder: Path, example: Callable[[str, str], list[str]], name: str, tokenizer: str
) -> None:
    pytest.importorskip("sudachipy")
    inputs = read_rows(folder / "inputs.tsv", set=name)
    raw: list[Row] = []
    tokenize = load_tokenizer(tokenizer).tokenize
    for row in inputs:
        line = int(row["line"]) - 1
        hypothesis = example("en-ja", row["system"])[line]
        reference = example("en-ja", "refA")[line]
        assert " ".join(tokenize(hypothesis)) == row["hypothesis"]
        assert " ".join(tokenize(reference)) == row["reference1"]
        raw.append({**row, "hypothesis": hypothesis, "reference1": reference})
    stored = read_rows(folder / "scores.tsv", set=name, references="1", config="case.a1b0")
    _, found = scores(spec(tokenizer, **CONFIGURATIONS["case.a1b0"]), raw, 1)
    np.testing.assert_allclose(found, column(stored, "ribes"), rtol=0, atol=1e-12)
