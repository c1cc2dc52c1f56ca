"""Scores a table on Spark: the functions of `tenbin.tables.rows` through ``mapInArrow``."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tenbin.core.caching import is_caching
from tenbin.core.counting import counted
from tenbin.core.errors import (
    InputError,
    OutputError,
    ResourceError,
    TenbinError,
    UsageError,
)
from tenbin.core.scores import ScoreTable
from tenbin.formats.parquet import SUFFIX, check_table_target, description
from tenbin.tables.columns import check_score_columns
from tenbin.tables.job import (
    SAMPLE_ROWS,
    TableRequest,
    table_job,
    table_scores,
)
from tenbin.tables.rows import Sums, added
from tenbin.tables.run import BATCH_ROWS
from tenbin.tables.spark.session import session_settings, spark_session
from tenbin.tables.spark.shipping import ship
from tenbin.tables.spark.table import SparkTable, first_line, new_folder, open_spark_table
from tenbin.tables.spark.worker import (
    ERROR,
    FACTS,
    PLACE,
    ByPartition,
    Work,
    readable,
    score,
    validate,
)
from tenbin.tables.validation import RowFacts

# Batches of the same size as on this machine, column names case-sensitive.
_SETTINGS = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
}
# Rows of a part: enough to be worth a task, few enough to be scored again.
_PART_ROWS = 100_000
_LEAST_PART_ROWS = 1_000
_PARTS_PER_CORE = 4
_ERRORS = {error.exit_code: error for error in (UsageError, InputError, ResourceError)}
# The message at the end of a Python traceback, before the Java part.
_RAISED = re.compile(r"^tenbin\.core\.errors\.\w+: (.*?)(?=\n\s*\n|\n\s+at |\Z)", re.M | re.S)


def score_table_on_spark(
    path: str,
    output: str,
    request: TableRequest,
    *,
    master: str | None = None,
    ship_resources: bool = False,
) -> ScoreTable:
    """Score the rows of Parquet files on a cluster and return the corpus scores.

    The result is a folder of Parquet files that, in order of their names, have the rows in the
    order of the input. It appears when all are written. Rows of a machine that is lost are scored
    again elsewhere.

    Args:
        path: A file or a folder that all machines can read, or any URI that Spark supports.
        output: The folder, which must not exist yet.
        request: Metrics, language and columns.
        master: URL of the cluster; None: the open session, else this machine.
        ship_resources: Whether the resources installed here are sent to the workers.

    Raises:
        InputError: The table cannot be scored; the message names file and row.
        OutputError: The result cannot be written, or exists already.
        ResourceError: Spark cannot be started, or a worker lacks data or has other data.
    """
    check_table_target(output)
    job = table_job(request.specs, request.language)
    with (
        TemporaryDirectory(prefix="tenbin-") as folder,
        spark_session(master, "tenbin score") as session,
        session_settings(session, _SETTINGS),
        new_folder(session, output) as (staging, describe),
    ):
        table = open_spark_table(session, path)
        columns = job.columns(request.columns, table.kinds, path)
        copied = columns.copied(table.names, keep_texts=request.keep_texts)
        check_score_columns(copied, job.names, path)
        with _translated(path):
            work = Work(
                specs=job.specs,
                language=job.language.tag,
                signatures=tuple(str(metric.signature()) for metric in job.metrics),
                columns=columns,
                copied=tuple(copied),
                system=Path(path).name.removesuffix(SUFFIX),
                shipment=ship(session.sparkContext, job, Path(folder), installed=ship_resources),
                cache=is_caching(),
            )
            facts = _facts(table, work).checked(path, columns)
            notes = job.sample_notes(table.sample(columns, work.system, SAMPLE_ROWS))
            signatures = {name: str(one) for name, one in job.signatures(facts).items()}
            sums = _scored(session, table, work, facts.row_count, signatures, staging)
        describe(description(job.language.tag, signatures))
    return table_scores(job, request.specs, facts, sums, notes)


def _facts(table: SparkTable, work: Work) -> RowFacts:
    names = work.columns.texts
    check = partial(validate, work=work, names=names)
    found = table.select(names).mapInArrow(check, f"{FACTS} string, {ERROR} string")
    facts = RowFacts()
    for row in found.collect():
        if row[ERROR]:
            code, message = json.loads(row[ERROR])
            raise _ERRORS.get(code, TenbinError)(message)
        facts += RowFacts.from_json(row[FACTS])
    return facts


def _scored(
    session: Any,  # noqa: ANN401
    table: SparkTable,
    work: Work,
    rows: int,
    signatures: Mapping[str, str],
    staging: str,
) -> Sums:
    """Write the rows with their scores; return the sums of the statistics."""
    totals = session.sparkContext.accumulator({}, ByPartition())
    parts = _part_count(rows, session.sparkContext.defaultParallelism)
    names = tuple(dict.fromkeys([*work.copied, *work.columns.texts]))
    ordered = table.select(names).repartitionByRange(parts, *PLACE).sortWithinPartitions(*PLACE)
    scored = partial(score, work=work, names=names, totals=totals)
    schema = table.result_schema(work.copied, signatures)
    ordered.mapInArrow(scored, schema).write.parquet(staging)
    sums: Sums = {}
    done = 0
    for number in sorted(totals.value):
        count, part = totals.value[number]
        done += count
        sums = added(sums, part)
    if done != rows:
        raise TenbinError(
            f"{counted(rows, 'row')} were counted and {done:,} scored: the table changed "
            "meanwhile. Run again when nothing writes to it."
        )
    return sums


def _part_count(rows: int, cores: int) -> int:
    """Return the number of partitions of a table.

    >>> [_part_count(rows, cores=8) for rows in (1, 5_000, 1_000_000, 100_000_000)]
    [1, 5, 32, 1000]
    """
    spread = min(_PARTS_PER_CORE * cores, ceil(rows / _LEAST_PART_ROWS))
    return max(spread, ceil(rows / _PART_ROWS))


@contextmanager
def _translated(path: str) -> Iterator[None]:
    """Turn a Spark error into the error that the worker raised."""
    try:
        yield
    except TenbinError:
        raise
    except Exception as error:
        raised = _RAISED.search(str(error))
        if raised is not None:
            raise ResourceError(raised[1].strip()) from error
        problem = first_line(error)
        full = "No space left on device" in str(error)
        kind = OutputError if full else TenbinError
        raise kind(f"{readable(path)}: Spark could not finish the job ({problem}).") from error
