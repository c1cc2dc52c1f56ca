"""Parallel text and word alignments on disk."""

import gzip
from pathlib import Path

import pytest

from tenbin.core.errors import LengthMismatch, MalformedLine, UnreadableFile
from tenbin.formats.bitext import format_links, read_bitext, read_links


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
