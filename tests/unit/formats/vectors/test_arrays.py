"""Word vectors as arrays with their words in another file."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.tensor_file import Array, TensorWriter
from tenbin.formats.vectors import arrays
from tenbin.formats.vectors.detection import open_vectors

VECTORS = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9.5]])
WORDS = ["cat", "a b", "猫"]


def write_words(path: Path) -> None:
    path.write_text("".join(f"{word}\n" for word in WORDS), encoding="utf-8")


def write_tensors(path: Path, **tensors: Array) -> None:
    with TensorWriter(path) as writer:
        for name, tensor in tensors.items():
            writer.extend(name, tensor)
        writer.finish({})


def content(path: Path) -> tuple[list[str], Array]:
    chunks = list(open_vectors(path).chunks)
    return [word for words, _ in chunks for word in words], np.concatenate([v for _, v in chunks])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("ending", [".words.txt", ".vocab"])
def test_numpy(tmp_path: Path, kind: type, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_BYTES_AT_ONCE", 30)
    np.save(tmp_path / "own.npy", VECTORS.astype(kind))
    write_words(tmp_path / f"own{ending}")
    words, vectors = content(tmp_path / "own.npy")
    assert words == WORDS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == VECTORS.tolist()


def test_safetensors(tmp_path: Path) -> None:
    write_words(tmp_path / "own.words.txt")
    write_tensors(tmp_path / "own.safetensors", embeddings=VECTORS, ids=np.arange(4))
    assert content(tmp_path / "own.safetensors")[1].tolist() == VECTORS.tolist()
    write_tensors(tmp_path / "own.safetensors", other=VECTORS[:2], vectors=VECTORS)
    assert content(tmp_path / "own.safetensors")[0] == WORDS
    write_tensors(tmp_path / "own.safetensors", other=VECTORS[:2], another=VECTORS)
    with pytest.raises(UnreadableFile, match=r"2 tables .* one called 'vectors'"):
        open_vectors(tmp_path / "own.safetensors")


def test_words_that_are_missing_or_do_not_fit(tmp_path: Path) -> None:
    np.save(tmp_path / "own.npy", VECTORS)
    with pytest.raises(UnreadableFile, match=r"into own\.words\.txt or own\.vocab"):
        open_vectors(tmp_path / "own.npy")
    (tmp_path / "own.vocab").write_text("cat\ndog\n")
    with pytest.raises(UnreadableFile, match="2 words for 3 vectors"):
        open_vectors(tmp_path / "own.npy")


@pytest.mark.parametrize(
    ("array", "fact"),
    [
        (np.arange(3.0), r"shape \(3,\)"),
        (np.arange(6).reshape(3, 2), "type int64"),
        (np.asfortranarray(VECTORS), "shape"),
        (np.empty((0, 3)), r"shape \(0, 3\)"),
    ],
)
def test_arrays_that_are_no_table(tmp_path: Path, array: Array, fact: str) -> None:
    write_words(tmp_path / "own.words.txt")
    np.save(tmp_path / "own.npy", array)
    with pytest.raises(UnreadableFile, match=fact):
        open_vectors(tmp_path / "own.npy")


def test_a_row_that_is_not_finite_and_an_array_that_is_cut_off(tmp_path: Path) -> None:
    write_words(tmp_path / "own.words.txt")
    bad = VECTORS.copy()
    bad[1, 2] = np.nan
    np.save(tmp_path / "own.npy", bad)
    with pytest.raises(UnreadableFile, match="vector 2 has a value that is not finite"):
        content(tmp_path / "own.npy")
    np.save(tmp_path / "own.npy", VECTORS)
    whole = (tmp_path / "own.npy").read_bytes()
    (tmp_path / "own.npy").write_bytes(whole[:-1])
    with pytest.raises(UnreadableFile, match="ends after 2 of 3 rows"):
        content(tmp_path / "own.npy")
    (tmp_path / "own.npy").write_bytes(whole[:20])
    with pytest.raises(UnreadableFile, match="cannot be read"):
        content(tmp_path / "own.npy")
