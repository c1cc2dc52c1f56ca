"""Files of a cluster: any file system that Spark can write to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from tenbin.core.errors import OutputError

Describe = Callable[[str], None]

_DESCRIPTION = "_tenbin.json"


@contextmanager
def new_folder(session: Any, output: str) -> Iterator[tuple[str, Describe]]:  # noqa: ANN401
    """Give a folder to write beside the target, whose name it takes when the block ends well.

    Args:
        session: The Spark session.
        output: A path of this machine, or an address such as ``hdfs://...``.

    Yields:
        The address of the folder, and what writes a description of the result into it.

    Raises:
        OutputError: The target exists, or cannot be written.
    """
    files = session.sparkContext._jvm.org.apache.hadoop.fs  # noqa: SLF001 - no other way to it
    target = files.Path(_address(output))
    system = target.getFileSystem(session.sparkContext._jsc.hadoopConfiguration())  # noqa: SLF001
    if system.exists(target):
        raise OutputError(f"{output}: this is there already. Remove it, or name another folder.")
    parent = target.getParent()
    if not system.exists(parent):
        raise OutputError(
            f"{output}: there is no folder {parent.toUri().getPath()}; make it first."
        )
    staging = files.Path(parent, f".tenbin-{uuid4().hex}")

    def describe(text: str) -> None:
        stream = system.create(files.Path(staging, _DESCRIPTION))
        stream.write(bytearray(text.encode()))
        stream.close()

    try:
        yield staging.toString(), describe
        if not system.rename(staging, target):
            raise OutputError(f"{output}: could not be written; nothing there was changed.")
    finally:
        # Nothing is there any more if all went well.
        system.delete(staging, True)  # noqa: FBT003 - of Java


def _address(path: str) -> str:
    return path if "://" in path else Path(path).absolute().as_uri()
