"""Opens files that may be compressed, by their first bytes, and says clearly what is wrong."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tenbin.core.errors import UnreadableFile

_OPENERS: dict[bytes, Callable[[Path, str], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7": lzma.open,
    b"BZ": bz2.open,
}


@contextmanager
def opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, through gzip, xz or bzip2 where it is compressed.

    Raises:
        UnreadableFile: No such file, a directory, no permission, damaged or cut off; also while
            the file is being read inside the ``with`` block.
    """
    name = str(path)
    try:
        with path.open("rb") as plain:
            opener = _OPENERS.get(plain.read(2))
            plain.seek(0)
            if opener is None:
                yield plain
                return
        with opener(path, "rb") as stream:
            yield stream
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile) as error:
        problem = "the compressed file is damaged or cut off"
        raise UnreadableFile(name, problem, "Fetch it again.") from error
    except FileNotFoundError as error:
        raise UnreadableFile(name, "there is no such file", "Check the path.") from error
    except IsADirectoryError as error:
        problem = "this is a directory, not a file"
        raise UnreadableFile(name, problem, "Name the file itself.") from error
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
        raise UnreadableFile(name, problem, "Check the file and its permissions.") from error
