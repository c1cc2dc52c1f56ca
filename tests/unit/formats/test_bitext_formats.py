"""Bitext, word links and lists of paraphrases on disk."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UnreadableFile
from tenbin.formats.bitext.paraphrase_lists import (
    read_meteor_pairs,
    read_phrase_sets,
    read_ppdb_pairs,
    write_meteor_pairs,
)
from tenbin.formats.bitext.pharaoh import format_links, read_links
from tenbin.formats.bitext.tsv import read_bitext


def test_links(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 1-2\n\n10-3\n")
    found = list(read_links(str(path)))
    assert found == [[(0, 0), (1, 2)], [], [(10, 3)]]
    assert [format_links(links) for links in found] == ["0-0 1-2", "", "10-3"]


@pytest.mark.parametrize("written", ["0-", "0:1", "-1-2", "0-0-0", "٣-٣", "1-9999999"])
def test_what_is_no_link(tmp_path: Path, written: str) -> None:
    path = tmp_path / "links"
    path.write_text(f"0-0\n1-1 {written}\n", encoding="utf-8")
    with pytest.raises(MalformedLine, match=r"line 2: .* is not a link"):
        list(read_links(str(path)))


def test_columns_and_parallel_files(tmp_path: Path) -> None:
    both, one, other = tmp_path / "both.gz", tmp_path / "one", tmp_path / "other"
    both.write_bytes(gzip.compress(b"the house\tdas Haus\n\tleer\n", mtime=0))
    one.write_text("the house\n\n")
    other.write_text("das Haus\nleer\n")
    expected = [("the house", "das Haus"), ("", "leer")]
    assert list(read_bitext(str(both))) == expected
    assert list(read_bitext(str(one), str(other))) == expected


def test_sides_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\nb\nc\n")
    (tmp_path / "other").write_text("x\n")
    with pytest.raises(LengthMismatch, match=r"one: 3, .*other: 1"):
        list(read_bitext(str(tmp_path / "one"), str(tmp_path / "other")))


@pytest.mark.parametrize("content", [b"a\tb\nno tab\n", b"a\tb\na\tb\tc\n", b"a\tb\na\xff\tb\n"])
def test_a_line_that_is_no_pair(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "both"
    path.write_bytes(content)
    with pytest.raises(MalformedLine, match="line 2"):
        list(read_bitext(str(path)))


def test_an_empty_bitext(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(UnreadableFile, match="empty"):
        list(read_bitext(str(tmp_path / "empty")))


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
