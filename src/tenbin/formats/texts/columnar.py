"""Parquet as a file of texts."""

from collections.abc import Iterator, Sequence

from tenbin.formats.files import printable_path
from tenbin.formats.parquet import PairTable, arrow, open_pair_table
from tenbin.formats.texts.table import TextTable, malformed

_ROWS_AT_ONCE = 10_000


def read_parquet(path: str) -> TextTable:
    """Read a table of Parquet, or a folder of such tables, some thousand rows at a time.

    Columns of lists and of other nested values are not there.

    Raises:
        UnreadableFile: It is not Parquet, or damaged.
        MissingExtra: pyarrow is not installed.
    """
    table = open_pair_table(path)
    is_nested = arrow("types").is_nested
    names = tuple(field.name for field in table.schema if not is_nested(field.type))
    rows = _rows(table, names)
    return TextTable(printable_path(path), names, rows, size=table.row_count)


def _rows(table: PairTable, names: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    for part in table.parts(names, _ROWS_AT_ONCE):
        try:
            columns = [column.to_pylist() for column in part.batch.columns]
        except UnicodeDecodeError as error:
            place = f"rows {part.first:,} to {part.first + part.batch.num_rows - 1:,}"
            problem = "a text is not valid UTF-8"
            raise malformed(part.file, place, problem, "Write the table again.") from error
        for offset, cells in enumerate(zip(*columns, strict=True)):
            place = f"row {part.first + offset:,}"
            yield place, ["" if cell is None else str(cell) for cell in cells]
