"""One text, looked at before it is scored."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from tenbin.api.files import open_texts
from tenbin.api.texts import describe_text, unpack_text
from tenbin.core.errors import InputError, LengthMismatch

TEXT = "\ufeffOne.\r\n\r\nThree.\n".encode()


def written(folder: Path, content: bytes) -> str:
    path = folder / "0123"
    path.write_bytes(content)
    return str(path)


def test_lines_faults_and_notes(tmp_path: Path) -> None:
    found = describe_text(written(tmp_path, TEXT), "mine.txt")
    assert (found.lines, found.empty) == (3, 1)
    assert all(note.startswith("mine.txt: ") for note in found.notes)
    with pytest.raises(InputError, match=r"^mine\.txt: the file is empty"):
        describe_text(written(tmp_path, b""), "mine.txt")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_texts_are_unpacked_up_to_a_limit(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    path, plain = written(tmp_path, pack(TEXT)), tmp_path / "plain"
    assert unpack_text(path, str(plain), len(TEXT))
    assert plain.read_bytes() == TEXT
    with pytest.raises(InputError, match=r"^mine\.gz: unpacked"):
        unpack_text(path, str(plain), len(TEXT) - 1, "mine.gz")


def test_a_damaged_one_is_called_as_its_owner_does(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(TEXT)[:-4])
    with pytest.raises(InputError, match=r"^mine\.gz: .*damaged"):
        unpack_text(path, str(tmp_path / "plain"), 1_000, "mine.gz")


def test_a_plain_text_is_left_alone(tmp_path: Path) -> None:
    assert not unpack_text(written(tmp_path, TEXT), str(tmp_path / "plain"), 1)
    assert not (tmp_path / "plain").exists()


def test_systems_and_files_are_called_as_the_caller_says(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("One.\nTwo.\n")
    (tmp_path / "b").write_text("One.\n")
    one, two = str(tmp_path / "a"), str(tmp_path / "b")
    assert open_texts({"mine": one}, [one]).systems == ("mine",)
    with pytest.raises(LengthMismatch) as caught:
        open_texts({"mine": two}, [one], shown={one: "ref.txt", two: "sys.txt"})
    assert caught.value.counts == {"ref.txt": 2, "sys.txt": 1}
