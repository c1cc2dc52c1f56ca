"""Atomic writes: a file is either complete or as it was before."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO

from tenbin.core.errors import OutputError

# Short, so that a name as long as the file system allows can still be written.
_TEMPORARY_PREFIX = ".tenbin-"
# What a program that is killed would leave behind; see `discard_unfinished`.
_UNFINISHED: set[Path] = set()


class _State:
    ending = False


_state = _State()


def check_target(path: str) -> None:
    """Raise `OutputError` if a file cannot be written there, before hours of scoring."""
    target = Path(path)
    if not path:
        raise OutputError("the name of the output file is empty; is a shell variable unset?")
    if "\0" in path:
        raise OutputError(f"{path!r}: no name of a file has the character NUL.")
    if target.is_dir():
        raise OutputError(f"{path}: this is a directory; name a file in it.")
    if not target.resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no folder {target.resolve().parent}; create it first.")


def write_text(path: str, text: str) -> None:
    """Write a file in one step: to a temporary file beside it, which is then renamed.

    Links are followed, permissions are preserved, and a device or pipe is written to directly.

    Raises:
        OutputError: Disk full, no permission, no such folder; an existing file is untouched.
    """
    check_target(path)
    target = Path(path)
    # System names passed by a program may hold lone surrogates, which no file can.
    content = text.encode("utf-8", "replace")
    with write_errors(path):
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        with _replacing(target.resolve()) as temporary:
            temporary.write_bytes(content)


@contextmanager
def text_stream(path: str) -> Iterator[IO[str]]:
    """Give a stream for text that does not fit into memory; else as `write_text`.

    Raises:
        OutputError: As for `write_text`; also for an `OSError` inside the block.
    """
    check_target(path)
    if Path(path).exists() and not Path(path).is_file():
        with write_errors(path), Path(path).open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        yield stream


@contextmanager
def whole_file(path: str) -> Iterator[Path]:
    """Give a temporary file beside the target, renamed to the target when the block succeeds.

    For content that does not fit into memory. If the block raises, the file is removed.

    Raises:
        OutputError: As for `write_text`; also for an `OSError` inside the block.
    """
    check_target(path)
    if Path(path).exists() and not Path(path).is_file():
        raise OutputError(f"{path}: this is a device or a pipe; name a regular file.")
    with write_errors(path), _replacing(Path(path).resolve()) as temporary:
        yield temporary


def discard_unfinished() -> None:
    """Remove the temporary files and folders of unfinished results, before the program ends."""
    for temporary in tuple(_UNFINISHED):
        with suppress(OSError):
            if temporary.is_dir():
                shutil.rmtree(temporary, ignore_errors=True)
            else:
                temporary.unlink(missing_ok=True)


@contextmanager
def unfinished(temporary: Path) -> Iterator[None]:
    """Let a temporary file or folder be removed should the program have to end in the block."""
    _UNFINISHED.add(temporary)
    try:
        yield
    finally:
        _UNFINISHED.discard(temporary)


def refuse_results() -> None:
    """Let no result get its name any more: the end of the program was asked for."""
    _state.ending = True


def allow_results() -> None:
    """Let results get their names again."""
    _state.ending = False


def _check_not_ending() -> None:
    if _state.ending:
        raise KeyboardInterrupt


@contextmanager
def write_errors(path: str) -> Iterator[None]:
    """Turn an `OSError` inside the block into an `OutputError` about a file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        advice = "Free some space, or name another file" if full else "Name another file"
        raise OutputError(
            f"{path}: could not be written ({reason}); nothing there was changed. {advice}."
        ) from error


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    temporary = target.parent / f"{_TEMPORARY_PREFIX}{token_hex(8)}"
    _UNFINISHED.add(temporary)
    try:
        # Inside, so that an interrupt cannot come between the file and its removal.
        temporary.touch(mode=0o600, exist_ok=False)
        yield temporary
        with temporary.open("r+b") as stream:
            os.fsync(stream.fileno())
        # Private so far; the result gets the permissions of any other new file.
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask()
        temporary.chmod(mode)
        _check_not_ending()
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        _UNFINISHED.discard(temporary)


def umask() -> int:
    """Return the umask of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
