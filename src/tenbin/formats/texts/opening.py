"""Files of texts, read once into temporary files: a column each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from tenbin.core.errors import InputError, UsageError
from tenbin.core.progress import step
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.catalog import read_catalog
from tenbin.formats.texts.columnar import read_parquet
from tenbin.formats.texts.columns import (
    Columns,
    found_columns,
    lacking,
    listed,
    unread_note,
)
from tenbin.formats.texts.delimited import read_csv, read_tsv
from tenbin.formats.texts.detection import TextFormat, format_of_table
from tenbin.formats.texts.json_lines import read_json_lines
from tenbin.formats.texts.pivoting import LongStore
from tenbin.formats.texts.spreadsheet import read_spreadsheet
from tenbin.formats.texts.storing import TEXT_ROLES, ColumnStore, RowStore, StoredTable
from tenbin.formats.texts.subtitles import read_subtitles
from tenbin.formats.texts.table import ColumnRole, TextTable
from tenbin.formats.texts.tags import Tags
from tenbin.formats.texts.tmx import read_tmx
from tenbin.formats.texts.xliff import read_xliff

# Formats in which whoever wrote the file named the columns.
_NAMED_COLUMNS = {
    *(TextFormat.CSV, TextFormat.TSV, TextFormat.JSONL, TextFormat.PARQUET, TextFormat.XLSX)
}
_CONTENT = (*TEXT_ROLES, ColumnRole.NAME, ColumnRole.HUMAN)


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
        judged: Whether human scores are looked for too.
    """

    columns: Columns = field(default_factory=dict)
    format: TextFormat | None = None
    encoding: str | None = None
    tags: Tags | None = None
    sheet: str | None = None
    judged: bool = False


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
    chosen = [
        _of_systems(found_columns(table, options.columns, judged=options.judged))
        for _, table in tables
    ]
    first = tables[0][1]
    for (_, table), columns in zip(tables, chosen, strict=True):
        texts = {role: columns.get(role, ()) for role in _CONTENT}
        if texts != {role: chosen[0].get(role, ()) for role in _CONTENT}:
            raise InputError(
                f"{first.name} and {table.name} have different columns: {listed(first)}; "
                f"{listed(table)}. Files that are read together must have the same."
            )
        if not columns.get(ColumnRole.SYSTEM):
            raise UsageError(lacking(table, columns, ColumnRole.SYSTEM))
    name = first.name if len(tables) == 1 else "the tables"
    is_long = ColumnRole.NAME in chosen[0]
    store: RowStore = (LongStore if is_long else ColumnStore)(
        tables[0][0], name, chosen[0], options.tags
    )
    for (path, table), columns in zip(tables, chosen, strict=True):
        store.read(table, columns, "" if len(tables) == 1 else PurePath(path).name)
    stored = store.result(ids=len(tables) == 1)
    unread = unread_note(first, chosen[0]) if forms[0] in _NAMED_COLUMNS else ()
    return replace(stored, notes=(*unread, *stored.notes))


def without_role(path: str, role: ColumnRole, options: ReadingOptions) -> str:
    """Return a message on a file that holds all texts but those of a role."""
    file = _file(path, options)
    table = open_table(file, options.format or format_of_table(file), options)
    return lacking(table, _of_systems(found_columns(table, options.columns)), role)


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
        if r in {role, ColumnRole.NAME, ColumnRole.ID, ColumnRole.DOCUMENT}
    }
    found = found_columns(table, chosen)
    names = found.get(role) or found.get(ColumnRole.TARGET) or _only_column(table, found)
    if role is ColumnRole.SOURCE and role not in found and ColumnRole.TARGET in found:
        names = found[ColumnRole.TARGET]
    if not names:
        raise UsageError(lacking(table, found, role))
    if ColumnRole.NAME in found and found.get(ColumnRole.SYSTEM):
        return _pivoted(path, role, table, found, options)
    beside = [ColumnRole.DOCUMENT, ColumnRole.ID]
    if role is ColumnRole.SYSTEM and options.tags is Tags.COMPARE:
        beside.append(ColumnRole.SOURCE)
    columns = {role: names, **{r: found[r] for r in beside if r in found}}
    plain = form is TextFormat.LINES
    store = ColumnStore(path, table.name, columns, options.tags, every=True, last=plain)
    store.read(table, columns, "")
    return store.result(ids=True)


def _pivoted(
    path: str, role: ColumnRole, table: TextTable, columns: Columns, options: ReadingOptions
) -> StoredTable:
    """Return the texts of one role of a table with a row for each segment and system."""
    store = LongStore(path, table.name, columns, options.tags)
    store.read(table, columns, "")
    whole = store.result(ids=True)
    return replace(
        whole,
        source=whole.source if role is ColumnRole.SOURCE else None,
        references=whole.references if role is ColumnRole.REFERENCE else (),
        systems=whole.systems if role is ColumnRole.SYSTEM else {},
    )


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
