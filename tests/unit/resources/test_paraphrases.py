"""Paraphrase tables: pairs and sets, opened, written and damaged."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.kernels.phrases.index import phrase_spans
from tenbin.resources.paraphrases import (
    ParaphraseSets,
    load_paraphrase_sets,
    load_paraphrases,
    write_paraphrase_sets,
)
from tenbin.resources.store.store import ResourceStore

GROUPS = [["bombing", "blown up", "explosion"], ["up", "above"], ["explosion", "bombing"]]
PAIRS = [("bombing", "explosion", 0.25), ("bombing", "blown up", 0.5), ("up", "above", 1.0)]


@pytest.fixture
def own_store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "cache", offline=True)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.txt"
    path.write_text("0.5\nin front of\nbefore\n0.1\nbig\nlarge\n", encoding="utf-8")
    return path


def test_phrases_are_found_where_they_stand(table: Path, own_store: ResourceStore) -> None:
    opened = load_paraphrases(str(table), "en", own_store)
    vocabulary = ("it", "in", "front", "of", "big")
    numbers = opened.numbers(vocabulary)
    assert numbers[0] == -1
    assert (numbers[1:] >= 0).all()
    assert len(phrase_spans(numbers, np.array([0, 5]), opened.index).starts) == 2


def test_the_table_is_indexed_once(table: Path, own_store: ResourceStore) -> None:
    first = load_paraphrases(str(table), "en", own_store)
    prepared = sorted((own_store.cache / "prepared").iterdir())
    assert load_paraphrases(str(table), "en", own_store) is first
    assert sorted((own_store.cache / "prepared").iterdir()) == prepared


def test_another_content_is_another_table(table: Path, own_store: ResourceStore) -> None:
    first = load_paraphrases(str(table), "en", own_store)
    table.write_text("0.5\nsmall thing\nlittle one\n", encoding="utf-8")
    second = load_paraphrases(str(table), "en", own_store)
    assert first.identity.fingerprint != second.identity.fingerprint
    assert set(second.words) == {"small", "thing", "little", "one"}


@pytest.mark.parametrize(
    "content", [b"", b"0.5\nin front of\n", b"0.5\n\xff\nb\n", b"\x1f\x8b\x08"]
)
def test_a_damaged_table_leaves_nothing_behind(
    tmp_path: Path, own_store: ResourceStore, content: bytes
) -> None:
    path = tmp_path / "damaged.txt"
    path.write_bytes(content)
    with pytest.raises(InputError):
        load_paraphrases(str(path), "en", own_store)
    assert not list((own_store.cache / "prepared").glob("*"))


@pytest.fixture
def store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "cache", offline=True)


@pytest.fixture
def sets(tmp_path: Path, store: ResourceStore) -> ParaphraseSets:
    path = str(tmp_path / "table.paraphrases")
    facts = {"tokenizer": "13a", "language": "en"}
    write_paraphrase_sets(path, sets_from_groups(GROUPS, PAIRS), facts)
    return load_paraphrase_sets(path, "en", store)


def rows(csr: tuple[np.ndarray, np.ndarray]) -> list[list[int]]:
    values, offsets = csr
    return [values[a:b].tolist() for a, b in pairwise(offsets.tolist())]


def test_phrases_and_sets(sets: ParaphraseSets) -> None:
    assert list(sets.words) == ["above", "blown", "bombing", "explosion", "up"]
    phrases = [sets.phrase(number) for number in range(sets.phrase_count)]
    assert phrases == ["above", "blown up", "bombing", "explosion", "up"]
    assert rows(sets.phrases) == [[0], [1, 4], [2], [3], [4]]
    assert rows(sets.sets) == [[1, 2, 3], [0, 4], [2, 3]]
    assert rows(sets.sets_of_phrases) == [[1], [0], [0, 2], [0, 2], [1]]
    assert sets.numbers(["up", "Up", "x"]).tolist() == [4, -1, -1]
    assert (sets.tokenizer, sets.set_count, sets.pair_count) == ("13a", 3, 3)
    assert sets.identity.language == "en"


def test_pairs_are_by_probability(sets: ParaphraseSets) -> None:
    phrases, shares, offsets = sets.pairs
    assert rows((phrases, offsets)) == [[], [], [1, 3], [], [0]]
    assert shares.tolist() == [0.5, 0.25, 1.0]


def test_the_index_knows_the_phrases_by_their_numbers(sets: ParaphraseSets) -> None:
    words = sets.numbers(["the", "blown", "up", "explosion"])
    spans = phrase_spans(words, np.array([0, 4]), sets.index)
    assert spans.phrases.tolist() == [1, 4, 3]
    assert spans.lengths.tolist() == [2, 1, 1]


def test_meteor_takes_the_pairs(sets: ParaphraseSets) -> None:
    meteor = sets.as_paraphrase_table()
    first, end = meteor.index.paraphrase_offsets[2:4]
    assert meteor.index.paraphrases[first:end].tolist() == [1, 3]


def test_the_same_table_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_paraphrase_sets(str(tmp_path / name), sets_from_groups(GROUPS, PAIRS), {"x": 1})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_phrase_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    good = sets_from_groups([["a", "b"]])
    twice = np.zeros(2, dtype=np.int32)
    broken = type(good)(
        **{name: getattr(good, name) for name in good.__slots__} | {"phrase_words": twice}
    )
    with pytest.raises(ValueError, match="twice"):
        write_paraphrase_sets(str(tmp_path / "x"), broken, {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda _: b"0.5\na\nb\n"])
def test_other_files_are_refused(
    tmp_path: Path, store: ResourceStore, sets: ParaphraseSets, damage: object
) -> None:
    assert sets.phrase_count
    path = tmp_path / "other.paraphrases"
    path.write_bytes(damage((tmp_path / "table.paraphrases").read_bytes()))  # type: ignore[operator]
    with pytest.raises(UnreadableFile, match=r"other\.paraphrases"):
        load_paraphrase_sets(str(path), "en", store)
