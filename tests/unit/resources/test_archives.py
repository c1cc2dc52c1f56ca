"""One file is taken out of an archive; everything else about the archive may be hostile."""

import io
import shutil
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store import archives
from tenbin.resources.store.archives import extract_member

Maker = Callable[..., Path]


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
        with pytest.raises(ProviderFailed, match="leads out of it"):
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
    with pytest.raises(ProviderFailed, match="not an ordinary file"):
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
    with pytest.raises(ProviderFailed, match="not an ordinary file"):
        take(path, "data", 11)


def test_a_folder_or_twice_the_same_name_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/", b"")
        archive.writestr("twice", b"x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice", b"y")
    with pytest.raises(ProviderFailed, match="not an ordinary file"):
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
    monkeypatch.setattr(archives, "_MOST_UNPACKED", 1_000_000)
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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
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
