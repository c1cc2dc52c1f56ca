"""Files of visitors, in the temporary folder under names that nobody chose.

A file is streamed to disk and given up as soon as it is too large. What its owner calls it is
shown and never part of a path.
"""

import errno
import re
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from tenbin.api.table_parts import GivenTable, TextPart, table_parts
from tenbin.api.texts import TextDescription, describe_text, unpack_text
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, TenbinError
from tenbin.serve.wording import in_fields

_LONGEST_NAME = 120
# What would act on the text around it in place of being shown: controls, marks of direction.
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_ID = re.compile(r"[0-9a-f]{32}")
_FULL = {errno.ENOSPC, errno.EDQUOT}
# How much of a file that is too large is still read, so that its sender hears why.
_DRAINED = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why something was not done.

    Attributes:
        status: Status of the answer.
        message: What to tell.
    """

    status: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file of a visitor.

    Attributes:
        id: Its name on disk.
        name: What its owner calls it.
        path: Where it is.
        size: Its bytes on disk.
        text: What a first look at it found.
        table: The table that it is from, if it is from one.
    """

    id: str
    name: str
    path: Path
    size: int
    text: TextDescription
    table: GivenTable | None = None

    def summary(self) -> dict[str, Any]:
        """Return what the page is told about it."""
        return {
            "id": self.id,
            "name": self.name,
            "bytes": self.size,
            "lines": self.text.lines,
            "empty": self.text.empty,
            "script": self.text.guess.script,
            "language": self.text.guess.language,
            "notes": [in_fields(note) for note in self.text.notes],
        }


def shown_name(name: str) -> str:
    r"""Return what a file is called in messages: the end of its name, as text that cannot act.

    >>> shown_name("../../etc/passwd"), shown_name("C:\\x\\ref.txt"), shown_name("")
    ('passwd', 'ref.txt', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = _ACTING.sub("\ufffd", last.encode("utf-8", "replace").decode()).strip()
    return plain[:_LONGEST_NAME] or "file"


class Uploads:
    """The files of all visitors.

    Args:
        folder: Where they are kept; it is there already.
        most_bytes: How large one may be.
        most_stored: How large all together.
    """

    def __init__(self, folder: Path, most_bytes: int, most_stored: int) -> None:
        self.folder = folder
        self.most_bytes = most_bytes
        self.most_stored = most_stored
        self._kept: dict[str, Upload] = {}
        self._used: dict[str, int] = {}

    def get(self, wanted: object) -> Upload | None:
        """Return a file by its id."""
        return self._kept.get(wanted) if isinstance(wanted, str) else None

    def __len__(self) -> int:
        return len(self._kept)

    async def take(self, blocks: AsyncIterator[bytes], name: str) -> Upload | Refusal:
        """Store a file and look at it.

        Args:
            blocks: Its content.
            name: What its owner calls it.
        """
        shown = shown_name(name)
        place = self.folder / token_hex(16)
        upload = None
        try:
            refusal = await self._stored(blocks, place)
            if refusal is None:
                found = await to_thread(self._described, place, shown)
                if isinstance(found, Refusal):
                    return found
                if not self._has_room(found.size):
                    return self._full()
                upload = self._kept[found.id] = found
                return found
        except OSError as error:
            return _unwritable(error)
        finally:
            if upload is None:
                place.unlink(missing_ok=True)
        return refusal

    async def take_table(
        self, blocks: AsyncIterator[bytes], name: str, role: str
    ) -> list[tuple[TextPart, Upload]] | Refusal:
        """Store a table or a translation file as plain texts, each a file of its own.

        Args:
            blocks: Its content.
            name: What its owner calls it.
            role: What it was given as.
        """
        shown = shown_name(name)
        place = self.folder / token_hex(16)
        written: list[Path] = []

        def new_place() -> Path:
            written.append(self.folder / token_hex(16))
            return written[-1]

        try:
            refusal = await self._stored(blocks, place)
            if refusal is not None:
                return refusal
            found = await to_thread(self._parts, place, shown, role, new_place)
            if isinstance(found, Refusal):
                return found
            has_room = self._has_room(_size([upload for _, upload in found]))
            self._kept |= {upload.id: upload for _, upload in found if has_room}
        except OSError as error:
            return _unwritable(error)
        else:
            return found if has_room else self._full()
        finally:
            place.unlink(missing_ok=True)
            used = self._used_paths()
            for path in written:
                if path not in used:
                    path.unlink(missing_ok=True)

    def _parts(
        self, place: Path, shown: str, role: str, new_place: Callable[[], Path]
    ) -> list[tuple[TextPart, Upload]] | Refusal:
        plain = place.with_suffix(".plain")
        try:
            if unpack_text(str(place), str(plain), self.most_bytes, shown):
                plain.replace(place)
            parts = table_parts(str(place), shown, role, new_place, self.most_bytes)
        except TenbinError as error:  # also a column that is not there, or an extra
            return Refusal(status=422, message=str(error))
        finally:
            plain.unlink(missing_ok=True)
        return [
            (
                part,
                Upload(
                    id=part.path.name,
                    name=shown_name(part.name),
                    path=part.path,
                    size=part.path.stat().st_size,
                    text=part.text,
                    table=part.table,
                ),
            )
            for part in parts
        ]

    def remove(self, wanted: str) -> bool:
        """Remove a file that no job reads; return whether it was there."""
        if wanted not in self._kept or self._used.get(wanted):
            return False
        gone = self._kept.pop(wanted)
        for path in _paths(gone) - self._used_paths():
            path.unlink(missing_ok=True)
        return True

    def hold(self, ids: list[str]) -> None:
        """Keep files while a job reads them."""
        for one in ids:
            self._used[one] = self._used.get(one, 0) + 1

    def release(self, ids: list[str]) -> None:
        """Say that a job has read its files."""
        for one in ids:
            left = self._used.pop(one, 1) - 1
            if left:
                self._used[one] = left

    def _has_room(self, wanted: int) -> bool:
        """Remove the oldest files that no job reads to make room; return whether there is some."""
        for one in list(self._kept):
            if self._size() + wanted <= self.most_stored:
                break
            self.remove(one)
        return self._size() + wanted <= self.most_stored

    def _size(self) -> int:
        return _size(self._kept.values())

    def _used_paths(self) -> set[Path]:
        return {path for one in self._kept.values() for path in _paths(one)}

    def _full(self) -> Refusal:
        message = (
            "the files of waiting and running jobs take all the space that this server has for "
            "them; try again when one of them is over."
        )
        return Refusal(status=413, message=message)

    async def _stored(self, blocks: AsyncIterator[bytes], place: Path) -> Refusal | None:
        size = 0
        # Small blocks into the page cache: not worth a thread.
        with place.open("xb") as stream:
            async for block in blocks:
                size += len(block)
                if size <= self.most_bytes:
                    stream.write(block)
                elif size > _DRAINED * self.most_bytes:
                    break
        return self._too_large() if size > self.most_bytes else None

    def _too_large(self) -> Refusal:
        return Refusal(
            status=413,
            message=f"the file has more than {counted(self.most_bytes, 'byte')}, the most that "
            "this server takes. Split it, score it by 'tenbin score', or allow more "
            "(`most_bytes`).",
        )

    def _described(self, place: Path, shown: str) -> Upload | Refusal:
        plain = place.with_suffix(".plain")
        try:
            if unpack_text(str(place), str(plain), self.most_bytes, shown):
                plain.replace(place)
            text = describe_text(str(place), shown)
        except InputError as error:
            return Refusal(status=422, message=str(error))
        finally:
            plain.unlink(missing_ok=True)
        size = place.stat().st_size
        return Upload(id=place.name, name=shown, path=place, size=size, text=text)


def is_id(text: object) -> bool:
    """Return whether a text is an id as `Uploads` and the queue of jobs give them."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def _paths(upload: Upload) -> set[Path]:
    """Return the files of a text: its own, and the one that the texts of its table share."""
    segments = "" if upload.table is None else upload.table.segments
    return {upload.path, *([Path(segments)] if segments else [])}


def _size(uploads: Iterable[Upload]) -> int:
    """Return how many bytes texts take up, with what is kept of the segments of their tables."""
    uploads = list(uploads)
    tables = {one.table.id: one.table.size for one in uploads if one.table is not None}
    return sum(one.size for one in uploads) + sum(tables.values())


def _unwritable(error: OSError) -> Refusal:
    if error.errno in _FULL:
        message = (
            "the disk of the temporary folder is full, so the file could not be stored. Free some "
            "space, or start 'tenbin serve' with TMPDIR set to another folder."
        )
        return Refusal(status=507, message=message)
    reason = error.strerror or str(error)
    return Refusal(status=500, message=f"the file could not be stored: {reason}.")
