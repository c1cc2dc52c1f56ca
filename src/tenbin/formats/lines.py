"""Texts with one segment per line: UTF-8, strictly read, never repaired."""

import bz2
import gzip
import lzma
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile

STANDARD_INPUT = "-"
_SPOOL_BYTES = 64 * 2**20
_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_OPENERS: dict[bytes, Callable[[Path, str], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7": lzma.open,
    b"BZ": bz2.open,
}


@dataclass(slots=True)
class FileReport:
    """What a first reading of a file found.

    Attributes:
        name: The file, as messages name it.
        lines: Number of segments.
        empty: Numbers of the lines without text, from 1.
        crlf: How many lines end in CR LF.
        bom: Whether the file begins with a byte order mark.
        faults: Why the file cannot be read, in order of lines.
    """

    name: str
    lines: int = 0
    empty: list[int] = field(default_factory=list)
    crlf: int = 0
    bom: bool = False
    faults: list[InputError] = field(default_factory=list)

    def notes(self) -> list[str]:
        """Return what was read as if it were not there."""
        notes = []
        if self.bom:
            notes.append(f"{self.name}: the byte order mark at its start was not read as text.")
        if self.crlf:
            notes.append(f"{self.name}: {self.crlf:,} lines end in CR LF; read like LF.")
        return notes


class TextFile:
    """A file of segments that can be read again and again; ``-`` is standard input.

    gzip, xz and bzip2 are recognised by their first bytes, whatever the file is called.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "<standard input>" if path == STANDARD_INPUT else path
        self._spool: IO[bytes] | None = None

    def scan(self, *, most_faults: int = 1) -> FileReport:
        """Read the whole file once and report on it; stop after some faults."""
        report = FileReport(self.name)
        try:
            for number, raw in enumerate(self._raw_lines(), start=1):
                self._look_at(raw, number, report)
                if len(report.faults) >= most_faults:
                    break
        except InputError as fault:
            report.faults.append(fault)
        if not report.lines and not report.faults:
            advice = "Give a text with one segment per line."
            report.faults.append(UnreadableFile(self.name, "the file is empty", advice))
        return report

    def lines(self) -> Iterator[str]:
        """Yield the segments, without their line ends."""
        for number, raw in enumerate(self._raw_lines(), start=1):
            yield self._decoded(_content(raw, number), number)

    def _look_at(self, raw: bytes, number: int, report: FileReport) -> None:
        report.lines += 1
        report.bom |= number == 1 and raw.startswith(_BOM)
        report.crlf += raw.endswith(b"\r\n")
        content = _content(raw, number)
        try:
            if not self._decoded(content, number).strip():
                report.empty.append(number)
        except MalformedLine as fault:
            report.faults.append(fault)

    def _decoded(self, content: bytes, number: int) -> str:
        if number == 1 and content.startswith(_UTF16_MARKS):
            advice = "Convert it: iconv -f UTF-16 -t UTF-8."
            raise MalformedLine(self.name, 1, "the file is UTF-16, expected UTF-8", advice)
        if b"\0" in content:
            place = content.index(b"\0") + 1
            problem = f"NUL character at byte {place} of the line"
            raise MalformedLine(self.name, number, problem, "Remove it; is this a text file?")
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte {error.start + 1} (0x{content[error.start]:02x}) is not valid UTF-8"
            advice = "Convert the file to UTF-8, for example: iconv -f LATIN1 -t UTF-8."
            raise MalformedLine(self.name, number, problem, advice) from error

    def _raw_lines(self) -> Iterator[bytes]:
        try:
            with self._opened() as stream:
                yield from stream
        except (EOFError, lzma.LZMAError, gzip.BadGzipFile) as error:
            problem = "the compressed file is damaged or cut off"
            raise UnreadableFile(self.name, problem, "Copy it again.") from error
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def _opened(self) -> IO[bytes]:
        if self.path == STANDARD_INPUT:
            return self._standard_input()
        path = Path(self.path)
        with path.open("rb") as stream:
            start = stream.read(2)
        opener = _OPENERS.get(start)
        return path.open("rb") if opener is None else opener(path, "rb")

    def _standard_input(self) -> IO[bytes]:
        if self._spool is None:
            self._spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this object
            while block := sys.stdin.buffer.read(_SPOOL_BYTES):
                self._spool.write(block)
        # A second handle, so that closing one reading does not end the next.
        self._spool.flush()
        handle = open(self._spool.fileno(), "rb", closefd=False)  # noqa: SIM115
        handle.seek(0)
        return handle


def _content(raw: bytes, number: int) -> bytes:
    if number == 1:
        raw = raw.removeprefix(_BOM)
    return raw.removesuffix(b"\n").removesuffix(b"\r") if raw.endswith(b"\n") else raw


def _unreadable(name: str, error: OSError) -> UnreadableFile:
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(name, "there is no such file", "Check the path.")
    if isinstance(error, IsADirectoryError):
        advice = "Give a text file; a whole WMT folder is read with --set DIR --pair de-en."
        return UnreadableFile(name, "this is a directory, not a file", advice)
    if isinstance(error, PermissionError):
        return UnreadableFile(name, "no permission to read the file", "Check its permissions.")
    return UnreadableFile(name, f"cannot be read ({error.strerror or error})", "Check the file.")
