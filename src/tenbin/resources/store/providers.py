"""Fetches a resource from one of the places that the manifest names.

Imported only when something is fetched: scoring needs nothing of it.
"""

from pathlib import Path

from tenbin.resources.store import clients
from tenbin.resources.store.archives import Advance, extract_member
from tenbin.resources.store.downloads import download
from tenbin.resources.store.manifest import LOCAL, Entry, Provider, ProviderType
from tenbin.resources.store.member_tars import repack_members

# A source archive of unknown size; with 'archive_size' in the manifest the limit is exact.
_MOST_FETCHED = 2 << 30


def fetch(entry: Entry, provider: Provider, folder: Path, advance: Advance | None = None) -> Path:
    """Fetch the file of a resource into an empty folder and return its path.

    Raises:
        ProviderFailed: It is not to be had there, or what came is not usable.
    """
    if provider.type in LOCAL:
        raise ValueError(f"nothing to fetch: {provider}")
    (folder / "content").mkdir()
    target = folder / "content" / provider.file_name
    if provider.type is ProviderType.URL and not (provider.member or provider.members):
        download(provider.url, target, limit=entry.size, advance=advance)
        return target
    fetched = folder / "fetched"
    fetched.mkdir()
    archive = _archive(provider, fetched, advance)
    if provider.members:
        repack_members(archive, provider.members, target, size=entry.size, advance=advance)
    else:
        extract_member(archive, provider.member, target, size=entry.size, advance=advance)
    archive.unlink()
    return target


def _archive(provider: Provider, folder: Path, advance: Advance | None) -> Path:
    name, version = provider.distribution, provider.version
    size = provider.archive_size or _MOST_FETCHED
    if provider.type is ProviderType.URL:
        target = folder / "archive"
        download(provider.url, target, limit=size, advance=advance)
        return target
    if provider.type is ProviderType.NPM:
        return clients.fetch_npm(name, version, folder, advance)
    if provider.type is ProviderType.DEB:
        return clients.fetch_deb(name, version, folder, advance)
    if provider.sdist:
        return clients.fetch_sdist(name, version, folder, size=size, advance=advance)
    return clients.fetch_wheel(name, version, folder, advance)
