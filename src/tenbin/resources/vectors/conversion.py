"""Finds word vectors by name or path and converts them from any format into a table.

The store holds resources of one file. Vectors of spaCy are a folder, and arrays have their words in
a second file; these are found, fingerprinted and prepared here.
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from tenbin.core.errors import OutputError, UnreadableFile
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import exists, user_path
from tenbin.formats.tensor_file import is_tensor_file
from tenbin.formats.vectors.detection import FORMATS, files_of, open_vectors
from tenbin.resources.store.lookup import CACHE_VARIABLE
from tenbin.resources.store.preparation import PreparedFolders, conversion_progress
from tenbin.resources.store.staging import StagingArea
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.keys import with_words
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import FILE_NAME, is_vector_table, write_vector_stream

# Up to this size a conversion takes a second or two.
QUICK_BYTES = 64 * 2**20
FORM = "vectors-auto-1"  # in tenbin.resources.store.preparation
_START_BYTES = 16


def prepare_vectors(source: Path, folder: Path) -> None:
    """Make a table in 32 bits if it then takes up to 256 MiB, else in 16."""
    convert_vectors(source, folder / FILE_NAME)


def prepare_float32(source: Path, folder: Path) -> None:
    """Make a table in 32 bits."""
    convert_vectors(source, folder / FILE_NAME, Precision.FLOAT32)


def prepare_float16(source: Path, folder: Path) -> None:
    """Make a table in 16 bits."""
    convert_vectors(source, folder / FILE_NAME, Precision.FLOAT16)


def prepare_int8(source: Path, folder: Path) -> None:
    """Make a table in 8 bits and one scale per row."""
    convert_vectors(source, folder / FILE_NAME, Precision.INT8)


def convert_vectors(source: Path, target: Path, precision: Precision | None = None) -> None:
    """Write the table of a file or folder of word vectors.

    Args:
        source: Word vectors in any format of `tenbin.formats.vectors.detection`.
        target: The file to write; after an error it is not a valid table.
        precision: Number type of the table; default: by size.

    Raises:
        InputError: The source cannot be read; the message has file, position and what was expected.
        OSError: The disk is full or cannot be written.
    """
    size = sum(path.stat().st_size for path in files_of(source))
    with conversion_progress(f"reading {source.name}", wanted=size > QUICK_BYTES) as report:
        stream = open_vectors(source)
        if stream.keyed is not None:
            stream = replace(stream, keyed=with_words(stream.keyed))
        write_vector_stream(target, stream, source=str(source), precision=precision, report=report)


@dataclass(frozen=True, slots=True)
class FoundVectors:
    """The identity of word vectors and the file of their table."""

    identity: ResourceIdentity
    table: Path


def find_vectors(name: str, language: str, store: ResourceStore) -> FoundVectors:
    """Return the table of word vectors, made first if it does not exist."""
    identity, folder = prepared_folder(name, language, store)
    return FoundVectors(identity, store.path(name) if folder is None else folder / FILE_NAME)


def prepared_folder(
    name: str, language: str, store: ResourceStore, form: str = ""
) -> tuple[ResourceIdentity, Path | None]:
    """Return the identity of word vectors, and the folder of a form of them.

    Args:
        name: A name of the manifest, or a path.
        language: The language of a file.
        store: The resource store.
        form: A form of `resources.store.preparation`; default: the table of the manifest's form.

    Returns:
        None instead of a folder for what is a table already: nothing else can be made from it.
    """
    known = {entry.name for entry in store.entries()}
    path = None if name in known else user_path(name)
    if path is not None and exists(path):
        files = files_of(path)
        if path.is_dir() or len(files) > 1:
            return _several_files(path.absolute(), files, language, store, form or FORM)
    identity = store.identity(name, kind=ResourceKind.VECTORS, language=language)
    if _is_table(store.path(name)):
        return identity, None
    own = store.entry(name).prepare if name in known else ""
    return identity, store.prepared(name, form or own or FORM)


def _is_table(path: Path) -> bool:
    with path.open("rb") as stream:
        start = stream.read(_START_BYTES)
    return is_tensor_file(start) and is_vector_table(path)


def _several_files(
    path: Path, files: list[Path], language: str, store: ResourceStore, form: str
) -> tuple[ResourceIdentity, Path]:
    if not files:
        problem = "there are no word vectors in this folder"
        raise UnreadableFile(str(path), problem, f"Expected {FORMATS}.")
    prints = store.fingerprints
    listed = "".join(f"{file.name}\t{prints.fingerprint(file)}\n" for file in files)
    fingerprint = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
    identity = ResourceIdentity(
        path.name, ResourceKind.VECTORS, "local", language, "unknown", fingerprint
    )
    prepared = PreparedFolders(store.cache, StagingArea(store.cache), prints)
    folder = prepared.ready(form, fingerprint)
    if folder is None:
        try:
            folder = prepared.make(path, form, fingerprint)
        except OSError as error:
            problem = f"{path.name} could not be converted ({error.strerror})"
            advice = f"Free some space, or set another cache folder with {CACHE_VARIABLE}."
            raise OutputError(f"{store.cache}: {problem}; nothing was changed. {advice}") from error
    return identity, folder
