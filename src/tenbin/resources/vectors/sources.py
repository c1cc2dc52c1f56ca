"""Finds word vectors by name or path, and the table made of them.

The store knows resources of one file. Vectors of spaCy are a folder, and arrays have their words in
a second file; these are found, fingerprinted and prepared here.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tenbin.core.errors import OutputError, UnreadableFile
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.tensor_file import is_tensor_file
from tenbin.formats.vectors.detection import FORMATS, files_of
from tenbin.resources.store.fingerprints import FingerprintCache
from tenbin.resources.store.preparation import PreparedFolders, is_whole
from tenbin.resources.store.settings import CACHE_VARIABLE
from tenbin.resources.store.staging import StagingArea
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.table import FILE_NAME, is_vector_table

FORM = "vectors-auto-1"  # in tenbin.resources.store.preparation
_START_BYTES = 16


@dataclass(frozen=True, slots=True)
class FoundVectors:
    """Which data they are, and the file of their table."""

    identity: ResourceIdentity
    table: Path


def find_vectors(name: str, language: str, store: ResourceStore) -> FoundVectors:
    """Return where word vectors are; their table is made first if it is not there."""
    known = {entry.name for entry in store.entries()}
    path = Path(name).expanduser()
    if name not in known and path.exists():
        files = files_of(path)
        if path.is_dir() or len(files) > 1:
            return _several_files(path.absolute(), files, language, store)
    identity = store.identity(name, kind=ResourceKind.VECTORS, language=language)
    stored = store.path(name)
    if _is_table(stored):
        return FoundVectors(identity, stored)
    form = store.entry(name).prepare if name in known else ""
    return FoundVectors(identity, store.prepared(name, form or FORM) / FILE_NAME)


def _is_table(path: Path) -> bool:
    with path.open("rb") as stream:
        start = stream.read(_START_BYTES)
    return is_tensor_file(start) and is_vector_table(path)


def _several_files(
    path: Path, files: list[Path], language: str, store: ResourceStore
) -> FoundVectors:
    if not files:
        problem = "there are no word vectors in this folder"
        raise UnreadableFile(str(path), problem, f"Expected {FORMATS}.")
    prints = FingerprintCache(store.cache / ".fingerprints")
    listed = "".join(f"{file.name}\t{prints.fingerprint(file)}\n" for file in files)
    fingerprint = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
    identity = ResourceIdentity(
        path.name, ResourceKind.VECTORS, "local", language, "unknown", fingerprint
    )
    prepared = PreparedFolders(store.cache, StagingArea(store.cache))
    folder = prepared.place(FORM, fingerprint)
    if not is_whole(folder):
        try:
            prepared.make(path, FORM, fingerprint)
        except OSError as error:
            problem = f"{path.name} could not be converted ({error.strerror})"
            advice = f"Free some space, or name another folder with {CACHE_VARIABLE}."
            raise OutputError(f"{store.cache}: {problem}; nothing was changed. {advice}") from error
    return FoundVectors(identity, folder / FILE_NAME)
