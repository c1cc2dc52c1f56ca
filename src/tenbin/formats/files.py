"""The one way files that a user names are found and opened: regular files, and bounded streams."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tenbin.core.errors import UnreadableFile

STREAM_LIMIT = 8 * 2**30
"""Bytes that are taken from a stream (standard input, a pipe); a file may be larger."""

_KINDS = (
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
_LONGEST_SHOWN = 200


def printable_path(path: str) -> str:
    """Return a path as text that can be printed, whatever bytes the file system allows."""
    shown = os.fsencode(path).decode("utf-8", "replace")
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def user_path(name: str | Path) -> Path:
    """Return the path that a user wrote, with ``~`` and ``~user`` replaced by their folders.

    Raises:
        UnreadableFile: The name is empty, has a NUL, or names the home of nobody.
    """
    written = str(name)
    if not written:
        raise UnreadableFile("''", "the name of a file is empty", "Is a shell variable unset?")
    if "\0" in written:
        problem = "the name of a file has a NUL character"
        raise UnreadableFile(repr(printable_path(written)), problem, "Check the path.")
    try:
        return Path(written).expanduser()
    except RuntimeError as error:
        user = written.partition("/")[0]
        problem = f"there is no home folder of {user!r}"
        advice = "Check the path; a name that begins with a tilde is written ./~NAME."
        raise UnreadableFile(printable_path(written), problem, advice) from error


def exists(path: Path) -> bool:
    """Return whether there is a file, folder or stream; a path that cannot be is none."""
    try:
        return path.exists()
    except OSError:  # too long, a loop of links
        return False


def regular_file(path: Path, *, advice: str = "Name the file itself.") -> Path:
    """Return the path of a regular file, which can be read as often as need be.

    Raises:
        UnreadableFile: There is none, or it is a folder, a pipe, a device or a socket.
    """
    with reading_errors(str(path), advice=advice):
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode):
            problem = "this is a pipe, which can be read only once"
            raise UnreadableFile(printable_path(str(path)), problem, "Save its content to a file.")
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        _refuse_devices(mode, str(path))
    return path


def opened_file(path: Path) -> BinaryIO:
    """Open a regular file or a stream; devices that never end are refused.

    Raises:
        UnreadableFile: It is a folder, a device or a socket.
        OSError: It cannot be opened; see `reading_errors`.
    """
    # Looked at first: a socket cannot be opened, and opening a device may do something.
    _refuse_devices(path.stat().st_mode, str(path))
    return path.open("rb")


def is_regular(stream: BinaryIO) -> bool:
    """Return whether an open file is a regular file, which can be read again."""
    return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


@contextmanager
def reading_errors(name: str, *, advice: str = "Name the file itself.") -> Iterator[None]:
    """Turn what the system says about a file into `UnreadableFile`.

    Args:
        name: The path, as it was given.
        advice: What to do where the path is a folder.
    """
    try:
        yield
    except OSError as error:
        raise unreadable(name, error, advice=advice) from error
    except ValueError as error:  # a NUL in the name
        raise UnreadableFile(repr(printable_path(name)), str(error), "Check the path.") from error


def unreadable(
    name: str, error: OSError, *, advice: str = "Name the file itself."
) -> UnreadableFile:
    """Return the error for a file that the system did not open or read."""
    shown = printable_path(name)
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(shown, "there is no such file", "Check the path.")
    if isinstance(error, IsADirectoryError):
        return UnreadableFile(shown, "this is a directory, not a file", advice)
    if isinstance(error, PermissionError):
        return UnreadableFile(shown, "no permission to read the file", "Check its permissions.")
    problem = f"cannot be read ({error.strerror or error})"
    return UnreadableFile(shown, problem, "Check the file and its path.")


def _refuse_devices(mode: int, name: str) -> None:
    for is_kind, called in _KINDS:
        # A terminal is a device too, but somebody types into it; its end is known.
        if is_kind(mode) and not _is_terminal(name):
            advice = "Give a regular file, or a pipe."
            raise UnreadableFile(printable_path(name), f"this is {called}, not a file", advice)


def _is_terminal(name: str) -> bool:
    try:
        handle = os.open(name, os.O_RDONLY | getattr(os, "O_NOCTTY", 0))
    except OSError:
        return False
    try:
        return os.isatty(handle)
    finally:
        os.close(handle)
