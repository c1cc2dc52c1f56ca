"""Tables of judged translations in their four formats."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import MalformedLine, UnreadableFile, UsageError
from tenbin.formats.judgment_table import JudgmentRow, read_judgment_table

ROWS = [
    {"hypothesis": "a, b", "reference": 'c "d"', "score": "70", "annotator": "x"},
    {"hypothesis": "e", "reference": "f", "score": "None", "annotator": "y"},
]


def expected() -> list[JudgmentRow]:
    return [
        JudgmentRow(line=1, hypothesis="a, b", reference='c "d"', score=70.0, annotator="x"),
        JudgmentRow(line=2, hypothesis="e", reference="f", score=float("nan"), annotator="y"),
    ]


def same(found: list[JudgmentRow]) -> bool:
    def known(rows: list[JudgmentRow]) -> list[tuple[object, ...]]:
        return [(r.hypothesis, r.reference, str(r.score), r.annotator, r.system) for r in rows]

    return known(found) == known(expected())


def test_formats(tmp_path: Path) -> None:
    tabs = 'hypothesis\treference\tscore\tannotator\na, b\tc "d"\t70\tx\ne\tf\tNone\ty\n'
    commas = 'score,hypothesis,reference,annotator\n70,"a, b","c ""d""",x\nNone,e,f,y\n'
    lines = (
        '{"hypothesis": "a, b", "reference": "c \\"d\\"", "score": 70, "annotator": "x"}\n'
        '{"hypothesis": "e", "reference": "f", "score": null, "annotator": "y", "more": [1]}\n'
    )
    for name, content in (("t.tsv", tabs), ("t.csv", commas), ("t.jsonl", lines)):
        (tmp_path / name).write_text(content, "utf-8")
        assert same(read_judgment_table(str(tmp_path / name))), name


def test_scores_that_are_not_read(tmp_path: Path) -> None:
    """A teacher is to give them: such a column may hold anything, or not be there."""
    without = "hypothesis,reference\na,b\nc,d\n"
    wrong = "score\thypothesis\treference\n5 stars\ta\tb\n\tc\td\n"
    lines = '{"hypothesis": "a", "reference": "b"}\n{"hypothesis": "c", "reference": "d"}\n'
    for name, content in (("t.csv", without), ("t.tsv", wrong), ("t.jsonl", lines)):
        (tmp_path / name).write_text(content, "utf-8")
        found = read_judgment_table(str(tmp_path / name), scored=False)
        assert [(row.hypothesis, row.reference) for row in found] == [("a", "b"), ("c", "d")], name
        assert all(np.isnan(row.score) for row in found)
    with pytest.raises(UsageError, match="there is no column score"):
        read_judgment_table(str(tmp_path / "t.csv"))
    (tmp_path / "half.csv").write_text("hypothesis,score\na,1\n", "utf-8")
    with pytest.raises(UsageError, match=r"no column reference.*hypothesis, reference and"):
        read_judgment_table(str(tmp_path / "half.csv"), scored=False)


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    table = arrow.table({**columns, "score": [70.0, float("nan")]})
    parquet.write_table(table, tmp_path / "t.parquet")
    found = read_judgment_table(str(tmp_path / "t.parquet"))
    assert found[0].score == 70
    assert np.isnan(found[1].score)
    assert same(found)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsv", "hypothesis\tscore\na\t1\n", "there is no column reference; found hypothesis"),
        ("t.tsv", "", "there is no column hypothesis"),
        (
            "t.tsv",
            "hypothesis\treference\tscore\tscore\n",
            "the column 'score' occurs twice",
        ),
    ],
)
def test_columns_that_are_missing(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(UsageError, match=message):
        read_judgment_table(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsv", "a\tb\n", "line 2: found 2 columns, expected 3"),
        ("t.tsv", "a\tb\tgood\n", "line 2: the score 'good' is not a number"),
        ("t.tsv", "a\tb\tinf\n", "line 2: the score 'inf' is not a number or not finite"),
        ("t.csv", 'a,"b,1\n', "this is not CSV"),
    ],
)
def test_rows_that_are_broken(tmp_path: Path, name: str, content: str, message: str) -> None:
    sign = "\t" if name.endswith("tsv") else ","
    header = sign.join(("hypothesis", "reference", "score")) + "\n"
    (tmp_path / name).write_text(header + content, "utf-8")
    with pytest.raises(MalformedLine, match=message):
        read_judgment_table(str(tmp_path / name))


def test_broken_json(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"hypothesis": "a"\n', "utf-8")
    with pytest.raises(MalformedLine, match="line 1: this is not JSON"):
        read_judgment_table(str(path))
    path.write_text('{"hypothesis": "a", "score": 1}\n', "utf-8")
    with pytest.raises(MalformedLine, match="line 1: no field reference"):
        read_judgment_table(str(path))
    path.write_text('{"hypothesis": ["a"], "reference": "b", "score": 1}\n', "utf-8")
    with pytest.raises(MalformedLine, match="line 1: the field hypothesis is not a single value"):
        read_judgment_table(str(path))


def test_tables_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("hypothesis\treference\tscore\n", "utf-8")
    with pytest.raises(UnreadableFile, match="there are no judgments in the file"):
        read_judgment_table(str(path))
    with pytest.raises(UnreadableFile, match="no such file"):
        read_judgment_table(str(tmp_path / "none.csv"))
