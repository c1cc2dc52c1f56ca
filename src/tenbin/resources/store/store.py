"""The resource store: one interface to the resources of the manifest and the user's own files.

CACHE/NAME@HASH/FILE          an installed file; HASH is the beginning of its sha256
CACHE/prepared/FORM@HASH/     a form of a file, converted for fast lookup
CACHE/.fingerprints/          cached hashes and checks of files by path, size and times
CACHE/.staging/ .locks/       see `tenbin.resources.store.staging`
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tenbin.core.errors import FingerprintMismatch, OutputError, UnknownResource, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.resources.store.fingerprints import FingerprintCache
from tenbin.resources.store.installing import Advance, Installer
from tenbin.resources.store.lookup import (
    CACHE_VARIABLE,
    Found,
    State,
    cache_folder,
    find,
    installed_folders,
    is_offline,
    missing,
    repair,
    user_file,
)
from tenbin.resources.store.manifest import Entry, Manifest, bundled_manifest
from tenbin.resources.store.preparation import (
    PreparedFolders,
    Report,
    conversions_reported_to,
    first_difference,
    is_complete,
)
from tenbin.resources.store.staging import StagingArea


@cache
def default_store() -> "ResourceStore":
    """Return the store of the user's cache folder, as set by the environment."""
    return ResourceStore()


class ResourceStore:
    """Finds resources, installs them atomically, and verifies their hashes.

    `path`, `identity` and `prepared` take a name or the path of a file.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        offline: bool = False,
        manifest: Manifest | None = None,
    ) -> None:
        """Open a store; nothing is written before something is installed.

        Args:
            cache: Folder for installed resources; default: TENBIN_RESOURCES, else the user's cache
                folder (XDG_CACHE_HOME on Linux).
            offline: Never use the network; TENBIN_OFFLINE=1 does the same.
            manifest: A list of resources to use instead of Tenbin's own.
        """
        self.cache = cache_folder(cache)
        self.offline = is_offline(requested=offline)
        self._manifest = bundled_manifest() if manifest is None else manifest
        self._area = StagingArea(self.cache)
        self.fingerprints = FingerprintCache(self.cache / ".fingerprints")
        self._prepared = PreparedFolders(self.cache, self._area, self.fingerprints)
        self._installer = Installer(
            cache=self.cache,
            area=self._area,
            prepared=self._prepared,
            fingerprints=self.fingerprints,
            offline=self.offline,
        )

    def entries(self) -> tuple[Entry, ...]:
        """Return all resources of the manifest, by name."""
        return tuple(self._manifest.values())

    def entry(self, name: str) -> Entry:
        """Return the manifest entry of a resource.

        Raises:
            UnknownResource: No resource has that name; the message suggests similar names.
        """
        if name not in self._manifest:
            raise UnknownResource([name], self._manifest)
        return self._manifest[name]

    def state(self, name: str) -> tuple[State, Path | None]:
        """Return where a resource is, for a listing; a missing one is not an error."""
        try:
            found = self._found(self.entry(name))
        except FingerprintMismatch:
            return State.DAMAGED, None
        return (State.MISSING, None) if found is None else (found.state, found.path)

    def path(self, name: str | Path) -> Path:
        """Return the file of a resource.

        Raises:
            MissingResource: It is not installed; the message is the command that installs it.
            FingerprintMismatch: The installed file has changed.
            UnknownResource: No resource and no file has that name.
        """
        return user_file(name, self._manifest) or self._required(self.entry(str(name))).path

    def identity(
        self, name: str | Path, *, kind: ResourceKind | None = None, language: str = "und"
    ) -> ResourceIdentity:
        """Return the identity of a resource: name, version, license and hash.

        Args:
            name: A name of the manifest, or the path of a file.
            kind: The expected kind; a named resource of another kind is refused.
            language: The language of a file, which the store does not know.

        Raises:
            UsageError: The named resource is of another kind.
            UnreadableFile: The file cannot be read.
            MissingResource: As for `path`, and the other errors there.
        """
        own = user_file(name, self._manifest)
        if own is not None:
            content = self.fingerprints.fingerprint(own)
            return ResourceIdentity(own.name, kind, "local", language, "unknown", content)
        entry = self.entry(str(name))
        if kind not in {None, entry.kind}:
            raise UsageError(f"the resource {name!r} is of kind {entry.kind}, expected {kind}.")
        found = self._required(entry)
        return ResourceIdentity(
            entry.name, entry.kind, found.version, entry.language, entry.licence, found.fingerprint
        )

    def prepared(self, name: str | Path, form: str = "") -> Path:
        """Return the folder of a form of a resource, made first if it does not exist.

        Args:
            name: A name of the manifest, or the path of a file.
            form: A form of `resources.store.preparation`; default: the one the manifest names.
        """
        form = form or self.entry(str(name)).prepare
        own = user_file(name, self._manifest)
        if own is not None:
            return self._made(own, form, self.fingerprints.fingerprint(own))
        entry = self.entry(str(name))
        found = self._required(entry)
        ready = self._prepared.ready(form, found.fingerprint)
        if ready is not None:
            return ready
        with self._writing(entry.name), self._area.locked(entry.name):
            # Looked up again: it may have been removed meanwhile.
            found = self._required(entry)
            return self._made(found.path, form, found.fingerprint)

    def made_forms(self, name: str) -> list[Path]:
        """Return the folders of the prepared forms of an installed resource."""
        return self._prepared.made(self._required(self.entry(name)).fingerprint)

    def install(self, name: str, *, advance: Advance | None = None) -> Path:
        """Make sure that a resource is installed and unchanged, and return its file.

        Providers are tried in the order of the manifest, and only content with the hash of the
        manifest is accepted. An install that fails or is killed leaves nothing visible. Of two at
        once, one waits and finds the work done.

        Args:
            name: A name of the manifest.
            advance: Called with numbers of bytes as they arrive, and once more as they are
                converted (of word vectors).

        Raises:
            ProviderFailed: No provider could supply it; the message has the reason of each.
            FingerprintMismatch: What was supplied has another hash.
            OutputError: The cache folder cannot be written, or is full.
        """
        entry = self.entry(name)
        found = self._complete(entry)
        if found is None:
            reporting = conversions_reported_to(_in_bytes(entry.size, advance))
            with self._writing(name), self._area.locked(name), reporting:
                self._area.sweep()
                found = self._unchanged(entry) or self._installer.obtain(entry, advance)
                if entry.prepare:
                    if first_difference(self._prepared.place(entry.prepare, found.fingerprint)):
                        self._prepared.discard(entry.prepare, found.fingerprint)
                    self._made(found.path, entry.prepare, found.fingerprint)
        return found.path

    def verify(self, name: str) -> bool:
        """Recompute the hash of a resource; return True if it is that of the manifest.

        Raises:
            MissingResource: It is not installed.
            FingerprintMismatch: It differs; the message has both hashes.
        """
        entry = self.entry(name)
        found = self._required(entry, rehash=True)
        if entry.prepare:
            folder = self._prepared.place(entry.prepare, found.fingerprint)
            different = first_difference(folder)
            if different is not None:
                path, expected, computed = different
                raise FingerprintMismatch(name, str(path), expected, computed, repair(name))
        return True

    def remove(self, name: str) -> bool:
        """Remove a resource from the cache folder; return whether it was installed.

        Bundled files and those of packages or the system are not touched.
        """
        entry = self.entry(name)
        if not self.cache.is_dir():
            return False
        with self._writing(name), self._area.locked(name):
            self._area.sweep()
            removed = [
                self._area.withdraw(folder, name) for folder in installed_folders(name, self.cache)
            ]
            if entry.prepare and entry.sha256:
                self._prepared.discard(entry.prepare, entry.sha256)
        return any(removed)

    def _found(self, entry: Entry, *, rehash: bool = False) -> Found | None:
        prints = self.fingerprints
        return find(entry, self.cache, prints.recomputed if rehash else prints.fingerprint)

    def _required(self, entry: Entry, *, rehash: bool = False) -> Found:
        found = self._found(entry, rehash=rehash)
        if found is None:
            raise missing(entry, self.cache)
        return found

    def _unchanged(self, entry: Entry) -> Found | None:
        try:
            return self._found(entry, rehash=True)
        except FingerprintMismatch:
            return None

    def _complete(self, entry: Entry) -> Found | None:
        found = self._unchanged(entry)
        if found is None or not entry.prepare:
            return found
        folder = self._prepared.place(entry.prepare, found.fingerprint)
        return found if is_complete(folder) and first_difference(folder) is None else None

    def _made(self, source: Path, form: str, fingerprint: str) -> Path:
        ready = self._prepared.ready(form, fingerprint)
        if ready is not None:
            return ready
        with self._writing(source.name):
            return self._prepared.make(source, form, fingerprint)

    @contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno is None:  # not a disk error: gzip reports 'not a gzipped file' this way
                raise
            problem = f"{name} could not be installed ({error.strerror}); nothing was changed"
            advice = f"Free some space, or set another cache folder with {CACHE_VARIABLE}."
            raise OutputError(f"{self.cache}: {problem}. {advice}") from error


def _in_bytes(size: int, advance: Advance | None) -> Report | None:
    """Return a function that converts progress from 0 to 1 into numbers of bytes."""
    if advance is None:
        return None
    done = 0

    def report(part: float) -> None:
        nonlocal done
        reached = round(part * size)
        advance(reached - done)
        done = reached

    return report
