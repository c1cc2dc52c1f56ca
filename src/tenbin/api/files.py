"""Test sets in files: line by line, in tables and translation files, or as mt-metrics-eval does."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path, PurePath

from tenbin.annotation import languages
from tenbin.api.reading import ReadingOptions, column_items, reading_options
from tenbin.core.errors import InputError, LengthMismatch, UsageError
from tenbin.core.text import TestSet
from tenbin.formats.documents import DocumentIds, read_document_ids
from tenbin.formats.lines import STANDARD_INPUT, TextFile
from tenbin.formats.test_files import (
    FileTestSet,
    SegmentFile,
    assembled_test_set,
    open_test_set,
    system_names,
)
from tenbin.formats.texts.detection import TextFormat, format_by_name
from tenbin.formats.texts.opening import (
    store_tables,
    store_texts,
    without_role,
)
from tenbin.formats.texts.storing import StoredTable
from tenbin.formats.texts.table import ColumnRole
from tenbin.formats.texts.tags import Tags
from tenbin.formats.wmt_layout import human_translations, open_wmt_set
from tenbin.resources.test_sets import (
    ListedSet,
    SetKind,
    found_set,
    sacrebleu_references,
    sacrebleu_source,
)

__all__ = [
    "FileTestSet",
    "ReadingOptions",
    "Tags",
    "TextFormat",
    "column_items",
    "lacking_columns",
    "named_folder",
    "open_files",
    "open_set",
    "open_tables",
    "open_texts",
    "open_without_systems",
    "read_texts",
    "reading_options",
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
    documents: str | None = None,
    empty_means_absent: bool = False,
    reading: ReadingOptions | None = None,
) -> FileTestSet:
    """Open texts, after reading each once: one segment per line, or what the ending names.

    Of a translation file (XLIFF, TMX, PO) the target is read, or the source where it is given as
    such; of a table the column of that role.

    Args:
        systems: Paths of system outputs; a system is called like its file, or as ``NAME=PATH``
            says.
        references: Paths of reference texts; none for metrics that read no reference.
        source: Path of the source text.
        documents: Path of a file that names the document of each segment, one per line.
        empty_means_absent: Whether an empty reference line means that there is no such reference.
        reading: How files are read.
    """
    names = system_names(systems)
    options = reading or ReadingOptions()
    paths = [*references, *names.values(), *([] if source is None else [source])]
    if [*paths, documents].count(STANDARD_INPUT) > 1:
        raise UsageError("standard input (-) can be given for one text only.")
    named = None if documents is None else read_document_ids(documents, encoding=options.encoding)
    formats = {path: options.format or format_by_name(path) for path in paths}
    if options.tags is None and all(form is TextFormat.LINES for form in formats.values()):
        _refuse_table_options(options)
        opened = open_test_set(
            names,
            references,
            source,
            empty_means_absent=empty_means_absent,
            encoding=options.encoding,
            can_name=True,
        )
        return _with_documents(opened, named)
    given = {name for name, path in names.items() if f"{name}={path}" in systems}
    texts = _Texts(formats, options, given)
    read = [file for path in references for file in texts.files(path, ColumnRole.REFERENCE)]
    opened = assembled_test_set(
        {name: file for key, path in names.items() for name, file in texts.systems(key, path)},
        read,
        None if source is None else texts.files(source, ColumnRole.SOURCE)[0],
        documents=texts.documents,
        empty_means_absent=empty_means_absent,
        notes=texts.notes,
        ids=texts.ids,
    )
    return _with_documents(opened, named)


def open_without_systems(
    references: Sequence[str], source: str | None, *, reading: ReadingOptions | None = None
) -> FileTestSet:
    """Open references and source as `open_files` does; the first of them stands in for a system.

    Args:
        references: Paths of reference texts.
        source: Path of the source text, which must be given where there is no reference.
        reading: How files are read.
    """
    options = reading or ReadingOptions()
    paths = [*references, *([] if source is None else [source])]
    if paths.count(STANDARD_INPUT) > 1:
        raise UsageError("standard input (-) can be given for one text only.")
    formats = {path: options.format or format_by_name(path) for path in paths}
    if options.tags is None and all(form is TextFormat.LINES for form in formats.values()):
        _refuse_table_options(options)
    texts = _Texts(formats, options, frozenset())
    read = [file for path in references for file in texts.files(path, ColumnRole.REFERENCE)]
    first = None if source is None else texts.files(source, ColumnRole.SOURCE)[0]
    given = [*read, *([] if first is None else [first])]
    return assembled_test_set(
        {"texts": given[0]}, read, first, documents=texts.documents, notes=texts.notes
    )


class _Texts:
    """Reads files one by one, and checks that they have the same segments."""

    def __init__(
        self,
        formats: Mapping[str, TextFormat],
        options: ReadingOptions,
        given: Set[str] = frozenset(),
    ) -> None:
        self._formats = formats
        self._options = options
        self._given = given
        self._identified: tuple[str, tuple[str, ...]] | None = None
        self.documents: tuple[str, ...] | None = None
        self.notes: list[str] = []

    @property
    def ids(self) -> tuple[str, ...] | None:
        """What the files call their segments, where they do."""
        return None if self._identified is None else self._identified[1]

    def systems(self, name: str, path: str) -> Iterator[tuple[str, SegmentFile]]:
        """Yield the systems of a file: one that is called like it, or one for each column."""
        if self._is_plain(path):
            yield name, self._plain(path)
            return
        table = self._stored(path, ColumnRole.SYSTEM)
        if len(table.systems) == 1:
            (only,) = table.systems.values()
            yield name if "/" in name or name in self._given else PurePath(name).stem, only
            return
        yield from ((f"{name}:{column}", file) for column, file in table.systems.items())

    def files(self, path: str, role: ColumnRole) -> Sequence[SegmentFile]:
        """Return the references of a file, or its source."""
        if self._is_plain(path):
            return [self._plain(path)]
        table = self._stored(path, role)
        return table.references if table.source is None else [table.source]

    def _is_plain(self, path: str) -> bool:
        return self._formats[path] is TextFormat.LINES and self._options.tags is None

    def _plain(self, path: str) -> TextFile:
        return TextFile(path, encoding=self._options.encoding, can_name=True)

    def _stored(self, path: str, role: ColumnRole) -> StoredTable:
        table = store_texts(path, role, self._formats[path], self._options)
        self.notes += table.notes
        if table.documents is not None and self.documents is None:
            self.documents = table.documents
        if table.ids is not None:
            self._check_ids(path, table.ids)
        return table

    def _check_ids(self, path: str, ids: tuple[str, ...]) -> None:
        if self._identified is None:
            self._identified = path, ids
            return
        other, expected = self._identified
        if len(ids) != len(expected):
            return  # the number of segments is compared elsewhere
        for number, (found, wanted) in enumerate(zip(ids, expected, strict=True), start=1):
            if found != wanted:
                raise InputError(
                    f"{path}, segment {number:,}: this is {found!r}, and in {other} it is "
                    f"{wanted!r}. Give files with the same segments in the same order."
                )


def open_tables(
    paths: Sequence[str],
    *,
    documents: str | None = None,
    empty_means_absent: bool = False,
    reading: ReadingOptions | None = None,
) -> FileTestSet:
    """Open files that hold source, references and system outputs together, after reading them once.

    Args:
        paths: The files, whose segments follow each other; each of several is a document.
        documents: Path of a file that names the document of each segment, one per line, where the
            files do not.
        empty_means_absent: Whether an empty reference means that there is no such reference.
        reading: How they are read.
    """
    options = reading or ReadingOptions()
    named = None if documents is None else read_document_ids(documents, encoding=options.encoding)
    table = store_tables(paths, options)
    opened = assembled_test_set(
        table.systems,
        table.references,
        table.source,
        documents=table.documents,
        empty_means_absent=empty_means_absent,
        notes=table.notes,
        ids=table.ids,
    )
    return _with_documents(opened, named)


def _with_documents(test_set: FileTestSet, named: DocumentIds | None) -> FileTestSet:
    """Return a test set with documents of a file, where there is one.

    Raises:
        UsageError: The texts name their documents too.
        LengthMismatch: There are more or fewer of them than segments.
    """
    if named is None:
        return test_set
    if test_set.documents is not None:
        raise UsageError(
            f"`documents={named.file}`: the texts name their documents already. Leave it out, or "
            "give texts that do not."
        )
    if len(named.ids) != test_set.segment_count:
        texts = next(iter(test_set.hypothesis_files.values())).name
        raise LengthMismatch({texts: test_set.segment_count, named.file: len(named.ids)})
    return replace(test_set, documents=named.ids, notes=(*test_set.notes, *named.notes))


def lacking_columns(path: str, opened: FileTestSet, reading: ReadingOptions) -> str:
    """Return what a table that was opened lacks, source or references, and the columns it has.

    Empty if it lacks neither, and for standard input, which can be read once.
    """
    roles = {
        ColumnRole.REFERENCE: opened.has_references,
        ColumnRole.SOURCE: opened.has_source,
    }
    absent = [role for role, is_there in roles.items() if not is_there]
    return without_role(path, absent[0], reading) if absent and path != STANDARD_INPUT else ""


def read_texts(
    path: str,
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    tags: str | None = None,
    sheet: str | None = None,
) -> TestSet:
    """Return the texts of a table or a translation file.

    >>> test_set = read_texts("pairs.csv", columns={"system": "mt"})  # doctest: +SKIP

    Args:
        path: CSV, TSV, JSON lines, Parquet, XLSX, XLIFF, TMX, PO, SRT or VTT.
        columns: The name of a column, or several, by role: source, reference, system, document, id,
            and name, of the system, where there is a row for each segment and system. Roles that
            are not named are found by the names of the columns.
        input_format: The format, such as ``csv``; by default that of the ending or the content.
        encoding: The encoding, such as ``CP932``; UTF-8 by default.
        tags: ``keep``, ``hide`` or ``compare`` inline tags and placeholders; by default the markup
            of XLIFF, TMX and subtitles is hidden, and what a text has in its characters stays.
        sheet: The sheet of a spreadsheet; the first by default.

    Raises:
        InputError: The file cannot be read; the message has the place.
        UsageError: A column is not there, or it is not clear which is which.
    """
    reading = reading_options(
        columns=column_items(columns),
        input_format=input_format,
        encoding=encoding,
        tags=tags,
        sheet=sheet,
    )
    opened = open_tables([path], reading=reading)
    whole = next(opened.chunks(opened.segment_count))
    return replace(whole, notes=opened.notes)


def _refuse_table_options(options: ReadingOptions) -> None:
    """Raise if what is about columns would have no effect."""
    given = [name for name in ("columns", "sheet") if getattr(options, name)]
    if given:
        listed = ", ".join(f"`{name}`" for name in given)
        raise UsageError(
            f"{listed}: the texts have one segment per line and nothing else; this is for tables "
            "and translation files."
        )


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
        systems: Names of systems, or patterns such as ``Online-*``; all by default. Of a set of
            sacrebleu, which has none, paths of their outputs.
        empty_means_absent: Whether an empty reference line means that there is no such reference.
    """
    cached = _named_set(folder)
    if cached is not None and cached.kind is SetKind.SACREBLEU:
        return _open_sacrebleu(cached.folder, pair, references, systems, empty_means_absent)
    with named_folder(folder) as found:
        opened = open_wmt_set(
            found,
            pair,
            references=references,
            systems=systems,
            empty_means_absent=empty_means_absent,
        )
    people = [] if systems else human_translations(opened.systems)
    if not people:
        return opened
    note = f"human translations, by their names, among the systems: {', '.join(people)}"
    return replace(opened, notes=(*opened.notes, f"{note} (`systems` chooses)."))


def system_called(test_set: FileTestSet, given: str) -> str:
    """Return the name of a system that may be given as the path of its file, or ``NAME=PATH``."""
    paths = {file.path: name for name, file in test_set.hypothesis_files.items()}
    paths |= {f"{name}={file.path}": name for name, file in test_set.hypothesis_files.items()}
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
