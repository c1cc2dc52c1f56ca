"""Wide tables in Python."""

import tracemalloc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
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


class LongText:
    """Texts of many megabytes, of which no more than a chunk exists at a time."""

    systems = ("a",)
    segment_count = 10_000
    reference_counts = (1,)
    has_references = True
    has_source = False
    documents = None
    notes = ()
    empty_counts: Mapping[str, int] = {}

    def chunks(self, size: int) -> Iterator[tenbin.TestSet]:
        """Yield texts of a thousand characters."""
        for start in range(0, self.segment_count, size):
            texts = tuple(f"{number:>1000}" for number in range(start, start + size))
            yield tenbin.TestSet(
                hypotheses={"a": texts}, references=tuple((text,) for text in texts)
            )


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("worst", [None, 10_000])
def test_memory_does_not_grow_with_the_rows(
    table: tenbin.ScoreTable, tmp_path: Path, ending: str, worst: int | None
) -> None:
    texts = LongText()
    scores = np.arange(texts.segment_count, dtype=np.float64)[None, ::-1]
    result = replace(table.results[0], systems=("a",), segments=scores)
    long = replace(table, systems=("a",), segment_count=texts.segment_count, results=(result,))
    path = tmp_path / f"out.{ending}"
    tracemalloc.start()
    tenbin.write_wide_table(long, str(path), texts, worst=worst)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 7 * 2**20  # the texts have 10 MB
    if ending == "csv":
        with path.open(encoding="utf-8-sig") as stream:
            first = [next(stream) for _ in range(2)][1]
        assert first.startswith("10000," if worst else "1,")
