"""Wide tables: any text that is written reads back the same, or is refused."""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tenbin.api.files import read_texts
from tenbin.api.wide_tables import write_wide_table
from tenbin.core.errors import InputError
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet

pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")

# Characters that files of tables have a meaning for, and any others.
MARKS = "\"',;|\t\n\r=+-@_x000D_&<>\\\x07\x0b\x85\u2028\ufeff\uffff #/{}%"
TEXTS = st.one_of(st.text(alphabet=MARKS, max_size=12), st.text(max_size=12))
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=4)
SYSTEMS = ("new", 'a "b", c;d;e;f')
STRANGE = ("_x000D_", "_x005F_x0041_", "a\r\nb\rc\n", "=1+1", "'=1", "\ufeff", "\0", "\ud800")


def scored(texts: TestSet) -> ScoreTable:
    shape = len(texts.systems), texts.segment_count
    scores = MetricScores(
        metric="ref",  # a name whose column would be taken for a text
        title="chrF",
        signature=Signature(metric="chrf"),
        higher_is_better=True,
        decimals=2,
        systems=texts.systems,
        scores=np.zeros(shape[0]),
        segments=np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape) / 3,
    )
    return ScoreTable(
        language="en", segment_count=shape[1], systems=texts.systems, results=(scores,)
    )


def as_test_set(rows: list[tuple[str, str, str, str]]) -> TestSet:
    source, reference, first, second = zip(*rows, strict=True)
    return TestSet(
        hypotheses=dict(zip(SYSTEMS, (first, second), strict=True)),
        references=tuple((one,) for one in reference),
        source=source,
    )


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@given(rows=ROWS)
@example(rows=[(text, "a", text, text) for text in STRANGE[:6]])
@example(rows=[(STRANGE[6], "a", "b", "c")])
@example(rows=[(STRANGE[7], "a", "b", "c")])
@example(rows=[("", "", "-", " ")])
def test_any_text_reads_back_or_is_refused(
    rows: list[tuple[str, str, str, str]], ending: str
) -> None:
    # A row without any text is left out by readers, and a note says so.
    assume(all(any(row) for row in rows))
    # Escape sequences are taken for another encoding, and refused as such.
    assume(not any("\x1b" in text for row in rows for text in row))
    texts = as_test_set(rows)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"wide.{ending}"
        try:
            write_wide_table(scored(texts), str(path), texts)
        except InputError:
            assert any("\0" in text or _is_broken(text) for row in rows for text in row)
            assert not path.exists()
            return
        found = read_texts(str(path))
        assert found.hypotheses == texts.hypotheses
        assert found.references == texts.references
        assert found.source == texts.source


@given(rows=ROWS)
def test_other_readers_of_csv_see_the_same_texts_and_numbers(
    rows: list[tuple[str, str, str, str]],
) -> None:
    assume(not any("\0" in text or _is_broken(text) for row in rows for text in row))
    texts = as_test_set(rows)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        write_wide_table(scored(texts), str(path), texts)
        with path.open(encoding="utf-8-sig", newline="") as stream:
            found = list(csv.DictReader(stream))
    for number, (row, written) in enumerate(zip(rows, found, strict=True)):
        assert written["segment"] == str(number + 1)
        assert written["source"] == row[0]
        assert written["system:new"] == row[2]
        assert float(written["score:ref:new"]) == number / 3


def _is_broken(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
