"""Atomic installs: locks, a staging folder, and one final rename.

CACHE/.locks/KEY            a lock of the operating system, released when its holder ends
CACHE/.staging/KEY~RANDOM/  work in progress; never read, removed by the next holder of the lock
CACHE/TARGET/               published: complete, and flushed to disk before it got its name
"""

import errno
import logging
import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tenbin.formats.output import unfinished

_log = logging.getLogger(__name__)
_SEPARATOR = "~"
# On some file systems a file lock belongs to the whole process. Threads, and sweeping while a lock
# is held, are separated by locks of our own.
_in_process: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


class StagingArea:
    """The part of a cache folder where installs are prepared."""

    def __init__(self, cache: Path) -> None:
        self._locks = cache / ".locks"
        self._staging = cache / ".staging"

    @contextmanager
    def locked(self, key: str) -> Iterator[None]:
        """Hold the lock of a key, against other threads and processes.

        What a killed holder of the lock left behind is removed.
        """
        self._locks.mkdir(parents=True, exist_ok=True)
        place = self._locks / key
        with _in_process[place], place.open("ab") as stream:
            if not _try_lock(stream, blocking=False):
                _log.warning("waiting for another process that is installing %s", key)
                _try_lock(stream, blocking=True)
            self._remove_leftovers(key)
            yield

    @contextmanager
    def folder(self, key: str) -> Iterator[Path]:
        """Give a new working folder, removed afterwards; the lock must be held.

        Its name is new each time: a package manager that outlived a killed install may still write
        to the old one.
        """
        self._staging.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=f"{key}{_SEPARATOR}", dir=self._staging))
        try:
            with unfinished(place):
                yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def sweep(self) -> None:
        """Remove what killed installs left behind, unless its lock is held."""
        for key in {_key(place) for place in self._leftovers()}:
            place = self._locks / key
            if not _in_process[place].acquire(blocking=False):
                continue
            try:
                with place.open("ab") as stream:
                    if _try_lock(stream, blocking=False):
                        self._remove_leftovers(key)
            finally:
                _in_process[place].release()

    def publish(self, ready: Path, target: Path, key: str) -> None:
        """Give a finished folder its name in one step; the lock must be held."""
        _flush_tree(ready)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.withdraw(target, key)
        ready.rename(target)
        _flush(target.parent)

    def withdraw(self, target: Path, key: str) -> bool:
        """Remove a published folder in one step, then delete it; the lock must be held."""
        if not target.exists():
            return False
        with self.folder(key) as place:
            target.rename(place / "withdrawn")
        return True

    def _leftovers(self) -> list[Path]:
        return sorted(self._staging.iterdir()) if self._staging.is_dir() else []

    def _remove_leftovers(self, key: str) -> None:
        for place in self._leftovers():
            if _key(place) == key:
                shutil.rmtree(place, ignore_errors=True)


def _key(place: Path) -> str:
    return place.name.rpartition(_SEPARATOR)[0] or "unknown"


def _try_lock(stream: IO[bytes], *, blocking: bool) -> bool:
    """Lock an open file until it is closed; return whether that was possible."""
    from portalocker import AlreadyLocked, LockException, LockFlags, lock  # noqa: PLC0415 - slow

    flags = LockFlags.EXCLUSIVE if blocking else LockFlags.EXCLUSIVE | LockFlags.NON_BLOCKING
    try:
        lock(stream, flags)
    except AlreadyLocked:
        return False
    except LockException as error:
        raise OSError(errno.ENOLCK, "the file system has no locks", stream.name) from error
    return True


def _flush_tree(folder: Path) -> None:
    for place, _, names in os.walk(folder):
        for name in names:
            _flush(Path(place, name))
        _flush(Path(place))


def _flush(path: Path) -> None:
    # A folder cannot be opened on Windows, which orders renames itself.
    if path.is_dir() and os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
