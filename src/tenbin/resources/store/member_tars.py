"""Several files of an archive, stored as one.

A resource is one file with one hash. Where a package keeps it in several, they are put into a tar,
uncompressed, in the order of the manifest, under their own names without folders, with no owner and
no time: the same content always makes the same bytes. The headers are written here and not by
`tarfile`, whose bytes are an affair of the Python version. GNU tar makes the same ones:

    tar --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -b1 -cf TAR FILE...
"""

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.archives import Advance, extract_member

_BLOCK = 512
_LONGEST_NAME = 100


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
        size: Its size; nothing larger is unpacked.
        advance: Called with the number of bytes after every block.

    Raises:
        ProviderFailed: As for `tenbin.resources.store.archives.extract_member`, or another size.
    """
    room = size
    part = target.with_name(f"{target.name}.part")
    with target.open("xb") as stream:
        for member in members:
            extract_member(archive, member, part, size=room, may_be_smaller=True, advance=advance)
            length = part.stat().st_size
            room -= length
            stream.write(tar_header(PurePosixPath(member).name, length))
            with part.open("rb") as content:
                shutil.copyfileobj(content, stream)
            stream.write(bytes(-length % _BLOCK))
            part.unlink()
        stream.write(bytes(2 * _BLOCK))
        written = stream.tell()
    if written != size:
        raise ProviderFailed(f"{target.name} has {written:,} bytes, expected {size:,}")


def tar_header(name: str, size: int) -> bytes:
    """Return the header of an ordinary file (POSIX.1-1988, ustar) that belongs to nobody.

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
    after += bytes(_BLOCK - len(before) - 8 - len(after))
    # The sum over the header in which the sum itself is eight spaces.
    checksum = sum(before) + 8 * ord(" ") + sum(after)
    return before + b"%06o\0 " % checksum + after
