"""Making the bundled table, and the table that was made."""

import runpy
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.vectors import embedded
from tenbin.building.vectors.embedded import WORDS, build_embedded_vectors
from tenbin.core.errors import MissingResource
from tenbin.formats.tensor_file import map_tensors
from tenbin.resources.store.store import default_store
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import open_vector_table

FOLDER = Path(str(files("tenbin.resources"))) / "bundled" / "vectors"
BUNDLED = FOLDER / "glove-en-small.safetensors"
MOST_BYTES = 8_000_000


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Five words in GloVe's format, the most frequent first."""
    lines = ["the 1 0 0", "cat 3 4 0", "sat 0 0 2", "mat 0 -1 1", "zebra 1 1 1"]
    path = tmp_path / "glove.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_the_first_words_in_eight_bits(source: Path, tmp_path: Path) -> None:
    build_embedded_vectors(source, tmp_path / "small", count=3)
    table = open_vector_table(tmp_path / "small")
    assert table.precision is Precision.INT8
    assert table.words() is None
    rows = table.rows_of(["the", "cat", "sat", "mat", "zebra"])
    assert rows.tolist() == [0, 1, 2, -1, -1]
    np.testing.assert_allclose(table.units(rows[1:2]), [[0.6, 0.8, 0]], atol=0.003)


def test_fewer_words_than_asked_for(source: Path, tmp_path: Path) -> None:
    build_embedded_vectors(source, tmp_path / "small")
    assert open_vector_table(tmp_path / "small").keys.size == 5


def test_the_command(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_embedded_vectors(source, tmp_path / "expected")
    monkeypatch.setattr(sys, "argv", ["embedded_vectors", str(source), str(tmp_path / "small")])
    # By its file: pytest loads modules of packages with plugins by a loader that runpy cannot use.
    runpy.run_path(str(embedded.__file__), run_name="__main__")
    assert (tmp_path / "small").read_bytes() == (tmp_path / "expected").read_bytes()


def test_the_bundled_folder_takes_at_most_8_mb() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {
        BUNDLED.name,
        "LICENSE.PDDL-1.0.txt",
        "README.md",
    }
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= MOST_BYTES


def test_the_bundled_table() -> None:
    table = open_vector_table(BUNDLED)
    assert (table.keys.size, table.dimensions) == (WORDS, 100)
    assert table.precision is Precision.INT8
    known = table.rows_of(["the", "doctor", "physician", ",", "Doctor", "xyzzyx"]) >= 0
    assert known.tolist() == [True, True, True, True, False, False]
    # What the source does not have, see README.md beside the table.
    assert (table.rows_of(["a", "i", "2014", "don't"]) < 0).all()


@pytest.mark.slow
@pytest.mark.oracle
def test_the_bundled_table_is_made_number_for_number(tmp_path: Path) -> None:
    try:
        full = default_store().path("vectors-en")
    except MissingResource as error:
        pytest.skip(str(error))
    build_embedded_vectors(full, tmp_path / "small")
    made, bundled = map_tensors(tmp_path / "small"), map_tensors(BUNDLED)
    assert made.metadata == bundled.metadata
    assert made.tensors.keys() == bundled.tensors.keys()
    for name, numbers in made.tensors.items():
        np.testing.assert_array_equal(numbers, bundled.tensors[name])


@pytest.mark.oracle
def test_cosines_are_those_of_the_full_table() -> None:
    try:
        full = open_vector_table(default_store().prepared("vectors-en") / "vectors.safetensors")
    except MissingResource as error:
        pytest.skip(str(error))
    small = open_vector_table(BUNDLED)
    rng = np.random.default_rng(20261115)
    chosen = rng.choice(small.keys.size, (2, 5000))
    places = np.searchsorted(full.keys, small.keys[chosen])
    assert (full.keys[places] == small.keys[chosen]).all()
    one, other = (small.units(small.rows[side]).astype(float) for side in chosen)
    found = (one * other).sum(axis=1)
    one, other = (full.units(full.rows[side]).astype(float) for side in places)
    expected = (one * other).sum(axis=1)
    # The README says 0.0036 and 0.99997 for another five thousand against 32 bits.
    assert np.abs(found - expected).max() < 0.006
    assert np.corrcoef(found, expected)[0, 1] > 0.9999
