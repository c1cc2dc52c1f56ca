"""Files that are there without being fetched: in Tenbin, in packages, on the system, the user's."""

import os
from collections.abc import Container
from importlib.resources import files
from pathlib import Path

from tenbin.core.errors import UnreadableFile
from tenbin.resources.store.manifest import Provider, ProviderType


def local_path(provider: Provider) -> Path | None:
    """Return where a bundled, packaged or system file lies, or None if it does not."""
    if provider.type is ProviderType.BUNDLED:
        path = Path(str(files("tenbin.resources"))) / "bundled" / provider.member
    elif provider.type is ProviderType.PACKAGE:
        from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - slow

        try:
            path = Path(str(distribution(provider.distribution).locate_file(provider.member)))
        except PackageNotFoundError:
            return None
    else:
        path = Path(provider.path).expanduser()
    return path if path.is_file() else None


def local_version(provider: Provider) -> str:
    """Return the version of the installed distribution that holds the file."""
    from importlib.metadata import version  # noqa: PLC0415 - slow

    return version(provider.distribution)


def user_file(name: str | Path, known: Container[str]) -> Path | None:
    """Return the file that somebody gave instead of a name, or None if it is a name.

    A known name is a name even where a file is called the same; ``./NAME`` is the file.

    Raises:
        UnreadableFile: It can only be a file, and there is none.
    """
    path = Path(name).expanduser()
    if isinstance(name, str) and (
        name in known or not ({"/", os.sep} & set(name) or path.exists())
    ):
        return None
    if path.is_dir():
        advice = "Name the file itself."
        raise UnreadableFile(str(name), "this is a directory, not a file", advice)
    if not path.exists():
        raise UnreadableFile(str(name), "there is no such file", "Check the path.")
    return path.absolute()
