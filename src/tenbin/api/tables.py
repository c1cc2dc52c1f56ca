"""The call that scores a table in Parquet, here or on a cluster."""

from collections.abc import Sequence
from enum import StrEnum
from os import PathLike, fspath

from tenbin.api.scoring import DEFAULT_METRICS
from tenbin.core.errors import UsageError
from tenbin.core.scores import ScoreSet
from tenbin.reports.score_table import ScoreTable
from tenbin.tables.columns import ColumnNames
from tenbin.tables.job import TableRequest
from tenbin.tables.run import score_table_here


class TableEngine(StrEnum):
    """What scores the rows of a table."""

    LOCAL = "local"
    SPARK = "spark"


def score_table(  # noqa: PLR0913 - every option has a name
    path: str | PathLike[str],
    output: str | PathLike[str],
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    language: str,
    hypothesis_column: str | None = None,
    reference_column: str | None = None,
    source_column: str | None = None,
    system_column: str | None = None,
    keep_texts: bool = True,
    jobs: int = 1,
    engine: str = TableEngine.LOCAL,
    master: str | None = None,
    ship_resources: bool = False,
) -> ScoreTable:
    """Score every row of a table in Parquet and write the table with its scores.

    Memory does not grow with the number of rows. Their order stays, and other columns are carried
    over as they are.

    Args:
        path: A Parquet file, or a folder of such files, read in order of their names.
        output: The Parquet file to write; with Spark a folder of them.
        metrics: Specs such as ``"bleu"``; the column of scores is called as the spec is.
        language: The target language.
        hypothesis_column: Column of the translations; else ``hypothesis``.
        reference_column: Column of one reference, or a list of them, per row; else ``reference`` or
            ``references``.
        source_column: Column of source texts, for metrics that read them; else ``source``.
        system_column: Column of the names of systems; else ``system``, if there is one.
        keep_texts: Whether the result has the columns of texts and systems too.
        jobs: Worker processes of this machine.
        engine: ``"local"`` or ``"spark"``.
        master: Address of a Spark cluster; else the session that is open, or this machine.
        ship_resources: Whether Spark's workers are sent the dictionaries, tables and models that
            are installed here; else each has them itself.

    Returns:
        The corpus scores of each system.
    """
    request = TableRequest(
        specs=(metrics,) if isinstance(metrics, str) else tuple(metrics),
        language=language,
        columns=ColumnNames(
            hypothesis=hypothesis_column,
            reference=reference_column,
            source=source_column,
            system=system_column,
        ),
        keep_texts=keep_texts,
        jobs=jobs,
    )
    if engine not in list(TableEngine):
        raise UsageError(f"there is no engine {engine!r}; choose {' or '.join(TableEngine)}.")
    chosen = TableEngine(engine)
    return ScoreTable(
        run_table(
            fspath(path),
            fspath(output),
            request,
            chosen,
            master=master,
            ship_resources=ship_resources,
        )
    )


def run_table(
    path: str,
    output: str,
    request: TableRequest,
    engine: TableEngine,
    *,
    master: str | None = None,
    ship_resources: bool = False,
) -> ScoreSet:
    """Score a table by an engine; see `score_table`."""
    if engine is TableEngine.LOCAL:
        if master is not None or ship_resources:
            raise UsageError("a master and shipping are for Spark: choose the engine spark.")
        return score_table_here(path, output, request)
    # Here, so that 'tenbin score' loads nothing of Spark unless it is asked for.
    from tenbin.tables.spark.run import score_table_on_spark  # noqa: PLC0415

    return score_table_on_spark(path, output, request, master=master, ship_resources=ship_resources)
