"""Archives of test sets in the layout of mt-metrics-eval, unpacked with care."""

import shutil
import tarfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from tenbin.core.errors import UnreadableFile
from tenbin.core.progress import Advance, step
from tenbin.formats.files import regular_file, user_path

_PARTS = frozenset(
    ("documents", "sources", "references", "system-outputs", "human-scores", "metric-scores")
)
_ADVICE = "Expected an archive of test sets in the layout of mt-metrics-eval."
_MOST_BYTES = 64 * 2**30


def sets_in_archive(path: str) -> list[str]:
    """Return the names of the test sets of an archive."""
    with _opened(path, "looking through") as members:
        names = {found[0] for _, member in members if (found := _place(member)) is not None}
    if not names:
        raise UnreadableFile(path, "there is no test set in it", _ADVICE)
    return sorted(names)


def unpack_sets(path: str, target: Path, names: Collection[str]) -> int:
    """Write test sets of an archive into a folder; return the number of files.

    Regular files at the places of the layout are written, and nothing else: no links, no devices,
    no path that leads out of the folder.

    Args:
        path: The archive: .tar, .tgz, .tar.xz or .tar.bz2.
        target: An empty folder.
        names: Which test sets.
    """
    count = size = 0
    with _opened(path, "unpacking") as members:
        for archive, member in members:
            found = _place(member)
            if found is None or found[0] not in names:
                continue
            size += member.size
            if size > _MOST_BYTES:
                problem = f"its files have more than {_MOST_BYTES:,} bytes"
                raise UnreadableFile(path, problem, _ADVICE)
            content = archive.extractfile(member)
            if content is None:
                continue
            place = target.joinpath(*found)
            place.parent.mkdir(parents=True, exist_ok=True)
            with content, place.open("wb") as stream:
                shutil.copyfileobj(content, stream)
            count += 1
    return count


_Member = tuple[tarfile.TarFile, tarfile.TarInfo]


@contextmanager
def _opened(path: str, verb: str) -> Iterator[Iterator[_Member]]:
    """Open an archive; yield its members, and show how far it was read."""
    file = regular_file(user_path(path))
    try:
        with (
            file.open("rb") as stored,
            step(f"{verb} {file.name}", file.stat().st_size) as advance,
            tarfile.open(fileobj=stored) as archive,
        ):
            yield _members(archive, stored, advance)
    except (tarfile.TarError, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise UnreadableFile(path, "not an archive, or a damaged one", _ADVICE) from error


def _members(archive: tarfile.TarFile, stored: BinaryIO, advance: Advance) -> Iterator[_Member]:
    seen = 0
    for member in archive:
        yield archive, member
        now = stored.tell()
        advance(max(0, now - seen))
        seen = max(now, seen)


def _place(member: tarfile.TarInfo) -> tuple[str, ...] | None:
    """Return the place of a file from its test set on; None for what is not part of one."""
    parts = PurePosixPath(member.name).parts
    if not member.isreg() or ".." in parts or "\\" in member.name or "\0" in member.name:
        return None
    inside = [place for place, part in enumerate(parts) if part in _PARTS]
    if not inside or inside[0] == 0 or inside[0] == len(parts) - 1:
        return None
    name = parts[inside[0] - 1]
    if name in {"/", "."} or any(part.startswith(".") for part in parts[inside[0] - 1 :]):
        return None
    return parts[inside[0] - 1 :]
