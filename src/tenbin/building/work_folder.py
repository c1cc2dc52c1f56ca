"""Finished stages of a long piece of work, kept so that an interrupted build can go on.

WORK/NAME-HASH/      a finished stage; HASH is that of everything it was made from
WORK/.making-XXXX/   a stage being made; it gets its name when it is whole
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tenbin.formats.output import write_errors

_MAKING = ".making-"
_KEY_DIGITS = 16


class WorkFolder:
    """A folder of stages.

    Attributes:
        path: Where it is.
        reused: Names of the stages that were there already.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reused: list[str] = []

    def stage(self, name: str, inputs: Mapping[str, Any], make: Callable[[Path], None]) -> Path:
        """Return the folder of a stage; it is made unless it is there.

        Args:
            name: What the stage is called.
            inputs: Everything its result depends on, as JSON can say it. Paths of other stages
                will do for these: their names have the hash of what they were made from.
            make: Fills an empty folder.

        Raises:
            OutputError: Disk full, or no permission.
        """
        place = self.path / f"{name}-{_key(inputs)}"
        if place.is_dir():
            self.reused.append(name)
            return place
        with write_errors(str(self.path)):
            self.path.mkdir(parents=True, exist_ok=True)
            making = Path(tempfile.mkdtemp(prefix=_MAKING, dir=self.path))
            try:
                make(making)
                if place.is_dir():  # another build with the same folder was faster
                    shutil.rmtree(making)
                else:
                    making.rename(place)
            except BaseException:
                shutil.rmtree(making, ignore_errors=True)
                raise
        return place

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.path, ignore_errors=True)


def _key(inputs: Mapping[str, Any]) -> str:
    written = json.dumps(inputs, sort_keys=True, default=_written)
    return hashlib.sha256(written.encode("utf-8", "surrogateescape")).hexdigest()[:_KEY_DIGITS]


def _written(value: object) -> str:
    if isinstance(value, Path):
        return value.name  # the same stage in a folder that was moved
    raise TypeError(f"{value!r} cannot be the input of a stage")
