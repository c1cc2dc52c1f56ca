"""A folder as the result of a build: made whole, or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tenbin.core.errors import OutputError, UsageError
from tenbin.formats.output import umask, unfinished, write_errors

_MAKING = ".tenbin-"


def check_free_folder(folder: Path) -> None:
    """Raise if a folder cannot be created, before hours of training.

    Raises:
        UsageError: The name exists.
        OutputError: The parent folder does not exist or cannot be written.
    """
    if not folder.name:
        raise OutputError("the name of the output folder is empty; name a new folder.")
    if folder.exists():
        raise UsageError(
            f"{folder}: there is such a {'folder' if folder.is_dir() else 'file'} already. Name "
            "another one, or remove it."
        )
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise OutputError(f"{folder}: there is no folder {parent}; make it first.")
    if not os.access(parent, os.W_OK):
        raise OutputError(f"{folder}: no permission to write in {parent}. Name another folder.")


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give a temporary folder, renamed to the target when the block succeeds.

    Raises:
        UsageError: The folder exists by now.
        OutputError: Disk full, or no permission.
    """
    check_free_folder(folder)
    target = folder.resolve()
    with write_errors(str(folder)):
        making = Path(tempfile.mkdtemp(prefix=_MAKING, dir=target.parent))
        try:
            with unfinished(making):
                yield making
                _make_readable(making)
                making.rename(target)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise


def _make_readable(folder: Path) -> None:
    """Give a folder and its files the default permissions; some are private."""
    mask = umask()
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)
    folder.chmod(0o777 & ~mask)
