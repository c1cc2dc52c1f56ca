"""Starts a Spark session, or uses the one that is open."""

import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.errors import MissingExtra, ResourceError, UsageError

THIS_MACHINE = "local[*]"

_SETTINGS = {"spark.ui.showConsoleProgress": "false"}
# For a Java process that is running already; a new one reads the log4j2 file.
_QUIET = {"spark.log.level": "ERROR"}
_LOGGING = Path(__file__).with_name("log4j2.properties")
_JAVA_OPTIONS = "SPARK_SUBMIT_OPTS"
# A local cluster for one command needs no web interface, and must not be reachable from outside
# this machine: Spark's ports accept commands from anyone who can reach them.
_OWN_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


@contextmanager
def spark_session(
    master: str | None, name: str, settings: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """Give a Spark session: the open one unchanged, or a new one that ends with the block.

    A program started by ``spark-submit``, and a notebook, have their own session; its settings for
    cluster and memory are used.

    Args:
        master: URL of the cluster; None: that of ``spark-submit``, else this machine.
        name: Name of the job.
        settings: Spark settings for a new session.

    Raises:
        MissingExtra: pyspark is not installed.
        UsageError: The open session is of another cluster.
        ResourceError: Spark cannot be started.
    """
    try:
        sql = import_module("pyspark.sql")
    except ImportError as error:
        raise MissingExtra("the engine spark", "spark") from error
    with warnings.catch_warnings():
        # pyspark is behind the latest pandas, which is not used here.
        warnings.simplefilter("ignore", FutureWarning)
        running = sql.SparkSession.getActiveSession()
        if running is not None:
            _check_master(running, master)
            yield running
            return
        session = _started(sql, master, name, settings or {})
        try:
            yield session
        finally:
            session.stop()


@contextmanager
def session_settings(session: Any, wanted: Mapping[str, str]) -> Iterator[None]:  # noqa: ANN401
    """Change settings of a session inside the block, and restore them afterwards."""
    before = {key: session.conf.get(key, None) for key in wanted}
    for key, value in wanted.items():
        session.conf.set(key, value)
    try:
        yield
    finally:
        for key, value in before.items():
            session.conf.unset(key) if value is None else session.conf.set(key, value)


def spark_memory(size: str) -> str:
    """Return a size as Spark writes it.

    >>> spark_memory("4GB"), spark_memory("512MiB"), spark_memory("2g")
    ('4G', '512M', '2g')
    """
    return re.sub(r"(?i)(?<=\d)([kmgt])i?b$", r"\1", size)


def _started(sql: Any, master: str | None, name: str, settings: Mapping[str, str]) -> Any:  # noqa: ANN401
    # Workers must run this Python, not the first one on the PATH, unless an environment that is
    # sent to them sets its own.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName(name)
    own = {}
    if master is not None or not _is_submitted():
        chosen = master or THIS_MACHINE
        builder = builder.master(chosen)
        own = _OWN_SETTINGS if chosen.startswith("local") else {}
    quiet = _QUIET if _is_running() else {}
    for key, value in {**_SETTINGS, **quiet, **own, **settings}.items():
        builder = builder.config(key, value)
    try:
        with _logging_errors_only():
            return builder.getOrCreate()
    except Exception as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        advice = "It needs Java 17 and, for a cluster, a master that can be reached."
        raise ResourceError(f"Spark could not be started ({problem}). {advice}") from error


@contextmanager
def _logging_errors_only() -> Iterator[None]:
    """Let a Java process that is started inside the block log errors only.

    A logging configuration of the cluster (``SPARK_CONF_DIR``) takes precedence.
    """
    before = os.environ.get(_JAVA_OPTIONS)
    if "SPARK_CONF_DIR" in os.environ or "log4j" in (before or ""):
        yield
        return
    os.environ[_JAVA_OPTIONS] = f"{before or ''} -Dlog4j2.configurationFile={_LOGGING.as_uri()}"
    try:
        yield
    finally:
        del os.environ[_JAVA_OPTIONS]
        if before is not None:
            os.environ[_JAVA_OPTIONS] = before


def _is_running() -> bool:
    """Return whether a Java process is running, of ``spark-submit`` or of an earlier session."""
    context = import_module("pyspark").SparkContext
    return _is_submitted() or context._gateway is not None  # noqa: SLF001


def _is_submitted() -> bool:
    """Return whether this program was started by ``spark-submit``, which sets the master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _check_master(session: Any, master: str | None) -> None:  # noqa: ANN401
    running = session.sparkContext.master
    if master not in {None, running}:
        raise UsageError(
            f"a Spark session is open on {running}, and {master} was asked for. Leave out the "
            "master, or stop that session first."
        )
