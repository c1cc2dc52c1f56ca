"""Files of adapters: written and read again, and refused where they are not what they should be."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.annotation.joint.adapter import (
    FORMAT,
    Adapter,
    AdapterCard,
    find_adapter,
    read_adapter,
    write_adapter,
)
from tenbin.core.errors import OutputError, ResourceError, TenbinError, UnreadableFile, UsageError
from tenbin.formats.tensor_file import TensorWriter, map_tensors
from tenbin.kernels.products.rounding import plain_rounded_rows

CARD = AdapterCard(
    name="own",
    language="en",
    base="tiny",
    base_fingerprint="0" * 64,
    rank=2,
    alpha=4.0,
    width=3,
    layer=2,
    share=0.4,
    training={"seed": 1, "curves": [0.5, 0.25], "sets": [{"name": "ä" * 3000}]},
)


def tensors() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    shapes = {
        "mix": (4,),
        "head/hidden/weight": (3, 10),
        "head/hidden/bias": (3,),
        "head/output/weight": (1, 3),
        "head/output/bias": (1,),
        "full/embeddings.LayerNorm.weight": (5,),
    }
    for number in range(40):
        shapes |= {f"lora/encoder.{number}/down": (2, 5), f"lora/encoder.{number}/up": (7, 2)}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def written(path: Path, **changes: Any) -> Path:
    found = tensors() | changes
    write_adapter(str(path), Adapter(tensors=found, card=CARD))
    return path


def test_written_and_read(tmp_path: Path) -> None:
    path = written(tmp_path / "own.safetensors")
    found = read_adapter(path=str(path))
    assert found.card == CARD
    assert found.layers == 3
    assert found.modules == sorted(f"encoder.{number}" for number in range(40))
    for name, one in tensors().items():
        rounded = one if name == "mix" else one.astype(np.float16)
        assert np.array_equal(found.tensors[name], rounded)
    assert found.identity is not None
    assert (found.identity.name, len(found.identity.fingerprint)) == ("own", 64)
    assert find_adapter(str(path)).card == CARD
    assert json.loads(map_tensors(path).metadata["card"])["format"] == FORMAT


def test_a_file_that_safetensors_can_read(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    path = written(tmp_path / "own.safetensors")
    found = library.load_file(path)
    assert np.array_equal(found["mix"], tensors()["mix"])


def test_every_damaged_byte_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "own.safetensors")
    content = path.read_bytes()
    other = tmp_path / "other.safetensors"
    for place in range(0, len(content), 997):
        if content[place : place + 1] == b" ":
            continue  # the filling of the header
        other.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(TenbinError):
            read_adapter(path=str(other))
    for stop in (0, 5, 100, len(content) - 1):
        other.write_bytes(content[:stop])
        with pytest.raises(UnreadableFile, match=r"other\.safetensors"):
            read_adapter(path=str(other))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mix", np.full(4, np.nan), "mix are not finite"),
        ("head/hidden/bias", np.full(3, 1e6), "head/hidden/bias are not finite"),  # as float16
        ("head/output/bias", np.zeros(2), "head/output/bias is 2 of"),
        ("lora/encoder.0/up", np.zeros((7, 3)), "expected 7 x 2"),
        ("lora/encoder.0/sideways", np.zeros((2, 5)), "unknown"),
        ("lora/encoder.99/down", np.zeros((2, 5)), "missing: lora/encoder.99/up"),
        ("other", np.zeros(2), "unknown"),
    ],
)
def test_numbers_that_cannot_be(tmp_path: Path, name: str, value: Any, said: str) -> None:
    path = tmp_path / "own.safetensors"
    with pytest.raises(UnreadableFile, match=said):
        written(path, **{name: value})
    assert not path.exists()
    _write(path, tensors() | {name: value}, CARD.as_json())
    with pytest.raises(UnreadableFile, match=said):
        read_adapter(path=str(path))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "tenbin adapter 9"}, "'tenbin adapter 9'"),
        ({"format": None}, "None"),
        ({"base": {}}, "'name' is missing"),
        ({"base": "tiny"}, "cannot be read"),
        ({"language": "xx-not a tag"}, "cannot be read"),
        ({"lora": {"rank": 2.5, "alpha": 4}}, "2.5 is not a whole number"),
        ({"lora": {"rank": True, "alpha": 4}}, "True is not a whole number"),
        ({"bertscore": {"layer": 2, "share": 1.5}}, "1.5"),
        ({"bertscore": {"layer": -2, "share": 0.5}}, "-2"),
        ({"training": 3}, "cannot be read"),
    ],
)
def test_cards_that_cannot_be(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = tmp_path / "own.safetensors"
    _write(path, tensors(), CARD.as_json() | change)
    with pytest.raises(UnreadableFile, match=said):
        read_adapter(path=str(path))


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "own.safetensors"
    with TensorWriter(path) as writer:
        writer.extend("mix", np.zeros(3, dtype=np.float32))
        writer.finish({})
    with pytest.raises(UnreadableFile, match="no card"):
        read_adapter(path=str(path))
    path.write_text("a text")
    with pytest.raises(UnreadableFile, match="damaged"):
        read_adapter(path=str(path))
    with pytest.raises(UnreadableFile):
        read_adapter(path=str(tmp_path))
    with pytest.raises(UsageError, match="no such file"):
        find_adapter(str(tmp_path / "nothing"))
    with pytest.raises(ResourceError, match="tenbin-larger"):
        find_adapter("tenbin-larger")
    with pytest.raises(OutputError):
        written(tmp_path / "no folder" / "own.safetensors")


def test_one_that_is_replaced_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "own.safetensors")
    before = read_adapter(path=str(path))
    written(path, mix=np.ones(4))
    after = read_adapter(path=str(path))
    assert np.array_equal(after.tensors["mix"], np.ones(4))
    assert before.identity != after.identity


def _write(path: Path, found: dict[str, Any], card: Any) -> None:
    with np.errstate(over="ignore"), TensorWriter(path, 65_536) as writer:
        for name, one in sorted(found.items(), key=lambda item: (item[0] != "mix", item[0])):
            kind = np.float32 if name == "mix" else np.float16
            writer.extend(name, np.asarray(one).astype(kind))
        writer.finish({"card": json.dumps(card)})


def test_rounded_matrices(tmp_path: Path) -> None:
    weight = np.random.default_rng(3).normal(size=(6, 9)).astype(np.float32)
    weight[2] = 0  # a row of zeros has a unit too
    name, path = "full/encoder.layer.0.output.dense.weight", tmp_path / "own.safetensors"
    found = tensors() | {name: weight}
    write_adapter(str(path), Adapter(tensors=found, card=CARD), rounded=True)
    stored = map_tensors(path).tensors
    assert stored[name].dtype == np.int8
    read = read_adapter(path=str(path)).tensors
    assert read.keys() == found.keys()
    half = np.abs(weight).max(axis=1, keepdims=True) / 254
    assert (np.abs(read[name] - weight) <= half * 1.0001).all()
    # A network that computes with int8 rounds what was read to the same integers.
    again, _ = plain_rounded_rows(read[name])
    assert np.array_equal(again, stored[name])
    vector = "full/embeddings.LayerNorm.weight"
    assert np.array_equal(read[vector], found[vector].astype(np.float16))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"full/a.weight": np.ones((2, 3), dtype=np.int8)}, "units/a.weight"),
        ({"units/a.weight": np.ones(2, dtype=np.float32)}, "which is unknown"),
        (
            {
                "full/a.weight": np.ones((2, 3), dtype=np.int8),
                "units/a.weight": np.ones(3, dtype=np.float32),
            },
            "units/a.weight is 3 of float32, expected 2",
        ),
        ({"mix": np.ones(4, dtype=np.int8)}, "mix is 4 of int8"),
    ],
)
def test_integers_that_cannot_be(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    good = map_tensors(written(tmp_path / "own.safetensors"))
    path = tmp_path / "bad.safetensors"
    content = dict(good.tensors) | changes
    with TensorWriter(path, 1 << 17) as writer:
        for name in sorted(content, key=lambda one: (-content[one].itemsize, one)):
            writer.extend(name, content[name])
        writer.finish({key: good.metadata[key] for key in ("format", "card")})
    with pytest.raises(UnreadableFile, match=re.escape(said)):
        read_adapter(path=str(path))
