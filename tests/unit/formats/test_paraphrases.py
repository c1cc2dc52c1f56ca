"""METEOR's paraphrase tables, whole and damaged."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.paraphrases import (
    read_meteor_pairs,
    read_paraphrases,
    read_phrase_sets,
    read_ppdb_pairs,
    write_meteor_pairs,
)

ENTRIES = "0.5\nin front of\nbefore\n0.25\nbefore\nin front of\n"


def written(folder: Path, content: bytes) -> str:
    path = folder / "paraphrases"
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    "content",
    [ENTRIES.encode(), ENTRIES.rstrip().encode(), gzip.compress(ENTRIES.encode(), mtime=0)],
    ids=["text", "no-last-line-feed", "gzip"],
)
def test_entries(tmp_path: Path, content: bytes) -> None:
    assert list(read_paraphrases(written(tmp_path, content))) == [
        (["in", "front", "of"], ["before"]),
        (["before"], ["in", "front", "of"]),
    ]


@pytest.mark.parametrize(
    ("content", "kind", "fact"),
    [
        (b"", UnreadableFile, "empty"),
        (b"0.5\na b\n", MalformedLine, "incomplete"),
        (b"0.5\na b\n\n", MalformedLine, "incomplete"),
        (b"a b\nc\n0.5\n", MalformedLine, "probability was expected"),
        (b"0.5\na\nb\n\n", MalformedLine, "probability was expected"),
        (b"0.5\na\xe9\nb\n", MalformedLine, "UTF-8"),
        (gzip.compress(ENTRIES.encode() * 99, mtime=0)[:-20], InputError, "paraphrases"),
    ],
)
def test_damaged_tables_are_refused(
    tmp_path: Path, content: bytes, kind: type[InputError], fact: str
) -> None:
    with pytest.raises(kind, match=fact):
        list(read_paraphrases(written(tmp_path, content)))


def test_the_line_of_a_fault_is_named(tmp_path: Path) -> None:
    with pytest.raises(MalformedLine, match="4"):
        list(read_paraphrases(written(tmp_path, b"0.5\na\nb\nc\nd\n0.5\n")))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        list(read_paraphrases(str(tmp_path / "nothing")))


def test_meteor_pairs_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "table.gz"
    pairs = [("blown up", "bombing", 0.25), ("bombing", "blown up", 1 / 3)]
    write_meteor_pairs(path, pairs)
    assert gzip.decompress(path.read_bytes()).startswith(b"0.25\nblown up\nbombing\n0.33333")
    read = list(read_meteor_pairs(str(path)))
    assert [pair[:2] for pair in read] == [pair[:2] for pair in pairs]
    assert [pair[2] for pair in read] == pytest.approx([0.25, 1 / 3], abs=1e-9)
    first = path.read_bytes()
    write_meteor_pairs(path, pairs)
    assert path.read_bytes() == first


def test_ppdb(tmp_path: Path) -> None:
    path = tmp_path / "ppdb"
    path.write_text(
        "[NN] ||| Bombing ||| blown  up ||| PPDB2.0Score=3 p(e|f)=0.6931471805599453 x=1 ||| 0-0\n"
        "[NP] ||| the [NN,1] ||| a [NN,1] ||| p(e|f)=1 ||| 0-0\n"
        "[NN] ||| car ||| auto ||| Abstract=0 ||| 0-0\n"
    )
    assert list(read_ppdb_pairs(str(path))) == [
        ("bombing", "blown up", pytest.approx(0.5)),
        ("car", "auto", 0.0),
    ]


def test_sets(tmp_path: Path) -> None:
    path = tmp_path / "sets"
    path.write_text("1\tBlown up\n2\tcar\n1\tbombing\n")
    assert read_phrase_sets(str(path)) == {"1": ["blown up", "bombing"], "2": ["car"]}


@pytest.mark.parametrize(
    ("read", "content", "place"),
    [
        (read_meteor_pairs, "0.5\na\nb\nx\na\nb\n", "line 4"),
        (read_meteor_pairs, "0.5\na\nb\n0.5\na\n", "line 5"),
        (read_ppdb_pairs, "[X] ||| a ||| b ||| p(e|f)=1 |||\na b c\n", "line 2"),
        (read_phrase_sets, "1\ta\n1\n", "line 2"),
        (read_phrase_sets, "1\t \n", "line 1"),
        (read_phrase_sets, "", "empty"),
    ],
)
def test_lists_that_are_broken(
    tmp_path: Path, read: Callable[[str], object], content: str, place: str
) -> None:
    path = tmp_path / "list"
    path.write_text(content)
    with pytest.raises(InputError, match=place):
        list(read(str(path)))  # type: ignore[call-overload]
