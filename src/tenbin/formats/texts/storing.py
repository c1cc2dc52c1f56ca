"""Rows of tables become texts, column by column, in temporary files."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Protocol

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.core.progress import step
from tenbin.formats.numerals import decimal_number
from tenbin.formats.score_table import MISSING
from tenbin.formats.texts.columns import Columns, kind_of_judgment, systems_of_columns
from tenbin.formats.texts.stored import StoredTexts, fault_of
from tenbin.formats.texts.table import ColumnRole, Place, TextTable, malformed
from tenbin.formats.texts.tags import Tags, tag_differences, without_tags

Row = tuple[Place, Sequence[str]]
"""The place of a row, and its cells."""

Judgments = Mapping[str, Mapping[str, Sequence[float]]]
"""Human scores of the segments of each system, by kind of judgment; NaN where there is none."""

TEXT_ROLES = (ColumnRole.SOURCE, ColumnRole.REFERENCE, ColumnRole.SYSTEM)
"""What holds texts, in the order in which they are stored."""

_ROWS_AT_ONCE = 1_000
_HUMAN = "human"


@dataclass(slots=True, kw_only=True)
class StoredTable:
    """The texts of one or more files with the same columns.

    Attributes:
        source: The source.
        references: The references.
        systems: The system outputs by name.
        documents: The document of each segment, where known.
        ids: What identifies each segment in its file, where the format does; for one file alone.
        notes: What a reader of the scores should know.
        judgments: Human scores, where they were asked for.
    """

    source: StoredTexts | None
    references: tuple[StoredTexts, ...]
    systems: Mapping[str, StoredTexts]
    documents: tuple[str, ...] | None
    ids: tuple[str, ...] | None
    notes: tuple[str, ...]
    judgments: Judgments


def shown_rows(table: TextTable, rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Yield some rows at a time, and show how far a table was read."""
    with step(f"reading {PurePath(table.name).name}", table.size, table.position) as advance:
        while taken := list(islice(rows, _ROWS_AT_ONCE)):
            if table.position is None:
                advance(len(taken))
            yield taken


class RowStore(Protocol):
    """Takes the rows of tables, and gives their texts."""

    def read(self, table: TextTable, columns: Columns, file: str) -> None:
        """Add the rows of a table.

        Args:
            table: What is read.
            columns: Its columns by role.
            file: What its documents are called after; empty where there is one file.
        """
        ...

    def result(self, *, ids: bool) -> StoredTable:
        """Return what was read.

        Args:
            ids: Whether identifiers of segments are wanted.
        """
        ...


class ColumnStore:
    """Takes tables with a row for each segment, and a column for each system.

    Args:
        path: The file, or the first of several.
        name: What they are called in messages.
        columns: Their columns by role.
        tags: What happens to tags and placeholders.
        every: Whether rows without a text are segments, but for empty ones at the end.
        last: Whether that is so of those at the end too.
    """

    def __init__(
        self,
        path: str,
        name: str,
        columns: Columns,
        tags: Tags | None,
        *,
        every: bool = False,
        last: bool = False,
    ) -> None:
        self._name = name
        self._texts = {
            role: tuple(
                StoredTexts(path, f"{name}, column {column!r}") for column in columns.get(role, ())
            )
            for role in TEXT_ROLES
        }
        self._columns = columns
        self._every = every
        self._last = last
        self._documents = DocumentNames()
        self._ids: list[str] = []
        self._tags = TagReport(tags, columns.get(ColumnRole.SYSTEM, ()))
        self._human = [array("d") for _ in columns.get(ColumnRole.HUMAN, ())]
        self._empty = 0
        self._notes: list[str] = []

    def read(self, table: TextTable, columns: Columns, file: str) -> None:
        """Add the rows of a table; see `RowStore`."""
        at = {name: place for place, name in enumerate(table.columns)}
        targets = [
            (at[name], store)
            for role in TEXT_ROLES
            for name, store in zip(columns.get(role, ()), self._texts[role], strict=True)
        ]
        document, identifier = (
            at[columns[role][0]] if role in columns else None
            for role in (ColumnRole.DOCUMENT, ColumnRole.ID)
        )
        human = [at[name] for name in columns.get(ColumnRole.HUMAN, ())]
        rows = without_last(table.rows) if self._every and not self._last else table.rows
        found = 0
        self._documents.begin(file)
        for taken in shown_rows(table, rows):
            kept = taken if self._every else self._with_text(taken, [at for at, _ in targets])
            if not kept:
                continue
            self._append(table, targets, kept)
            found += len(kept)
            if document is not None or file:
                self._documents.extend(
                    "" if document is None else cells[document] for _, cells in kept
                )
            if identifier is not None:
                self._ids += [cells[identifier] for _, cells in kept]
            for scores, place in zip(self._human, human, strict=True):
                scores.extend(human_score(table, row, place) for row in kept)
        if not found:
            raise without_rows(table)
        self._notes += table.notes

    def _with_text(self, rows: list[Row], places: Sequence[int]) -> list[Row]:
        first = places[0]
        if all(cells[first] for _, cells in rows):  # the usual case
            return rows
        kept = [row for row in rows if any(row[1][at] for at in places)]
        self._empty += len(rows) - len(kept)
        return kept

    def _append(
        self, table: TextTable, targets: Sequence[tuple[int, StoredTexts]], rows: list[Row]
    ) -> None:
        columns = list(zip(*[cells for _, cells in rows], strict=True))
        texts = self._tags.hidden([columns[at] for at, _ in targets])
        for (at, store), column in zip(targets, texts, strict=True):
            append_texts(table, table.columns[at], store, column, [place for place, _ in rows])

    def result(self, *, ids: bool) -> StoredTable:
        """Return what was read; see `RowStore`."""
        if self._empty:
            self._notes.append(empty_note(self._name, self._empty))
        systems = systems_of_columns(self._columns.get(ColumnRole.SYSTEM, ()))
        return StoredTable(
            source=next(iter(self._texts[ColumnRole.SOURCE]), None),
            references=self._texts[ColumnRole.REFERENCE],
            systems=dict(zip(systems, self._texts[ColumnRole.SYSTEM], strict=True)),
            documents=self._documents.named(),
            ids=tuple(self._ids) if ids and any(self._ids) else None,
            notes=(*self._notes, *self._tags.notes()),
            judgments=self._judgments(systems),
        )

    def _judgments(self, systems: Sequence[str]) -> Judgments:
        columns = self._columns.get(ColumnRole.HUMAN, ())
        if len(systems) == 1:
            return {
                kind_of_judgment(column): {systems[0]: scores}
                for column, scores in zip(columns, self._human, strict=True)
            }
        return {_HUMAN: dict(zip(systems, self._human, strict=True))} if columns else {}


class DocumentNames:
    """The documents of rows; an empty one is that of the row before, as in merged cells."""

    def __init__(self) -> None:
        self._file = ""
        self._last = ""
        self._known: dict[str, str] = {}
        self._names: list[str] = []

    def begin(self, file: str) -> None:
        """Go on with another file."""
        self._file, self._last = file, ""

    def name(self, document: str) -> str:
        """Return the whole name of the document of the next row."""
        self._last = document or self._last
        whole = "/".join(part for part in (self._file, self._last) if part)
        return self._known.setdefault(whole, whole)

    def extend(self, documents: Iterator[str]) -> None:
        """Add the documents of segments."""
        self._names += [self.name(document) for document in documents]

    def append(self, whole: str) -> None:
        """Add the document of a segment by its whole name."""
        self._names.append(whole)

    def named(self) -> tuple[str, ...] | None:
        """Return the document of each segment, if there is any."""
        return tuple(self._names) if any(self._names) else None


class TagReport:
    """Hides tags, and counts what systems do with those of the first text.

    The first text is the source or, where there is none, the first reference.
    """

    def __init__(self, tags: Tags | None, systems: Sequence[str]) -> None:
        self._tags = tags
        self._systems = systems
        self._counts: dict[str, tuple[Counter[str], Counter[str]]] = {}

    def hidden(self, texts: list[Sequence[str]]) -> list[Sequence[str]]:
        """Return columns without tags, where that is asked for; those of systems are the last."""
        if self._tags not in {Tags.HIDE, Tags.COMPARE}:
            return texts
        if len(self._systems) < len(texts):
            own = texts[len(texts) - len(self._systems) :]
            for name, column in zip(self._systems, own, strict=True):
                self.compare(name, texts[0], column)
        return [[without_tags(text) for text in column] for column in texts]

    def compare(self, system: str, originals: Sequence[str], texts: Sequence[str]) -> None:
        """Count the tags of a system that differ, where that is asked for."""
        if self._tags is not Tags.COMPARE:
            return
        counts = self._counts.setdefault(system, (Counter[str](), Counter[str]()))
        for original, text in zip(originals, texts, strict=True):
            for total, different in zip(counts, tag_differences(original, text), strict=True):
                total.update(different)

    def notes(self) -> Iterator[str]:
        """Yield what was found."""
        for name, (missing, extra) in self._counts.items():
            if missing or extra:
                found = f"{counted(missing.total(), 'tag')} missing, {extra.total():,} not expected"
                most = ", ".join(tag for tag, _ in (missing + extra).most_common(3))
                yield f"{name}: {found} (most often {most})."


def append_texts(
    table: TextTable,
    column: str,
    store: StoredTexts,
    texts: Sequence[str],
    places: Sequence[Place],
) -> None:
    """Store texts; raise with the place if one of them cannot be stored."""
    try:
        store.extend(texts)
    except ValueError as error:  # also UnicodeEncodeError
        faults = ((place, fault_of(text)) for place, text in zip(places, texts, strict=True))
        place, fault = next((place, fault) for place, fault in faults if fault)
        problem = f"column {column!r}: {fault}"
        raise malformed(table.name, place, problem, "Remove the character.") from error


def human_score(table: TextTable, row: Row, at: int) -> float:
    """Return a human score; NaN where there is none.

    Raises:
        InputError: It is not a number.
    """
    place, cells = row
    text = cells[at].strip()
    if text in MISSING:
        return float("nan")
    value = decimal_number(text)
    if value is None:
        problem = f"column {table.columns[at]!r}: the score {text[:40]!r} is not a number"
        raise malformed(table.name, place, problem, "Write a number, or nothing.")
    return value


def without_last(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows but for the empty ones at the end."""
    pending: list[Row] = []
    for place, cells in rows:
        pending.append((place, cells))
        if any(cells):
            yield from pending
            pending = []


def without_rows(table: TextTable) -> UnreadableFile:
    """Return the error for a table without any text."""
    problem = "there is no row with a text in the file"
    return UnreadableFile(table.name, problem, "Give a segment in each row.")


def empty_note(name: str, rows: int) -> str:
    """Return the note on rows that were left out."""
    return f"{name}: left out {counted(rows, 'row')} without text."
