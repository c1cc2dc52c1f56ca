"""sha256 of files and the checks they passed, recorded as long as a file is unchanged."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tenbin.core.progress import step
from tenbin.formats.files import reading_errors, regular_file

# A file written again within one tick of the file system's clock looks unchanged; the coarsest
# clock in use (FAT) ticks every two seconds.
_SETTLED_NS = 3_000_000_000
_KEY_DIGITS = 32
# A file that takes more than a moment to read, and how much of it is read at a time.
_LARGE = 256 * 2**20
_BLOCK_BYTES = 4 * 2**20
_FORMAT = "2"  # part of the names of records: others are those of other versions
_SHA256 = "sha256"
_PASSED = "passed"

READ_ONLY_VARIABLE = "TENBIN_READ_ONLY"
"""If it is set, records are read and none is written: nothing of a run is left on disk."""

State = tuple[int, int, int, int]


def file_sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes in hexadecimal, as ``sha256sum`` prints it.

    Raises:
        UnreadableFile: The file is missing, a directory or not permitted.
    """
    with reading_errors(str(path)), regular_file(path).open("rb") as stream:
        size = path.stat().st_size
        if size < _LARGE:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        digest = hashlib.sha256()
        with step(f"checking {path.name}", size) as advance:
            while block := stream.read(_BLOCK_BYTES):
                digest.update(block)
                advance(len(block))
        return digest.hexdigest()


def state_of(path: Path) -> State | None:
    """Return size, times of modification and of change, and inode; None if there is no such file.

    A program can set the time of modification back, but not the time of change; the inode differs
    when a file is replaced by another one.
    """
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


@dataclass(frozen=True, slots=True)
class FingerprintCache:
    """Facts about files by path and state; one small record per fact.

    A record that is damaged or of another state of the file counts as not there.

    Attributes:
        folder: The folder of the records.
    """

    folder: Path

    def fingerprint(self, path: Path) -> str:
        """Return the sha256 of a file, from the cache if the file is unchanged.

        Raises:
            UnreadableFile: The file cannot be read.
        """
        whole = path.absolute()
        known = self._recorded(whole, _SHA256)
        return known or self.recomputed(whole)

    def recomputed(self, path: Path) -> str:
        """Return the sha256 of a file, computed now."""
        whole = path.absolute()
        before = state_of(whole)
        found = file_sha256(whole)
        self._record_settled(whole, _SHA256, found, before)
        return found

    def check_once(self, path: Path, name: str, check: Callable[[Path], None]) -> None:
        """Check a file, unless it has passed this check in its present state.

        Args:
            path: The file.
            name: The name of the check; a check that has become stricter gets another name.
            check: Raises if the file is damaged.
        """
        whole = path.absolute()
        if self._recorded(whole, name) is not None:
            return
        before = state_of(whole)
        check(whole)
        self._record_settled(whole, name, _PASSED, before)

    def record(self, path: Path, sha256: str) -> None:
        """Cache the hash of a file as it is now; failing to write the record is not an error."""
        whole = path.absolute()
        self._write(whole, _SHA256, sha256, state_of(whole))

    def _record_settled(self, path: Path, kind: str, value: str, before: State | None) -> None:
        if before is None or before != state_of(path):
            return
        if time.time_ns() - max(before[1], before[2]) > _SETTLED_NS:
            self._write(path, kind, value, before)

    def _write(self, path: Path, kind: str, value: str, state: State | None) -> None:
        if os.environ.get(READ_ONLY_VARIABLE):
            return
        facts = json.dumps({"path": str(path), "kind": kind, "state": state, "value": value})
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                    stream.write(f"{facts}\n{_digest(facts)}\n")
                Path(name).replace(self._place(path, kind))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise

    def _recorded(self, path: Path, kind: str) -> str | None:
        try:
            written = self._place(path, kind).read_bytes().decode("utf-8")
            facts, _, digest = written.partition("\n")
            if digest != f"{_digest(facts)}\n":
                return None
            record = json.loads(facts)
            state = state_of(path)
            same = record["path"] == str(path) and record["kind"] == kind
            fits = same and state is not None and record["state"] == list(state)
            return str(record["value"]) if fits else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _place(self, path: Path, kind: str) -> Path:
        key = hashlib.sha256(f"{_FORMAT}|{kind}|".encode() + os.fsencode(path)).hexdigest()
        return self.folder / f"{key[:_KEY_DIGITS]}.json"


def _digest(facts: str) -> str:
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()
