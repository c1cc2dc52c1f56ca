"""wink's JSON, read piece by piece."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors import wink as wink_vectors
from tenbin.formats.vectors.detection import open_vectors

VECTORS: dict[str, list[float]] = {
    "the": [0.5, -1e-05, 2, 2.06, 0],
    'a"}],[{\\': [1, 2, 3, 3.7, 1],
    "vectors": [0.1, 0.2, 0.30000000000000004, 1, 2],
    "é\n": [4, 5, 6, 7, 3],
}


def document(**changed: object) -> dict[str, object]:
    head = {"precision": 8, "size": 4, "dimensions": 3, "words": [*VECTORS, '"vectors":{']}
    return {**head, "vectors": VECTORS, "unkVector": [0, 0, 0], **changed}


@pytest.mark.parametrize("block", [3, 40, 2**20])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("indent", [None, 1])
def test_every_layout_reads_the_same(
    tmp_path: Path,
    block: int,
    ascii_only: bool,  # noqa: FBT001 - pytest gives it by name
    indent: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wink_vectors, "_BLOCK_BYTES", block)
    text = json.dumps(document(), ensure_ascii=ascii_only, indent=indent).encode()
    for name, content in (("plain.json", text), ("packed.json.gz", gzip.compress(text, mtime=0))):
        (tmp_path / name).write_bytes(content)
        stream = open_vectors(tmp_path / name)
        chunks = list(stream.chunks)
        assert (stream.dimensions, stream.count, stream.done()) == (3, 4, 1)
        assert [word for words, _ in chunks for word in words] == list(VECTORS)
        vectors = np.concatenate([part for _, part in chunks])
        expected = np.array([row[:3] for row in VECTORS.values()]).astype(np.float32)
        np.testing.assert_array_equal(vectors, expected)


@pytest.mark.parametrize(
    ("changed", "fact"),
    [
        ({"size": 5}, "says 5 vectors and has 4"),
        ({"vectors": {"a": [1, 2, 3, 4, 5], "b": [1, 2, 3]}}, "vector 2 has 3 values, expected 5"),
        ({"vectors": {"a": [1, 2]}}, "vector 1 has 2 values"),
        ({"vectors": {"a": [1, "x", 3]}}, "a value that is not a number"),
        ({"vectors": {"a": [1, float("nan"), 3]}}, r"vector 1 \('a'\) .* not finite"),
        ({"vectors": {}}, "says 4 vectors and has 0"),
        ({"vectors": 3}, 'no "vectors" in the file'),
    ],
)
def test_documents_that_are_not_right(
    tmp_path: Path, changed: dict[str, object], fact: str
) -> None:
    path = tmp_path / "wink.json"
    path.write_text(json.dumps(document(words=[], **changed)))
    with pytest.raises(UnreadableFile, match=fact):
        list(open_vectors(path).chunks)


@pytest.mark.parametrize("missing", [1, 40, 60, 100])
def test_a_document_that_is_cut_off(tmp_path: Path, missing: int) -> None:
    text = json.dumps(document(unkVector=None)).encode()
    text = text[: text.index(b', "unkVector"')]
    path = tmp_path / "wink.json"
    path.write_bytes(text[:-missing])
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        list(open_vectors(path).chunks)


def test_words_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "wink.json"
    path.write_bytes(b'{"dimensions": 1, "vectors": {"ok": [1], "ch\xe2t": [2]}}')
    with pytest.raises(UnreadableFile, match=r"word 2 .* is not valid"):
        list(open_vectors(path).chunks)
