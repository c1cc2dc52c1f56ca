"""The lengths of vectors, read from their file beside the table."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors import load_vectors
from tenbin.resources.vectors.lengths import check_lengths, load_lengths
from tenbin.resources.vectors.table import write_vector_table

# `null` has no direction; `cat` comes twice, and its first vector counts.
VECTORS = "5 2\ncat 3 4\nnull 0 0\ndog 0 0.5\nhuge 3e19 4e19\ncat 1 0\n"


@pytest.fixture
def store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(cache=tmp_path / "cache")


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "toy.vec"
    path.write_text(VECTORS)
    return str(path)


def test_each_row_has_the_length_of_its_vector(source: str, store: ResourceStore) -> None:
    lengths = load_lengths(source, "en", store)
    rows = load_vectors(source, "en", store).look_up(["dog", "cat", "huge", "zzz", "null"]).rows
    mean = float(np.mean([5, 0.5, 5e19, 1]))
    assert lengths.mean == pytest.approx(mean, rel=1e-6)
    assert lengths.of(rows).tolist() == pytest.approx([0.5, 5, 5e19, mean, mean], rel=1e-6)


def test_lengths_are_read_once_and_made_again_if_damaged(
    source: str, store: ResourceStore, caplog: pytest.LogCaptureFixture
) -> None:
    first = load_lengths(source, "en", store)
    assert load_lengths(source, "en", store) is first
    (file,) = store.cache.rglob("lengths.safetensors")
    content = bytearray(file.read_bytes())
    content[-1] ^= 0x7F
    file.write_bytes(bytes(content))
    with pytest.raises(UnreadableFile, match="damaged"):
        check_lengths(file)
    again = load_lengths(source, "en", store)
    assert again.by_row.tolist() == first.by_row.tolist()
    assert "made again" in caplog.text


def test_a_table_has_none(tmp_path: Path, store: ResourceStore) -> None:
    path = tmp_path / "table.safetensors"
    write_vector_table(path, ["cat"], np.array([[3, 4]], dtype=np.float32))
    with pytest.raises(UsageError, match="without the lengths that they had"):
        load_lengths(str(path), "en", store)


def test_what_is_not_lengths_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    write_vector_table(path, ["cat"], np.array([[3, 4]], dtype=np.float32))
    with pytest.raises(UnreadableFile, match="the lengths of word vectors are damaged"):
        check_lengths(path)
