"""The call that scores a table in Parquet, here or on a cluster."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from os import PathLike, fspath

from tenbin.api.scoring import BASELINE_METRICS
from tenbin.core.caching import caching
from tenbin.core.errors import UsageError
from tenbin.core.parameters import one_of
from tenbin.core.scores import ScoreTable
from tenbin.core.spec import spec_list
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
    metrics: Sequence[str] | Mapping[str, str] = BASELINE_METRICS,
    language: str,
    hypothesis_column: str | None = None,
    reference_column: str | None = None,
    source_column: str | None = None,
    system_column: str | None = None,
    keep_texts: bool = True,
    jobs: int = 1,
    cache: bool = True,
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
        metrics: Specs such as ``"bleu"``, or a mapping from names of your own to specs; the column
            of scores is called as the name, or the spec, is.
        language: The target language.
        hypothesis_column: Column of the translations; else ``hypothesis``.
        reference_column: Column of one reference, or a list of them, per row; else ``reference`` or
            ``references``.
        source_column: Column of source texts, for metrics that read them; else ``source``.
        system_column: Column of the names of systems; else ``system``, if there is one.
        keep_texts: Whether the result has the columns of texts and systems too.
        jobs: Worker processes of this machine.
        cache: Whether encodings are read from the cache on disk and written there.
        engine: ``"local"`` or ``"spark"``.
        master: Address of a Spark cluster; else the session that is open, or this machine.
        ship_resources: Whether Spark's workers are sent the dictionaries, tables and models that
            are installed here; else each has them itself.

    Returns:
        The corpus scores of each system.
    """
    columns = {
        "hypothesis": hypothesis_column,
        "reference": reference_column,
        "source": source_column,
        "system": system_column,
    }
    return score_columns(
        fspath(path),
        fspath(output),
        metrics,
        language,
        columns=columns,
        keep_texts=keep_texts,
        jobs=jobs,
        cache=cache,
        engine=engine,
        master=master,
        ship_resources=ship_resources,
    )


def score_columns(  # noqa: PLR0913 - every option has a name
    path: str,
    output: str,
    metrics: Sequence[str] | Mapping[str, str],
    language: str,
    *,
    columns: Mapping[str, str | None],
    keep_texts: bool = True,
    jobs: int = 1,
    cache: bool = True,
    engine: str = TableEngine.LOCAL,
    master: str | None = None,
    ship_resources: bool = False,
    advance: Callable[[int], None] | None = None,
) -> ScoreTable:
    """Score a table as `score_table` does.

    Args:
        path: As in `score_table`, as are those not listed here.
        output: The result.
        metrics: Specs.
        language: The target language.
        columns: The columns of ``hypothesis``, ``reference``, ``source`` and ``system``; None for
            the usual one.
        keep_texts: Whether the result has the columns of texts and systems too.
        jobs: Worker processes of this machine.
        cache: Whether encodings are read from the cache on disk and written there.
        engine: ``"local"`` or ``"spark"``.
        master: Address of a Spark cluster.
        ship_resources: Whether Spark's workers are sent resources.
        advance: Called with the number of rows done, times metrics.
    """
    request = TableRequest(
        specs=tuple(spec_list(metrics)),
        language=language,
        columns=ColumnNames(**columns),
        keep_texts=keep_texts,
        jobs=jobs,
        advance=advance,
    )
    if one_of(TableEngine, engine, "engine") is TableEngine.SPARK:
        from tenbin.tables.spark.run import score_table_on_spark  # noqa: PLC0415 - slow, seldom used

        with caching(enabled=cache):
            return score_table_on_spark(
                path, output, request, master=master, ship_resources=ship_resources
            )
    if master is not None or ship_resources:
        raise UsageError("a master and shipping are for Spark: choose the engine spark.")
    with caching(enabled=cache):
        return score_table_here(path, output, request)
