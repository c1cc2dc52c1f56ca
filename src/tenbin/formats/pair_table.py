"""Tables of translations in Parquet: one file, or a folder of files read in order of names."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenbin.core.errors import InputError, UnreadableFile
from tenbin.formats.arrow import arrow
from tenbin.formats.lines import printable_path

SUFFIX = ".parquet"
_BUFFER_BYTES = 2**20
_ADVICE = "Give a Parquet file, or a folder of such files."


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a table.

    Attributes:
        file: The file, as messages name it.
        first: The number of the first row in its file, from 1.
        batch: A pyarrow.RecordBatch.
    """

    file: str
    first: int
    batch: Any


@dataclass(frozen=True, slots=True)
class PairTable:
    """A table whose rows stay on disk; see `open_pair_table`.

    Attributes:
        name: What a report calls the table.
        files: The files, in order of their rows.
        schema: A pyarrow.Schema.
        row_count: Rows of all files together.
    """

    name: str
    files: tuple[Path, ...]
    schema: Any
    row_count: int

    def parts(self, columns: Sequence[str], size: int) -> Iterator[Part]:
        """Yield the rows in order, at most ``size`` of them at a time.

        Row groups are read a page at a time, so that memory does not depend on their size.

        Raises:
            UnreadableFile: A file is damaged.
        """
        parquet = arrow("parquet")
        for path in self.files:
            first = 1
            with _reading(path), path.open("rb") as stream:
                file = parquet.ParquetFile(stream, buffer_size=_BUFFER_BYTES, pre_buffer=False)
                for batch in file.iter_batches(size, columns=list(columns), use_threads=False):
                    yield Part(printable_path(str(path)), first, batch)
                    first += batch.num_rows


def open_pair_table(path: str) -> PairTable:
    """Open a table after reading the end of each file, where Parquet keeps what it is.

    Raises:
        UnreadableFile: There is no such file, or it is no Parquet file or cut off.
        InputError: Files of a folder have different columns, or a column stands there twice.
    """
    if not path:
        raise UnreadableFile("''", "the name of the table is empty", _ADVICE)
    files = _files(Path(path))
    schema, rows = _footer(files[0])
    for other in files[1:]:
        found, count = _footer(other)
        rows += count
        if not found.equals(schema):
            names = f"{printable_path(str(files[0]))} and {printable_path(str(other))}"
            raise InputError(
                f"{names} have different columns or types: {_listed(schema)}; {_listed(found)}. "
                "Files of one folder must have the same columns in the same order."
            )
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise InputError(f"{path}: the column {twice[0]!r} stands there twice. Rename one of them.")
    return PairTable(_name(path), files, schema, rows)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    # Names that begin so are markers and unfinished files, here as in Spark.
    found = [file for file in path.glob(f"*{SUFFIX}") if not file.name.startswith(("_", "."))]
    if not found:
        problem = f"the folder has no file that ends in {SUFFIX}"
        raise UnreadableFile(printable_path(str(path)), problem, _ADVICE)
    return tuple(sorted(found))


def _footer(path: Path) -> tuple[Any, int]:
    parquet = arrow("parquet")
    with _reading(path), path.open("rb") as stream:
        file = parquet.ParquetFile(stream)
        return file.schema_arrow, file.metadata.num_rows


def _listed(schema: Any) -> str:  # noqa: ANN401
    return ", ".join(f"{field.name} ({field.type})" for field in schema)


def _name(path: str) -> str:
    name = printable_path(Path(path).name or path)
    return name.removesuffix(SUFFIX) or name


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Say clearly what is wrong with a file that is read inside the block."""
    name = printable_path(str(path))
    try:
        yield
    except FileNotFoundError as error:
        raise UnreadableFile(name, "there is no such file", "Check the path.") from error
    except PermissionError as error:
        problem = "no permission to read the file"
        raise UnreadableFile(name, problem, "Check its permissions.") from error
    except (OSError, arrow().ArrowException) as error:
        # What Arrow says goes on for lines; the first one has the reason.
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        problem = f"this is no Parquet file, or it is damaged or cut off ({reason})"
        raise UnreadableFile(name, problem, _ADVICE) from error
