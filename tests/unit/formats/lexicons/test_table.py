"""Lexicon tables: what is written is read, and damage is noticed."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UnreadableFile
from tenbin.formats.lexicons.table import (
    lexicon_table,
    read_lexicon_table,
    write_lexicon_table,
)

WORDS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1)
SETS = st.dictionaries(WORDS, st.sets(st.integers(0, 2**31 - 1)))


@given(SETS, st.text(st.characters(exclude_categories=["Cs"])))
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, sets: dict[str, set[int]], notes: str
) -> None:
    path = tmp_path_factory.mktemp("table") / "toy.npz"
    write_lexicon_table(path, lexicon_table(sets, notes))
    table = read_lexicon_table(path)
    assert table.words == tuple(sorted(sets))
    assert table.notes == notes
    for word, numbers in sets.items():
        assert table.sets_of(word) == tuple(sorted(numbers))
    for number in {number for numbers in sets.values() for number in numbers}:
        assert table.members(number) == tuple(w for w in sorted(sets) if number in sets[w])


def test_words_that_are_not_listed() -> None:
    table = lexicon_table({"a": [1]})
    assert table.sets_of("b") == ()
    assert table.members(2) == ()
    assert lexicon_table({}).sets_of("") == ()


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, sets in (("one", {"b": [2, 1], "a": [3]}), ("two", {"a": [3], "b": [1, 2, 2]})):
        write_lexicon_table(tmp_path / name, lexicon_table(sets))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_damage(tmp_path: Path) -> None:
    path = tmp_path / "toy.npz"
    write_lexicon_table(path, lexicon_table({f"word{n}": [n] for n in range(500)}))
    whole = path.read_bytes()
    for data in (b"", whole[:-40], whole[:300], b"no archive", whole[:200] + b"\0" + whole[201:]):
        path.write_bytes(data)
        with pytest.raises(UnreadableFile, match="not a complete lexicon table"):
            read_lexicon_table(path)
    with path.open("wb") as stream:
        np.save(stream, np.ones(3))
    with pytest.raises(UnreadableFile, match="not a complete lexicon table"):
        read_lexicon_table(path)
    np.savez(path, words=np.zeros(3, np.uint8), counts=np.ones(2), sets=np.ones(5), notes=[])
    with pytest.raises(UnreadableFile, match="not a complete lexicon table"):
        read_lexicon_table(path)
    with pytest.raises(UnreadableFile, match="no such file"):
        read_lexicon_table(tmp_path / "absent.npz")
