"""Writes results so that a file is either whole or as it was before."""

import errno
import os
import tempfile
from pathlib import Path

from tenbin.core.errors import OutputError

# Short, so that a name as long as the file system allows can still be written.
_TEMPORARY_PREFIX = ".tenbin-"


def check_target(path: str) -> None:
    """Raise `OutputError` if a file can never be written there, before hours of scoring."""
    target = Path(path)
    if not path:
        raise OutputError(
            "the name of the output file is empty; is a variable of the shell not set?"
        )
    if target.is_dir():
        raise OutputError(f"{path}: this is a directory; name a file in it with -o.")
    if not target.resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no folder {target.resolve().parent}; make it first.")


def write_text(path: str, text: str) -> None:
    """Write a file in one step: into a temporary file beside it, which then takes its name.

    A link is followed, permissions are kept, and a device or pipe is written to as it is.

    Raises:
        OutputError: Disk full, no permission, no such folder; what stood there is untouched.
    """
    check_target(path)
    target = Path(path)
    # Names of systems given by a program may hold lone surrogates, which no file can.
    content = text.encode("utf-8", "replace")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        _replace(target.resolve(), content)
    except OSError as error:
        reason = error.strerror or str(error)
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        advice = "Free some space, or name another file" if full else "Name another file"
        raise OutputError(
            f"{path}: could not be written ({reason}); nothing there was changed. {advice} with -o."
        ) from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=_TEMPORARY_PREFIX, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes private files; a result is as readable as any other new file.
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
