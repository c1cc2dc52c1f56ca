"""Parquet as a file of texts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tenbin.core.counting import counted
from tenbin.formats.files import printable_path
from tenbin.formats.parquet import PairTable, arrow, open_pair_table
from tenbin.formats.texts.table import TextTable, malformed

_ROWS_AT_ONCE = 10_000


def read_parquet(path: str) -> TextTable:
    """Read a table of Parquet, or a folder of such tables, some thousand rows at a time.

    A list of values, as long in each row as in the first, becomes a column for each:
    ``references.1``. Columns of other nested values are not there.

    Raises:
        UnreadableFile: It is not Parquet, or damaged.
        MissingExtra: pyarrow is not installed.
    """
    table = open_pair_table(path)
    types = arrow("types")
    lists = [field.name for field in table.schema if _is_list(types, field.type)]
    plain = [field.name for field in table.schema if not types.is_nested(field.type)]
    names = tuple(field.name for field in table.schema if field.name in {*lists, *plain})
    lengths = _lengths(table, lists)
    columns = [
        column
        for name in names
        for column in (
            [f"{name}.{number}" for number in range(1, lengths[name] + 1)]
            if name in lengths
            else [name]
        )
    ]
    return TextTable(
        printable_path(path), tuple(columns), _rows(table, names, lengths), size=table.row_count
    )


def _is_list(types: Any, kind: Any) -> bool:  # noqa: ANN401 - pyarrow ships no types
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return is_list and not types.is_nested(kind.value_type)


def _lengths(table: PairTable, lists: Sequence[str]) -> dict[str, int]:
    """Return the length of the first row of each column of lists."""
    if not lists:
        return {}
    part = next(iter(table.parts(lists, 1)), None)
    if part is None or not part.batch.num_rows:
        return dict.fromkeys(lists, 0)
    return {name: len(part.batch.column(name)[0].as_py() or ()) for name in lists}


def _rows(
    table: PairTable, names: Sequence[str], lengths: Mapping[str, int]
) -> Iterator[tuple[str, Sequence[str]]]:
    for part in table.parts(names, _ROWS_AT_ONCE):
        try:
            columns = [column.to_pylist() for column in part.batch.columns]
        except UnicodeDecodeError as error:
            place = f"rows {part.first:,} to {part.first + part.batch.num_rows - 1:,}"
            problem = "a text is not valid UTF-8"
            raise malformed(part.file, place, problem, "Write the table again.") from error
        columns = [
            own
            for name, column in zip(names, columns, strict=True)
            for own in (
                _unpacked(part.file, part.first, name, column, lengths[name])
                if name in lengths
                else [column]
            )
        ]
        for offset, cells in enumerate(zip(*columns, strict=True)):
            place = f"row {part.first + offset:,}"
            yield place, ["" if cell is None else str(cell) for cell in cells]


def _unpacked(
    file: str, first: int, name: str, rows: Sequence[Sequence[object] | None], length: int
) -> list[list[object]]:
    """Return a column for each place of a list."""
    for offset, values in enumerate(rows):
        found = len(values or ())
        if found != length:
            problem = f"{name!r} has {counted(found, 'value')}, and in the first row {length}"
            advice = "Give lists of the same length, or a column for each text."
            raise malformed(file, f"row {first + offset:,}", problem, advice)
    return [[values[at] for values in rows if values is not None] for at in range(length)]
