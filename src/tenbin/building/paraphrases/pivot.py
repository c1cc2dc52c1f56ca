"""Paraphrases by pivoting: the steps of ``pivot.sql``, run by DuckDB or by Spark."""

import errno
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from tenbin.building.work_folder import ROOM_ADVICE
from tenbin.core.errors import MissingExtra, OutputError, UsageError
from tenbin.tables.spark.session import session_settings, spark_memory, spark_session

UNITS = 10**12  # of which probabilities are whole multiples, see pivot.sql
RESULTS = ("sets", "pairs")

_STEP = re.compile(r"^-- step (\w+):.*$", re.MULTILINE)
_SOURCE = "phrase_pairs"


class EngineName(StrEnum):
    """The SQL engine."""

    DUCKDB = "duckdb"
    SPARK = "spark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pivoting:
    """The filters of the pivoting.

    Attributes:
        least_count: Pairs of phrases that occur less often are left out.
        least_share: So are pairs with a smaller p(e|f).
        least_pair: Pairs of paraphrases with a smaller p(e2|e1) get no probability, but stay in
            the sets.
    """

    least_count: int = 1
    least_share: float = 0.0
    least_pair: float = 0.01

    def __post_init__(self) -> None:
        if self.least_count < 1:
            raise UsageError(f"least_count={self.least_count}: give a number of at least 1.")
        if not 0 <= self.least_share <= 1:
            raise UsageError(f"least_share={self.least_share}: give a number from 0 to 1.")
        if not 0 < self.least_pair <= 1:
            raise UsageError(f"least_pair={self.least_pair}: give a number above 0, at most 1.")

    @property
    def numbers(self) -> dict[str, int]:
        """The parameters of the SQL."""
        return {
            "least_count": self.least_count,
            "least_share": round(self.least_share * UNITS),
            "least_pair": round(self.least_pair * UNITS),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The SQL engine and its limits.

    Attributes:
        name: DuckDB in this process, or Spark.
        memory: Most memory that DuckDB takes before it spills to disk, or a Spark driver has.
        threads: Threads of DuckDB; 0: one a core.
        master: Spark's master; default: this machine.
    """

    name: EngineName = EngineName.DUCKDB
    memory: str = "4GB"
    threads: int = 0
    master: str = "local[*]"


class _Session(Protocol):
    def view(self, name: str, paths: Sequence[Path]) -> None:
        """Name a set of Parquet files."""

    def write(self, query: str, folder: Path) -> None:
        """Write the rows of a query to Parquet files in a new folder."""


def steps(numbers: Mapping[str, int]) -> dict[str, str]:
    """Return the queries of ``pivot.sql`` by name, in their order."""
    text = (files("tenbin.building.paraphrases") / "pivot.sql").read_text(encoding="utf-8")
    parts = _STEP.split(text)[1:]
    named = dict(zip(parts[::2], parts[1::2], strict=True))
    return {
        name: re.sub(r":(\w+)", lambda found: str(numbers[found[1]]), query).strip()
        for name, query in named.items()
    }


def pivot(
    sources: Sequence[Path], folder: Path, pivoting: Pivoting, engine: Engine, *, spill: Path
) -> dict[str, Path]:
    """Run all steps; return the folders of the steps in `RESULTS`, below ``folder``.

    Args:
        sources: Files of Parquet with phrase pairs, see `write_phrase_pairs`.
        folder: Where the results go.
        pivoting: What is left out.
        engine: What runs the SQL.
        spill: Where what does not fit into memory goes; steps in between go there too.

    Raises:
        MissingExtra: DuckDB or pyspark is not installed.
        ResourceError: Spark cannot be started.
        OutputError: The disk is full.
    """
    opened = _duckdb if engine.name is EngineName.DUCKDB else _spark
    places = {}
    with opened(engine, spill) as session:
        session.view(_SOURCE, sources)
        for name, query in steps(pivoting.numbers).items():
            place = (folder if name in RESULTS else spill) / name
            session.write(query, place)
            session.view(name, part_files(place))
            places[name] = place
    return {name: places[name] for name in RESULTS}


def part_files(folder: Path) -> list[Path]:
    """Return the files of a result."""
    return sorted(folder.glob("*.parquet"))


class _DuckDB:
    def __init__(self, connection: Any) -> None:  # noqa: ANN401 - typed by strings only
        self._connection = connection

    def view(self, name: str, paths: Sequence[Path]) -> None:
        # A view cannot have parameters.
        listed = ", ".join(_quoted(path) for path in paths)
        self._connection.execute(f"CREATE VIEW {name} AS FROM read_parquet([{listed}])")

    def write(self, query: str, folder: Path) -> None:
        folder.mkdir()
        target = _quoted(folder / "part-0.parquet")
        self._connection.execute(f"COPY ({query}) TO {target} (FORMAT parquet, COMPRESSION zstd)")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


@contextmanager
def _duckdb(engine: Engine, spill: Path) -> Iterator[_Session]:
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        raise MissingExtra("building a paraphrase table", "build") from error
    settings: dict[str, Any] = {
        "memory_limit": engine.memory,
        "temp_directory": str(spill / "duckdb"),
    }
    if engine.threads:
        settings["threads"] = engine.threads
    try:
        connection = duckdb.connect(config=settings)
    except duckdb.Error as error:
        raise UsageError(f"memory={engine.memory}: give a size such as 4GB. ({error})") from error
    with connection:
        try:
            yield _DuckDB(connection)
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            raise _unfinished(spill, str(error)) from error
        except RuntimeError as error:
            if "interrupted" in str(error):  # how DuckDB reports Ctrl-C
                raise KeyboardInterrupt from error
            raise


def _unfinished(spill: Path, problem: str) -> OutputError:
    full = os.strerror(errno.ENOSPC)
    if full in problem:
        return OutputError(f"{spill}: DuckDB could not finish ({full}). {ROOM_ADVICE}")
    advice = "Allow more memory (`memory`), or choose a work folder with more room (`work`)."
    first = problem.splitlines()[0]
    return OutputError(f"{spill}: DuckDB could not finish ({first}). {advice}")


class _Spark:
    def __init__(self, session: Any) -> None:  # noqa: ANN401
        self._session = session

    def view(self, name: str, paths: Sequence[Path]) -> None:
        read = self._session.read.parquet(*[str(path) for path in paths])
        read.createOrReplaceTempView(name)

    def write(self, query: str, folder: Path) -> None:
        self._session.sql(query).write.parquet(str(folder))


@contextmanager
def _spark(engine: Engine, spill: Path) -> Iterator[_Session]:
    settings = {
        "spark.driver.memory": spark_memory(engine.memory),
        "spark.local.dir": str(spill / "spark"),
        "spark.sql.warehouse.dir": str(spill / "warehouse"),
    }
    with (
        spark_session(engine.master, "tenbin build paraphrases", settings) as session,
        session_settings(session, {"spark.sql.ansi.enabled": "true"}),
    ):
        yield _Spark(session)
