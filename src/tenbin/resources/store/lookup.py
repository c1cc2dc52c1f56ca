"""Where resources are: in the cache folder, in Tenbin itself, in packages, on the system."""

import os
from collections.abc import Callable, Container
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

from platformdirs import user_cache_path

from tenbin.core.errors import FingerprintMismatch, MissingResource, UnreadableFile
from tenbin.formats.files import exists, regular_file, user_path
from tenbin.resources.store.manifest import LOCAL, Entry, Provider, ProviderType

FingerprintOf = Callable[[Path], str]

_HASH_DIGITS = 16
_HASH_SEPARATOR = "@"
_REINSTALL = "reinstall the package tenbin with pip"
CACHE_VARIABLE = "TENBIN_RESOURCES"
OFFLINE_VARIABLE = "TENBIN_OFFLINE"


class State(StrEnum):
    """Where a resource was found."""

    INSTALLED = "installed"
    BUNDLED = "bundled"
    PACKAGE = "in a package"
    FILE = "on this system"
    DAMAGED = "damaged"
    MISSING = "not installed"


_STATES = {
    ProviderType.BUNDLED: State.BUNDLED,
    ProviderType.PACKAGE: State.PACKAGE,
    ProviderType.FILE: State.FILE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file with the content of a resource."""

    path: Path
    state: State
    fingerprint: str
    version: str


def installed_folder(entry: Entry, cache: Path) -> Path:
    """Return the folder of an installed resource; another content has another folder."""
    return cache / f"{entry.name}{_HASH_SEPARATOR}{entry.sha256[:_HASH_DIGITS]}"


def installed_folders(name: str, cache: Path) -> list[Path]:
    """Return the folders of all installed versions of a resource."""
    return sorted(cache.glob(f"{name}{_HASH_SEPARATOR}*"))


def find(entry: Entry, cache: Path, fingerprint_of: FingerprintOf) -> Found | None:
    """Return the file of a resource with the content that the manifest lists, or None.

    Raises:
        FingerprintMismatch: The installed or bundled file has changed. A file of another package or
            of the system with another hash is just another version, and is skipped.
    """
    installed = installed_folder(entry, cache) / entry.file_name
    if not entry.sha256 or not installed.is_file():
        return find_local(entry, fingerprint_of)
    try:
        found = fingerprint_of(installed)
    except UnreadableFile:
        if installed.exists():
            raise
        return find_local(entry, fingerprint_of)  # removed meanwhile
    if found != entry.sha256:
        raise differs(entry, str(installed), found, repair(entry.name))
    return Found(path=installed, state=State.INSTALLED, fingerprint=found, version=entry.version)


def find_local(entry: Entry, fingerprint_of: FingerprintOf) -> Found | None:
    """Return the file of a resource that is available without installing it, or None."""
    for provider in entry.providers:
        found = _local(entry, provider, fingerprint_of) if provider.type in LOCAL else None
        if found is not None:
            return found
    return None


def _local(entry: Entry, provider: Provider, fingerprint_of: FingerprintOf) -> Found | None:
    path = local_path(provider)
    bundled = provider.type is ProviderType.BUNDLED
    # A file of another size need not be hashed.
    if path is None or (entry.sha256 and not bundled and path.stat().st_size != entry.size):
        return None
    found = fingerprint_of(path)
    if entry.sha256 and found != entry.sha256:
        if bundled:
            raise differs(entry, str(path), found, f"Tenbin itself is damaged: {_REINSTALL}.")
        return None
    version = entry.version if entry.sha256 else local_version(provider)
    return Found(path=path, state=_STATES[provider.type], fingerprint=found, version=version)


def missing(entry: Entry, cache: Path) -> MissingResource:
    """Return the error with the command that obtains a resource."""
    if installed_folders(entry.name, cache):
        return MissingResource(entry.name, reason="is installed in another version")
    if any(provider.type not in LOCAL for provider in entry.providers):
        return MissingResource(entry.name)
    return MissingResource(entry.name, command=_local_command(entry))


def _local_command(entry: Entry) -> str:
    for provider in entry.providers:
        if provider.type is ProviderType.PACKAGE:
            extra = f"'tenbin[{provider.extra}]'" if provider.extra else ""
            return f"pip install {extra or provider.distribution}"
        if provider.type is ProviderType.FILE:
            return f"put the file at {provider.path}"
    return _REINSTALL


def differs(entry: Entry, where: str, found: str, advice: str) -> FingerprintMismatch:
    """Return the error for content with another hash than that of the manifest."""
    return FingerprintMismatch(entry.name, where, entry.sha256, found, advice)


def repair(name: str) -> str:
    """Return the advice for an installed file that has changed."""
    return f"It was changed or damaged after it was installed. Run: tenbin resources install {name}"


def local_path(provider: Provider) -> Path | None:
    """Return the path of a bundled, packaged or system file, or None if it does not exist."""
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
    """Return the file that was given instead of a name, or None if it is a name.

    A known name is a name even if a file is called the same; ``./NAME`` is the file.

    Raises:
        UnreadableFile: It can only be a path, and there is no such regular file.
    """
    if isinstance(name, str) and name in known:
        return None
    path = user_path(name)
    if isinstance(name, str) and not ({"/", os.sep} & set(name) or exists(path)):
        return None
    return regular_file(path).absolute()


def cache_folder(given: Path | None) -> Path:
    """Return the folder of installed resources: as given, from the environment, or the default.

    The default is below the user's cache folder (XDG_CACHE_HOME on Linux).
    """
    named = os.environ.get(CACHE_VARIABLE, "")
    chosen = given or (Path(named) if named else user_cache_path("tenbin") / "resources")
    return user_path(chosen).absolute()


def is_offline(*, requested: bool) -> bool:
    """Return whether the network must not be used."""
    return requested or os.environ.get(OFFLINE_VARIABLE, "0") not in {"", "0"}
