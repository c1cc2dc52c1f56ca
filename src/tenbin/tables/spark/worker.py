"""What Spark's workers run: the same validation and scoring of rows as on this machine."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import unquote

from tenbin.annotation.languages import parse_language
from tenbin.core.caching import caching
from tenbin.core.errors import ResourceError, TenbinError
from tenbin.core.metric import Metric
from tenbin.core.spec import Spec
from tenbin.formats.parquet import arrow
from tenbin.metrics.registry import load_all
from tenbin.tables.columns import TextColumns
from tenbin.tables.rows import Sums, added, row_scores, rows_of
from tenbin.tables.spark.shipping import Shipment
from tenbin.tables.validation import Place, PlaceOf, RowFacts, row_facts

# The columns with the position of a row; no table has columns of these names.
PLACE = ("tenbin file", "tenbin row")
FACTS = "facts"
ERROR = "error"


@dataclass(frozen=True, slots=True)
class Work:
    """The task of a worker, small enough to be sent with each partition.

    Attributes:
        specs: The metrics.
        language: The target language.
        signatures: The signature of each metric on the driver; a worker must have the same.
        columns: The columns of texts.
        copied: The columns that are copied to the result.
        system: The name of the only system of a table without such a column.
        shipment: The data that were sent.
        cache: Whether encodings are read from the worker's cache on disk and written there.
    """

    specs: tuple[str, ...]
    language: str
    signatures: tuple[str, ...]
    columns: TextColumns
    copied: tuple[str, ...]
    system: str
    shipment: Shipment
    cache: bool = True

    def metrics(self) -> tuple[Metric, ...]:
        """Return the metrics with the data of this worker, loaded once per process."""
        return _metrics(
            self.specs,
            self.language,
            self.signatures,
            tuple(self.shipment.files.items()),
            tuple(self.shipment.resources.items()),
        )


@cache
def _metrics(
    specs: tuple[str, ...],
    language: str,
    signatures: tuple[str, ...],
    files: tuple[tuple[str, str], ...],
    resources: tuple[tuple[str, str], ...],
) -> tuple[Metric, ...]:
    tag = parse_language(language).tag
    here = Shipment(dict(files), dict(resources)).received(specs)
    metrics = tuple(metric.bind(tag) for metric in load_all(here))
    for metric, expected in zip(metrics, signatures, strict=True):
        found = str(metric.signature())
        if found != expected:
            raise ResourceError(
                "a worker has other versions or data than the driver, so its scores would not be "
                f"comparable.\n  driver: {expected}\n  worker: {found}\nInstall the same "
                "on all machines, or send the data (`ship_resources`)."
            )
    return metrics


Totals = dict[int, tuple[int, Sums]]
"""Number of rows and sums of each partition, by the number of the partition."""


class ByPartition:
    """Merges totals: one value per partition, however often it was scored."""

    def zero(self, value: Totals) -> Totals:  # noqa: ARG002 - as Spark calls it
        """Return the initial value of a worker."""
        return {}

    def addInPlace(self, one: Totals, other: Totals) -> Totals:  # noqa: N802 - as Spark calls it
        """Return the union of both."""
        return one | other


def validate(batches: Iterator[Any], work: Work, names: Sequence[str]) -> Iterator[Any]:
    """Yield one row per partition: its facts, or why this worker cannot score.

    Args:
        batches: pyarrow.RecordBatch objects whose last two columns are the position of a row.
        work: The task.
        names: The names of the other columns in the table.
    """
    pa = arrow()
    facts, problem = RowFacts(), ""
    try:
        work.metrics()
    except TenbinError as error:
        problem = json.dumps([error.exit_code, str(error)])
    for batch in batches:
        # A batch may have the ends of several files, in the order of their sizes.
        ordered = batch.rename_columns([*names, *PLACE]).sort_by(
            [(column, "ascending") for column in PLACE]
        )
        facts += row_facts(ordered, work.columns, _places(ordered), system=work.system)
    yield pa.RecordBatch.from_pydict({FACTS: [facts.to_json()], ERROR: [problem]})


def score(
    batches: Iterator[Any],
    work: Work,
    names: Sequence[str],
    totals: Any,  # noqa: ANN401
) -> Iterator[Any]:
    """Yield the rows of a partition with their scores.

    Args:
        batches: As for `validate`.
        work: The task.
        names: As for `validate`.
        totals: An accumulator that takes the sums of the statistics by number of the partition. A
            partition that is scored twice, because its machine was lost, reports the same twice.
    """
    pa = arrow()
    task = import_module("pyspark").TaskContext.get()
    sums: Sums = {}
    rows = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        named = batch.rename_columns([*names, *PLACE])
        with caching(enabled=work.cache):
            found = row_scores(rows_of(named, work.columns), work.metrics(), system=work.system)
        sums = added(sums, found.sums)
        rows += batch.num_rows
        scores = [pa.array(column, pa.float64()) for column in found.scores]
        copied = [named.column(name) for name in work.copied]
        labels = [Spec.parse(spec).label for spec in work.specs]
        yield pa.RecordBatch.from_arrays([*copied, *scores], names=[*work.copied, *labels])
    totals.add({task.partitionId(): (rows, sums)})


def _places(batch: Any) -> PlaceOf:  # noqa: ANN401
    files, rows = batch.columns[-2:]

    def place_of(number: int) -> Place:
        # Local files as plain paths, others with their scheme.
        return readable(files[number].as_py()), rows[number].as_py() + 1

    return place_of


def readable(uri: str) -> str:
    """Return the URI of a local file as a plain path, other URIs unchanged.

    >>> readable("file:///data/a%20b.parquet"), readable("hdfs://h/a.parquet")
    ('/data/a b.parquet', 'hdfs://h/a.parquet')
    """
    if not uri.startswith("file:"):
        return uri
    return unquote("/" + uri.removeprefix("file:").lstrip("/"))
