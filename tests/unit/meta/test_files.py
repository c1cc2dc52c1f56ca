"""Files of scores and judgments: what is read, written, refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile, UsageError
from tenbin.core.judgments import HumanPairs, Level, ScoreMatrix
from tenbin.formats.human_pairs import read_human_pairs, read_pair_agreement, write_human_pairs
from tenbin.formats.mt_metrics_eval import (
    human_score_files,
    metric_and_reference,
    metric_score_files,
    read_score_file,
    write_score_file,
)
from tenbin.formats.score_table import ScoreColumns, read_score_table, write_score_table

TABLE = ScoreMatrix.by_segment("m", {"A": [0.1, None, -3.5], "B": [1 / 3, 2, 1e-9]})
SYSTEM_TABLE = ScoreMatrix.by_system("m", {"A": 0.1, "B": None})


def saved(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def same(one: ScoreMatrix, other: ScoreMatrix) -> None:
    assert (one.systems, one.segments, one.level) == (other.systems, other.segments, other.level)
    np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.parametrize("table", [TABLE, SYSTEM_TABLE], ids=["segments", "systems"])
def test_what_is_written_reads_back(tmp_path: Path, table: ScoreMatrix) -> None:
    same(read_score_file(saved(tmp_path, f"m.{table.level}.score", write_score_file(table))), table)
    columns = ScoreColumns() if table.level is Level.SEGMENT else ScoreColumns(segment=None)
    found = read_score_table(saved(tmp_path, "m.tsv", write_score_table(table)), columns)
    same(found, table)
    assert found.name == "m"


def test_own_columns_in_every_format(tmp_path: Path) -> None:
    columns = ScoreColumns(system="mt", segment="line", score="adequacy")
    expected = ScoreMatrix(
        name="x",
        systems=("A, Inc.", "B"),
        segments=("s1", "s2"),
        scores=np.array([[1.5, np.nan], [2.0, 4.0]]),
    )
    csv = 'line,mt,note,adequacy\ns1,"A, Inc.",x,1.5\ns1,B,,2\ns2,B,,4\n'
    tsv = "mt\tline\tadequacy\nA, Inc.\ts1\t1.5\nB\ts1\t2\nB\ts2\t4\nA, Inc.\ts2\tNA\n"
    json = (
        '{"mt": "A, Inc.", "line": "s1", "adequacy": 1.5}\n'
        '{"mt": "B", "line": "s1", "adequacy": 2}\n{"mt": "B", "line": "s2", "adequacy": 4}\n'
        '{"mt": "A, Inc.", "line": "s2", "adequacy": null}\n'
    )
    for name, text in (("x.csv", csv), ("x.tsv", tsv), ("x.jsonl", json)):
        same(read_score_table(saved(tmp_path, name, text), columns), expected)
    packed = tmp_path / "x.csv.gz"
    packed.write_bytes(gzip.compress(csv.encode(), mtime=0))
    found = read_score_table(str(packed), columns)
    same(found, expected)
    assert found.name == "x"


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("x.tsv", "system\tscore\nA\t1\n", UsageError, "no column segment; found system, score"),
        ("x.tsv", "system\tsegment\tscore\nA\t1\n", MalformedLine, "line 2: found 2 columns"),
        ("x.tsv", "system\tsegment\tscore\nA\t1\tgood\n", MalformedLine, "'good' is not a number"),
        ("x.tsv", "system\tsegment\tscore\nA\t1\tinf\n", MalformedLine, "line 2: the score 'inf'"),
        (
            "x.tsv",
            "system\tsegment\tscore\nA\t1\t2\nA\t1\t3\n",
            MalformedLine,
            "line 3: a second score for 'A', segment '1'",
        ),
        ("x.tsv", "system\tsegment\tscore\n", UnreadableFile, "no scores in the file"),
        ("x.jsonl", "{]\n", MalformedLine, "line 1: this is not JSON"),
        ("x.jsonl", '{"system": "A"}\n', MalformedLine, "line 1: no field segment, score"),
        ("x.jsonl", "3\n", MalformedLine, "line 1: no field system, segment, score"),
    ],
)
def test_own_files_that_are_refused(
    tmp_path: Path, name: str, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_score_table(saved(tmp_path, name, text))


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("m.seg.score", "", UnreadableFile, "the file is empty"),
        ("m.seg.score", "A\t1\t2\n", MalformedLine, "line 1: found 'A.*SYSTEM<TAB>SCORE"),
        ("m.seg.score", "A\t1\nA\t2\nB\t1\n", MalformedLine, "line 4: the system 'B' ends here"),
        ("m.seg.score", "A\t1\nB\t2\nB\t1\nC\t3\n", MalformedLine, "line 4: the system 'B' ends"),
        ("m.seg.score", "A\t1\nB\t2\nA\t1\n", MalformedLine, "line 3: .*'A' comes a second time"),
        ("m.sys.score", "A\t1\nA\t2\n", MalformedLine, "line 2: .*'A' comes a second time"),
    ],
)
def test_score_files_that_are_refused(
    tmp_path: Path, name: str, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_score_file(saved(tmp_path, name, text))


def test_files_of_a_test_set_are_found(tmp_path: Path) -> None:
    (tmp_path / "human-scores").mkdir()
    (tmp_path / "metric-scores" / "en-de").mkdir(parents=True)
    for name in ("en-de.da-z.seg.score", "en-de.da-z.sys.score", "en-ja.mqm.sys.score"):
        saved(tmp_path / "human-scores", name, "A\t1\n")
    saved(tmp_path / "metric-scores" / "en-de", "YiSi-2-src.sys.score", "A\t1\n")
    saved(tmp_path / "metric-scores" / "en-de", "notes.txt", "")
    human = human_score_files(str(tmp_path), "en-de")
    assert {kind: set(levels) for kind, levels in human.items()} == {
        "da-z": {Level.SEGMENT, Level.SYSTEM}
    }
    assert set(metric_score_files(str(tmp_path), "en-de")) == {"YiSi-2-src"}
    assert metric_score_files(str(tmp_path), "de-en") == {}
    assert metric_and_reference("x") == ("x", None)


def test_judgments_read_back(tmp_path: Path) -> None:
    pairs = HumanPairs.of_names("darr", [(4, "A", "B"), (4, "A", "B"), (0, "C", "A")])
    found = read_human_pairs(saved(tmp_path, "en-de.darr.tsv", write_human_pairs(pairs)))
    assert (found.name, len(found)) == ("darr", 3)
    assert write_human_pairs(found) == write_human_pairs(pairs)
    left = found.without(["C"])
    assert left.segments.tolist() == [4, 4]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("A\tB\n", MalformedLine, "line 1: the header is"),
        ("seg\tbetter\tworse\n", UnreadableFile, "no judgments"),
        ("seg\tbetter\tworse\n0\tA\tB\n", MalformedLine, "line 2: found '0.*from 1 on"),
        ("seg\tbetter\tworse\n1\tA\n", MalformedLine, "line 2: found"),
        ("seg\tbetter\tworse\n1\tA\tA\n", MalformedLine, "line 2: 'A' is compared with itself"),
    ],
)
def test_judgments_that_are_refused(
    tmp_path: Path, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_human_pairs(saved(tmp_path, "x.rr.tsv", text))


def test_agreement_columns(tmp_path: Path) -> None:
    text = "seg\tbetter\tworse\tchrF\tTER\n1\tA\tB\t1\t0\n2\tB\tA\t0\t0\n"
    pairs, columns = read_pair_agreement(saved(tmp_path, "x.tsv", text))
    assert len(pairs) == 2
    assert {name: column.tolist() for name, column in columns.items()} == {
        "chrF": [True, False],
        "TER": [False, False],
    }
    with pytest.raises(MalformedLine, match="line 2: found 1 column of metrics, expected 2"):
        read_pair_agreement(saved(tmp_path, "y.tsv", text.replace("\t1\t0\n", "\t1\n")))
    with pytest.raises(MalformedLine, match="of 0 or 1"):
        read_pair_agreement(saved(tmp_path, "z.tsv", text.replace("\t1\t0\n", "\t1\t7\n")))


def test_tables_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="differ in their number of segments"):
        ScoreMatrix.by_segment("m", {"A": [1], "B": [1, 2]})
    with pytest.raises(InputError, match="system A has scores more than once"):
        ScoreMatrix(name="m", systems=("A", "A"), segments=(), scores=np.zeros(2))
    with pytest.raises(InputError, match=r"expected scores of shape \(1, 2\)"):
        ScoreMatrix(name="m", systems=("A",), segments=("1", "2"), scores=np.zeros(2))
    with pytest.raises(InputError, match="compared with itself"):
        HumanPairs.of_names("rr", [(0, "A", "A")])


def test_choosing_names_what_is_missing() -> None:
    chosen = TABLE.chosen(["B"], ["3", "1"])
    assert chosen.scores.tolist() == [[1e-9, 1 / 3]]
    with pytest.raises(InputError, match=r"m: no scores for 2 of 3 systems: X, Y\. There are: A"):
        TABLE.chosen(["X", "A", "Y"])
    with pytest.raises(InputError, match="no scores for 1 of 1 segment: 9"):
        TABLE.chosen(["A"], ["9"])
    assert TABLE.without(["A", "X"]).systems == ("B",)
    assert TABLE.negated().scores[0, 2] == 3.5
