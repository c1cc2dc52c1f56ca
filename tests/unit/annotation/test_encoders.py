"""Encoders without a model: windows, groups, the cache on disk, word vectors."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tenbin.annotation.encoders.cache import (
    FOLDER_VARIABLE,
    LIMIT_VARIABLE,
    EncodingCache,
    default_encoding_cache,
)
from tenbin.annotation.encoders.context_encoder import windows
from tenbin.annotation.encoders.encoded import Encoding, SubwordFlag
from tenbin.annotation.encoders.layered_model import equal_groups
from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import Device, View, settled_device
from tenbin.core.errors import InputError, ResourceError, UsageError

VECTORS = "4 3\ncat 1 0 0\nkitten .8 .6 0\nsat 0 0 1\nthe .6 0 .8\n"
MANY = 1e9


@pytest.mark.parametrize("room", [1, 2, 3, 7, 8])
def test_windows_take_each_subword_once_with_neighbors_on_both_sides(room: int) -> None:
    for length in range(60):
        found = windows(length, room)
        assert [place for one in found for place in range(one.first, one.last)] == [*range(length)]
        for one in found:
            assert one.start <= one.first <= one.last <= one.stop <= length
            assert one.stop - one.start == min(room, length)
            # A quarter of the room at least, or the text ends there.
            assert one.start == 0 or one.first - one.start >= room // 4
            assert one.stop == length or one.stop - one.last >= room // 4


def test_groups_hold_one_length_and_have_one_size_per_length() -> None:
    lengths = np.random.default_rng(3).integers(1, 9, 200).tolist()
    groups = list(equal_groups(lengths, 16))
    places = Counter(place for group in groups for place in set(group))
    assert places == Counter(range(200))
    for group in groups:
        (length,) = {lengths[place] for place in group}
        assert len(group) == -(-16 // length)
    assert [lengths[group[0]] for group in groups] == sorted(
        (lengths[group[0]] for group in groups), reverse=True
    )


def encoding(seed: int, size: int = 4) -> Encoding:
    rng = np.random.default_rng(seed)
    vectors = rng.random((size, 8), dtype=np.float32)
    flags = np.array([1, 0, 2, 1], dtype=np.uint8)[np.arange(size) % 4]
    return Encoding(vectors, rng.integers(0, 9, size).astype(np.int32), flags)


WORDS = {number: f"subword {number}" for number in range(9)}


def test_what_was_cached_is_found_again_to_the_last_bit(tmp_path: Path) -> None:
    cache = EncodingCache(tmp_path, "model|4", MANY)
    made = [encoding(1), encoding(2, 7)]
    cache.store(["one", "two"], made, WORDS)
    for store in (cache, EncodingCache(tmp_path, "model|4", MANY)):
        found, words = store.find(["two", "three", "one"])
        assert sorted(found) == [0, 2]
        assert words == WORDS
        for one, other in ((found[0], made[1]), (found[2], made[0])):
            np.testing.assert_array_equal(one.vectors, other.vectors)
            np.testing.assert_array_equal(one.subwords, other.subwords)
            np.testing.assert_array_equal(one.flags, other.flags)


def test_another_encoder_finds_nothing(tmp_path: Path) -> None:
    EncodingCache(tmp_path, "model|4", MANY).store(["one"], [encoding(1)], WORDS)
    assert EncodingCache(tmp_path, "model|3", MANY).find(["one"]) == ({}, {})


def test_a_damaged_text_counts_as_not_there_and_the_others_are_found(tmp_path: Path) -> None:
    store = EncodingCache(tmp_path, "model", MANY)
    store.store(["one", "two"], [encoding(1), encoding(2)], WORDS)
    (path,) = tmp_path.rglob("*.safetensors")
    content = bytearray(path.read_bytes())
    content[4096] ^= 1  # in the first vector
    path.write_bytes(content)
    assert sorted(EncodingCache(tmp_path, "model", MANY).find(["one", "two"])[0]) == [1]
    path.write_bytes(content[:-20])
    assert EncodingCache(tmp_path, "model", MANY).find(["one", "two"]) == ({}, {})


def test_the_oldest_are_removed_when_the_limit_is_reached(tmp_path: Path) -> None:
    big = encoding(1, 400)  # 12.8 kB of vectors, about 20 kB as a file
    for number, name in enumerate(("first", "second", "third")):
        EncodingCache(tmp_path, "model", 50_000).store([name], [big], WORDS)
        for path in tmp_path.rglob("*.safetensors"):
            state = path.stat()
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns - 10**9 * (1 + number)))
    found, _ = EncodingCache(tmp_path, "model", 50_000).find(["first", "second", "third"])
    assert sorted(found) == [1, 2]


def test_a_text_larger_than_the_limit_is_not_cached(tmp_path: Path) -> None:
    EncodingCache(tmp_path, "model", 1_000).store(["one"], [encoding(1, 400)], WORDS)
    assert [*tmp_path.rglob("*.safetensors")] == []


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    store = EncodingCache(blocked, "model", MANY)
    store.store(["one"], [encoding(1)], WORDS)
    assert store.find(["one"]) == ({}, {})


def test_the_environment_moves_the_folder_and_sets_the_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "here"))
    store = default_encoding_cache("model")
    assert store is not None
    store.store(["one"], [encoding(1)], WORDS)
    assert len([*(tmp_path / "here").rglob("*.safetensors")]) == 1
    monkeypatch.setenv(LIMIT_VARIABLE, "0")
    assert default_encoding_cache("model") is None
    monkeypatch.setenv(LIMIT_VARIABLE, "much")
    with pytest.raises(UsageError, match="TENBIN_ENCODINGS_GB='much' is not a number"):
        default_encoding_cache("model")


@pytest.fixture
def static(tmp_path: Path) -> EncoderChoice:
    table = tmp_path / "toy.vec"
    table.write_text(VECTORS)
    return EncoderChoice(model=f"static:{table}", language="en", view=View((0,)))


def test_word_vectors_are_an_encoder(static: EncoderChoice) -> None:
    encoded = load_encoder(static).encode(["the Cat sat", "", "the zebra"])
    assert [encoded.tokens(row) for row in range(3)] == [
        ("the", "Cat", "sat"),
        (),
        ("the", "zebra"),
    ]
    known = encoded.known[encoded.rows.values].tolist()
    assert known == [True, True, True, True, False]
    assert encoded.having(SubwordFlag.UNKNOWN).tolist() == (~encoded.known).tolist()
    np.testing.assert_allclose(encoded.units[encoded.rows.row(0)[1]], [1, 0, 0])
    assert not encoded.having(SubwordFlag.SPECIAL).any()


def test_word_vectors_of_another_language_are_refused(static: EncoderChoice) -> None:
    encoder = load_encoder(static)
    assert encoder.notes(encoder.encode(["the cat sat"])) == []
    (note,) = encoder.notes(encoder.encode(["the cat saw some zebras"]))
    assert "only 40% of the words have a vector in 'toy.vec'" in note
    with pytest.raises(InputError, match="expected at least 10%: these are vectors of another"):
        encoder.notes(encoder.encode(["eine Katze sitzt auf der Matte dort drüben im Haus"]))


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenbin.annotation.encoders.settings.find_spec", lambda _: None)
    assert settled_device(Device.AUTO) is Device.CPU
    with pytest.raises(ResourceError, match="finds no CUDA device"):
        settled_device(Device.CUDA)
