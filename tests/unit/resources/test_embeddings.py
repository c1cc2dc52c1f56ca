"""Word vectors as metrics use them."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnknownResource, UnreadableFile
from tenbin.resources.embeddings import load_embeddings, places_of, unit_length
from tenbin.resources.store import ResourceStore


@pytest.fixture
def own_store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "cache", offline=True)


def test_vectors_have_length_1_and_unknown_words_no_row(
    tmp_path: Path, own_store: ResourceStore
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("3 2\ncat 3 4\ndog 0 0\ncat 9 9\n", encoding="utf-8")
    opened = load_embeddings(str(path), "en", own_store)
    assert opened.rows(("dog", "bird", "cat")).tolist() == [1, -1, 0]
    expected = np.array([[0.6, 0.8], [0, 0]], dtype=np.float32)
    np.testing.assert_array_equal(opened.vectors[:2], expected)
    assert opened.identity.language == "en"


def test_the_first_of_two_vectors_counts() -> None:
    assert places_of(["a", "b", "a"]) == {"a": 0, "b": 1}


def test_tiny_and_null_vectors() -> None:
    found = unit_length(np.array([[0, 0], [1e-3, 0]], dtype=np.float32))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [[0, 0], [1, 0]])


def test_missing_files_and_unknown_names(tmp_path: Path, own_store: ResourceStore) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        load_embeddings(str(tmp_path / "nothing"), "en", own_store)
    with pytest.raises(UnknownResource):
        load_embeddings("no-such-vectors", "en", own_store)
