"""A table as Spark reads it, each row with its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.errors import UnreadableFile
from tenbin.core.text import TestSet
from tenbin.tables.columns import ColumnKind, Columns
from tenbin.tables.spark.rows import PLACE

_KINDS = {"string": ColumnKind.TEXT, "array<string>": ColumnKind.TEXTS}


@dataclass(frozen=True, slots=True)
class SparkTable:
    """Rows on a cluster; see `open_spark_table`.

    Attributes:
        fields: What Spark knows of each column, in order.
        frame: A DataFrame of the same columns under plain names, as Spark cannot hand a column
            such as ``a.b`` to Python, and of the place of each row.
    """

    fields: tuple[Any, ...]
    frame: Any

    @property
    def names(self) -> list[str]:
        """The columns as the table calls them."""
        return [field.name for field in self.fields]

    @property
    def kinds(self) -> dict[str, ColumnKind]:
        """What each column holds."""
        types = {field.name: field.dataType.simpleString() for field in self.fields}
        return {name: _KINDS.get(type_, ColumnKind.OTHER) for name, type_ in types.items()}

    def select(self, names: Sequence[str]) -> Any:  # noqa: ANN401
        """Return a DataFrame of some columns, in the order of their names, and of the places."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return self.frame.select(*(_plain(numbers[name]) for name in names), *PLACE)

    def sample(self, columns: Columns, system: str, size: int) -> TestSet:
        """Return the texts of some rows."""
        names = columns.texts
        rows = self.select(names).limit(size).collect()
        found = {name: [row[place] for row in rows] for place, name in enumerate(names)}
        references = found[columns.reference or columns.hypothesis]
        return TestSet(
            hypotheses={system: tuple(found[columns.hypothesis])},
            references=tuple((one,) if isinstance(one, str) else tuple(one) for one in references),
            source=None if columns.source is None else tuple(found[columns.source]),
        )

    def result_schema(self, kept: Sequence[str], signatures: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the columns of the result; those of scores say what they mean."""
        types = import_module("pyspark.sql.types")
        fields = {field.name: field for field in self.fields}
        scores = [
            types.StructField(name, types.DoubleType(), metadata={"signature": signature})
            for name, signature in signatures.items()
        ]
        return types.StructType([*(fields[name] for name in kept), *scores])


def open_spark_table(session: Any, path: str) -> SparkTable:  # noqa: ANN401
    """Return the rows of a file or folder at any address that Spark knows.

    Raises:
        UnreadableFile: Spark cannot read it.
    """
    column = import_module("pyspark.sql.functions").col
    try:
        read = session.read.parquet(_address(path))
    except Exception as error:
        problem = f"Spark cannot read it ({first_line(error)})"
        advice = "Give Parquet files at a place that all machines can read."
        raise UnreadableFile(path, problem, advice) from error
    file, row = PLACE
    frame = read.select(
        *(column(_quoted(name)).alias(_plain(place)) for place, name in enumerate(read.columns)),
        column("_metadata.file_path").alias(file),
        column("_metadata.row_index").alias(row),
    )
    return SparkTable(tuple(read.schema.fields), frame)


def first_line(error: Exception) -> str:
    """Return the reason that Spark gives, without the pages that follow it."""
    text = str(error).strip()
    return text.splitlines()[0].rstrip(".") if text else type(error).__name__


def _address(path: str) -> str:
    """Return a path of this machine as an address, whatever Spark's own file system is."""
    here = Path(path)
    return here.absolute().as_uri() if here.exists() else path


def _plain(number: int) -> str:
    return f"column{number}"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
