"""Long tables, with a row for each segment and system, become a text for each system.

Rows may come in any order. Those with the same identifier (of a document) are one segment; without
identifiers, those with the same document, source and references, the second such row of a system
being another segment; and where there is nothing of that kind, the first row of each system, the
second, and so on.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError, shortened
from tenbin.formats.texts.columns import Columns, kind_of_judgment
from tenbin.formats.texts.stored import StoredTexts
from tenbin.formats.texts.storing import (
    DocumentNames,
    Judgments,
    Row,
    StoredTable,
    TagReport,
    append_texts,
    empty_note,
    human_score,
    shown_rows,
    without_rows,
)
from tenbin.formats.texts.table import ColumnRole, Place, TextTable, malformed
from tenbin.formats.texts.tags import Tags

MOST_SYSTEMS = 1_000
"""Systems that a table may name; more are no names."""
_LONGEST_NAME = 200
_SHARED = (ColumnRole.SOURCE, ColumnRole.REFERENCE)


@dataclass(slots=True)
class _Pending:
    """Texts that are not stored yet, with their places."""

    texts: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add(self, text: str, place: Place) -> None:
        self.texts.append(text)
        self.places.append(place)


@dataclass(slots=True)
class _System:
    """What was read of a system, in the order of its rows.

    Attributes:
        store: Its texts.
        human: A list of human scores for each kind.
        order: The number of the segment of each text.
        seen: Whether each segment has a text.
        pending: Texts that are not stored yet.
    """

    store: StoredTexts
    human: "list[array[float]]"
    order: "array[int]" = field(default_factory=lambda: array("q"))
    seen: bytearray = field(default_factory=bytearray)
    pending: _Pending = field(default_factory=_Pending)

    def has(self, segment: int) -> bool:
        return segment < len(self.seen) and bool(self.seen[segment])

    def mark(self, segment: int) -> None:
        self.seen.extend(bytes(max(0, segment + 1 - len(self.seen))))
        self.seen[segment] = 1
        self.order.append(segment)


@dataclass(frozen=True, slots=True)
class _Places:
    """Which cells of a row hold what."""

    name: int
    system: int
    shared: tuple[int, ...]
    document: int | None
    identifier: int | None
    human: tuple[int, ...]

    @classmethod
    def of(cls, table: TextTable, columns: Columns) -> "_Places":
        at = {name: place for place, name in enumerate(table.columns)}
        document, identifier = (
            at[columns[role][0]] if role in columns else None
            for role in (ColumnRole.DOCUMENT, ColumnRole.ID)
        )
        return cls(
            name=at[columns[ColumnRole.NAME][0]],
            system=at[columns[ColumnRole.SYSTEM][0]],
            shared=tuple(at[name] for role in _SHARED for name in columns.get(role, ())),
            document=document,
            identifier=identifier,
            human=tuple(at[name] for name in columns.get(ColumnRole.HUMAN, ())),
        )


class LongStore:
    """Takes tables with a row for each segment and system.

    Args:
        path: The file, or the first of several.
        name: What they are called in messages.
        columns: Their columns by role, with that of the names of systems.
        tags: What happens to tags and placeholders.
    """

    def __init__(self, path: str, name: str, columns: Columns, tags: Tags | None) -> None:
        self._path = path
        self._name = name
        self._columns = columns
        self._shared = [
            StoredTexts(path, f"{name}, column {column!r}")
            for role in _SHARED
            for column in columns.get(role, ())
        ]
        self._pending = [_Pending() for _ in self._shared]
        self._tags = TagReport(tags, ())
        self._systems: dict[str, _System] = {}
        self._documents = DocumentNames()
        # By identifier or content, as hashes: the texts themselves stay on disk.
        self._segments: dict[int, list[int]] = {}
        self._contents = array("q")
        self._first: list[tuple[TextTable, Place]] = []
        self._ids: list[str] = []
        self._empty = 0
        self._notes: list[str] = []

    def read(self, table: TextTable, columns: Columns, file: str) -> None:
        """Add the rows of a table; see `RowStore`."""
        places = _Places.of(table, columns)
        before = self._rows
        self._documents.begin(file)
        for rows in shown_rows(table, table.rows):
            for row in rows:
                self._take(table, places, row)
            self._flush(table)
        if self._rows == before:
            raise without_rows(table)
        self._notes += table.notes

    @property
    def _rows(self) -> int:
        return sum(len(system.order) for system in self._systems.values())

    def _take(self, table: TextTable, at: _Places, row: Row) -> None:
        place, cells = row
        document = self._documents.name("" if at.document is None else cells[at.document])
        identifier = "" if at.identifier is None else cells[at.identifier]
        texts = [cells[one] for one in (*at.shared, at.system)]
        if not identifier and not any(texts):
            self._empty += 1
            return
        system = self._system(table, at, row)
        *shared, text = (column[0] for column in self._hidden(cells[at.name].strip(), texts))
        content = hash((document, *shared))
        if identifier:
            segment = self._identified(table, row, system, (document, identifier), content)
        else:
            # Without any text that is shared, the rows of each system are counted.
            segment = self._alike(system, content) if shared else len(system.order)
        if segment is None or segment == len(self._first):
            segment = self._begin(content, identifier, table, place, document)
            for pending, original in zip(self._pending, shared, strict=True):
                pending.add(original, place)
            if identifier or shared:
                key = hash((document, identifier)) if identifier else content
                self._segments.setdefault(key, []).append(segment)
        system.mark(segment)
        system.pending.add(text, place)
        for scores, one in zip(system.human, at.human, strict=True):
            scores.append(human_score(table, row, one))

    def _hidden(self, name: str, texts: list[str]) -> list[Sequence[str]]:
        if len(texts) > 1:
            self._tags.compare(name, texts[:1], texts[-1:])
        return self._tags.hidden([[text] for text in texts])

    def _begin(
        self, content: int, identifier: str, table: TextTable, place: Place, document: str
    ) -> int:
        self._contents.append(content)
        self._first.append((table, place))
        self._documents.append(document)
        self._ids.append(identifier)
        return len(self._first) - 1

    def _system(self, table: TextTable, at: _Places, row: Row) -> _System:
        place, cells = row
        name = cells[at.name].strip()
        if not name:
            problem = f"the column {table.columns[at.name]!r} names no system"
            raise malformed(table.name, place, problem, "Name the system of each row.")
        if name not in self._systems:
            if len(self._systems) == MOST_SYSTEMS or len(name) > _LONGEST_NAME:
                column = table.columns[at.name]
                other = table.columns[at.system]
                raise UsageError(
                    f"{table.name}: the column {column!r} does not look like names of systems: "
                    f"found {shortened(name)!r}. If it holds texts, say so: "
                    f"`columns=system={column},system={other}`."
                )
            store = StoredTexts(self._path, f"{self._name}, system {name!r}")
            self._systems[name] = _System(store, [array("d") for _ in at.human])
        return self._systems[name]

    def _identified(
        self,
        table: TextTable,
        row: Row,
        system: _System,
        key: tuple[str, str],
        content: int,
    ) -> int | None:
        """Return the segment of an identifier, if there is one; refuse what contradicts it."""
        found = self._segments.get(hash(key))
        if found is None:
            return None
        (segment,) = found
        where = f"segment {key[1]!r}"
        _, first = self._first[segment]
        if self._contents[segment] != content:
            problem = f"{where} has another source, reference or document than in {_shown(first)}"
            raise malformed(table.name, row[0], problem, "Give each segment the same texts.")
        if system.has(segment):
            name = next(name for name, one in self._systems.items() if one is system)
            problem = f"a second row of the system {name!r} for {where}"
            raise malformed(table.name, row[0], problem, "Leave one of them.")
        return segment

    def _alike(self, system: _System, content: int) -> int | None:
        """Return the first segment of the same content that a system has no text for."""
        found = self._segments.get(content, ())
        return next((segment for segment in found if not system.has(segment)), None)

    def _flush(self, table: TextTable) -> None:
        names = [name for role in _SHARED for name in self._columns.get(role, ())]
        stores = list(zip(names, self._shared, self._pending, strict=True))
        output = self._columns[ColumnRole.SYSTEM][0]
        stores += [(output, one.store, one.pending) for one in self._systems.values()]
        for column, store, pending in stores:
            append_texts(table, column, store, pending.texts, pending.places)
            pending.texts.clear()
            pending.places.clear()

    def result(self, *, ids: bool) -> StoredTable:
        """Return what was read; see `RowStore`.

        Raises:
            InputError: A system lacks a segment that others have.
        """
        self._refuse_ragged()
        count = len(self._columns.get(ColumnRole.SOURCE, ()))
        if self._empty:
            self._notes.append(empty_note(self._name, self._empty))
        return StoredTable(
            source=self._shared[0] if count else None,
            references=tuple(self._shared[count:]),
            systems={name: self._ordered(system) for name, system in self._systems.items()},
            documents=self._documents.named(),
            ids=tuple(self._ids) if ids and any(self._ids) else None,
            notes=(*self._notes, *self._tags.notes()),
            judgments=self._judgments(),
        )

    def _refuse_ragged(self) -> None:
        for name, system in self._systems.items():
            missing = len(self._first) - len(system.order)
            if missing:
                segment = next(n for n in range(len(self._first)) if not system.has(n))
                table, place = self._first[segment]
                problem = (
                    f"this segment has no row of the system {name!r}, which lacks "
                    f"{counted(missing, 'segment')} of {len(self._first):,}"
                )
                advice = "Give every system a row for each segment, empty where it has no output."
                raise malformed(table.name, place, problem, advice)

    def _ordered(self, system: _System) -> StoredTexts:
        """Return the texts of a system in the order of segments."""
        if all(number == place for place, number in enumerate(system.order)):
            return system.store
        texts = list(system.store.lines())
        store = StoredTexts(self._path, system.store.name)
        store.extend([texts[place] for place in _places(system.order)])
        return store

    def _judgments(self) -> Judgments:
        found: dict[str, Mapping[str, Sequence[float]]] = {}
        for number, column in enumerate(self._columns.get(ColumnRole.HUMAN, ())):
            kind = kind_of_judgment(column)
            if kind in found:
                raise InputError(f"{self._name}: two columns are human scores of the kind {kind}.")
            found[kind] = {
                name: [system.human[number][place] for place in _places(system.order)]
                for name, system in self._systems.items()
            }
        return found


def _places(order: Sequence[int]) -> list[int]:
    """Return where each segment is among the rows of a system."""
    return sorted(range(len(order)), key=order.__getitem__)


def _shown(place: Place) -> str:
    return f"line {place:,}" if isinstance(place, int) else place
