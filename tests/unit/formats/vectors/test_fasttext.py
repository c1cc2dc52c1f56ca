"""fastText's models, made byte by byte from the layout, whole and damaged."""

import struct
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.detection import open_vectors
from tenbin.formats.vectors.fasttext import subword_buckets

WORDS = [b"</s>", b"ab", "é".encode()]
BUCKETS = 7


def model(
    *,
    version: int = 12,
    words: list[bytes] | None = None,
    settings: tuple[int, ...] = (2, 5, 5, 1, 5, 1, 2, 2, BUCKETS, 1, 2, 100),
    quantised: bool = False,
    pruned: int = -1,
    rows: int = len(WORDS) + BUCKETS,
    value: float = 1.0,
) -> bytes:
    chosen = WORDS if words is None else words
    head = struct.pack("<2i12id", 793712314, version, *settings, 1e-4)
    # One label, which comes after the words and has no vector.
    head += struct.pack("<3i2q", len(chosen) + 1, len(chosen), 1, 100, pruned)
    head += b"".join(word + b"\0" + struct.pack("<qb", 3, 0) for word in chosen)
    head += b"__label__x\0" + struct.pack("<qb", 3, 1)
    matrix = np.arange(rows * 2, dtype="<f4") * value
    return head + struct.pack("<?2q", quantised, rows, 2) + matrix.tobytes() + b"output"


def test_known_words_are_means_with_their_subwords(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(model())
    stream = open_vectors(tmp_path / "model.bin")
    ((words, vectors),) = stream.chunks
    assert list(words) == ["</s>", "ab", "é"]
    matrix = np.arange(20, dtype=np.float32).reshape(10, 2)
    buckets, offsets = subword_buckets(["ab", "é"], 1, 2, BUCKETS)
    assert offsets.tolist() == [0, 5, 8]  # <a a ab b b> and <é é é>
    for number, word in enumerate(("ab", "é")):
        rows = [number + 1, *(3 + buckets[offsets[number] : offsets[number + 1]])]
        np.testing.assert_allclose(vectors[number + 1], matrix[rows].mean(axis=0), err_msg=word)
    np.testing.assert_array_equal(vectors[0], matrix[0])
    assert stream.subwords is not None
    assert (stream.subwords.shortest, stream.subwords.longest) == (1, 2)
    assert stream.subwords.count == BUCKETS
    np.testing.assert_array_equal(np.concatenate(list(stream.subwords.chunks)), matrix[3:])


@pytest.mark.parametrize(
    ("settings", "version"),
    [
        ((2, 5, 5, 1, 5, 1, 2, 2, BUCKETS, 0, 0, 100), 12),
        ((2, 5, 5, 1, 5, 1, 2, 3, BUCKETS, 3, 6, 100), 11),  # a classifier of the older format
    ],
)
def test_models_without_subwords(tmp_path: Path, settings: tuple[int, ...], version: int) -> None:
    (tmp_path / "model.bin").write_bytes(model(settings=settings, version=version))
    stream = open_vectors(tmp_path / "model.bin")
    assert stream.subwords is None
    ((_, vectors),) = stream.chunks
    assert vectors.tolist() == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (model(version=13), "format 13, expected 11 or 12"),
        (model(quantised=True), "quantised model .* Use the .bin file"),
        (model(pruned=0), "quantised model"),
        (model(words=[b"a", b"\xff"]), r"word 2 \(b'\\xff'\) is not valid UTF-8"),
        (model()[:-7], r"10 x 2 does not fit"),
        (model()[:100], "ends in word"),
        (model()[:50], "damaged or truncated"),
        (model(rows=2), "2 x 2 for 3 words"),
        (model(settings=(3, 5, 5, 1, 5, 1, 2, 2, BUCKETS, 1, 2, 100)), "10 x 2 for 3 words"),
    ],
)
def test_models_that_cannot_be_read(tmp_path: Path, content: bytes, fact: str) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(UnreadableFile, match=fact):
        open_vectors(tmp_path / "model.bin")


def test_values_that_are_not_finite(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(model(value=np.nan))
    with pytest.raises(UnreadableFile, match=r"vector 1 \('</s>'\) .* not finite"):
        list(open_vectors(tmp_path / "model.bin").chunks)
