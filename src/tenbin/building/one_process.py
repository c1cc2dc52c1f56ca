"""One process at a time writes the state of a training.

A second one, started by mistake with the same command, would train the same once more, write over
the state of the first, and lose its own when the first is done and removes the work folder.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.errors import OutputError, UsageError

_LOCKS: Any = import_module("fcntl") if os.name == "posix" else None
_LOCK = ".lock"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder, until the end of the block or of the process, however it ends.

    The same process may hold it again: in a notebook an interrupted build leaves its frames behind.

    Args:
        folder: A folder that exists.

    Raises:
        UsageError: Another process holds it.
        OutputError: Nothing can be written there.
    """
    if _LOCKS is None:
        yield
        return
    try:
        number = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(f"{folder}: could not be written ({reason}).") from error
    try:
        _hold(number, folder)
        yield
    finally:
        os.close(number)


def _hold(number: int, folder: Path) -> None:
    try:
        _LOCKS.lockf(number, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
    except (BlockingIOError, PermissionError) as error:  # POSIX allows either
        holder = os.read(number, 20).decode("ascii", "replace").strip()
        who = f"process {holder}" if holder.isdecimal() else "another process"
        raise UsageError(
            f"{folder.parent}: {who} trains the same there. Wait until it is done, or give this "
            "training a work folder of its own (`work`)."
        ) from error
    except OSError:  # file systems that cannot lock
        return
    with suppress(OSError):  # a full disk says so where it matters
        os.ftruncate(number, 0)
        os.write(number, f"{os.getpid()}\n".encode("ascii"))
