"""Text files with one segment per line, in UTF-8 or what is said: read strictly, not repaired."""

import codecs
import os
import shlex
import stat
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import BufferedIOBase, BufferedReader, BytesIO
from pathlib import Path, PurePath
from typing import IO, BinaryIO, cast

from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.core.progress import step
from tenbin.formats.compression import (
    DAMAGE_ERRORS,
    SIGNATURE_BYTES,
    compression_of,
    foreign_compression,
)
from tenbin.formats.encodings import (
    checked_encoding,
    decoded_text,
    guessed_encoding,
    has_wide_line_ends,
    is_escaped_japanese,
    is_mostly_utf8,
    is_single_byte,
    is_surely_utf8,
    is_utf8,
    usual_name,
)
from tenbin.formats.files import (
    is_regular,
    opened_file,
    printable_path,
    reading_errors,
    unreadable,
)
from tenbin.formats.spool import Spool

STANDARD_INPUT = "-"
_UNKNOWN_ENCODING = (
    "Convert the file to UTF-8; its encoding could not be recognized: iconv -f ENCODING -t UTF-8"
)
_OTHER_ENCODING = "Name the encoding that the file has (`encoding`)."
_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_BLOCK_BYTES = 2**20
_LINES_BYTES = 2**17  # of lines that are decoded together
_LINE_LIMIT = 64 * 2**20  # bytes; a line is held in memory
_FOLDER_ADVICE = "Give a text file, or read the folder as a test set (`test_set`)."
_SAMPLE_BYTES = 2**16


@dataclass(slots=True)
class FileReport:
    """What a first pass over a file found.

    Attributes:
        name: The file, as error messages show it.
        lines: Number of segments.
        empty: Numbers of the lines without text, from 1.
        crlf: How many lines end in CR LF.
        lone_cr: How many lines hold a CR that no LF follows.
        bom: Whether the file begins with a byte order mark.
        faults: Why the file cannot be read, in order of lines.
    """

    name: str
    lines: int = 0
    empty: list[int] = field(default_factory=list)
    crlf: int = 0
    lone_cr: int = 0
    bom: bool = False
    faults: list[InputError] = field(default_factory=list)

    def notes(self) -> list[str]:
        """Return notes on what was read differently than the file may suggest."""
        notes = []
        if self.bom:
            notes.append(f"{self.name}: the byte order mark at its start is not part of the text.")
        if self.crlf:
            lines = f"{counted(self.crlf, 'line')} {agreeing(self.crlf, 'ends')}"
            notes.append(f"{self.name}: {lines} in CR LF; read as LF.")
        if self.lone_cr:
            lines = f"{counted(self.lone_cr, 'line')} {agreeing(self.lone_cr, 'holds')}"
            notes.append(f"{self.name}: {lines} a lone CR, which does not end a segment.")
        return notes


class TextFile:
    """A file of segments that can be read again and again; ``-`` is standard input.

    gzip, xz and bzip2 are recognized by their first bytes, whatever the name of the file. What can
    be read only once (standard input, a pipe such as ``<(...)``) is copied to a temporary file.
    """

    noun = "line"

    def __init__(
        self,
        path: str,
        name: str | None = None,
        *,
        encoding: str | None = None,
        can_name: bool = False,
    ) -> None:
        """Name a file; nothing is read yet.

        Args:
            path: The file.
            name: What messages call it; by default its path.
            encoding: What it is encoded in; UTF-8 by default.
            can_name: Whether whoever reads the messages can name another encoding (`encoding`).

        Raises:
            UsageError: There is no such encoding.
        """
        self.path = path
        shown = "<standard input>" if path == STANDARD_INPUT else printable_path(path)
        self.name = shown if name is None else name
        # None for UTF-8, whose bytes are looked at as they are.
        known = None if encoding is None else checked_encoding(encoding)
        self._encoding = None if known is None or is_utf8(known) else known
        self._can_name = can_name
        self._is_other = False  # than UTF-8, as far as its start tells
        self._spool: Spool | None = None
        # Weak: whoever reads the file closes it.
        self._opened_last: weakref.ref[BinaryIO] | None = None
        self._guessed: str | None = None

    def scan(self, *, most_faults: int = 1) -> FileReport:
        """Read the whole file once and report on it; stop after some faults."""
        report = FileReport(self.name)
        try:
            with step(f"reading {PurePath(self.name).name}", self.size, lambda: self.position):
                self._inspect_all(report, most_faults)
        except InputError as fault:
            report.faults.append(fault)
        if not report.lines and not report.faults:
            advice = "Give a text with one segment per line."
            report.faults.append(UnreadableFile(self.name, "the file is empty", advice))
        return report

    def lines(self) -> Iterator[str]:
        """Yield the segments, without their line ends."""
        if self._encoding is not None:
            for number, raw in enumerate(self._raw_lines(), start=1):
                yield self._decoded(raw, number)
            return
        number = 1
        for block in self._whole_lines():
            # A file may begin with a mark of its encoding.
            plain = None if number == 1 else plain_lines(block)
            if plain is None:
                for raw in BytesIO(block):
                    yield self._decoded(raw, number)
                    number += 1
            else:
                yield from plain
                number += len(plain)

    def ended_lines(self) -> Iterator[str]:
        """Yield the segments with their line ends; the last one has LF, whatever it ends in."""
        for number, raw in enumerate(self._raw_lines(), start=1):
            end = "\r\n" if raw.endswith(b"\r\n") else "\n"
            yield f"{self._decoded(raw, number)}{end}"

    def start(self, size: int) -> bytes:
        """Return the first bytes, decompressed, as they are in the file."""
        with self._content() as content:
            return content.read(size)

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yield the content, decompressed, as it is in the file."""
        with self._content() as content:
            while block := content.read(size):
                yield block

    @property
    def size(self) -> int | None:
        """The number of bytes that are stored, packed or not; None if that is not known yet."""
        if self._spool is not None:
            return self._spool.size
        try:
            state = Path(self.path).stat()
        except (OSError, ValueError):
            return None  # whoever reads the file says what is wrong with it
        return state.st_size if stat.S_ISREG(state.st_mode) else None

    @property
    def position(self) -> int:
        """How many of these bytes were read by whoever opened the file last."""
        last = None if self._opened_last is None else self._opened_last()
        return 0 if last is None or last.closed else last.tell()

    @property
    def encoding(self) -> str | None:
        """The encoding that was named, if it is not UTF-8."""
        return self._encoding

    def _inspect_all(self, report: FileReport, most_faults: int) -> None:
        number = 1
        for block in self._whole_lines() if self._encoding is None else self._raw_lines():
            plain = None if number == 1 else plain_lines(block)
            if plain is not None:
                report.lines += len(plain)
                report.empty += [n for n, text in enumerate(plain, number) if not text.strip()]
                number += len(plain)
                continue
            for raw in BytesIO(block):
                self._inspect(raw, number, report)
                number += 1
                if len(report.faults) >= most_faults:
                    return

    def _inspect(self, raw: bytes, number: int, report: FileReport) -> None:
        if number == 1 and raw.startswith(_BOM):
            report.bom = True
            if raw == _BOM:
                return  # a file with nothing but a byte order mark has no segments
        report.lines += 1
        report.crlf += raw.endswith(b"\r\n")
        try:
            text = self._decoded(raw, number)
        except MalformedLine as fault:
            report.faults.append(fault)
            return
        report.lone_cr += "\r" in text
        if not text.strip():
            report.empty.append(number)

    def _decoded(self, raw: bytes, number: int) -> str:
        content = raw.removesuffix(b"\n").removesuffix(b"\r") if raw.endswith(b"\n") else raw
        has_bom = number == 1 and content.startswith(_BOM)
        if has_bom:
            content = content.removeprefix(_BOM)
        # Bytes are counted as a tool would find them: from the start of the line, BOM included.
        first_byte = 1 + (len(_BOM) if has_bom else 0)
        if number == 1 and content.startswith(_UTF16_BOMS):
            problem = "the file is UTF-16, expected UTF-8"
            raise MalformedLine(self.name, 1, problem, self._conversion("UTF-16"))
        if b"\0" in content:
            problem = f"NUL character at byte {content.index(0) + first_byte} of the line"
            advice = f"Remove it, or convert the file if it is UTF-16: {self._iconv('UTF-16')}"
            raise MalformedLine(self.name, number, problem, advice)
        if b"\x1b" in content and is_escaped_japanese(content):
            problem = "the text is ISO-2022-JP, expected UTF-8"
            raise MalformedLine(self.name, number, problem, self._conversion("ISO-2022-JP"))
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            place, byte = error.start + first_byte, content[error.start]
            problem = f"byte {place} of the line (0x{byte:02x}) is not valid UTF-8"
            raise MalformedLine(self.name, number, problem, self._advice(content)) from error

    def _advice(self, content: bytes) -> str:
        """Return what to do about a line that is not UTF-8; guessed once for a file."""
        if self._guessed is None:
            sample = self.start(_SAMPLE_BYTES) + content
            if is_mostly_utf8(sample):
                self._guessed = (
                    "The rest of the file is UTF-8, so do not convert it: correct this line, in "
                    "which a character may be cut off."
                )
            else:
                found = guessed_encoding(sample)
                self._guessed = _UNKNOWN_ENCODING if found is None else self._conversion(found)
        return self._guessed

    def _refuse_utf8(self) -> None:
        """Raise if the file is UTF-8 and another encoding was named; most fit any bytes."""
        if self._encoding is None or self._is_other:
            return
        if is_surely_utf8(self.start(_SAMPLE_BYTES)):
            problem = f"this is UTF-8, not {usual_name(self._encoding)}"
            advice = (
                "The encoding that was named (`encoding`) is that of all files of a run: convert "
                f"the others to UTF-8 (iconv -f {self._encoding} -t UTF-8), and name none."
            )
            raise UnreadableFile(self.name, problem, advice)
        self._is_other = True

    def _conversion(self, encoding: str) -> str:
        doubt = " and look at the result" if is_single_byte(encoding) else ""
        named = f'read it with `encoding="{encoding}"`, or ' if self._can_name else ""
        looks = f"It looks like {usual_name(encoding)}"
        return f"{looks}; {named}convert it{doubt}: {self._iconv(encoding)}"

    def _iconv(self, encoding: str) -> str:
        command = f"iconv -f {encoding} -t UTF-8"
        if self.path == STANDARD_INPUT:
            return f"... | {command} | ..."
        plain = shlex.quote(self.name)
        return f"{command} {plain} > {shlex.quote(f'{self.name}.utf-8')}"

    def _raw_lines(self) -> Iterator[bytes]:
        """Yield the lines in UTF-8, with their ends."""
        self._refuse_utf8()
        with self._content() as content:
            if self._encoding is None:
                yield from self._native_lines(content)
            elif has_wide_line_ends(self._encoding):
                yield from self._wide_lines(content, self._encoding)
            else:
                yield from self._recoded_lines(content, self._encoding)

    @contextmanager
    def _content(self) -> Iterator[IO[bytes]]:
        """Open the file, decompressed, and turn what goes wrong into `UnreadableFile`."""
        try:
            with self._opened() as stored:
                self._opened_last = weakref.ref(stored)
                start = stored.read(SIGNATURE_BYTES)
                stored.seek(0)
                if foreign := foreign_compression(start):
                    advice = "Decompress it first; gzip, xz and bzip2 are read directly."
                    raise UnreadableFile(self.name, f"this is a {foreign} archive", advice)
                compression = compression_of(start)
                if compression is None:
                    yield stored
                    return
                with compression.opened(stored) as content:
                    yield cast("IO[bytes]", content)
        except DAMAGE_ERRORS as error:
            raise self._damaged() from error
        except OSError as error:
            damaged = error.errno is None
            raise (
                self._damaged() if damaged else unreadable(self.path, error, advice=_FOLDER_ADVICE)
            ) from error

    def _native_lines(self, content: IO[bytes]) -> Iterator[bytes]:
        if isinstance(content, BufferedReader):
            size = content.seek(0, os.SEEK_END)
            content.seek(0)
            if size <= _LINE_LIMIT:  # a small file has no line that is too long
                yield from content
                return
        yield from self._bounded(content)

    def _whole_lines(self) -> Iterator[bytes]:
        """Yield the content in blocks that end where a line does."""
        with self._content() as content:
            number = 1
            while block := content.read(_LINES_BYTES):
                number += block.count(b"\n")
                rest = content.readline(_LINE_LIMIT + 1)
                if len(rest) > _LINE_LIMIT:
                    raise self._too_long(number)
                number += rest.endswith(b"\n")
                yield block + rest

    def _recoded_lines(self, content: IO[bytes], encoding: str) -> Iterator[bytes]:
        # No letter of these encodings has the byte of a line end as a part.
        for number, raw in enumerate(self._bounded(content), start=1):
            try:
                yield decoded_text(raw, encoding).encode("utf-8")
            except UnicodeError as error:
                place = error.start if isinstance(error, UnicodeDecodeError) else 0
                problem = f"byte {place + 1} of the line (0x{raw[place]:02x}) is not valid "
                raise MalformedLine(
                    self.name, number, problem + encoding, _OTHER_ENCODING
                ) from error

    def _wide_lines(self, content: IO[bytes], encoding: str) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(encoding)()
        begun, number, done = "", 1, False
        while not done:
            block = content.read(_BLOCK_BYTES)
            done = not block
            try:
                begun += decoder.decode(block, final=done)
                *whole, begun = begun.split("\n")
                for line in whole:
                    yield f"{line}\n".encode()
                    number += 1
            except UnicodeError as error:
                problem = f"this line or one of the next is not valid {encoding}"
                raise MalformedLine(self.name, number, problem, _OTHER_ENCODING) from error
            if len(begun) > _LINE_LIMIT:
                raise self._too_long(number)
        if begun:
            yield begun.encode()

    def _bounded(self, content: IO[bytes] | BufferedIOBase) -> Iterator[bytes]:
        """Yield lines; a file without line ends must not fill the memory."""
        for number, raw in enumerate(iter(partial(content.readline, _LINE_LIMIT + 1), b""), 1):
            if len(raw) > _LINE_LIMIT:
                raise self._too_long(number)
            yield raw

    def _too_long(self, number: int) -> MalformedLine:
        problem = f"the line is longer than {_LINE_LIMIT:,} bytes"
        advice = "Expected a text with one segment per line."
        return MalformedLine(self.name, number, problem, advice)

    def _opened(self) -> BinaryIO:
        if not self.path:
            advice = "Is a shell variable unset?"
            raise UnreadableFile("''", "the name of a file is empty", advice)
        if self._spool is None and self.path == STANDARD_INPUT:
            if sys.stdin is None:
                raise UnreadableFile(self.name, "it is closed", "Give a file, or open it.")
            self._spool = Spool(sys.stdin.buffer, self.name)
        if self._spool is not None:
            return self._spool.open()
        with reading_errors(self.path, advice=_FOLDER_ADVICE):
            stream = opened_file(Path(self.path))
        if is_regular(stream):
            return stream
        with stream:
            self._spool = Spool(stream, self.name)
        return self._spool.open()

    def _damaged(self) -> UnreadableFile:
        return UnreadableFile(
            self.name, "the compressed file is damaged or truncated", "Copy it again."
        )


def plain_lines(block: bytes) -> list[str] | None:
    r"""Return the lines of a block all at once; None if one of them has to be looked at by itself.

    That is so where a line is no UTF-8, ends in CR LF, or has a NUL or an escape character.

    >>> plain_lines(b"one\ntwo\n\n"), plain_lines(b"last"), plain_lines(b"one\r\n")
    (['one', 'two', ''], ['last'], None)
    """
    if b"\r" in block or b"\0" in block or b"\x1b" in block:
        return None
    try:
        found = block.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
    return found[:-1] if block.endswith(b"\n") else found
