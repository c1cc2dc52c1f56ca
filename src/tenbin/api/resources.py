"""The calls behind ``tenbin resources``: list, install, verify, find and remove data."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tenbin.core.errors import FingerprintMismatch, UnknownResource
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.listing import ListedResource, ResourceListing, Verification
from tenbin.resources.store.lookup import CACHE_VARIABLE, OFFLINE_VARIABLE, State
from tenbin.resources.store.manifest import LOCAL
from tenbin.resources.store.store import ResourceStore

__all__ = [
    "CACHE_VARIABLE",
    "OFFLINE_VARIABLE",
    "check_names",
    "download_size",
    "install_resource",
    "list_resources",
    "remove_resource",
    "resource_path",
    "resource_state",
    "verify_resources",
]


def list_resources(*, cache: Path | None = None) -> ResourceListing:
    """Return every resource, whether it is there, and where.

    Args:
        cache: Folder of installed resources; that of the user by default.
    """
    store = ResourceStore(cache)
    listed = tuple(ListedResource(entry, *store.state(entry.name)) for entry in store.entries())
    return ResourceListing(store.cache, listed)


def check_names(names: Sequence[str]) -> None:
    """Raise `UnknownResource` if a resource does not exist; all such names are listed."""
    known = [entry.name for entry in ResourceStore().entries()]
    if unknown := [name for name in names if name not in known]:
        raise UnknownResource(unknown, known)


def resource_path(name: str, *, cache: Path | None = None) -> Path:
    """Return where the file of a resource is."""
    return ResourceStore(cache).path(name)


def install_resource(
    name: str,
    *,
    cache: Path | None = None,
    offline: bool = False,
    advance: Callable[[int], None] | None = None,
) -> Path:
    """Obtain a resource, whole and with the right hash, or not at all; return its file.

    Args:
        name: Name of the resource.
        cache: Folder of installed resources; that of the user by default.
        offline: Whether a network is never used.
        advance: Called with numbers of bytes as they are done.
    """
    return ResourceStore(cache, offline=offline).install(name, advance=advance)


def download_size(name: str) -> int:
    """Return about how many bytes an installation reads and writes, for a progress bar."""
    entry = ResourceStore().entry(name)
    fetched = [one.archive_size for one in entry.providers if one.type not in LOCAL]
    converted = entry.size if entry.prepare and entry.kind is ResourceKind.VECTORS else 0
    return entry.size + (fetched[0] if fetched else 0) + converted


def verify_resources(names: Sequence[str] = (), *, cache: Path | None = None) -> Verification:
    """Compute the hashes of resources anew; of all that are there by default."""
    store = ResourceStore(cache)
    states: list[tuple[str, str]] = []
    faults: list[str] = []
    chosen = names or [
        entry.name for entry in store.entries() if store.state(entry.name)[0] is not State.MISSING
    ]
    for name in dict.fromkeys(chosen):
        try:
            store.verify(name)
            states.append((name, "ok"))
        except FingerprintMismatch as error:
            states.append((name, "changed"))
            faults.append(str(error))
    return Verification(tuple(states), tuple(faults))


def resource_state(name: str, *, cache: Path | None = None) -> str:
    """Return whether a resource is there: ``installed``, ``missing`` and so on."""
    return str(ResourceStore(cache).state(name)[0])


def remove_resource(name: str, *, cache: Path | None = None) -> bool:
    """Delete an installed resource; return whether there was one."""
    return ResourceStore(cache).remove(name)
