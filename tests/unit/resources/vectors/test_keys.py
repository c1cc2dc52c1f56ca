"""Tables that know their words by hash: spaCy's, with its symbols and shared rows."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from tenbin.formats.vectors.stream import KeyedRows
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.keys import with_words, word_keys
from tenbin.resources.vectors.word_vectors import load_vectors

WORDS = ["chat", "chats", "chien"]
# spaCy 3.8: StringStore()["LOC"] and ["agent"].
SYMBOLS = {385: "LOC", 401: "agent"}


def keyed(strings: list[str]) -> KeyedRows:
    keys = np.concatenate([word_keys(WORDS), np.array(list(SYMBOLS), dtype=np.uint64)])
    return KeyedRows(keys=keys, rows=np.array([1, 1, 0, 2, 2], np.int32), strings=strings)


def test_symbols_of_spacy_are_words_like_others() -> None:
    found = with_words(keyed([]))
    assert found.words is None
    assert found.keys.tolist() == word_keys([*WORDS, *SYMBOLS.values()]).tolist()


def test_words_are_known_if_all_are() -> None:
    assert with_words(keyed(["x", *WORDS[::-1]])).words == [*WORDS, *SYMBOLS.values()]
    assert with_words(keyed(["x", *WORDS[1:]])).words is None


@pytest.mark.parametrize("named", [True, False])
def test_a_folder_of_spacy_is_looked_up_and_checked(
    tmp_path: Path,
    named: bool,  # noqa: FBT001 - pytest gives it by name
) -> None:
    folder = tmp_path / "fr" / "vocab"
    folder.mkdir(parents=True)
    with (folder / "vectors").open("wb") as stream:
        np.save(stream, np.array([[2, 0], [0, 3], [1, 1]], dtype=np.float32))
    source = keyed([])
    numbers = zip(source.keys.tolist(), source.rows.tolist(), strict=True)
    body = b"".join(struct.pack(">BQB", 0xCF, *pair) for pair in numbers)
    (folder / "key2row").write_bytes(b"\x85" + body)
    if named:
        (folder / "strings.json").write_text(json.dumps(WORDS))
    vectors = load_vectors(str(tmp_path / "fr"), "fr", ResourceStore(tmp_path / "cache"))
    known = vectors.look_up(["Chats", "chien", "agent", "chat", "oiseau"])
    assert known.rows.tolist() == [1, 0, 2, 1, -1]
    np.testing.assert_array_equal(known.units[:2], [[0, 1], [1, 0]])
    check = vectors.check()
    assert (check.words, check.rows, check.sharing) == (5, 3, 4)
    assert check.groups == ((("chat", "chats"), ("LOC", "agent")) if named else ())
    assert vectors.identity.name == "fr"
    # A change of any of the files is another resource.
    with (folder / "vectors").open("wb") as stream:
        np.save(stream, np.array([[2, 0], [0, 3], [1, -1]], dtype=np.float32))
    changed = load_vectors(str(tmp_path / "fr"), "fr", ResourceStore(tmp_path / "cache"))
    assert changed.look_up(["agent"]).units[0, 1] < 0
