"""Where the files of a spaCy vector table are: in a folder, a wheel, or a tar."""

import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from tenbin.core.errors import UnreadableFile

ROWS_FILE, KEYS_FILE, STRINGS_FILE, SETTINGS_FILE = (
    "vectors",
    "key2row",
    "strings.json",
    "vectors.cfg",
)
# A table itself, a pipeline, and a pipeline as pip installs it.
_PLACES = ("", "vocab/", "*/vocab/", "*/*/vocab/")
_DAMAGES = (zipfile.BadZipFile, tarfile.TarError, EOFError)


class SpacyFiles:
    """The files of one table."""

    def __init__(self, path: Path, prefix: str, names: frozenset[str]) -> None:
        self.path = path
        self._prefix = prefix
        self._names = names

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return name in self._names

    def paths(self) -> list[Path]:
        """Return the files of a folder that are read."""
        read = (ROWS_FILE, KEYS_FILE, STRINGS_FILE, SETTINGS_FILE)
        return [self.path / f"{self._prefix}{name}" for name in read if self.has(name)]

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file.

        Raises:
            UnreadableFile: The archive is damaged; also while the file is being read.
        """
        member = f"{self._prefix}{name}"
        try:
            if self.path.is_dir():
                with (self.path / member).open("rb") as stream:
                    yield stream
            elif _is_zip(self.path):
                with zipfile.ZipFile(self.path) as wheel, wheel.open(member) as stream:
                    yield stream
            else:
                with tarfile.open(self.path) as archive:
                    content = archive.extractfile(member)
                    if content is None:
                        raise UnreadableFile(str(self.path), f"{member} is no file", "Mend it.")
                    yield content
        except _DAMAGES as error:
            raise _damaged(self.path) from error

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        with self.opened(name) as stream:
            return stream.read()


def find_spacy_files(path: Path) -> SpacyFiles | None:
    """Return where the table of a folder, a pipeline, a wheel or a tar is; None if nowhere.

    Raises:
        UnreadableFile: The file is a damaged archive.
    """
    if path.is_dir():
        for place in _PLACES:
            for found in sorted(path.glob(place + KEYS_FILE)):
                names = frozenset(one.name for one in found.parent.iterdir())
                prefix = found.parent.relative_to(path).as_posix()
                return SpacyFiles(path, "" if prefix == "." else f"{prefix}/", names)
        return None
    members = [PurePosixPath(name) for name in _members(path)]
    folders = [member.parent for member in members if member.name == KEYS_FILE]
    if not folders:
        return None
    names = frozenset(member.name for member in members if member.parent == folders[0])
    prefix = "" if folders[0] == PurePosixPath() else f"{folders[0]}/"
    return SpacyFiles(path, prefix, names)


def _members(path: Path) -> list[str]:
    try:
        if _is_zip(path):
            with zipfile.ZipFile(path) as wheel:
                return wheel.namelist()
        with tarfile.open(path) as archive:
            return archive.getnames()
    except _DAMAGES as error:
        raise _damaged(path) from error


def _is_zip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"PK"


def _damaged(path: Path) -> UnreadableFile:
    return UnreadableFile(str(path), "the archive is damaged or cut off", "Fetch it again.")
