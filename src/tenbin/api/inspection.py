"""The call behind ``tenbin doctor``: the installation and the texts, looked at as a whole."""

from collections.abc import Callable, Sequence

from tenbin.api.files import (
    FileTestSet,
    ReadingOptions,
    TextFormat,
    named_folder,
    open_files,
    open_tables,
)
from tenbin.core.counting import counted
from tenbin.core.errors import InputError
from tenbin.evaluation.inspection import (
    Finding,
    Inspection,
    Severity,
    inspect_segments,
    inspect_texts,
    inspection_fault,
)
from tenbin.evaluation.installation import inspect_installation
from tenbin.formats.documents import read_document_ids
from tenbin.formats.files import printable_path
from tenbin.formats.named_paths import split_names
from tenbin.formats.texts.detection import format_by_name
from tenbin.formats.wmt_layout import find_wmt_files

__all__ = ["Inspection", "inspect_files", "inspect_set", "inspect_tables"]


def inspect_files(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    *,
    language: str | None = None,
    reading: ReadingOptions | None = None,
    documents: str | None = None,
) -> Inspection:
    """Report on the installation and, where texts are given, on every oddity in them.

    Args:
        systems: Paths of system outputs, or ``NAME=PATH``.
        references: Paths of reference texts.
        source: Path of the source text.
        language: The target language.
        reading: How files are read.
        documents: Path of a file that names the document of each segment, one per line.
    """
    own = [path for _, path in split_names(systems)]
    paths = [*own, *references, *([] if source is None else [source])]
    if not paths:
        return Inspection(tuple(inspect_installation(language)))
    options = reading or ReadingOptions()
    forms = {options.format or format_by_name(path) for path in paths}
    if forms == {TextFormat.LINES} and options.tags is None:
        found = inspect_texts(
            references,
            own,
            source,
            language,
            documents,
            _document_names,
            encoding=options.encoding,
        )
    else:
        found = _inspected(
            lambda: open_files(systems, references, source, documents=documents, reading=options),
            paths,
            language,
        )
    return Inspection(tuple(inspect_installation(language)), tuple(found))


def inspect_tables(
    paths: Sequence[str], *, language: str | None = None, reading: ReadingOptions | None = None
) -> Inspection:
    """Report on the installation and on files that hold all texts; see `open_tables`.

    Args:
        paths: The files.
        language: The target language.
        reading: How they are read.
    """
    found = _inspected(lambda: open_tables(paths, reading=reading), paths, language)
    return Inspection(tuple(inspect_installation(language)), tuple(found))


def _inspected(
    opened: Callable[[], FileTestSet], paths: Sequence[str], language: str | None
) -> list[Finding]:
    try:
        texts = opened()
    except InputError as fault:
        return [inspection_fault(fault, printable_path(paths[0]) if len(paths) == 1 else "files")]
    notes = [Finding(Severity.NOTE, "files", note) for note in texts.notes]
    found = inspect_segments(
        texts.reference_files, list(texts.hypothesis_files.values()), texts.source_file, language
    )
    if texts.documents is not None:
        count = counted(len(set(texts.documents)), "document")
        found.append(Finding(Severity.OK, "documents", count))
    return [*notes, *found]


def inspect_set(
    folder: str,
    pair: str,
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    language: str | None = None,
) -> Inspection:
    """Report on the installation and on a language pair of a test set; see `open_set`."""
    with named_folder(folder) as place:
        found = find_wmt_files(place, pair, references=references, systems=systems)
    texts = inspect_texts(
        list(found.references.values()),
        list(found.systems.values()),
        found.source,
        language,
        found.documents,
    )
    return Inspection(tuple(inspect_installation(language)), tuple(texts))


def _document_names(path: str) -> Sequence[str]:
    return read_document_ids(path).ids
