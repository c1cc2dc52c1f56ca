"""A table as Spark reads it, each row with its place, and the folder that Spark writes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from tenbin.core.errors import OutputError, UnreadableFile
from tenbin.core.text import TestSet
from tenbin.tables.columns import ColumnKind, TextColumns
from tenbin.tables.spark.worker import PLACE

_KINDS = {"string": ColumnKind.TEXT, "array<string>": ColumnKind.TEXTS}
Describe = Callable[[str], None]

_DESCRIPTION = "_tenbin.json"


@dataclass(frozen=True, slots=True)
class SparkTable:
    """Rows on a cluster; see `open_spark_table`.

    Attributes:
        fields: The Spark type of each column, in order.
        frame: A DataFrame of the same columns under plain names, as Spark cannot pass a column such
            as ``a.b`` to Python, and of the position of each row.
    """

    fields: tuple[Any, ...]
    frame: Any

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self.fields]

    @property
    def kinds(self) -> dict[str, ColumnKind]:
        """The kind of each column."""
        types = {field.name: field.dataType.simpleString() for field in self.fields}
        return {name: _KINDS.get(type_, ColumnKind.OTHER) for name, type_ in types.items()}

    def select(self, names: Sequence[str]) -> Any:  # noqa: ANN401
        """Return a DataFrame of some columns, in the order given, and of the positions."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return self.frame.select(*(_plain(numbers[name]) for name in names), *PLACE)

    def sample(self, columns: TextColumns, system: str, size: int) -> TestSet:
        """Return the texts of some rows."""
        names = columns.texts
        rows = self.select(names).limit(size).collect()
        found = {name: [row[place] for row in rows] for place, name in enumerate(names)}
        references = [] if columns.reference is None else found[columns.reference]
        return TestSet(
            hypotheses={system: tuple(found[columns.hypothesis])},
            references=tuple((one,) if isinstance(one, str) else tuple(one) for one in references),
            source=None if columns.source is None else tuple(found[columns.source]),
        )

    def result_schema(self, copied: Sequence[str], signatures: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the schema of the result; score columns have their signature as metadata."""
        types = import_module("pyspark.sql.types")
        fields = {field.name: field for field in self.fields}
        scores = [
            types.StructField(name, types.DoubleType(), metadata={"signature": signature})
            for name, signature in signatures.items()
        ]
        return types.StructType([*(fields[name] for name in copied), *scores])


def open_spark_table(session: Any, path: str) -> SparkTable:  # noqa: ANN401
    """Return the rows of a file or folder at any URI that Spark supports.

    Raises:
        UnreadableFile: Spark cannot read it.
    """
    column = import_module("pyspark.sql.functions").col
    try:
        read = session.read.parquet(_input_address(path))
    except Exception as error:
        problem = f"Spark cannot read it ({first_line(error)})"
        advice = "Give Parquet files in a place that all machines can read."
        raise UnreadableFile(path, problem, advice) from error
    file, row = PLACE
    frame = read.select(
        *(column(_quoted(name)).alias(_plain(place)) for place, name in enumerate(read.columns)),
        column("_metadata.file_path").alias(file),
        column("_metadata.row_index").alias(row),
    )
    return SparkTable(tuple(read.schema.fields), frame)


def first_line(error: Exception) -> str:
    """Return the first line of a Spark error, without the pages that follow it."""
    text = str(error).strip()
    return text.splitlines()[0].rstrip(".") if text else type(error).__name__


def _input_address(path: str) -> str:
    """Return a local path as a URI, whatever the default file system of Spark is."""
    here = Path(path)
    return here.absolute().as_uri() if here.exists() else path


def _plain(number: int) -> str:
    return f"column{number}"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


@contextmanager
def new_folder(session: Any, output: str) -> Iterator[tuple[str, Describe]]:  # noqa: ANN401
    """Give a temporary folder beside the target, renamed to it when the block succeeds.

    Args:
        session: The Spark session.
        output: A local path, or a URI such as ``hdfs://...``.

    Yields:
        The URI of the folder, and a function that writes a description of the result into it.

    Raises:
        OutputError: The target exists, or cannot be written.
    """
    files = session.sparkContext._jvm.org.apache.hadoop.fs  # noqa: SLF001 - no other way to it
    target = files.Path(_output_address(output))
    system = target.getFileSystem(session.sparkContext._jsc.hadoopConfiguration())  # noqa: SLF001
    if system.exists(target):
        raise OutputError(f"{output}: this exists already. Remove it, or name another folder.")
    parent = target.getParent()
    if not system.exists(parent):
        raise OutputError(
            f"{output}: there is no folder {parent.toUri().getPath()}; create it first."
        )
    staging = files.Path(parent, f".tenbin-{uuid4().hex}")

    def describe(text: str) -> None:
        stream = system.create(files.Path(staging, _DESCRIPTION))
        stream.write(bytearray(text.encode()))
        stream.close()

    try:
        yield staging.toString(), describe
        if not system.rename(staging, target):
            raise OutputError(f"{output}: could not be written; nothing there was changed.")
    finally:
        # Renamed already if the block succeeded.
        system.delete(staging, True)  # noqa: FBT003 - of Java


def _output_address(path: str) -> str:
    return path if "://" in path else Path(path).absolute().as_uri()
