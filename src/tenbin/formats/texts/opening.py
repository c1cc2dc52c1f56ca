"""Files of texts, read once into temporary files: a column each."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePath

from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.core.progress import step
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.catalog import read_catalog
from tenbin.formats.texts.columnar import read_parquet
from tenbin.formats.texts.columns import Columns, found_columns, listed
from tenbin.formats.texts.delimited import read_csv, read_tsv
from tenbin.formats.texts.detection import TextFormat, format_of_table
from tenbin.formats.texts.json_lines import read_json_lines
from tenbin.formats.texts.spreadsheet import read_spreadsheet
from tenbin.formats.texts.stored import StoredTexts, fault_of
from tenbin.formats.texts.subtitles import read_subtitles
from tenbin.formats.texts.table import ColumnRole, Place, TextTable, malformed
from tenbin.formats.texts.tags import Tags, tag_differences, without_tags
from tenbin.formats.texts.tmx import read_tmx
from tenbin.formats.texts.xliff import read_xliff

_Row = tuple[Place, Sequence[str]]
_ROWS_AT_ONCE = 1_000
_TEXT_ROLES = (ColumnRole.SOURCE, ColumnRole.REFERENCE, ColumnRole.SYSTEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How files of texts are read.

    Attributes:
        columns: The columns of each role; what is not named is found by name.
        format: The format; by default that of the ending or the content.
        encoding: The encoding of what is text; UTF-8, or what the file declares, by default.
        tags: What happens to tags and placeholders; by default the markup of a format is hidden,
            and what a text has in its characters stays.
        sheet: The sheet of a spreadsheet.
    """

    columns: Columns = field(default_factory=dict)
    format: TextFormat | None = None
    encoding: str | None = None
    tags: Tags | None = None
    sheet: str | None = None


@dataclass(slots=True)
class StoredTable:
    """The texts of one or more files with the same columns.

    Attributes:
        source: The source.
        references: The references.
        systems: The system outputs by name.
        documents: The document of each segment, where known.
        ids: What identifies each segment in its file, where the format does; for one file alone.
        notes: What a reader of the scores should know.
    """

    source: StoredTexts | None
    references: tuple[StoredTexts, ...]
    systems: Mapping[str, StoredTexts]
    documents: tuple[str, ...] | None
    ids: tuple[str, ...] | None
    notes: tuple[str, ...]


_READERS: Mapping[TextFormat, Callable[[TextFile, ReadingOptions], TextTable]] = {
    TextFormat.LINES: lambda file, _: _read_lines(file),
    TextFormat.CSV: lambda file, _: read_csv(file),
    TextFormat.TSV: lambda file, _: read_tsv(file),
    TextFormat.JSONL: lambda file, _: read_json_lines(file),
    TextFormat.PARQUET: lambda file, _: read_parquet(file.path),
    TextFormat.XLSX: lambda file, options: read_spreadsheet(file.path, options.sheet),
    TextFormat.XLIFF: lambda file, options: read_xliff(file, options.tags),
    TextFormat.TMX: lambda file, options: read_tmx(file, options.tags),
    TextFormat.PO: lambda file, _: read_catalog(file),
    TextFormat.SRT: lambda file, options: read_subtitles(file, options.tags),
    TextFormat.VTT: lambda file, options: read_subtitles(file, options.tags),
}


def open_table(file: TextFile, form: TextFormat, options: ReadingOptions) -> TextTable:
    """Open a file of a format; its rows are read while they are iterated over.

    Raises:
        UsageError: The options do not fit the format.
        InputError: The file cannot be read.
    """
    if options.sheet is not None and form is not TextFormat.XLSX:
        raise UsageError(f"`sheet`: {file.name} is not a spreadsheet.")
    if options.encoding is not None and form in {TextFormat.PARQUET, TextFormat.XLSX}:
        raise UsageError(f"`encoding`: a file of the format {form} says itself how it is encoded.")
    with step(f"opening {PurePath(file.name).name}"):
        table = _READERS[form](file, options)
    if table.size is not None or form in {TextFormat.PARQUET, TextFormat.XLSX}:
        return table
    return replace(table, size=file.size, position=lambda: file.position)


def store_tables(paths: Sequence[str], options: ReadingOptions) -> StoredTable:
    """Read files that hold all texts; several files, which are documents, follow each other.

    Raises:
        UsageError: There is no column of a system.
        InputError: A file cannot be read, or has no row.
    """
    if options.format is TextFormat.LINES:
        raise UsageError(
            "a text with one segment per line is given as `references`, `systems` or `source`, not "
            "as a table."
        )
    # One object for a file: what is read only once, as standard input, is stored by it.
    files = [_file(path, options) for path in dict.fromkeys(paths)]
    forms = [options.format or format_of_table(file) for file in files]
    tables = [
        (file.path, open_table(file, form, options))
        for file, form in zip(files, forms, strict=True)
    ]
    chosen = [_of_systems(found_columns(table, options.columns)) for _, table in tables]
    first = tables[0][1]
    for (_, table), columns in zip(tables, chosen, strict=True):
        texts = {role: columns.get(role, ()) for role in _TEXT_ROLES}
        if texts != {role: chosen[0].get(role, ()) for role in _TEXT_ROLES}:
            raise InputError(
                f"{first.name} and {table.name} have different columns: {listed(first)}; "
                f"{listed(table)}. Files that are read together must have the same."
            )
        if not columns.get(ColumnRole.SYSTEM):
            raise UsageError(
                f"{table.name}: no column holds the output of a system; {listed(table)}. Name one: "
                "`columns=system=NAME`."
            )
    store = _Store(
        tables[0][0], first.name if len(tables) == 1 else "the tables", chosen[0], options
    )
    for (path, table), columns in zip(tables, chosen, strict=True):
        store.read(table, columns, "" if len(tables) == 1 else PurePath(path).name)
    return store.result(ids=False)


def store_texts(
    path: str, role: ColumnRole, form: TextFormat, options: ReadingOptions
) -> StoredTable:
    """Read the texts of one role: the target of a translation file, the column of a table.

    Every row is a segment, with or without text, but for empty ones at the end of a table.

    Args:
        path: The file.
        role: What its texts are.
        form: Its format.
        options: How it is read.

    Raises:
        UsageError: It is not clear which column holds them.
        InputError: The file cannot be read, or has no row.
    """
    table = open_table(_file(path, options), form, options)
    # One set of columns is named for all files, and a file need not have those of other roles.
    chosen = {
        r: names
        for r, names in options.columns.items()
        if r in {role, ColumnRole.ID, ColumnRole.DOCUMENT}
    }
    found = found_columns(table, chosen)
    names = found.get(role) or found.get(ColumnRole.TARGET) or _only_column(table, found)
    if role is ColumnRole.SOURCE and role not in found and ColumnRole.TARGET in found:
        names = found[ColumnRole.TARGET]
    if not names:
        raise UsageError(
            f"{table.name}: no column holds the {role}; {listed(table)}. Name one: "
            f"`columns={role}=NAME`."
        )
    beside = [ColumnRole.DOCUMENT, ColumnRole.ID]
    if role is ColumnRole.SYSTEM and options.tags is Tags.COMPARE:
        beside.append(ColumnRole.SOURCE)
    columns = {role: names, **{r: found[r] for r in beside if r in found}}
    store = _Store(path, table.name, columns, options)
    store.read(table, columns, "", every=True, last=form is TextFormat.LINES)
    return store.result(ids=True)


def _file(path: str, options: ReadingOptions) -> TextFile:
    return TextFile(path, encoding=options.encoding, can_name=True)


def _only_column(table: TextTable, found: Columns) -> tuple[str, ...]:
    """Return the only column that could hold a text."""
    used = {name for role in (ColumnRole.DOCUMENT, ColumnRole.ID) for name in found.get(role, ())}
    left = [name for name in table.columns if name not in used]
    return (left[0],) if len(left) == 1 else ()


def _of_systems(found: dict[ColumnRole, tuple[str, ...]]) -> dict[ColumnRole, tuple[str, ...]]:
    """Return columns in which the target is a reference where there are systems, else a system."""
    target = found.pop(ColumnRole.TARGET, ())
    if target and ColumnRole.SYSTEM not in found:
        found[ColumnRole.SYSTEM] = target
    elif target and ColumnRole.REFERENCE not in found:
        found[ColumnRole.REFERENCE] = target
    return found


def _read_lines(file: TextFile) -> TextTable:
    lines = enumerate(file.lines(), start=1)
    return TextTable(file.name, ("text",), ((number, [line]) for number, line in lines))


def _without_last(rows: Iterator[_Row]) -> Iterator[_Row]:
    """Yield rows but for the empty ones at the end."""
    pending: list[_Row] = []
    for place, cells in rows:
        pending.append((place, cells))
        if any(cells):
            yield from pending
            pending = []


def _shown(table: TextTable, rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    """Yield some rows at a time, and show how far a table was read."""
    label = f"reading {PurePath(table.name).name}"
    with step(label, table.size, table.position) as advance:
        while taken := list(islice(rows, _ROWS_AT_ONCE)):
            if table.position is None:
                advance(len(taken))
            yield taken


class _Store:
    """Takes rows and writes their texts, column by column."""

    def __init__(self, path: str, name: str, columns: Columns, options: ReadingOptions) -> None:
        self._options = options
        self._name = name
        self._texts = {
            role: tuple(
                StoredTexts(path, f"{name}, column {column!r}") for column in columns.get(role, ())
            )
            for role in _TEXT_ROLES
        }
        self._columns = columns
        self._documents: list[str] = []
        self._ids: list[str] = []
        self._tags = {
            name: (Counter[str](), Counter[str]()) for name in columns.get(ColumnRole.SYSTEM, ())
        }
        self._known: dict[str, str] = {}
        self._empty = 0
        self._notes: list[str] = []

    def read(
        self,
        table: TextTable,
        columns: Columns,
        file: str,
        *,
        every: bool = False,
        last: bool = False,
    ) -> None:
        """Add the rows of a table.

        Args:
            table: What is read.
            columns: Its columns by role.
            file: What its documents are called after; empty where there is one file.
            every: Whether rows without a text are segments.
            last: Whether that is so of empty rows at the end too.
        """
        at = {name: place for place, name in enumerate(table.columns)}
        targets = [
            (at[name], store)
            for role in _TEXT_ROLES
            for name, store in zip(columns.get(role, ()), self._texts[role], strict=True)
        ]
        others = {role: at[names[0]] for role, names in columns.items() if role not in _TEXT_ROLES}
        rows = _without_last(table.rows) if every and not last else table.rows
        found, document = 0, ""
        for taken in _shown(table, rows):
            kept = taken if every else self._with_text(taken, [place for place, _ in targets])
            self._append(table, targets, kept)
            found += len(kept)
            if ColumnRole.DOCUMENT in others or file:
                document = self._add_documents(
                    kept, others.get(ColumnRole.DOCUMENT), file, document
                )
            if ColumnRole.ID in others:
                self._ids += [cells[others[ColumnRole.ID]] for _, cells in kept]
        if not found:
            problem = "there is no row with a text in the file"
            raise UnreadableFile(table.name, problem, "Give a segment in each row.")
        self._notes += table.notes

    def _with_text(self, rows: list[_Row], places: Sequence[int]) -> list[_Row]:
        kept = [row for row in rows if any(row[1][at] for at in places)]
        self._empty += len(rows) - len(kept)
        return kept

    def _add_documents(self, rows: list[_Row], at: int | None, file: str, document: str) -> str:
        for _, cells in rows:
            # An empty document is that of the row before, as in merged cells.
            document = ("" if at is None else cells[at]) or document
            whole = f"{file}/{document}" if file and document else file or document
            self._documents.append(self._known.setdefault(whole, whole))
        return document

    def _append(
        self, table: TextTable, targets: Sequence[tuple[int, StoredTexts]], rows: list[_Row]
    ) -> None:
        texts = [[cells[at] for _, cells in rows] for at, _ in targets]
        if self._options.tags in {Tags.HIDE, Tags.COMPARE}:
            texts = self._without_tags(texts)
        for (at, store), column in zip(targets, texts, strict=True):
            try:
                store.extend(column)
            except ValueError as error:  # also UnicodeEncodeError
                faults = ((place, fault_of(cells[at])) for place, cells in rows)
                place, fault = next((place, fault) for place, fault in faults if fault)
                problem = f"column {table.columns[at]!r}: {fault}"
                raise malformed(table.name, place, problem, "Remove the character.") from error

    def _without_tags(self, texts: list[list[str]]) -> list[list[str]]:
        """Return columns without tags; count first what systems do with those of the first text."""
        names = self._columns.get(ColumnRole.SYSTEM, ())
        # The first text is the source or, where there is none, the first reference.
        if self._options.tags is Tags.COMPARE and len(names) < len(texts):
            for name, column in zip(names, texts[len(texts) - len(names) :], strict=True):
                for original, text in zip(texts[0], column, strict=True):
                    differences = tag_differences(original, text)
                    for total, different in zip(self._tags[name], differences, strict=True):
                        total.update(different)
        return [[without_tags(text) for text in column] for column in texts]

    def result(self, *, ids: bool) -> StoredTable:
        """Return what was read.

        Args:
            ids: Whether identifiers of segments are wanted.
        """
        if self._empty:
            self._notes.append(
                f"{self._name}: left out {counted(self._empty, 'row')} without text."
            )
        for name, (missing, extra) in self._tags.items():
            if missing or extra:
                found = f"{counted(missing.total(), 'tag')} missing, {extra.total():,} not expected"
                most = ", ".join(tag for tag, _ in (missing + extra).most_common(3))
                self._notes.append(f"{name}: {found} (most often {most}).")
        systems = zip(
            self._columns.get(ColumnRole.SYSTEM, ()), self._texts[ColumnRole.SYSTEM], strict=True
        )
        named = any(self._documents)
        return StoredTable(
            source=next(iter(self._texts[ColumnRole.SOURCE]), None),
            references=self._texts[ColumnRole.REFERENCE],
            systems=dict(systems),
            documents=tuple(self._documents) if named else None,
            ids=tuple(self._ids) if ids and any(self._ids) else None,
            notes=tuple(self._notes),
        )
