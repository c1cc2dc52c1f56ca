"""The first pass over a table: bad values, systems, numbers of references, empty texts."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import InputError
from tenbin.core.text import REFERENCES
from tenbin.formats.parquet import arrow
from tenbin.tables.columns import ColumnKind, TextColumns
from tenbin.tables.rows import column_kinds

Place = tuple[str, int]
"""A file, and the number of a row in it, from 1."""
PlaceOf = Callable[[int], Place]

# More than this are not systems but something else, such as row numbers.
_MOST_SYSTEMS = 10_000
_NO_TEXT = "Drop such rows, or put '' where a text is empty."


@dataclass(frozen=True, slots=True)
class SystemRows:
    """The rows of one system: position of the first, their number, number of empty ones."""

    first: Place
    rows: int
    empty: int

    def __add__(self, other: Self) -> Self:
        first = min(self.first, other.first)
        return type(self)(first, self.rows + other.rows, self.empty + other.empty)


@dataclass(frozen=True, slots=True)
class RowFacts:
    """Facts about some rows, which can be added up.

    Attributes:
        systems: The rows of each system.
        reference_counts: The distinct numbers of references per row, ascending.
        empty_references: Number of empty references.
        error: Position of the first invalid row, and what is wrong with it.
    """

    systems: Mapping[str, SystemRows] = field(default_factory=dict)
    reference_counts: tuple[int, ...] = ()
    empty_references: int = 0
    error: tuple[Place, str] | None = None

    def __add__(self, other: Self) -> Self:
        joined = dict(self.systems)
        for name, part in other.systems.items():
            joined[name] = joined[name] + part if name in joined else part
        errors = [one for one in (self.error, other.error) if one is not None]
        return type(self)(
            joined,
            tuple(sorted({*self.reference_counts, *other.reference_counts})),
            self.empty_references + other.empty_references,
            min(errors, default=None),
        )

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return sum(part.rows for part in self.systems.values())

    @property
    def system_names(self) -> tuple[str, ...]:
        """The systems in the order in which they appear."""
        return tuple(sorted(self.systems, key=lambda name: self.systems[name].first))

    @property
    def empty_counts(self) -> Mapping[str, int]:
        """The number of empty texts by system, `REFERENCES` for all references together."""
        counts = {name: self.systems[name].empty for name in self.system_names}
        counts[REFERENCES] = self.empty_references
        return {name: count for name, count in counts.items() if count}

    def checked(self, table: str, columns: TextColumns) -> Self:
        """Return the facts if the table can be scored.

        Raises:
            InputError: It has an invalid row, no row, or too many systems.
        """
        if self.error is not None:
            (file, row), problem = self.error
            raise InputError(f"{file}, row {row:,}: {problem}")
        if not self.systems:
            raise InputError(f"{table}: the table has no rows, expected one per translation.")
        if len(self.systems) > _MOST_SYSTEMS:
            raise InputError(
                f"{table}: the column {columns.system!r} has more than {_MOST_SYSTEMS:,} different "
                "values, expected names of systems. Name another column (system_column)."
            )
        return self

    def to_json(self) -> str:
        """Return the facts as text, which workers of a cluster can send."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the facts that `to_json` wrote."""
        content = json.loads(text)
        systems = {
            name: SystemRows((part["first"][0], part["first"][1]), part["rows"], part["empty"])
            for name, part in content["systems"].items()
        }
        error = content["error"]
        return cls(
            systems,
            tuple(content["reference_counts"]),
            content["empty_references"],
            None if error is None else ((error[0][0], error[0][1]), error[1]),
        )


def row_facts(
    batch: Any,  # noqa: ANN401
    columns: TextColumns,
    place_of: PlaceOf,
    *,
    system: str,
) -> RowFacts:
    """Return facts about the rows of a pyarrow.RecordBatch; scoring needs no further checks.

    Args:
        batch: At least the columns of texts.
        columns: Which these are.
        place_of: Returns the position of a row, given its number from 0.
        system: The name of the only system of a table without such a column.
    """
    if not batch.num_rows:
        return RowFacts()
    kinds = column_kinds(batch.schema)
    errors = []
    for name in columns.texts:
        found = first_error(batch.column(name), name, kinds[name])
        if found is not None:
            errors.append(found)
    if errors:
        row, problem = min(errors)
        return RowFacts(error=(place_of(row), problem))
    systems = _systems(batch, columns, place_of, system=system)
    if columns.reference is None:
        return RowFacts(systems, (0,))
    references = batch.column(columns.reference)
    counts = (1,)
    if kinds[columns.reference] is ColumnKind.TEXTS:
        counts = tuple(lengths(references).unique().sort().to_pylist())
        references = references.flatten()
    return RowFacts(systems, counts, int(is_empty(references).sum()))


def _systems(
    batch: Any,  # noqa: ANN401
    columns: TextColumns,
    place_of: PlaceOf,
    *,
    system: str,
) -> dict[str, SystemRows]:
    empty = is_empty(batch.column(columns.hypothesis))
    if columns.system is None:
        return {system: SystemRows(place_of(0), len(empty), int(empty.sum()))}
    named = np.array(batch.column(columns.system).to_pylist(), dtype=object)
    names, firsts, codes = np.unique(named, return_index=True, return_inverse=True)
    counts = np.bincount(codes)
    empties = np.bincount(codes, weights=empty).astype(np.int64)
    return {
        str(name): SystemRows(place_of(int(first)), int(count), int(without))
        for name, first, count, without in zip(names, firsts, counts, empties, strict=True)
    }


def first_error(column: Any, name: str, kind: ColumnKind) -> tuple[int, str] | None:  # noqa: ANN401
    """Return the first row with an invalid value and what is wrong with it."""
    found = _first(column.is_null())
    if found is not None:
        return found, f"the column {name!r} has no value (null), expected a text. {_NO_TEXT}"
    if kind is ColumnKind.TEXT:
        return _invalid_text(column, name)
    counts = lengths(column)
    found = _first(_equal(counts, 0))
    if found is not None:
        advice = "Give every row at least one reference, or drop it."
        return found, f"the list in the column {name!r} is empty. {advice}"
    texts = column.flatten()
    within = _first(texts.is_null())
    bad = (
        _invalid_text(texts, name)
        if within is None
        else (within, f"a text in the column {name!r} is missing (null). {_NO_TEXT}")
    )
    if bad is None:
        return None
    ends = np.cumsum(np.asarray(counts.to_numpy(zero_copy_only=False), dtype=np.int64))
    return int(np.searchsorted(ends, bad[0], side="right")), bad[1]


def _invalid_text(texts: Any, name: str) -> tuple[int, str] | None:  # noqa: ANN401
    plain = _decoded(texts)
    try:
        plain.validate(full=True)
    except arrow().ArrowInvalid:
        raw = plain.cast("large_binary").to_pylist()
        number = next(number for number, value in enumerate(raw) if not _is_utf8(value))
        advice = "Convert the text before writing the table."
        return number, f"the text in the column {name!r} is not valid UTF-8. {advice}"
    found = _first(arrow("compute").match_substring(plain, "\0"))
    if found is None:
        return None
    return found, f"the text in the column {name!r} has a NUL character. Remove it."


def _decoded(texts: Any) -> Any:  # noqa: ANN401
    pa = arrow()
    plain = texts.dictionary_decode() if pa.types.is_dictionary(texts.type) else texts
    return plain if pa.types.is_string(plain.type) else plain.cast(pa.large_string())


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_empty(texts: Any) -> npt.NDArray[np.bool_]:  # noqa: ANN401
    """Return for each text whether it has nothing but whitespace."""
    trimmed = arrow("compute").utf8_trim_whitespace(_decoded(texts))
    empty = _equal(arrow("compute").binary_length(trimmed), 0)
    return np.asarray(empty.to_numpy(zero_copy_only=False), dtype=np.bool_)


def lengths(lists: Any) -> Any:  # noqa: ANN401
    """Return the length of each list, as a pyarrow array."""
    return arrow("compute").list_value_length(lists)


def _equal(numbers: Any, value: int) -> Any:  # noqa: ANN401
    return arrow("compute").equal(numbers, value)


def _first(truths: Any) -> int | None:  # noqa: ANN401
    """Return the number of the first value that is true."""
    places = np.flatnonzero(truths.to_numpy(zero_copy_only=False))
    return int(places[0]) if len(places) else None
