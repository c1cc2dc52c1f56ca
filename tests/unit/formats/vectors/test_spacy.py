"""spaCy's tables in folders and archives, whole and damaged."""

import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import UnreadableFile
from tenbin.formats.vectors.detection import open_vectors
from tenbin.formats.vectors.spacy import _integer_map

ROWS = np.array([[1, 0], [0, 2]], dtype=np.float32)
# Of "apple" and "coffee", and the number of the symbol "LOC".
KEYS = {8566208034543834098: 0, 3197928453018144401: 1, 385: 1}


def packed(numbers: dict[int, int]) -> bytes:
    """A map as spaCy writes it: large keys in eight bytes, small values in one."""
    head = struct.pack(">BI", 0xDF, len(numbers))
    return head + b"".join(struct.pack(">BQB", 0xCF, key, row) for key, row in numbers.items())


def array_bytes(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.fixture
def members() -> dict[str, bytes]:
    return {
        "vectors": array_bytes(ROWS),
        "key2row": packed(KEYS),
        "strings.json": json.dumps(["apple", "coffee", "never"]).encode(),
        "vectors.cfg": b'{"mode": "default"}',
        "lookups.bin": b"\x80",
    }


def as_folder(path: Path, members: dict[str, bytes]) -> Path:
    folder = path / "fr_core" / "fr_core-3.8.0" / "vocab"
    folder.mkdir(parents=True)
    for name, content in members.items():
        (folder / name).write_bytes(content)
    return path / "fr_core"


def as_inner_folder(path: Path, members: dict[str, bytes]) -> Path:
    return as_folder(path, members) / "fr_core-3.8.0" / "vocab"


def as_named_file(path: Path, members: dict[str, bytes]) -> Path:
    return as_inner_folder(path, members) / "key2row"


def as_wheel(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path / "fr.whl", "w") as archive:
        for name, content in members.items():
            archive.writestr(f"fr_core/fr_core-3.8.0/vocab/{name}", content)
        archive.writestr("fr_core/meta.json", "{}")
    return path / "fr.whl"


def as_tar(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path / "fr.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path / "fr.tar"


@pytest.mark.parametrize("place", [as_folder, as_inner_folder, as_named_file, as_wheel, as_tar])
def test_the_same_table_from_everywhere(
    tmp_path: Path, members: dict[str, bytes], place: Callable[[Path, dict[str, bytes]], Path]
) -> None:
    stream = open_vectors(place(tmp_path, members))
    assert (stream.dimensions, stream.count) == (2, 2)
    assert stream.keyed is not None
    assert dict(zip(stream.keyed.keys.tolist(), stream.keyed.rows.tolist(), strict=True)) == KEYS
    assert stream.keyed.strings == ["apple", "coffee", "never"]
    ((words, vectors),) = stream.chunks
    assert not words
    np.testing.assert_array_equal(vectors, ROWS)


def test_a_table_needs_no_strings(tmp_path: Path, members: dict[str, bytes]) -> None:
    keyed = open_vectors(as_tar(tmp_path, {n: members[n] for n in ("vectors", "key2row")})).keyed
    assert keyed is not None
    assert not keyed.strings


@pytest.mark.parametrize(
    ("name", "content", "fact"),
    [
        ("vectors", None, "'key2row' but no 'vectors'"),
        ("key2row", None, "no file 'key2row'"),
        ("key2row", packed(KEYS)[:-3], "'key2row' is damaged or truncated"),
        ("key2row", b"", "'key2row' is damaged or truncated"),
        ("key2row", b"\x93\x01\x02\x03", "it is not a map"),
        ("key2row", b"\x81\xc0\x01", "not the start of an integer"),
        ("key2row", b"\x80", "'key2row' has no words"),
        ("key2row", packed({1: 2}), "refers to row 2, 'vectors' has 2"),
        ("strings.json", b"[", "'strings.json' is damaged"),
        ("vectors.cfg", b'{"mode": "floret"}', "a floret table"),
        ("vectors", array_bytes(ROWS.astype(np.int32)), "type int32"),
    ],
)
def test_what_is_missing_or_damaged_is_named(
    tmp_path: Path, members: dict[str, bytes], name: str, content: bytes | None, fact: str
) -> None:
    changed = {one: data for one, data in members.items() if one != name}
    if content is not None:
        changed[name] = content
    with pytest.raises(UnreadableFile, match=fact):
        open_vectors(as_folder(tmp_path, changed))


def test_damaged_archives(tmp_path: Path, members: dict[str, bytes]) -> None:
    whole = as_wheel(tmp_path, members).read_bytes()
    (tmp_path / "cut.whl").write_bytes(whole[:-30])
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        open_vectors(tmp_path / "cut.whl")
    whole = as_tar(tmp_path, members).read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[:700])
    with pytest.raises(UnreadableFile, match=r"damaged or truncated|cannot be read"):
        open_vectors(tmp_path / "cut.tar")


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        (b"\x82\x01\x02\xcc\xff\xe0", [1, 2, 255, -32]),
        (b"\xde\x00\x01\xcd\x01\x00\xd1\xff\xfe", [256, -2]),
        (
            b"\x82\xce\x00\x01\x00\x00\xd0\x80\xd2\xff\xff\xff\xff\xd3" + b"\xff" * 8,
            [65536, -128, -1, -1],
        ),
    ],
)
def test_integers_of_messagepack(content: bytes, numbers: list[int]) -> None:
    assert _integer_map(content) == numbers
