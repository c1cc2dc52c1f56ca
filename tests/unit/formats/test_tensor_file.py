"""Files of safetensors: what is written is read again, and damage is noticed."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.tensor_file import TensorWriter, is_tensor_file, map_tensors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "own.safetensors"


def write(path: Path) -> None:
    with TensorWriter(path) as writer:
        writer.extend("table", np.arange(6, dtype=np.int8).reshape(2, 3))
        writer.extend("table", np.full((1, 3), 9, dtype=np.int8))
        writer.extend("keys", np.array([2**64 - 1, 5], dtype=np.uint64))
        writer.extend("numbers", np.array([0.5, -1], dtype=np.float32))
        writer.finish({"who": "Tenbin", "what": "猫"})


def test_what_is_written_is_read_again(path: Path) -> None:
    write(path)
    assert is_tensor_file(path.read_bytes()[:9])
    file = map_tensors(path)
    assert file.metadata == {"who": "Tenbin", "what": "猫"}
    assert file.tensors["table"].tolist() == [[0, 1, 2], [3, 4, 5], [9, 9, 9]]
    assert file.tensors["keys"].tolist() == [2**64 - 1, 5]
    assert file.tensors["numbers"].tolist() == [0.5, -1]
    assert file.tensors["keys"].flags.aligned
    assert not file.tensors["numbers"].flags.writeable


def test_the_layout_is_that_of_safetensors(path: Path) -> None:
    # No gaps between arrays, offsets from the end of the header: what other readers insist on.
    write(path)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    del header["__metadata__"]
    bounds = sorted(entry["data_offsets"] for entry in header.values())
    assert bounds[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(bounds))
    assert 8 + length + bounds[-1][1] == len(content)
    assert (8 + length) % 4096 == 0


def test_the_library_reads_our_files_and_we_read_its(path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    write(path)
    ours = map_tensors(path).tensors
    theirs = library.load_file(path)
    assert all(np.array_equal(theirs[name], array) for name, array in ours.items())
    library.save_file({"table": ours["numbers"].copy()}, path)
    assert np.array_equal(map_tensors(path).tensors["table"], theirs["numbers"])


def test_an_array_is_made_smaller_in_place(path: Path) -> None:
    numbers = np.linspace(-1, 1, 30, dtype=np.float32).reshape(10, 3)
    with TensorWriter(path) as writer:
        writer.extend("table", numbers)
        writer.recast("table", np.float16, rows_at_once=4)
        writer.extend("table", numbers.astype(np.float16))
        writer.extend("last", np.arange(2))
        writer.finish({})
    tensors = map_tensors(path).tensors
    expected = np.concatenate([numbers, numbers]).astype(np.float16)
    assert tensors["table"].tobytes() == expected.tobytes()
    assert tensors["last"].tolist() == [0, 1]


def test_only_the_last_array_grows_and_the_header_has_its_room(path: Path) -> None:
    with TensorWriter(path) as writer:
        writer.extend("one", np.arange(2))
        writer.extend("two", np.arange(2))
        with pytest.raises(ValueError, match="one is finished"):
            writer.extend("one", np.arange(2))
        with pytest.raises(ValueError, match="does not fit"):
            writer.finish({"long": "x" * 5000})
    with pytest.raises(UnreadableFile, match="damaged"):
        map_tensors(path)


@pytest.mark.parametrize("size", [1, 7, 8, 100, 4096, -1])
def test_a_file_that_is_cut_off(path: Path, size: int) -> None:
    write(path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        map_tensors(path)


def test_files_that_are_empty_or_not_there(path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        map_tensors(path)
    path.touch()
    with pytest.raises(UnreadableFile, match="empty"):
        map_tensors(path)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]},
        {"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]},
        {"dtype": "F32", "shape": [2]},
        "F32",
    ],
)
def test_a_header_that_lies(path: Path, entry: object) -> None:
    header = json.dumps({"a": entry}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    with pytest.raises(UnreadableFile, match="damaged"):
        map_tensors(path)
