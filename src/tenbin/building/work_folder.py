"""Finished stages of a long build, stored so that an interrupted build can continue.

WORK/NAME-HASH/      a finished stage; HASH is that of everything it was made from
WORK/.NAME-HASH.json   the hashes of its files: a stage that was damaged is built again
WORK/.making-*/      a stage being built (machine, process); it is renamed when complete
"""

import hashlib
import json
import logging
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tenbin.core.errors import OutputError, UnreadableFile
from tenbin.formats.output import unfinished
from tenbin.resources.store.fingerprints import file_sha256

ROOM_ADVICE = (
    "Finished stages are stored: free some space and start again, or choose a work folder with "
    "more room (`work`)."
)

_MAKING = ".making-"
_KEY_DIGITS = 16

_log = logging.getLogger(__name__)


class WorkFolder:
    """A folder of stages.

    Attributes:
        path: Where it is.
        reused: Names of the stages that existed already.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reused: list[str] = []

    def stage(self, name: str, inputs: Mapping[str, Any], make: Callable[[Path], None]) -> Path:
        """Return the folder of a stage; it is built unless it exists.

        Args:
            name: The name of the stage.
            inputs: Everything its result depends on, as JSON values. Paths of other stages stand
                for their inputs: the names have the hash of these.
            make: Fills an empty folder.

        Raises:
            OutputError: Disk full, or no permission.
        """
        place = self.path / f"{name}-{_key(inputs)}"
        if place.is_dir():
            if _is_unchanged(place):
                self.reused.append(name)
                return place
            _log.warning("note: the stage %s was damaged and is built again (%s).", name, place)
        with self._failures():
            if place.exists():
                shutil.rmtree(place) if place.is_dir() else place.unlink()
            self.path.mkdir(parents=True, exist_ok=True)
            self._remove_abandoned()
            making = Path(tempfile.mkdtemp(prefix=f"{_ours()}{os.getpid()}-", dir=self.path))
            try:
                with unfinished(making):
                    make(making)
                if place.is_dir():  # another build with the same folder was faster
                    shutil.rmtree(making)
                else:
                    hashes = _hashes(making)
                    making.rename(place)
                    _record_of(place).write_text(json.dumps(hashes), encoding="utf-8")
            except BaseException:
                shutil.rmtree(making, ignore_errors=True)
                raise
        return place

    def _remove_abandoned(self) -> None:
        """Remove the folders of killed processes of this machine."""
        for path in self.path.glob(f"{_ours()}*"):
            process = path.name.removeprefix(_ours()).partition("-")[0]
            if process.isdecimal() and not _runs(int(process)):
                shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # Arrow wraps the message of the system in its own.
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise OutputError(
                f"{self.path}: could not be written ({reason}). {ROOM_ADVICE}"
            ) from error

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.path, ignore_errors=True)


def _record_of(place: Path) -> Path:
    return place.with_name(f".{place.name}.json")


def _hashes(folder: Path) -> dict[str, str]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): file_sha256(path) for path in found}


def _is_unchanged(place: Path) -> bool:
    """Return whether a stage has the files it was finished with; later ones may have come."""
    try:
        recorded = json.loads(_record_of(place).read_text(encoding="utf-8"))
        return all(file_sha256(place / name) == sha256 for name, sha256 in recorded.items())
    except FileNotFoundError:
        return True  # of an older version, or killed in between
    except (OSError, ValueError, AttributeError, TypeError, UnreadableFile):
        return False


def _ours() -> str:
    return f"{_MAKING}{platform.node().replace('-', '_') or 'local'}-"


def _runs(process: int) -> bool:
    if os.name != "posix":
        return True  # asking would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def _key(inputs: Mapping[str, Any]) -> str:
    written = json.dumps(inputs, sort_keys=True, default=_written)
    return hashlib.sha256(written.encode("utf-8", "surrogateescape")).hexdigest()[:_KEY_DIGITS]


def _written(value: object) -> str:
    if isinstance(value, Path):
        return value.name  # the same stage in a folder that was moved
    raise TypeError(f"{value!r} cannot be the input of a stage")
