"""The call behind ``tenbin doctor``: the installation and the texts, looked at as a whole."""

from collections.abc import Sequence

from tenbin.api.files import named_folder
from tenbin.evaluation.inspection import Inspection, inspect_texts
from tenbin.evaluation.installation import inspect_installation
from tenbin.formats.documents import read_document_ids
from tenbin.formats.named_paths import split_names
from tenbin.formats.wmt_layout import find_wmt_files

__all__ = ["Inspection", "inspect_files", "inspect_set"]


def inspect_files(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    *,
    language: str | None = None,
    documents: str | None = None,
) -> Inspection:
    """Report on the installation and, where texts are given, on every oddity in them.

    Args:
        systems: Paths of system outputs, or ``NAME=PATH``.
        references: Paths of reference texts.
        source: Path of the source text.
        language: The target language.
        documents: Path of a file that names the document of each segment, one per line.
    """
    paths = [path for _, path in split_names(systems)]
    if not (paths or references or source):
        return Inspection(tuple(inspect_installation(language)))
    found = inspect_texts(references, paths, source, language, documents, _document_names)
    return Inspection(tuple(inspect_installation(language)), tuple(found))


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
