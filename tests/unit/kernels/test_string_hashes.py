"""Hashes of many strings at once against clear code for one, and values of other programs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import IntArray
from tenbin.kernels.strings.hashes import ByteArray, murmur_hashes, signed_fnv_hashes

M64 = 2**64 - 1
MULTIPLIER = 0xC6A4A7935BD1E995


def murmur(text: bytes, seed: int) -> int:
    """MurmurHash64A after Appleby's C++."""
    found = seed ^ (len(text) * MULTIPLIER & M64)
    end = len(text) // 8 * 8
    for place in range(0, end, 8):
        block = int.from_bytes(text[place : place + 8], "little") * MULTIPLIER & M64
        block = (block ^ block >> 47) * MULTIPLIER & M64
        found = (found ^ block) * MULTIPLIER & M64
    if text[end:]:
        found = (found ^ int.from_bytes(text[end:], "little")) * MULTIPLIER & M64
    found = (found ^ found >> 47) * MULTIPLIER & M64
    return found ^ found >> 47


def fnv(text: bytes) -> int:
    """FNV-1a as fastText's Dictionary::hash: characters have a sign."""
    found = 2166136261
    for byte in text:
        signed = byte - 256 if byte >= 128 else byte
        found = (found ^ (signed & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF
    return found


def rows(texts: list[bytes]) -> tuple[ByteArray, IntArray]:
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return np.frombuffer(b"".join(texts), dtype=np.uint8), offsets


@given(texts=st.lists(st.binary(max_size=40), max_size=12), seed=st.integers(0, M64))
def test_murmur_of_many_is_murmur_of_each(texts: list[bytes], seed: int) -> None:
    found = murmur_hashes(*rows(texts), seed=seed)
    assert found.tolist() == [murmur(text, seed) for text in texts]


@pytest.mark.parametrize(
    ("word", "key"),
    # spaCy 3.8: StringStore().add(word); the first two are in its manual.
    [("apple", 8566208034543834098), ("coffee", 3197928453018144401)],
)
def test_keys_of_spacy(word: str, key: int) -> None:
    assert murmur_hashes(*rows([word.encode()]), seed=1).tolist() == [key]


@given(texts=st.lists(st.binary(max_size=20), max_size=12))
def test_fnv_of_many_is_fnv_of_each(texts: list[bytes]) -> None:
    values, offsets = rows(texts)
    found = signed_fnv_hashes(values, offsets[:-1], np.diff(offsets))
    assert found.tolist() == [fnv(text) for text in texts]


def test_substrings_may_overlap() -> None:
    values = np.frombuffer("<été>".encode(), dtype=np.uint8)
    found = signed_fnv_hashes(values, np.array([0, 1, 0]), np.array([3, 5, 7]))
    assert found.tolist() == [fnv("<é".encode()), fnv("été".encode()), fnv("<été>".encode())]
