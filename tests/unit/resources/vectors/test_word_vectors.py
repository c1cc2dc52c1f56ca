"""Word vectors as metrics use them: looking up, falling back, checking, opening."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import (
    MalformedLine,
    OutputError,
    UnknownResource,
    UnreadableFile,
    UsageError,
)
from tenbin.core.resource import ResourceKind
from tenbin.formats.tensor_file import Array, TensorWriter
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import write_vector_table
from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors


@pytest.fixture
def own_store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "cache", offline=True)


@pytest.fixture
def vectors(tmp_path: Path, own_store: ResourceStore) -> WordVectors:
    path = tmp_path / "vectors.txt"
    lines = ["cat 3 4", "Dog 0 2", "dog 5 0", "none 0 0", "cat 9 9", "猫 1 1"]
    path.write_text("6 2\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return load_vectors(str(path), "en", own_store)


def test_vectors_have_length_1_and_unknown_words_none(vectors: WordVectors) -> None:
    known = vectors.look_up(("dog", "bird", "cat"))
    assert known.rows.tolist() == [2, -1, 0]
    assert known.present.tolist() == [True, False, True]
    np.testing.assert_array_equal(
        known.units, np.array([[1, 0], [0, 0], [0.6, 0.8]], dtype=np.float32)
    )
    assert vectors.identity.language == "en"
    assert vectors.identity.kind is ResourceKind.VECTORS
    assert vectors.identity.name == "vectors.txt"
    assert (vectors.dimensions, vectors.word_count, vectors.has_subwords) == (2, 5, False)
    assert vectors.precision is Precision.FLOAT32


def test_case_is_a_fall_back_and_not_a_rule(vectors: WordVectors) -> None:
    words = ("Dog", "dog", "DOG", "Cat")
    assert vectors.look_up(words).rows.tolist() == [1, 2, 2, 0]
    assert vectors.look_up(words, lowercase=False).rows.tolist() == [1, 2, -1, -1]


def test_another_form_goes_before_lower_case(vectors: WordVectors) -> None:
    asked: list[str] = []

    def other(word: str) -> str:
        asked.append(word)
        return {"ねこ": "猫", "CAT": "dog"}.get(word, word)

    rows = vectors.look_up(("ねこ", "cat", "CAT", "DOG"), other_form=other).rows
    assert rows.tolist() == [5, 0, 2, 2]
    assert asked == ["ねこ", "CAT", "DOG"]  # only for what is not there as it stands


def test_a_vector_without_direction_is_no_vector(vectors: WordVectors) -> None:
    known = vectors.look_up(["none", "cat"])
    assert known.present.tolist() == [False, True]
    assert not known.units[0].any()


def test_nothing_to_look_up(vectors: WordVectors) -> None:
    known = vectors.look_up([])
    assert known.units.shape == (0, 2)
    assert known.rows.size == 0


def test_the_check_counts_what_is_odd(vectors: WordVectors) -> None:
    check = vectors.check()
    assert (check.words, check.rows) == (5, 6)
    assert (check.duplicates, check.null_vectors) == (1, 1)
    assert (check.sharing, check.groups) == (0, ())
    assert (check.loss_max, check.loss_mean) == (0, 0)


def test_subwords_are_asked_for_in_vain(vectors: WordVectors) -> None:
    with pytest.raises(UsageError, match="have no subwords"):
        vectors.look_up(["bird"], subwords=True)


def test_a_table_is_opened_where_it_lies(tmp_path: Path, own_store: ResourceStore) -> None:
    path = tmp_path / "table.safetensors"
    numbers = np.random.default_rng(1).normal(size=(100, 20)).astype(np.float32)
    words = [f"w{n}" for n in range(100)]
    write_vector_table(path, words, numbers, precision=Precision.INT8)
    opened = load_vectors(str(path), "en", own_store)
    assert opened.precision is Precision.INT8
    assert opened.look_up(["w7"]).rows.tolist() == [7]
    assert 0 < opened.check().loss_mean < opened.check().loss_max < 0.02
    assert not (own_store.cache / "prepared").exists()


def test_a_file_is_opened_once_as_long_as_it_stays_as_it_is(
    tmp_path: Path, own_store: ResourceStore
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("cat 1 0\n")
    first = load_vectors(str(path), "en", own_store)
    assert load_vectors(str(path), "en", own_store) is first
    path.write_text("dog 0 1\n")
    os.utime(path, ns=(1, 1))
    second = load_vectors(str(path), "en", own_store)
    assert second.look_up(["dog", "cat"]).rows.tolist() == [0, -1]
    assert first.identity != second.identity


def test_pairs_of_files_are_one_source(tmp_path: Path, own_store: ResourceStore) -> None:
    np.save(tmp_path / "own.npy", np.eye(2))
    (tmp_path / "own.words.txt").write_text("cat\ndog\n")
    first = load_vectors(str(tmp_path / "own.npy"), "en", own_store)
    assert first.look_up(["dog"]).rows.tolist() == [1]
    assert first.identity.name == "own.npy"
    # Another word list makes other data, though the array is the same.
    (tmp_path / "own.words.txt").write_text("dog\ncat!\n")
    second = load_vectors(str(tmp_path / "own.npy"), "en", own_store)
    assert second.look_up(["dog"]).rows.tolist() == [0]
    assert first.identity.fingerprint != second.identity.fingerprint


def test_missing_files_and_unknown_names(tmp_path: Path, own_store: ResourceStore) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        load_vectors(str(tmp_path / "nothing"), "en", own_store)
    with pytest.raises(UnknownResource):
        load_vectors("no-such-vectors", "en", own_store)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UnreadableFile, match=r"no word vectors in this folder\. Expected"):
        load_vectors(str(tmp_path / "folder"), "en", own_store)


def test_a_resource_of_another_kind(own_store: ResourceStore) -> None:
    with pytest.raises(UsageError, match="is of kind paraphrases, expected vectors"):
        load_vectors("meteor-paraphrases-en", "en", own_store)


def prepared(store: ResourceStore) -> list[Path]:
    folders = (store.cache / "prepared", store.cache / ".staging")
    return [path for folder in folders if folder.is_dir() for path in folder.iterdir()]


def test_a_damaged_file_leaves_nothing(tmp_path: Path, own_store: ResourceStore) -> None:
    (tmp_path / "vectors.txt").write_text("cat 1 0\ndog 1\n")
    with pytest.raises(MalformedLine, match="line 2: 1 value, expected 2"):
        load_vectors(str(tmp_path / "vectors.txt"), "en", own_store)
    assert prepared(own_store) == []


@pytest.mark.parametrize("pair", [True, False], ids=["pair", "file"])
@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), OutputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
    ids=["full", "interrupt"],
)
def test_a_full_disk_and_an_interrupt_leave_nothing(
    tmp_path: Path,
    own_store: ResourceStore,
    pair: bool,  # noqa: FBT001 - pytest gives it by name
    failure: BaseException,
    error: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    np.save(tmp_path / "own.npy", np.eye(2))
    (tmp_path / "own.words.txt").write_text("cat\ndog\n")
    (tmp_path / "own.txt").write_text("cat 1 0\n")
    extend = TensorWriter.extend

    def failing(self: TensorWriter, name: str, block: Array) -> None:
        if name == "keys":
            raise failure
        extend(self, name, block)

    monkeypatch.setattr(TensorWriter, "extend", failing)
    with pytest.raises(error, match=r"No space left|^$"):
        load_vectors(str(tmp_path / ("own.npy" if pair else "own.txt")), "en", own_store)
    assert prepared(own_store) == []


def test_words_looked_for_in_one_form_are_one_word(vectors: WordVectors) -> None:
    known = vectors.look_up(("Dog", "dog", "DOG", "Bird", "bird", "cat"))
    assert known.forms == ("Dog", "dog", "dog", "bird", "bird", "cat")
    assert known.classes.tolist() == [0, 1, 1, 3, 3, 5]
    assert known.fold("BIRD") == "bird"
    as_they_stand = vectors.look_up(("Bird", "bird"), lowercase=False)
    assert as_they_stand.classes.tolist() == [0, 1]
    assert as_they_stand.fold("BIRD") == "BIRD"
