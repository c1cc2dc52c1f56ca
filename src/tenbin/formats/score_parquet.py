"""Writes the rows of a table with their scores, whole or not at all, in bounded memory."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.formats.arrow import arrow
from tenbin.formats.output import whole_file
from tenbin.formats.pair_table import SUFFIX
from tenbin.version import __version__

METADATA_KEY = "tenbin"
# Descriptions of all columns by other programs, which would hide the new ones.
_FOREIGN_KEYS = (b"pandas", b"org.apache.spark.sql.parquet.row.metadata")
# A row group is closed at so many rows or bytes, whichever comes first.
_GROUP_ROWS = 65_536
_GROUP_BYTES = 64 * 2**20


class ScoreWriter:
    """Takes rows and their scores in order; see `score_file`."""

    def __init__(self, writer: Any, schema: Any) -> None:  # noqa: ANN401
        self._writer = writer
        self._schema = schema
        self._waiting: list[Any] = []

    def write(self, batch: Any, scores: Sequence[FloatArray]) -> None:  # noqa: ANN401
        """Add a pyarrow.RecordBatch and one score per row for each metric."""
        pa = arrow()
        columns = [*batch.columns, *(pa.array(column, pa.float64()) for column in scores)]
        self._waiting.append(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        rows = sum(part.num_rows for part in self._waiting)
        if rows >= _GROUP_ROWS or sum(part.nbytes for part in self._waiting) >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting as one row group."""
        if self._waiting:
            self._writer.write_table(arrow().Table.from_batches(self._waiting))
            self._waiting = []


def description(language: str, signatures: Mapping[str, str]) -> str:
    """Return what a table of scores says about itself, as JSON.

    >>> json.loads(description("en", {"chrf": "chrf|lang:en"}))["signatures"]
    {'chrf': 'chrf|lang:en'}
    """
    facts = {"version": __version__, "language": language, "signatures": dict(signatures)}
    return json.dumps(facts, ensure_ascii=False)


def check_table_target(path: str) -> None:
    """Raise `UsageError` for a name that other programs would not take for a Parquet file."""
    if not path.endswith(SUFFIX):
        raise UsageError(f"{path}: the scores of a table are Parquet; end the name in {SUFFIX}.")


@contextmanager
def score_file(
    path: str,
    schema: Any,  # noqa: ANN401
    language: str,
    signatures: Mapping[str, str],
) -> Iterator[ScoreWriter]:
    """Give a writer of a Parquet file, which takes its name when the block ends well.

    Args:
        path: The file; what stood there is replaced.
        schema: A pyarrow.Schema of the columns that are carried over.
        language: The target language.
        signatures: The signature of each column of scores, in order.

    Raises:
        OutputError: Disk full, no permission, no such folder; what stood there is untouched.
    """
    pa, parquet = arrow(), arrow("parquet")
    fields = [
        pa.field(name, pa.float64(), nullable=False, metadata={"signature": signature})
        for name, signature in signatures.items()
    ]
    kept = {
        key: value for key, value in (schema.metadata or {}).items() if key not in _FOREIGN_KEYS
    }
    kept[METADATA_KEY.encode()] = description(language, signatures).encode()
    full = pa.schema([*schema, *fields], metadata=kept)
    with (
        whole_file(path) as temporary,
        parquet.ParquetWriter(temporary, full, compression="zstd") as opened,
    ):
        writer = ScoreWriter(opened, full)
        yield writer
        writer.flush()
