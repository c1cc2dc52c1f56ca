"""Which format a file of word vectors is in, by its content."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.detection import files_of, open_vectors
from tenbin.formats.vectors.fasttext import FASTTEXT_MAGIC


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (b"", "the file is empty. Expected word2vec"),
        (b"word\n", "not a file of word vectors .* Expected word2vec .text or binary., GloVe"),
        (b"\x80\x04\x95 a pickle", "not a file of word vectors"),
        (b"\x00\x01\x02\x03", "not a file of word vectors"),
        (b"just some text\nand more\n", "not a file of word vectors"),
        (b"5 0\nword\n", "not a file of word vectors"),
        (b"{ 0.5\n", None),  # the word '{' of a text, no JSON
        (b'{"a": 1}', "not a file of word vectors"),
        (
            gzip.compress(FASTTEXT_MAGIC + b"\x0c\0\0\0", mtime=0),
            "cannot be read compressed. Decompress",
        ),
        (b"\x28\xb5\x2f\xfd1234567890", "compressed by zstd"),
    ],
)
def test_the_error_names_what_was_expected(
    tmp_path: Path, content: bytes, fact: str | None
) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    if fact is None:
        assert next(open_vectors(path).chunks)[0] == ["{"]
        return
    with pytest.raises(UnreadableFile, match=fact):
        open_vectors(path)


def test_missing_files_and_folders_without_vectors(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        open_vectors(tmp_path / "nothing")
    with pytest.raises(UnreadableFile, match="no file 'key2row' of spaCy"):
        open_vectors(tmp_path)


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as archive:
        archive.writestr("glove.6B.50d.txt", "the 1 2\n")
    with pytest.raises(UnreadableFile, match="Unpack it and name the vector file"):
        open_vectors(tmp_path / "glove.zip")


def test_all_files_that_vectors_depend_on(tmp_path: Path) -> None:
    np.save(tmp_path / "own.npy", np.eye(2))
    (tmp_path / "own.words.txt").write_text("a\nb\n")
    (tmp_path / "own.txt").write_text("a 1\n")
    assert files_of(tmp_path / "own.npy") == [tmp_path / "own.npy", tmp_path / "own.words.txt"]
    assert files_of(tmp_path / "own.txt") == [tmp_path / "own.txt"]
    assert files_of(tmp_path) == []
    folder = tmp_path / "pipeline" / "vocab"
    folder.mkdir(parents=True)
    names = ["vectors", "key2row", "strings.json"]
    for name in (*names, "lookups.bin"):
        (folder / name).write_text("")
    expected = [folder / name for name in names]
    for path in (tmp_path / "pipeline", folder, folder / "vectors", folder / "key2row"):
        assert files_of(path) == expected
