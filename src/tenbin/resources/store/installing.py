"""Installs a resource from the first of its providers that supplies it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tenbin.core.errors import FingerprintMismatch, ProviderFailed
from tenbin.resources.store.fingerprints import FingerprintCache, file_sha256
from tenbin.resources.store.lookup import (
    OFFLINE_VARIABLE,
    Found,
    State,
    differs,
    find_local,
    installed_folder,
    installed_folders,
    missing,
)
from tenbin.resources.store.manifest import LOCAL, Entry, Provider
from tenbin.resources.store.preparation import PreparedFolders
from tenbin.resources.store.staging import StagingArea

Advance = Callable[[int], None]

_OTHER_CONTENT = (
    "Nothing was installed. If the data changed on purpose, a newer Tenbin may list it; you can "
    "also give the path of your own file instead of a name."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """Installs resources into a cache folder."""

    cache: Path
    area: StagingArea
    prepared: PreparedFolders
    fingerprints: FingerprintCache
    offline: bool

    def obtain(self, entry: Entry, advance: Advance | None) -> Found:
        """Return the file of a resource of which no unchanged copy is installed.

        The lock of the resource must be held.

        Raises:
            ProviderFailed: No provider could supply it; the message has the reason of each.
            FingerprintMismatch: What was supplied, or is bundled, has another hash.
            MissingResource: Only a local provider has it, and it is not there.
        """
        local = find_local(entry, self.fingerprints.fingerprint)
        if local is not None:
            self.area.withdraw(installed_folder(entry, self.cache), entry.name)
            return local
        if all(provider.type in LOCAL for provider in entry.providers):
            raise missing(entry, self.cache)
        failures: list[str] = []
        refused: FingerprintMismatch | None = None
        for provider in entry.providers:
            try:
                return self._install(entry, provider, advance)
            except FingerprintMismatch as error:
                refused = error
            except ProviderFailed as error:
                failures.append(f"{provider}: {error}")
        if refused is not None:
            raise refused
        tried = "\n  ".join(failures)
        raise ProviderFailed(f"the resource {entry.name!r} could not be obtained:\n  {tried}")

    def _install(self, entry: Entry, provider: Provider, advance: Advance | None) -> Found:
        if provider.type in LOCAL:
            raise ProviderFailed("not available here, or in another version")
        if self.offline:
            raise ProviderFailed(f"offline mode ({OFFLINE_VARIABLE}): nothing was fetched")
        from tenbin.resources.store.providers import fetch  # noqa: PLC0415 - not needed for scoring

        target = installed_folder(entry, self.cache)
        with self.area.folder(entry.name) as folder:
            ready = folder / "ready"
            ready.mkdir()
            file = fetch(entry, provider, folder, advance).rename(ready / entry.file_name)
            found = file_sha256(file)
            if found != entry.sha256:
                raise differs(entry, f"what came from {provider}", found, _OTHER_CONTENT)
            if entry.prepare:
                # Before the file gets its name: a visible file is always prepared.
                self.prepared.make(file, entry.prepare, found)
            self.area.publish(ready, target, entry.name)
        path = target / entry.file_name
        self.fingerprints.record(path, found)
        for folder in installed_folders(entry.name, self.cache):
            if folder != target:
                self.area.withdraw(folder, entry.name)
        return Found(path=path, state=State.INSTALLED, fingerprint=found, version=entry.version)
