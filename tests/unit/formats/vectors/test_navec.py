"""navec's product-quantised vectors, whole and damaged."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors import navec
from tenbin.formats.vectors.detection import open_vectors

WORDS = ["и", "кошка", "<unk>"]
PLACES = np.array([[0, 1], [1, 1], [2, 0]], dtype=np.uint8)
CODES = np.arange(12, dtype=np.float32).reshape(2, 3, 2)  # parts, centroids, numbers of a part


def members(**changed: bytes) -> dict[str, bytes]:
    counts = np.array([len(WORDS), 9, 5, 0], dtype="<u4").tobytes()
    shape = np.array([3, 4, 2, 3], dtype="<u4").tobytes()
    whole = {
        "meta.json": json.dumps({"id": "news", "protocol": 1}).encode(),
        "vocab.bin": gzip.compress(counts + "\n".join(WORDS).encode(), mtime=0),
        "pq.bin": shape + PLACES.tobytes() + CODES.tobytes(),
    }
    return whole | {name.replace("_", "."): content for name, content in changed.items()}


def write(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def test_parts_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navec, "_ROWS_AT_ONCE", 2)
    stream = open_vectors(write(tmp_path / "navec.tar", members()))
    chunks = list(stream.chunks)
    assert (stream.dimensions, stream.count) == (4, 3)
    assert [word for words, _ in chunks for word in words] == WORDS
    vectors = np.concatenate([part for _, part in chunks])
    assert vectors.tolist() == [[0, 1, 8, 9], [2, 3, 8, 9], [4, 5, 6, 7]]


@pytest.mark.parametrize(
    ("changed", "fact"),
    [
        ({"meta_json": b'{"protocol": 2}'}, "protocol 2, expected 1"),
        ({"meta_json": b"{"}, "cannot be read as navec"),
        (
            {"vocab_bin": gzip.compress(b"\x04\0\0\0" + bytes(16) + b"a\nb", mtime=0)},
            "2 words, expected",
        ),
        (
            {"vocab_bin": gzip.compress(b"\x01\0\0\0" + bytes(4) + b"a", mtime=0)},
            "1 word and 3 vectors",
        ),
        ({"vocab_bin": members()["vocab.bin"][:-9]}, "cannot be read as navec"),
        (
            {"vocab_bin": gzip.compress(b"\x01\0\0\0" + bytes(4) + b"\xff", mtime=0)},
            "cannot be read",
        ),
        ({"pq_bin": members()["pq.bin"][:-1]}, "cannot be read as navec"),
        ({"pq_bin": members()["pq.bin"][:20]}, "cannot be read as navec"),
        ({"pq_bin": members()["pq.bin"][:16] + b"\3" * 6 + CODES.tobytes()}, "4 dimensions"),
    ],
)
def test_damage_is_noticed(tmp_path: Path, changed: dict[str, bytes], fact: str) -> None:
    path = write(tmp_path / "navec.tar", members(**changed))
    with pytest.raises(UnreadableFile, match=fact):
        open_vectors(path)


def test_a_tar_of_something_else(tmp_path: Path) -> None:
    path = write(tmp_path / "other.tar", {"readme": b"hello"})
    with pytest.raises(UnreadableFile, match=r"meta\.json, vocab\.bin and pq\.bin"):
        open_vectors(path)


def test_values_that_are_not_finite(tmp_path: Path) -> None:
    codes = CODES.copy()
    codes[1, 1, 0] = np.nan
    path = write(tmp_path / "navec.tar", members(pq_bin=members()["pq.bin"][:22] + codes.tobytes()))
    with pytest.raises(UnreadableFile, match=r"vector 1 \('и'\) .* not finite"):
        list(open_vectors(path).chunks)
