"""Tables of segments in Parquet: reading them in bounded memory, writing them with their scores.

A table is one file, or a folder of files read in the order of their names. pyarrow is imported only
when a table is read or written.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError, MissingExtra, UnreadableFile, UsageError
from tenbin.formats.files import printable_path, regular_file
from tenbin.formats.output import whole_file
from tenbin.version import __version__

SUFFIX = ".parquet"
_BUFFER_BYTES = 2**20
_ADVICE = "Give a Parquet file, or a folder of such files."
METADATA_KEY = "tenbin"
# Schemas written by other programs, which would hide the new columns.
_FOREIGN_KEYS = (b"pandas", b"org.apache.spark.sql.parquet.row.metadata")
# A row group is closed at this many rows or bytes, whichever comes first.
_GROUP_ROWS = 65_536
_GROUP_BYTES = 64 * 2**20


def arrow(name: str = "", *, extra: str = "tables") -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Return pyarrow or one of its modules.

    Args:
        name: The module; empty for the package itself.
        extra: The extra of Tenbin that installs it.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    try:
        return import_module(f"pyarrow.{name}" if name else "pyarrow")
    except ImportError as error:
        raise MissingExtra("reading and writing Parquet", extra) from error


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Some rows of a table.

    Attributes:
        file: The file, as error messages show it.
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
        name: Name of the table in reports.
        files: The files, in order of their rows.
        schema: A pyarrow.Schema.
        row_count: Rows of all files together.
    """

    name: str
    files: tuple[Path, ...]
    schema: Any
    row_count: int

    def parts(self, columns: Sequence[str], size: int) -> Iterator[RowGroup]:
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
                    yield RowGroup(printable_path(str(path)), first, batch)
                    first += batch.num_rows


def open_pair_table(path: str) -> PairTable:
    """Open a table; only the footer of each file is read, which holds the schema.

    Raises:
        UnreadableFile: There is no such file, or it is not a Parquet file, or truncated.
        InputError: Files of a folder have different columns, or a column occurs twice.
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
        raise InputError(f"{path}: the column {twice[0]!r} occurs twice. Rename one of them.")
    return PairTable(_name(path), files, schema, rows)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    # Such names are markers and unfinished files, as in Spark.
    found = [file for file in path.glob(f"*{SUFFIX}") if not file.name.startswith(("_", "."))]
    if not found:
        problem = f"the folder has no file that ends in {SUFFIX}"
        raise UnreadableFile(printable_path(str(path)), problem, _ADVICE)
    return tuple(sorted(found))


def _footer(path: Path) -> tuple[Any, int]:
    parquet = arrow("parquet")
    with _reading(path), regular_file(path, advice=_ADVICE).open("rb") as stream:
        file = parquet.ParquetFile(stream)
        return file.schema_arrow, file.metadata.num_rows


def _listed(schema: Any) -> str:  # noqa: ANN401
    return ", ".join(f"{field.name} ({field.type})" for field in schema)


def _name(path: str) -> str:
    name = printable_path(Path(path).name or path)
    return name.removesuffix(SUFFIX) or name


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn errors while a file is read inside the block into `UnreadableFile`."""
    name = printable_path(str(path))
    try:
        yield
    except FileNotFoundError as error:
        raise UnreadableFile(name, "there is no such file", "Check the path.") from error
    except PermissionError as error:
        problem = "no permission to read the file"
        raise UnreadableFile(name, problem, "Check its permissions.") from error
    except (OSError, UnicodeDecodeError, arrow().ArrowException) as error:
        # A UnicodeDecodeError: the name of a column is no text. Arrow's messages have many lines;
        # the first one has the reason.
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        problem = f"this is not a Parquet file, or it is damaged or truncated ({reason})"
        raise UnreadableFile(name, problem, _ADVICE) from error


class ScoreWriter:
    """Takes rows and their scores in order; see `score_file`."""

    def __init__(self, writer: Any, schema: Any) -> None:  # noqa: ANN401
        self._writer = writer
        self._schema = schema
        self._buffered: list[Any] = []

    def write(self, batch: Any, scores: Sequence[FloatArray]) -> None:  # noqa: ANN401
        """Add a pyarrow.RecordBatch and one score per row for each metric."""
        pa = arrow()
        columns = [*batch.columns, *(pa.array(column, pa.float64()) for column in scores)]
        self._buffered.append(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        rows = sum(part.num_rows for part in self._buffered)
        if rows >= _GROUP_ROWS or sum(part.nbytes for part in self._buffered) >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows as one row group."""
        if self._buffered:
            self._writer.write_table(arrow().Table.from_batches(self._buffered))
            self._buffered = []


def description(language: str, signatures: Mapping[str, str]) -> str:
    """Return the metadata of a table of scores as JSON.

    >>> json.loads(description("en", {"chrf": "chrf|lang:en"}))["signatures"]
    {'chrf': 'chrf|lang:en'}
    """
    facts = {"version": __version__, "language": language, "signatures": dict(signatures)}
    return json.dumps(facts, ensure_ascii=False)


def check_table_target(path: str) -> None:
    """Raise `UsageError` for a file name that does not end in ``.parquet``."""
    if not path.endswith(SUFFIX):
        raise UsageError(
            f"{path}: the scores of a table are written as Parquet; end the name in {SUFFIX}."
        )


@contextmanager
def score_file(
    path: str,
    schema: Any,  # noqa: ANN401
    language: str,
    signatures: Mapping[str, str],
) -> Iterator[ScoreWriter]:
    """Give a writer of a Parquet file, which appears under its name when the block succeeds.

    Args:
        path: The file; an existing one is replaced.
        schema: A pyarrow.Schema of the columns that are carried over.
        language: The target language.
        signatures: The signature of each column of scores, in order.

    Raises:
        OutputError: Disk full, no permission, no such folder; an existing file is untouched.
    """
    pa, parquet = arrow(), arrow("parquet")
    fields = [
        pa.field(name, pa.float64(), nullable=False, metadata={"signature": signature})
        for name, signature in signatures.items()
    ]
    metadata = {
        key: value for key, value in (schema.metadata or {}).items() if key not in _FOREIGN_KEYS
    }
    metadata[METADATA_KEY.encode()] = description(language, signatures).encode()
    full = pa.schema([*schema, *fields], metadata=metadata)
    with (
        whole_file(path) as temporary,
        parquet.ParquetWriter(temporary, full, compression="zstd") as opened,
    ):
        writer = ScoreWriter(opened, full)
        yield writer
        writer.flush()
