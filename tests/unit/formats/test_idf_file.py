"""Dictionaries of document frequencies: written, read back, refused when damaged."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.idf_file import read_idf_file, write_idf_file

COUNTS = [("の", 229), ("a\tb", 3), ("\\n", 3), ("\n", 2), ("\\", 2), ("\\\t\r", 1), ("齊藤", 1)]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "novels.idf"
    write_idf_file(str(path), 229, COUNTS, {"tokenizer": "sudachi-c", "language": "ja"})
    return path


def test_a_file_is_read_back(written: Path) -> None:
    read = read_idf_file(written)
    assert (read.documents, dict(read.counts)) == (229, dict(COUNTS))
    assert read.facts == {"tokenizer": "sudachi-c", "language": "ja"}
    again = write_idf_file(str(written), 229, COUNTS, read.facts)
    assert again == read.sha256
    assert write_idf_file(str(written), 230, COUNTS, read.facts) != again


def test_a_packed_file_is_the_same_dictionary(written: Path) -> None:
    packed = written.with_suffix(".gz")
    packed.write_bytes(gzip.compress(written.read_bytes(), mtime=0))
    assert read_idf_file(packed).sha256 == read_idf_file(written).sha256


def test_a_file_that_was_cut_off_or_edited_is_refused(written: Path) -> None:
    whole = written.read_bytes()
    written.write_bytes(whole[: whole.rindex(b"1\t")])
    with pytest.raises(UnreadableFile, match=r"truncated or changed.*tenbin build idf"):
        read_idf_file(written)
    written.write_bytes(whole.replace(b"229\t", b"228\t"))
    with pytest.raises(UnreadableFile, match="truncated or changed"):
        read_idf_file(written)


def test_a_header_that_was_edited_is_refused(written: Path) -> None:
    whole = written.read_bytes()
    for old, new in ((b": 229,", b": 329,"), (b"sudachi-c", b"sudachi-a"), (b"idf-2", b"idf-1")):
        written.write_bytes(whole.replace(old, new, 1))
        with pytest.raises(UnreadableFile, match="truncated or changed"):
            read_idf_file(written)


def test_a_file_of_an_older_version_is_read(written: Path) -> None:
    body = b"".join(written.read_bytes().splitlines(keepends=True)[1:])
    header = {"format": "tenbin-idf-1", "documents": 229, "tokens": 7, "language": "ja"}
    header["sha256"] = hashlib.sha256(body).hexdigest()
    written.write_bytes(json.dumps(header).encode() + b"\n" + body)
    read = read_idf_file(written)
    assert (read.documents, dict(read.counts)) == (229, dict(COUNTS))


@pytest.mark.parametrize(
    "header",
    [
        "",
        "{}",
        "[1]",
        "the cat",
        '{"format": "tenbin-idf-3", "documents": 1}',
        '{"format": "tenbin-idf-2", "documents": 1}',
        '{"format": "tenbin-idf-2", "documents": 1, "tokens": "1", "sha256": ""}',
        '{"format": "tenbin-idf-1", "documents": 0, "tokens": 0, "sha256": ""}',
        '{"format": "tenbin-idf-1", "documents": 5}',
    ],
)
def test_other_files_are_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "x.idf"
    path.write_text(header + "\n")
    with pytest.raises(UnreadableFile, match=r"no dictionary of document frequencies|its header"):
        read_idf_file(path)


@pytest.mark.parametrize("line", ["3", "x\ty", "0\ty", "-1\ty", "230\ty", "2\t", "", "²\ty"])
def test_lines_that_are_no_counts(written: Path, line: str) -> None:
    written.write_text(written.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(MalformedLine, match="line 9: expected a count from 1 to 229"):
        read_idf_file(written)
