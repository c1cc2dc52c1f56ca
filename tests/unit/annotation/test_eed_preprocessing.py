"""EED's pre-processing: its quirks, and every segment of the stored test vectors."""

from pathlib import Path

import pytest

from tenbin.annotation.eed_preprocessing import english, japanese


@pytest.mark.parametrize(
    ("raw", "treated"),
    [
        ("", ""),
        ("no punctuation here", "no punctuation here"),
        ("Stop! Why, now?", "Stop ! Why , now ?"),
        ("3.5", "3 .5"),
        ("1 , 000 . 5", "1,000.5"),
        ("1 , 2 , 3", "1,2 , 3"),
        ("e.g. this", "e .g . this"),
        ("e . g . this", "e.g. this"),
        ("i. e. this", "i.e. this"),
        ("i . e . g .", "i . e.g."),
        ("U.S. and U. S.", "U .S . and U.S."),
        ("Mr. Smith", "Mr. Smith"),
        ("Mr Smith", "Mr.mith"),
        ("Mrs Dr who", "Mrs.r who"),
        (".5", " .5"),
        ("  two\u00a0\tblanks \n", " two blanks"),
        ("...", " . . ."),
    ],
)
def test_english_rules(raw: str, treated: str) -> None:
    assert english(raw) == treated


@pytest.mark.parametrize(
    ("raw", "treated"),
    [("", ""), ("ＡＢＣ、１２３。", "ABC、123。"), ("ｶﾞ…", "ガ..."), ("終わり\u3000\n", "終わり")],  # noqa: RUF001
)
def test_japanese_rules(raw: str, treated: str) -> None:
    assert japanese(raw) == treated


def test_stored_vectors(oracle_data: Path) -> None:
    table = oracle_data / "eed-character" / "inputs.tsv"
    lines = table.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = lines[0].split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]
    assert len(rows) == 132
    for row in rows:
        treat = japanese if row["set"] == "ja" else english
        assert treat(row["hypothesis"]) == row["eed_hypothesis"]
        assert treat(row["reference"]) == row["eed_reference"]
