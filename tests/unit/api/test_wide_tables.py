"""Wide tables in Python."""

from dataclasses import replace
from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import InputError, UsageError

TEXTS = tenbin.TestSet(
    hypotheses={"new": ("a cat", "the dog", "= sum"), "old": ("cats", "", "sums")},
    references=(("a cat",), ("a dog", "dogs"), ("the sum",)),
)


@pytest.fixture
def table() -> tenbin.ScoreTable:
    return tenbin.score(TEXTS, metrics=["chrf"], language="en", segments=True)


def test_a_call_writes_what_the_command_writes(table: tenbin.ScoreTable, tmp_path: Path) -> None:
    path = str(tmp_path / "out.csv")
    (note,) = tenbin.write_wide_table(table, path, TEXTS)
    assert note.startswith("1 text begins with =")
    again = tenbin.read_texts(path)
    assert again.hypotheses == TEXTS.hypotheses
    assert again.references[1] == ("a dog", "dogs")
    comparison = tenbin.compare(TEXTS, metrics=["chrf"], language="en", segments=True, rounds=5)
    assert tenbin.write_wide_table(comparison, str(tmp_path / "out.xlsx"), TEXTS, worst=1) == ()


def test_texts_of_the_result_are_taken(table: tenbin.ScoreTable, tmp_path: Path) -> None:
    path = str(tmp_path / "out.csv")
    tenbin.write_wide_table(replace(table, texts=TEXTS), path, worst=3)
    assert tenbin.read_texts(path).segment_count == 3


def test_what_cannot_be_written(table: tenbin.ScoreTable, tmp_path: Path) -> None:
    path = str(tmp_path / "out.csv")
    with pytest.raises(UsageError, match="the texts that were scored are missing"):
        tenbin.write_wide_table(table, path)
    with pytest.raises(UsageError, match=r"call it \.csv or \.xlsx"):
        tenbin.write_wide_table(table, str(tmp_path / "out.txt"), TEXTS)
    with pytest.raises(UsageError, match="score with `segments=True`"):
        tenbin.write_wide_table(table.without_segments(), path, TEXTS)
    broken = replace(TEXTS, source=("a", "b\0", "c"))
    with pytest.raises(InputError, match=r"source, segment 2: there is a NUL character"):
        tenbin.write_wide_table(table, path, broken)
    assert not list(tmp_path.iterdir())
