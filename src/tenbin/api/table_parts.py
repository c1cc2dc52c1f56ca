"""A table or a translation file taken apart: plain texts of one segment per line.

What it says of its segments, their identifiers and documents, is kept in a file beside them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tenbin.api.texts import TextDescription, describe_text
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.formats.test_files import FileTestSet
from tenbin.formats.text_rows import uncompressed
from tenbin.formats.texts.detection import TextFormat, format_by_name
from tenbin.formats.texts.opening import ReadingOptions, store_tables, store_texts
from tenbin.formats.texts.stored import StoredTexts
from tenbin.formats.texts.storing import StoredTable
from tenbin.formats.texts.table import ColumnRole

__all__ = ["PARTS", "GivenTable", "TextPart", "is_table", "table_parts", "with_tables"]

PARTS = ("source", "references", "systems")
"""What a plain text can be."""

_ADVICE = re.compile(r"(?:Name one|Say which columns)[^`]*`columns.*", re.S)
_COLUMNS = (
    "Call the columns source, reference and system (several: system_1, system_2), or name them "
    "(`columns`)."
)
_LINE_END = re.compile(r"\s*[\r\n]+\s*")
_ROLES = {
    "source": ColumnRole.SOURCE,
    "references": ColumnRole.REFERENCE,
    "systems": ColumnRole.SYSTEM,
}
_SUBTITLES = {TextFormat.SRT, TextFormat.VTT}
_TRANSLATIONS = {TextFormat.XLIFF, TextFormat.TMX, TextFormat.PO}


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTable:
    """A table or a translation file as its owner gave it.

    Attributes:
        id: Tells it from others of the same name.
        name: What its owner calls it.
        segments: A file with the identifier and the document of each segment; empty where it has
            neither.
        size: How many bytes that file has.
        notes: What a reader of the scores should know.
        texts: How many texts it holds, by what they are (`PARTS`).
        as_whole: Whether it was read as `open_tables` reads it.
        by_role: Whether `open_files` finds the same texts in it.
    """

    id: str
    name: str
    segments: str
    size: int
    notes: tuple[str, ...]
    texts: Mapping[str, int]
    as_whole: bool
    by_role: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A text of a table.

    Attributes:
        role: One of `PARTS`.
        system: What the system is called, for the output of one.
        name: What the text is called.
        path: Where it is now, one segment per line.
        text: What a first look at it found.
        table: What it is from.
    """

    role: str
    system: str
    name: str
    path: Path
    text: TextDescription
    table: GivenTable


def is_table(name: str) -> bool:
    """Return whether a file is called like a table or a translation file.

    >>> is_table("out.txt"), is_table("all.xlsx")
    (False, True)
    """
    return format_by_name(name) is not TextFormat.LINES


def table_parts(
    path: str, name: str, role: str, place: Callable[[], Path], most_bytes: int
) -> list[TextPart]:
    """Write the texts of a table to files of one segment per line.

    Of what is given as systems, source and references beside them are taken too. Line ends inside a
    segment become blanks, and a note counts them. The notes of the table stand beside the first
    text of what it was given as.

    Args:
        path: The table; no other one is at this path later.
        name: What its owner calls it; its ending names the format.
        role: What it was given as, one of `PARTS`.
        place: Returns a new path for each text.
        most_bytes: How large a text may be.

    Raises:
        InputError: The table cannot be read, or a text is too large.
        UsageError: Its columns do not say what they are.
    """
    try:
        stored, by_role = _stored(path, name, role)
    except InputError as error:
        raise InputError(str(error).replace(path, name)) from error
    except UsageError as error:
        message = _ADVICE.sub(_COLUMNS, str(error).replace(path, name))
        raise UsageError(message) from error
    found = list(_texts(stored, name))
    segments, size = _write_segments(stored, place, name, most_bytes)
    table = GivenTable(
        id=path,
        name=name,
        segments=segments,
        size=size,
        notes=tuple(dict.fromkeys(note.replace(path, name) for note in stored.notes)),
        texts=dict(Counter(kind for kind, *_ in found)),
        as_whole=_is_whole(format_by_name(name), role),
        by_role=by_role,
    )
    parts = []
    untold = table.notes
    for kind, label, system, texts in found:
        target = place()
        joined = _write_lines(texts, target, name, most_bytes)
        ends = f"{name}: {counted(joined, 'segment')} with line ends inside; read as blanks."
        called = f"{PurePath(name).stem}.{label}.txt"
        text = describe_text(str(target), called)
        notes = [*([ends] if joined else []), *text.notes]
        if kind == role:
            notes, untold = [*untold, *notes], ()
        text = replace(text, notes=tuple(notes))
        parts.append(
            TextPart(role=kind, system=system, name=called, path=target, text=text, table=table)
        )
    return parts


def with_tables(test_set: FileTestSet, tables: Iterable[GivenTable]) -> FileTestSet:
    """Return a test set with what the tables that its texts are from say of their segments.

    The rules are those of `open_files`: documents are those of the first table that names them, and
    tables that name their segments must name the same ones in the same order.

    Args:
        test_set: The texts, taken out of tables.
        tables: The tables: those of references, then of systems, then of the source. One may be
            there several times.

    Raises:
        InputError: Two tables have different segments.
    """
    documents = None
    first: tuple[GivenTable, tuple[str, ...]] | None = None
    notes: list[str] = []
    for table in {one.id: one for one in tables}.values():
        ids, named = _read_segments(table.segments)
        documents = named if documents is None else documents
        notes += table.notes
        if first is None and ids is not None:
            first = table, ids
        elif first is not None and ids is not None:
            _refuse_different(table.name, ids, first[0].name, first[1])
    return replace(
        test_set,
        documents=documents,
        ids=None if first is None else first[1],
        notes=(*notes, *test_set.notes),
    )


def _is_whole(form: TextFormat, role: str) -> bool:
    return role == "systems" and form not in _SUBTITLES | _TRANSLATIONS


def _stored(path: str, name: str, role: str) -> tuple[StoredTable, bool]:
    """Read a table; return too whether its texts are the same where it is given by role."""
    form = format_by_name(name)
    options = ReadingOptions(format=form)
    if _is_whole(form, role):
        whole = store_tables([path], options)
        return whole, _is_alike(whole, path, options)
    table = store_texts(path, _ROLES[role], form, options)
    if role == "systems" and form in _TRANSLATIONS:
        # By role, as a unit without any text is a segment then, in this file as in others.
        beside = store_texts(path, ColumnRole.SOURCE, form, options)
        table = replace(table, source=beside.source)
    return table, True


def _is_alike(whole: StoredTable, path: str, options: ReadingOptions) -> bool:
    """Return whether a table has as many segments where it is given by role.

    Rows without text are segments there. Where some were left out here, a note says so.
    """
    if not whole.notes or options.format is None:
        return True
    alone = store_texts(path, ColumnRole.SYSTEM, options.format, options)
    counts = {texts.scan().lines for table in (whole, alone) for texts in table.systems.values()}
    return len(counts) == 1


def _texts(table: StoredTable, name: str) -> Iterator[tuple[str, str, str, StoredTexts]]:
    """Yield what each text is, how its file is called, and its system for the output of one."""
    if table.source is not None:
        yield "source", "source", "", table.source
    for number, texts in enumerate(table.references, start=1):
        label = "reference" if len(table.references) == 1 else f"reference-{number}"
        yield "references", label, "", texts
    for label, texts in table.systems.items():
        only = len(table.systems) == 1
        yield "systems", label, PurePath(uncompressed(name)).stem if only else label, texts


def _write_lines(texts: StoredTexts, target: Path, name: str, most_bytes: int) -> int:
    """Write a text, and return how many of its segments had line ends in them."""
    joined = 0

    def lines() -> Iterator[bytes]:
        nonlocal joined
        for text in texts.lines():
            joined += "\n" in text or "\r" in text
            yield _LINE_END.sub(" ", text).encode() + b"\n"

    _write(lines(), target, most_bytes, name, "a text of it has")
    return joined


def _write_segments(
    table: StoredTable, place: Callable[[], Path], name: str, most_bytes: int
) -> tuple[str, int]:
    """Write the identifier and the document of each segment; return where, and how many bytes.

    A line is a JSON array: the identifier, and the document where it is not that of the line
    before, as a long name is most often that of many segments.
    """
    if table.ids is None and table.documents is None:
        return "", 0
    count = len(table.ids or table.documents or ())
    ids = table.ids or (None,) * count
    documents = table.documents or (None,) * count

    def lines() -> Iterator[bytes]:
        last = None
        for identifier, document in zip(ids, documents, strict=True):
            cells = [identifier] if document == last else [identifier, document]
            last = document
            # A cell of a workbook may have half of a surrogate pair, as an escape.
            text = json.dumps(cells, ensure_ascii=False)
            yield text.encode("utf-8", "surrogatepass") + b"\n"

    target = place()
    size = _write(lines(), target, most_bytes, name, "names of its segments and documents have")
    return str(target), size


def _read_segments(path: str) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Return the identifiers and the documents that `_write_segments` wrote."""
    if not path:
        return None, None
    ids: list[str] = []
    documents: list[str] = []
    last = None
    with Path(path).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
        for line in lines:
            identifier, *changed = json.loads(line)
            last = changed[0] if changed else last
            if identifier is not None:
                ids.append(identifier)
            if last is not None:
                documents.append(last)
    return tuple(ids) or None, tuple(documents) or None


def _refuse_different(
    name: str, ids: tuple[str, ...], other: str, expected: tuple[str, ...]
) -> None:
    """Raise where two tables have different segments; their numbers are compared elsewhere."""
    for number, (found, wanted) in enumerate(zip(ids, expected, strict=False), start=1):
        if found != wanted:
            raise InputError(
                f"{name}, segment {number:,}: this is {found!r}, and in {other} it is "
                f"{wanted!r}. Give files with the same segments in the same order."
            )


def _write(lines: Iterable[bytes], target: Path, most_bytes: int, name: str, what: str) -> int:
    """Write lines, and return how many bytes they are.

    Raises:
        UnreadableFile: They are too many.
    """
    size = 0
    with target.open("wb") as stream:
        for line in lines:
            size += len(line)
            if size > most_bytes:
                problem = f"{what} more than {counted(most_bytes, 'byte')}"
                raise UnreadableFile(name, problem, "Split it, or allow larger files.")
            stream.write(line)
    return size
