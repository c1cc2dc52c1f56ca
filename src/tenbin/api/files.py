"""Test sets in files: texts line by line, or a folder in the mt-metrics-eval layout."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from tenbin.annotation import languages
from tenbin.core.errors import UsageError
from tenbin.formats.test_files import FileTestSet, open_test_set, system_names
from tenbin.formats.wmt_layout import open_wmt_set
from tenbin.resources.test_sets import (
    ListedSet,
    SetKind,
    found_set,
    sacrebleu_references,
    sacrebleu_source,
)

__all__ = [
    "FileTestSet",
    "named_folder",
    "open_files",
    "open_set",
    "open_texts",
    "set_folder",
    "system_called",
    "target_language",
]

BUNDLED_PREFIX = "bundled:"
_LONGEST_NAME = 100


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
        folder: Its folder, ``bundled:example``, or the name of a set of this machine (see
            `tenbin.api.sets`).
        pair: The language pair, such as ``de-en``.
        references: Names such as ``refA``; by default (None) the first one, if there is one; an
            empty list for no reference.
        systems: Names of systems; all by default. Of a set of sacrebleu, which has none, paths of
            their outputs.
        empty_means_absent: Whether an empty reference line means that there is no such reference.
    """
    cached = _named_set(folder)
    if cached is not None and cached.kind is SetKind.SACREBLEU:
        return _open_sacrebleu(cached.folder, pair, references, systems, empty_means_absent)
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


def _named_set(name: str) -> ListedSet | None:
    """Return the test set of this machine that a name stands for; a folder here comes first."""
    written = not name or len(name) > _LONGEST_NAME or "\0" in name or not name.isprintable()
    if written or name.startswith(BUNDLED_PREFIX) or Path(name).exists():
        return None
    return found_set(name)


def set_folder(name: str) -> str:
    """Return the folder of a test set in the mt-metrics-eval layout, by path or by name."""
    found = _named_set(name)
    if found is None:
        return name
    if found.kind is SetKind.SACREBLEU:
        raise UsageError(
            f"{name} is a test set of sacrebleu, which has neither systems nor judgments: score "
            "outputs of your own with it."
        )
    return str(found.folder)


def _open_sacrebleu(
    folder: Path,
    pair: str,
    references: Sequence[str] | None,
    systems: Sequence[str] | None,
    empty_means_absent: bool,  # noqa: FBT001 - passed on
) -> FileTestSet:
    """Open outputs of systems in files with the texts of a set in sacrebleu's cache."""
    known = sacrebleu_references(folder, pair)
    source = sacrebleu_source(folder, pair)
    if not known or source is None:
        raise UsageError(f"{folder} has no {pair}; fetch it with sacrebleu.")
    if not systems:
        raise UsageError("a test set of sacrebleu has no systems: name outputs (`systems`).")
    chosen = list(known) if references is None else list(dict.fromkeys(references))
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise UsageError(
            f"there is no reference {', '.join(unknown)} of {pair}; there is {', '.join(known)}."
        )
    return open_test_set(
        system_names(systems),
        [str(known[name]) for name in chosen],
        str(source),
        empty_means_absent=empty_means_absent,
    )


@contextmanager
def named_folder(name: str) -> Iterator[str]:
    """Give the folder of a test set: a path as it is, or what ``bundled:NAME`` stands for.

    A name that is no folder is looked up among the sets of this machine.
    """
    if not name.startswith(BUNDLED_PREFIX):
        yield set_folder(name)
        return
    bundled = files("tenbin.resources") / "bundled" / name.removeprefix(BUNDLED_PREFIX)
    with as_file(bundled) as folder:
        if not (Path(folder) / "references").is_dir():
            raise UsageError(f"there is no bundled test set {name!r}; there is bundled:example.")
        yield str(folder)
