"""Tables of word vectors on disk: what is written is found again."""

import errno
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UnreadableFile
from tenbin.formats.tensor_file import Array, TensorWriter
from tenbin.formats.vectors.stream import KeyedRows, VectorChunk, VectorStream
from tenbin.resources.vectors import table as vector_table
from tenbin.resources.vectors.keys import word_keys
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import (
    VectorTable,
    is_vector_table,
    open_vector_table,
    write_vector_stream,
    write_vector_table,
)

RNG = np.random.default_rng(3)
WORDS = ["cat", "dog", "猫", "naïve", ""]
VECTORS = RNG.normal(size=(5, 7)).astype(np.float32)


def made(path: Path, words: list[str], vectors: Array, **options: object) -> VectorTable:
    write_vector_table(path / "table", words, vectors, **options)  # type: ignore[arg-type]
    return open_vector_table(path / "table")


def units(vectors: Array) -> Array:
    exact = vectors.astype(np.float64)
    scaled: Array = exact / np.linalg.norm(exact, axis=1, keepdims=True)
    return scaled


@pytest.mark.parametrize(
    ("precision", "tolerance"),
    [(Precision.FLOAT32, 1e-7), (Precision.FLOAT16, 5e-4), (Precision.INT8, 8e-3)],
)
def test_words_are_found_with_vectors_of_length_1(
    tmp_path: Path, precision: Precision, tolerance: float
) -> None:
    table = made(tmp_path, WORDS, VECTORS, precision=precision)
    assert (table.precision, table.dimensions) == (precision, 7)
    rows = table.rows_of(["猫", "bird", "cat", "", "Cat", "猫", "\ud800"])
    assert rows.tolist() == [2, -1, 0, 4, -1, 2, -1]
    found = table.units(rows)
    expected = units(VECTORS)
    np.testing.assert_allclose(found[[0, 2, 3]], expected[[2, 0, 4]], atol=tolerance)
    np.testing.assert_allclose(np.linalg.norm(found[[0, 2, 3, 5]], axis=1), 1, atol=2e-7)
    assert not found[[1, 4, 6]].any()
    assert [table.words([place]) for place in np.argsort(table.rows)] == [[w] for w in WORDS]


def test_32_bits_keep_the_very_numbers(tmp_path: Path) -> None:
    table = made(tmp_path, WORDS, VECTORS)
    lengths = np.sqrt((VECTORS * VECTORS).sum(axis=1))
    assert np.asarray(table.vectors).tobytes() == (VECTORS / lengths[:, None]).tobytes()


@given(words=st.lists(st.text(max_size=12), unique=True, min_size=1, max_size=40))
def test_any_words_are_found(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    valid = [word for word in words if word.isprintable()] or ["a"]
    vectors = np.arange(1, len(valid) + 1, dtype=np.float32)[:, None] * [1, 0]
    table = made(tmp_path_factory.mktemp("table"), valid, vectors)
    assert table.rows_of(valid).tolist() == list(range(len(valid)))
    assert sorted(table.words() or []) == sorted(valid)


def test_the_first_of_equal_words_counts(tmp_path: Path) -> None:
    table = made(tmp_path, ["a", "b", "a", "a"], VECTORS[:4])
    assert table.rows_of(["a", "b"]).tolist() == [0, 1]
    assert table.file.metadata["duplicates"] == "2"
    assert sorted(table.words() or []) == ["a", "b"]


def test_null_vectors_are_counted_and_stay_null(tmp_path: Path) -> None:
    vectors = VECTORS.copy()
    vectors[1] = 0
    for precision in Precision:
        table = made(tmp_path, WORDS, vectors, precision=precision)
        assert table.file.metadata["null_vectors"] == "1"
        assert not table.units(table.rows_of(["dog"])).any()


def test_words_may_be_left_out(tmp_path: Path) -> None:
    table = made(tmp_path, WORDS, VECTORS, keep_words=False)
    assert table.words() is None
    assert table.rows_of(["dog"]).tolist() == [1]
    assert not {"words", "word_offsets"} & table.file.tensors.keys()


def test_the_same_content_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_vector_table(tmp_path / name, WORDS, VECTORS, precision=Precision.INT8)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_how_a_vector_is_looked_up_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = RNG.normal(size=(300, 33)).astype(np.float32)
    words = [f"w{number}" for number in range(300)]
    table = made(tmp_path, words, vectors, precision=Precision.FLOAT16)
    together = table.units(table.rows_of(words))
    monkeypatch.setattr(vector_table, "_ROWS_AT_ONCE", 7)
    assert table.units(table.rows_of(words[::-1]))[::-1].tobytes() == together.tobytes()
    alone = np.concatenate([table.units(table.rows_of([word])) for word in words])
    assert alone.tobytes() == together.tobytes()


def test_bad_calls_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="5 words and 4 vectors"):
        write_vector_table(tmp_path / "table", WORDS, VECTORS[:4])
    with pytest.raises(UnreadableFile, match="no vectors"):
        write_vector_table(tmp_path / "table", [], VECTORS[:0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr
)
def test_a_full_disk_and_an_interrupt_leave_nothing(
    tmp_path: Path, failure: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    extend = TensorWriter.extend

    def failing(self: TensorWriter, name: str, block: Array) -> None:
        if name == "rows":
            raise failure
        extend(self, name, block)

    monkeypatch.setattr(TensorWriter, "extend", failing)
    with pytest.raises(type(failure)):
        write_vector_table(tmp_path / "table", WORDS, VECTORS)
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    with TensorWriter(path) as writer:
        writer.extend("vectors", VECTORS)
        writer.finish({})
    assert not is_vector_table(path)
    with pytest.raises(UnreadableFile, match="not a table of the format tenbin-vectors-1"):
        open_vector_table(path)


def test_precision_follows_size_while_a_stream_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_table, "_FLOAT32_BYTES", 4 * 7 * 5)

    def chunks(count: int) -> Iterator[VectorChunk]:
        for number in range(count):
            yield [f"w{number}"], VECTORS[number % 5][None]

    for count, precision in ((5, Precision.FLOAT32), (6, Precision.FLOAT16)):
        stream = VectorStream(dimensions=7, chunks=chunks(count))
        write_vector_stream(tmp_path / "table", stream, source="test")
        table = open_vector_table(tmp_path / "table")
        assert table.precision is precision
        found = table.units(table.rows_of([f"w{number}" for number in range(count)]))
        expected = units(VECTORS[np.arange(count) % 5])
        np.testing.assert_allclose(found, expected, atol=5e-4)


def test_rows_shared_by_keys(tmp_path: Path) -> None:
    words = ["cat", "cats", "dog"]
    keyed = KeyedRows(keys=word_keys(words), rows=np.array([1, 1, 0], np.int32), words=words)
    chunks: Iterator[VectorChunk] = iter([((), VECTORS[:2])])
    stream = VectorStream(dimensions=7, chunks=chunks, keyed=keyed)
    write_vector_stream(tmp_path / "table", stream, source="test")
    table = open_vector_table(tmp_path / "table")
    assert table.rows_of(["dog", "cats", "cat"]).tolist() == [0, 1, 1]
    assert sorted(table.words() or []) == words
