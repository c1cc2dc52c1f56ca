"""Turtle: only the predicates asked for, and clear errors for damaged files."""

import bz2
import gzip
from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, MissingExtra, UnreadableFile
from tenbin.formats.lexicons.turtle import Statement, read_turtle

pytest.importorskip("pyoxigraph")

TEXT = """\
@prefix x: <http://example.org/> .
x:a x:likes x:b ; x:name "Ä"@de .
x:b x:likes x:c ,
    x:d .
"""
X = "http://example.org/"


def written(folder: Path, data: bytes) -> Path:
    path = folder / "toy.ttl"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_chosen_predicates(tmp_path: Path, pack: type[bytes]) -> None:
    path = written(tmp_path, pack(TEXT.encode()))
    assert list(read_turtle(path, [f"{X}likes"])) == [
        Statement(f"{X}a", f"{X}likes", f"{X}b"),
        Statement(f"{X}b", f"{X}likes", f"{X}c"),
        Statement(f"{X}b", f"{X}likes", f"{X}d"),
    ]
    assert [found.object for found in read_turtle(path, [f"{X}name"])] == ["Ä"]
    assert list(read_turtle(path, [])) == []


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (TEXT.encode()[:-4], 5),
        (TEXT.encode()[:-12], 3),
        (TEXT.replace("x:likes x:c", "x:likes").encode(), 3),
        (TEXT.encode("latin-1"), 2),
        (b"\x00\x01nothing", 1),
        (b"y:a y:likes y:b .", 1),
    ],
)
def test_malformed(tmp_path: Path, data: bytes, line: int) -> None:
    with pytest.raises(MalformedLine, match=r"this is not Turtle.*download it again") as caught:
        list(read_turtle(written(tmp_path, data), [f"{X}likes"]))
    assert abs(caught.value.line - line) <= 1


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_cut_off_packing(tmp_path: Path, pack: type[bytes]) -> None:
    path = written(tmp_path, pack((TEXT * 500).encode())[:-30])
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        list(read_turtle(path, [f"{X}likes"]))


def test_damaged_packing(tmp_path: Path) -> None:
    data = bytearray(bz2.compress(TEXT.encode()))
    data[20] ^= 0xFF
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        list(read_turtle(written(tmp_path, bytes(data)), [f"{X}likes"]))


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        list(read_turtle(tmp_path / "absent.ttl", []))
    with pytest.raises(UnreadableFile, match="directory"):
        list(read_turtle(tmp_path, []))
    with pytest.raises(UnreadableFile, match="compressed by zip"):
        list(read_turtle(written(tmp_path, b"PK\x03\x04 and more bytes"), []))


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyoxigraph", None)
    with pytest.raises(MissingExtra, match=r"tenbin\[lexicons\]"):
        list(read_turtle(written(tmp_path, TEXT.encode()), []))
