"""Paraphrase tables as metrics open them."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import InputError
from tenbin.kernels.phrases.index import phrase_spans
from tenbin.resources.paraphrases import load_paraphrases
from tenbin.resources.store.store import ResourceStore


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
