"""Opens files that may be compressed, and says clearly what is wrong with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import DAMAGES, MARK_BYTES, compression_of, foreign_compression


@contextmanager
def opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, through gzip, xz or bzip2 where it is compressed.

    Raises:
        UnreadableFile: No such file, a directory, no permission, damaged, cut off or packed in
            another way; also while the file is being read inside the ``with`` block.
    """
    name = str(path)
    try:
        with path.open("rb") as stream:
            start = stream.read(MARK_BYTES)
            stream.seek(0)
            packing = compression_of(start)
            foreign = foreign_compression(start)
            if foreign:
                problem = f"the file is packed by {foreign}"
                raise UnreadableFile(name, problem, "Unpack it first.")
            if packing is None:
                yield stream
            else:
                with packing.opened(stream) as unpacked:
                    yield cast("IO[bytes]", unpacked)
    except DAMAGES as error:
        raise _damaged(name) from error
    except FileNotFoundError as error:
        raise UnreadableFile(name, "there is no such file", "Check the path.") from error
    except IsADirectoryError as error:
        problem = "this is a directory, not a file"
        raise UnreadableFile(name, problem, "Name the file itself.") from error
    except OSError as error:
        if error.errno is None:  # bzip2
            raise _damaged(name) from error
        problem = f"cannot be read ({error.strerror})"
        raise UnreadableFile(name, problem, "Check the file and its permissions.") from error


def _damaged(name: str) -> UnreadableFile:
    return UnreadableFile(name, "the compressed file is damaged or cut off", "Fetch it again.")
