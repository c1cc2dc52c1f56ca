"""sha256 of files, cached as long as a file is unchanged."""

import hashlib
import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tenbin.formats.files import reading_errors, regular_file

# A file written again within one tick of the file system's clock looks unchanged; the coarsest
# clock in use (FAT) ticks every two seconds.
_SETTLED_NS = 3_000_000_000
_KEY_DIGITS = 32


def file_sha256(path: Path) -> str:
    """Return the sha256 of a file's bytes in hexadecimal, as ``sha256sum`` prints it.

    Raises:
        UnreadableFile: The file is missing, a directory or not permitted.
    """
    with reading_errors(str(path)), regular_file(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class FingerprintCache:
    """Cached hashes of files by path, size and modification time; one small record per file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fingerprint(self, path: Path) -> str:
        """Return the sha256 of a file, from the cache if the file is unchanged.

        Raises:
            UnreadableFile: The file cannot be read.
        """
        whole = path.absolute()
        known = self._recorded(whole)
        return known or self.recomputed(whole)

    def recomputed(self, path: Path) -> str:
        """Return the sha256 of a file, computed now."""
        whole = path.absolute()
        before = _state(whole)
        found = file_sha256(whole)
        settled = time.time_ns() - (before or [0, 0])[1] > _SETTLED_NS
        if settled and before == _state(whole):
            self.record(whole, found)
        return found

    def record(self, path: Path, sha256: str) -> None:
        """Cache the hash of a file as it is now; failing to write the record is not an error."""
        whole = path.absolute()
        content = json.dumps({"path": str(whole), "state": _state(whole), "sha256": sha256})
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as stream:
                    stream.write(content)
                Path(name).replace(self._place(whole))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise

    def _recorded(self, path: Path) -> str | None:
        try:
            record = json.loads(self._place(path).read_text(encoding="utf-8"))
            fits = record["path"] == str(path) and record["state"] == _state(path)
            return str(record["sha256"]) if fits and record["state"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _place(self, path: Path) -> Path:
        key = hashlib.sha256(os.fsencode(path)).hexdigest()[:_KEY_DIGITS]
        return self._folder / f"{key}.json"


def _state(path: Path) -> list[int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return [state.st_size, state.st_mtime_ns]
