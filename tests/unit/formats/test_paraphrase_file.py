"""METEOR's paraphrase tables, whole and damaged."""

import gzip
from pathlib import Path

import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.bitext.paraphrases import read_paraphrases

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
