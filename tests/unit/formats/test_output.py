"""A result file is whole or as it was before."""

import errno
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenbin.core.errors import OutputError
from tenbin.formats.output import check_target, discard_unfinished, whole_file, write_text


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of sixteen kilobytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user cannot mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)  # noqa: S607


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_with_the_usual_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    mask = os.umask(0o027)
    try:
        write_text(str(target), "ein Satz\nzwei\n")
    finally:
        os.umask(mask)
    assert target.read_bytes() == b"ein Satz\nzwei\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert entries(tmp_path) == ["out.txt"]


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    target.chmod(0o600)
    write_text(str(target), "new")
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "out.txt", tmp_path / "link"
    link.symlink_to(target)
    for text in ("first", "second"):  # dangling, then not
        write_text(str(link), text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert entries(tmp_path) == ["far", "link"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()], ids=repr
)
def test_whatever_happens_the_old_file_is_intact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, failure: BaseException
) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(os if call == "fsync" else Path, call, fail)
    expected = OutputError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        write_text(str(target), "new" * 1000)
    assert target.read_text() == "old"
    assert entries(tmp_path) == ["out.txt"]


def test_a_full_disk_leaves_the_old_file(tiny_disk: Path) -> None:
    target = tiny_disk / "out.txt"
    target.write_text("old")
    with pytest.raises(OutputError, match=r"No space left on device.*nothing there was changed"):
        write_text(str(target), "x" * 100_000)
    assert target.read_text() == "old"
    assert entries(tiny_disk) == ["out.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_an_error() -> None:
    with pytest.raises(OutputError, match="/dev/full: could not be written"):
        write_text("/dev/full", "x")


def test_a_device_is_written_to_not_replaced() -> None:
    write_text(os.devnull, "x")
    assert not Path(os.devnull).is_file()


def test_a_name_as_long_as_can_be(tmp_path: Path) -> None:
    target = tmp_path / ("n" * 255)
    write_text(str(target), "x")
    assert target.read_text() == "x"


def test_text_that_no_file_can_hold_is_marked(tmp_path: Path) -> None:
    write_text(str(tmp_path / "out"), "a\udcffb")
    assert (tmp_path / "out").read_text() == "a?b"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder, "this is a directory"),
        (lambda folder: folder / "none" / "out.txt", "there is no folder"),
        (lambda _folder: "", "the name of the output file is empty"),
    ],
)
def test_targets_that_cannot_be_are_refused_at_once(
    tmp_path: Path, make: Callable[[Path], Path | str], words: str
) -> None:
    for call in (check_target, lambda path: write_text(path, "x")):
        with pytest.raises(OutputError, match=words):
            call(str(make(tmp_path)))


def test_without_permission_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "touch", refused)
    with pytest.raises(OutputError, match=r"Permission denied.*Name another file\.") as caught:
        write_text(str(tmp_path / "out"), "x")
    assert "Free some space" not in str(caught.value)


def test_a_program_that_is_ended_at_once_can_clear_up(tmp_path: Path) -> None:
    def interrupted() -> None:
        with whole_file(str(tmp_path / "out.bin")) as temporary:
            temporary.write_bytes(b"half")
            discard_unfinished()
            assert entries(tmp_path) == []

    with pytest.raises(OutputError, match="No such file"):
        interrupted()
    assert entries(tmp_path) == []


def test_a_file_made_in_a_block_appears_when_it_ends(tmp_path: Path) -> None:
    target = tmp_path / "out.bin"
    with whole_file(str(target)) as temporary:
        temporary.write_bytes(b"half")
        assert not target.exists()
        assert temporary.parent == tmp_path
    assert target.read_bytes() == b"half"
    assert entries(tmp_path) == ["out.bin"]


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), OutputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (ValueError("no model"), ValueError),
    ],
    ids=repr,
)
def test_a_block_that_fails_leaves_the_old_file(
    tmp_path: Path, failure: BaseException, expected: type[BaseException]
) -> None:
    target = tmp_path / "out.bin"
    target.write_text("old")

    def fail() -> None:
        with whole_file(str(target)) as temporary:
            temporary.write_text("new")
            raise failure

    with pytest.raises(expected):
        fail()
    assert target.read_text() == "old"
    assert entries(tmp_path) == ["out.bin"]


@pytest.mark.parametrize("path", [os.devnull, "", "/"])
def test_no_block_is_entered_for_what_is_no_file(path: str) -> None:
    with pytest.raises(OutputError), whole_file(path):
        pytest.fail("nothing can be written there")
    assert not Path(os.devnull).is_file()
