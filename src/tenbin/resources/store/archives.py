"""Reads single files out of archives; nothing is ever unpacked under a name the archive chose.

Archives are recognized by their first bytes: zip (wheels), tar plain or compressed by gzip, xz,
bzip2 or zstd (npm, source archives), and the ar files of Debian with such a tar inside.

A resource is one file with one hash. Where a package keeps it in several, these are written to an
uncompressed tar, in the order of the manifest, under their own names without folders, without owner
and time: the same content always makes the same bytes. The headers are written here and not by
`tarfile`, whose bytes depend on the version of Python. GNU tar makes the same ones:

    tar --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -b1 -cf TAR FILE...
"""

import bz2
import gzip
import io
import lzma
import re
import shutil
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EINVAL
from functools import partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self, cast

from tenbin.core.counting import counted
from tenbin.core.errors import ProviderFailed
from tenbin.formats.damage import ARCHIVE_ERRORS

Advance = Callable[[int], None]
Write = Callable[[IO[bytes]], None]

_BLOCK = 1 << 20
_MOST_CONTENT = 16 << 30
_MOST_HEADER = 1 << 20
_ENCRYPTED = 0x1
_ZSTD_MODULES = ("compression.zstd", "backports.zstd", "zstandard")
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_AR_MAGIC = b"!<arch>\n"
_AR_HEADER = 60
_DRIVE = re.compile(r"[A-Za-z]:/")
_TAR_BLOCK = 512
_LONGEST_NAME = 100


def extract_member(
    archive: Path,
    member: str,
    target: Path,
    *,
    size: int,
    may_be_smaller: bool = False,
    advance: Advance | None = None,
) -> None:
    """Write one member of an archive to a new file.

    Args:
        archive: A zip, tar or Debian package.
        member: Path of the member; a leading ``./`` makes no difference.
        target: Where it is written.
        size: Its size; nothing larger is written.
        may_be_smaller: Whether the size is only an upper limit.
        advance: Called with the number of bytes after every block.

    Raises:
        ProviderFailed: No such member, or it is not a regular file, or larger; a member of the
            archive has a path outside it; the archive is damaged or of an unknown kind.
    """
    write = partial(
        copy_bounded, target=target, size=size, may_be_smaller=may_be_smaller, advance=advance
    )
    try:
        with archive.open("rb") as stream:
            magic = stream.read(len(_AR_MAGIC))
            stream.seek(0)
            if magic.startswith(b"PK"):
                _from_zip(stream, member, write)
            elif magic == _AR_MAGIC:
                _from_tar(_debian_data(stream), member, write)
            else:
                _from_tar(stream, member, write)
    except _damage_errors() as error:
        # bzip2 raises 'Invalid data stream' as an OSError without errno; a place outside the file
        # is an invalid argument.
        if isinstance(error, OSError) and error.errno not in {None, EINVAL}:
            raise
        raise ProviderFailed(f"{archive.name} is damaged or truncated ({error})") from error


def copy_bounded(
    source: IO[bytes],
    target: Path,
    *,
    size: int,
    may_be_smaller: bool = False,
    advance: Advance | None = None,
) -> None:
    """Write a stream of a known size to a new file.

    Raises:
        ProviderFailed: The stream is longer; or shorter, where that is not allowed.
    """
    done = 0
    with target.open("xb") as stream:
        while block := source.read(min(_BLOCK, size - done + 1)):
            done += len(block)
            if done > size:
                raise ProviderFailed(
                    f"{target.name} is larger than the {counted(size, 'byte')} expected"
                )
            stream.write(block)
            if advance is not None:
                advance(len(block))
    if done < size and not may_be_smaller:
        raise ProviderFailed(f"{target.name} has {counted(done, 'byte')}, expected {size:,}")


def _from_zip(stream: IO[bytes], member: str, write: Write) -> None:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            _check_name(info.filename)
        found = [one for one in archive.infolist() if _plain(one.filename) == _plain(member)]
        if not found:
            raise ProviderFailed(f"the archive has no member {member}")
        if len(found) > 1:
            raise ProviderFailed(f"the archive has {len(found)} members {member}, expected one")
        mode = found[0].external_attr >> 16
        if found[0].is_dir() or stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
            raise ProviderFailed(f"{member} is not a regular file in the archive")
        if found[0].flag_bits & _ENCRYPTED:
            raise ProviderFailed(f"{member} is encrypted")
        with archive.open(found[0]) as content:
            write(content)


def _from_tar(stream: io.BufferedReader, member: str, write: Write) -> None:
    with tarfile.open(fileobj=_decompressed(stream), mode="r|", tarinfo=_Header) as archive:
        for info in archive:
            _check_name(info.name)
            if _plain(info.name) != _plain(member):
                if info.offset_data + info.size > _MOST_CONTENT:
                    raise ProviderFailed(f"the archive holds more than {_MOST_CONTENT:,} bytes")
                continue
            content = archive.extractfile(info) if info.isreg() else None
            if content is None:
                raise ProviderFailed(f"{member} is not a regular file in the archive")
            with content:
                write(content)
            return
    raise ProviderFailed(f"the archive has no member {member}")


class _Header(tarfile.TarInfo):
    """A header that is refused if its name alone would fill the memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        info = super().frombuf(buf, encoding, errors)
        if info.type in _LONG_HEADERS and info.size > _MOST_HEADER:
            raise ProviderFailed(f"a header of the archive takes {counted(info.size, 'byte')}")
        return info


_LONG_HEADERS = {
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}


def _decompressed(stream: io.BufferedReader) -> IO[bytes]:
    magic = stream.peek(len(_ZSTD_MAGIC))[: len(_ZSTD_MAGIC)]
    if magic.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.open(stream))
    if magic.startswith(b"\xfd7zX"):
        return lzma.open(stream)
    if magic.startswith(b"BZh"):
        return bz2.open(stream)
    return _open_zstd(stream) if magic == _ZSTD_MAGIC else stream


def _open_zstd(stream: IO[bytes]) -> IO[bytes]:
    for name in _ZSTD_MODULES:
        with suppress(ImportError):
            opened: IO[bytes] = import_module(name).open(stream, "rb")
            return opened
    raise ProviderFailed("the archive is compressed by zstd; first run: pip install zstandard")


def _damage_errors() -> tuple[type[Exception], ...]:
    loaded = [sys.modules[name] for name in _ZSTD_MODULES if name in sys.modules]
    return (
        OSError,
        *ARCHIVE_ERRORS,
        *(module.ZstdError for module in loaded),
    )


class _Slice(io.RawIOBase):
    """A part of a file, readable as a file."""

    def __init__(self, stream: IO[bytes], length: int) -> None:
        self._stream = stream
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        block = self._stream.read(min(len(buffer), self._left))
        self._left -= len(block)
        buffer[: len(block)] = block
        return len(block)


def _debian_data(stream: io.BufferedReader) -> io.BufferedReader:
    """Return the archive of files inside a Debian package (deb(5), ar(5))."""
    stream.seek(len(_AR_MAGIC))
    while header := stream.read(_AR_HEADER):
        name = header[:16].decode("ascii", "replace").rstrip(" /")
        digits = header[48:58].strip()
        if len(header) < _AR_HEADER or header[58:] != b"`\n" or not digits.isdigit():
            raise ProviderFailed("the Debian package is damaged or truncated")
        length = int(digits)
        if name.startswith("data.tar"):
            return io.BufferedReader(_Slice(stream, length))
        stream.seek(length + length % 2, io.SEEK_CUR)
    raise ProviderFailed("the Debian package has no data inside")


def _check_name(name: str) -> None:
    # Nothing is ever written under such a name; but an archive that has one is not trusted.
    slashes = name.replace("\\", "/")
    if slashes.startswith("/") or ".." in slashes.split("/") or _DRIVE.match(slashes):
        raise ProviderFailed(f"the archive has a member with a path outside it: {name!r}")


def _plain(name: str) -> str:
    return str(PurePosixPath(name))


def repack_members(
    archive: Path,
    members: Sequence[str],
    target: Path,
    *,
    size: int,
    advance: Advance | None = None,
) -> None:
    """Write some members of an archive to a new tar.

    Args:
        archive: A zip, tar or Debian package.
        members: Paths of the members, which end in different names.
        target: The tar.
        size: Its size; nothing larger is written.
        advance: Called with the number of bytes after every block.

    Raises:
        ProviderFailed: As for `extract_member`, or the tar has another size.
    """
    remaining = size
    part = target.with_name(f"{target.name}.part")
    with target.open("xb") as stream:
        for member in members:
            extract_member(
                archive, member, part, size=remaining, may_be_smaller=True, advance=advance
            )
            length = part.stat().st_size
            remaining -= length
            stream.write(tar_header(PurePosixPath(member).name, length))
            with part.open("rb") as content:
                shutil.copyfileobj(content, stream)
            stream.write(bytes(-length % _TAR_BLOCK))
            part.unlink()
        stream.write(bytes(2 * _TAR_BLOCK))
        written = stream.tell()
    if written != size:
        raise ProviderFailed(f"{target.name} has {counted(written, 'byte')}, expected {size:,}")


def tar_header(name: str, size: int) -> bytes:
    """Return the header of a regular file (POSIX.1-1988, ustar) without an owner.

    >>> header = tar_header("vectors", 8)
    >>> len(header), header[124:135]
    (512, b'00000000010')
    """
    written = name.encode()
    if len(written) > _LONGEST_NAME:
        raise ProviderFailed(f"the name {name} is too long for a tar")
    mode, none, epoch = b"0000644\0", b"0000000\0", b"00000000000\0"
    before = written.ljust(_LONGEST_NAME, b"\0") + mode + none * 2 + b"%011o\0" % size + epoch
    # No link, no names of owner and group, no device.
    after = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + none * 2
    after += bytes(_TAR_BLOCK - len(before) - 8 - len(after))
    # The sum over the header in which the sum itself is eight spaces.
    checksum = sum(before) + 8 * ord(" ") + sum(after)
    return before + b"%06o\0 " % checksum + after
