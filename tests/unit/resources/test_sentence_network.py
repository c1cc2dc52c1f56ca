"""The sentence encoder as it is stored: converted once, and refused if anything is wrong."""

import io
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.resource import ResourceKind
from tenbin.formats.tensor_file import check_tensors, map_tensors
from tenbin.resources.sentence_network import (
    _shapes,
    is_sentence_network,
    load_sentence_network,
    prepare_sentence_network,
)
from tenbin.resources.store.manifest import Entry, Provider, ProviderType
from tenbin.resources.store.store import ResourceStore

# Message of a vocabulary: <unk>, <s>, </s> and one subword, with their types.
VOCABULARY = b"".join(
    b"\x0a" + bytes((len(piece),)) + piece
    for piece in (
        b"\x0a\x05<unk>\x18\x02",
        b"\x0a\x03<s>\x18\x03",
        b"\x0a\x04</s>\x18\x03",
        b"\x0a\x04\xe2\x96\x81a",
    )
)
Arrays = dict[str, Any]


def arrays() -> Arrays:
    """Return weights of the right shapes, all of them 1."""
    found: Arrays = {key: np.ones(shape, dtype=np.float32) for key, shape in _shapes().items()}
    table = np.zeros((7530, 512), dtype=np.uint8)
    return found | {f"q{number}": table for number in range(1, 18)} | {"eps": np.float64(1e-12)}


def packed(path: Path, weights: bytes, vocabulary: bytes = VOCABULARY) -> Path:
    """Write a tar as the store does."""
    with tarfile.open(path, "w") as archive:
        for name, content in (("sp.model", vocabulary), ("weights.npz", weights)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def saved(content: Arrays) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **content)
    return stream.getvalue()


def test_a_network_is_converted_and_opened(tmp_path: Path) -> None:
    source = packed(tmp_path / "use.tar", saved(arrays()))
    folder = tmp_path / "prepared"
    folder.mkdir()
    prepare_sentence_network(source, folder)
    assert [path.name for path in folder.iterdir()] == ["network.safetensors"]
    check_tensors(folder / "network.safetensors")
    assert map_tensors(folder / "network.safetensors").tensors["codes"].shape == (128_010, 512)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"d0": None}, "d0"),
        ({"d0": np.ones((512, 321), dtype=np.float32)}, "d0 has shape"),
        ({"lo": np.ones(17)}, "lo has shape .* float64"),
        ({"cnn_b": np.full(512, np.nan, dtype=np.float32)}, "cnn_b .* not finite"),
        ({"q17": np.zeros((7530, 511), dtype=np.uint8)}, "q17 has shape"),
        ({"q1": np.zeros((7530, 512), dtype=np.int8)}, "q1 has shape"),
        ({"eps": np.float64(1.0)}, "eps is 1"),
        ({"d3": np.array([{"a": 1}], dtype=object)}, "allow_pickle"),
    ],
    ids=["missing", "shape", "type", "nan", "table", "bytes", "eps", "pickle"],
)
def test_wrong_weights_are_refused(tmp_path: Path, change: Arrays, said: str) -> None:
    content = {key: one for key, one in (arrays() | change).items() if one is not None}
    source = packed(tmp_path / "use.tar", saved(content))
    folder = tmp_path / "prepared"
    folder.mkdir()
    with pytest.raises(UnreadableFile, match=rf"use\.tar: weights\.npz is damaged .*{said}"):
        prepare_sentence_network(source, folder)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole = saved(arrays())
    folder = tmp_path / "prepared"
    folder.mkdir()
    third = len(whole) // 3
    flipped = whole[:third] + b"\xff" * 1000 + whole[third + 1000 :]
    for number, weights in enumerate((b"", whole[: len(whole) // 2], flipped, b"no archive")):
        source = packed(tmp_path / f"{number}.tar", weights)
        with pytest.raises(UnreadableFile, match=r"weights\.npz is damaged"):
            prepare_sentence_network(source, folder)
    source = packed(tmp_path / "vocabulary.tar", whole, b"\xff\xff")
    with pytest.raises(UnreadableFile, match=r"vocabulary\.tar: sp\.model is damaged"):
        prepare_sentence_network(source, folder)


def test_a_network_whose_vocabulary_has_no_special_tokens_is_refused(tmp_path: Path) -> None:
    source = packed(tmp_path / "use.tar", saved(arrays()), VOCABULARY[11:])
    entry = Entry(
        name="own-network",
        kind=ResourceKind.ENCODER,
        version="1",
        language="mul",
        licence="CC0-1.0",
        description="a toy",
        prepare="sentence-network-1",
        size=source.stat().st_size,
        sha256=ResourceStore(tmp_path / "any").fingerprints.fingerprint(source),
        providers=(Provider(type=ProviderType.FILE, path=str(source)),),
    )
    store = ResourceStore(tmp_path / "cache", manifest={entry.name: entry})
    assert is_sentence_network("own-network", store)
    with pytest.raises(UnreadableFile, match="does not begin with its special tokens"):
        load_sentence_network("own-network", store)


def test_other_resources_are_no_networks(tmp_path: Path) -> None:
    store = ResourceStore(tmp_path / "cache")
    assert is_sentence_network("use-multilingual", store)
    assert not is_sentence_network("minilm-en", store)
    assert not is_sentence_network(str(tmp_path), store)
    with pytest.raises(UsageError):
        load_sentence_network("glove-en-small", store)
