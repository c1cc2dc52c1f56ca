"""MyThes thesauri: all encodings, marks, files that are cut off or something else."""

from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lexicons.mythes import Meaning, read_mythes

BODY = "größe|2\n(Subst.)|Ausmaß|Format (ugs.)\n-|Höhe\nélan|1\n|Schwung\n"


def written(folder: Path, data: bytes, name: str = "th_xx_XX_v2.dat") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("utf-8", "utf-8"),
        ("\ufeffUTF-8", "utf-8"),
        ("ISO8859-1", "latin-1"),
        ("ISO-8859-1", "latin-1"),
        ("ISO8859-15", "iso8859-15"),
        ("cp1252", "cp1252"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings(tmp_path: Path, label: str, encoding: str, end: str) -> None:
    data = label.encode("utf-8") + end.encode() + BODY.replace("\n", end).encode(encoding)
    assert list(read_mythes(written(tmp_path, data, "thes_fr.dat"))) == [
        Meaning("größe", "(Subst.)", ("Ausmaß", "Format (ugs.)")),
        Meaning("größe", "-", ("Höhe",)),
        Meaning("élan", "", ("Schwung",)),
    ]


def test_russian_of_openoffice(tmp_path: Path) -> None:
    data = b"microsoft-cp1251\n" + "врач|1\n(сущ.)|доктор\n".encode("cp1251")
    assert next(read_mythes(written(tmp_path, data))).terms == ("доктор",)


def test_words_with_bars_and_empty_lines(tmp_path: Path) -> None:
    path = written(tmp_path, b"UTF-8\na|b|1\n-|c\n\n")
    assert list(read_mythes(path)) == [Meaning("a|b", "-", ("c",))]


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (b"UTF-9\na|1\n-|b\n", 1, "'UTF-9' is not the name of an encoding"),
        (b"word|1\n-|b\n", 1, "is not the name of an encoding"),
        (b"UTF-8\na|2\n-|b\n", 3, "'a' has 2 meanings, found 1"),
        (b"UTF-8\na|2\n-|b\n\nc|1\n-|d\n", 4, "'a' has 2 meanings, found 1"),
        (b"UTF-8\na\n-|b\n", 2, "'word|number of meanings' was expected"),
        (b"UTF-8\na|1\n-|b\n-|c\n", 4, "'word|number of meanings' was expected"),
        (b"UTF-8\n12\na|0\n", 2, "a bare number"),
        ("UTF-8\nélan|1\n-|b\n".encode("latin-1"), 2, "byte 0xe9 is not utf-8"),
    ],
)
def test_malformed(tmp_path: Path, data: bytes, line: int, problem: str) -> None:
    with pytest.raises(MalformedLine) as caught:
        list(read_mythes(written(tmp_path, data)))
    assert problem in str(caught.value)
    assert caught.value.line == line


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="empty"):
        list(read_mythes(written(tmp_path, b"")))
    with pytest.raises(UnreadableFile, match="no such file"):
        list(read_mythes(tmp_path / "absent.dat"))
