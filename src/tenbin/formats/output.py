"""Writes results so that a file is either whole or as it was before."""

import os
import tempfile
from pathlib import Path

from tenbin.core.errors import OutputError


def write_text(path: str, text: str) -> None:
    """Write a file in one step: into a temporary file beside it, which then takes its name.

    Raises:
        OutputError: Disk full, no permission, no such folder; what stood there is untouched.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            # A device or pipe cannot be replaced; a directory fails here, as it should.
            target.write_text(text, encoding="utf-8", newline="\n")
            return
        _replace(target.resolve(), text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{path}: could not be written ({reason}); nothing there was changed. "
            "Free some space or name another file with -o."
        ) from error


def _replace(target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
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
