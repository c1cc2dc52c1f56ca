"""Test sets in files: texts line by line, or a folder in the mt-metrics-eval layout."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from tenbin.annotation import languages
from tenbin.core.errors import UsageError
from tenbin.formats.test_files import FileTestSet, open_test_set, system_names
from tenbin.formats.wmt_layout import open_wmt_set

__all__ = [
    "FileTestSet",
    "named_folder",
    "open_files",
    "open_set",
    "open_texts",
    "system_called",
    "target_language",
]

BUNDLED_PREFIX = "bundled:"


def target_language(language: str | None, pair: str | None) -> str | None:
    """Return the target language of a run, which a language pair may name too.

    Raises:
        UsageError: The language and the pair contradict each other.

    >>> target_language(None, "de-en")
    'en'
    """
    if not pair:
        return language
    target = languages.target_language(pair)
    if language is None:
        return target
    if languages.parse_language(language).code != languages.parse_language(target).code:
        raise UsageError(
            f"the language {language} contradicts the pair {pair}, whose target language is "
            f"{target}. Leave one of them out."
        )
    return language


def open_files(
    systems: Sequence[str],
    references: Sequence[str] = (),
    source: str | None = None,
    *,
    empty_means_absent: bool = False,
) -> FileTestSet:
    """Open texts with one segment per line, after reading each once.

    Args:
        systems: Paths of system outputs; a system is called like its file.
        references: Paths of reference texts; none for metrics that read no reference.
        source: Path of the source text.
        empty_means_absent: Whether an empty reference line means that there is no such reference.
    """
    names = system_names(systems)
    return open_test_set(names, references, source, empty_means_absent=empty_means_absent)


def open_texts(
    systems: Mapping[str, str],
    references: Sequence[str] = (),
    source: str | None = None,
    *,
    shown: Mapping[str, str] | None = None,
) -> FileTestSet:
    """Open texts as `open_files` does, with systems and files called as the caller says.

    Args:
        systems: Path of each system's output, by the name of the system.
        references: Paths of reference texts; none for metrics that read no reference.
        source: Path of the source text.
        shown: What messages call a file, by its path, where that is not the path.
    """
    return open_test_set(systems, references, source, shown=shown)


def open_set(
    folder: str,
    pair: str,
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    empty_means_absent: bool = False,
) -> FileTestSet:
    """Open a language pair of a test set in the mt-metrics-eval layout.

    Args:
        folder: Its folder, or ``bundled:example``.
        pair: The language pair, such as ``de-en``.
        references: Names such as ``refA``; by default (None) the first one, if there is one; an
            empty list for no reference.
        systems: Names of systems; all by default.
        empty_means_absent: Whether an empty reference line means that there is no such reference.
    """
    with named_folder(folder) as found:
        return open_wmt_set(
            found,
            pair,
            references=references,
            systems=systems,
            empty_means_absent=empty_means_absent,
        )


def system_called(test_set: FileTestSet, given: str) -> str:
    """Return the name of a system that may be given as the path of its file."""
    paths = {file.path: name for name, file in test_set.hypothesis_files.items()}
    return given if given in test_set.systems else paths.get(given, given)


@contextmanager
def named_folder(name: str) -> Iterator[str]:
    """Give the folder of a test set: a path as it is, or what ``bundled:NAME`` stands for."""
    if not name.startswith(BUNDLED_PREFIX):
        yield name
        return
    bundled = files("tenbin.resources") / "bundled" / name.removeprefix(BUNDLED_PREFIX)
    with as_file(bundled) as folder:
        if not (Path(folder) / "references").is_dir():
            raise UsageError(f"there is no bundled test set {name!r}; there is bundled:example.")
        yield str(folder)
