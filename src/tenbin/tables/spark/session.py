"""Starts Spark, or finds the session that is open already."""

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
# Of a Java process that runs already, which tells what it set; of a new one a file says it.
_QUIET = {"spark.log.level": "ERROR"}
_LOGGING = Path(__file__).with_name("log4j2.properties")
_JAVA_OPTIONS = "SPARK_SUBMIT_OPTS"
# Nobody looks at the web page of a cluster that lives for one command, and nobody outside this
# machine is to talk to it: Spark's ports take commands from all who can reach them.
_OWN_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


@contextmanager
def spark_session(
    master: str | None, name: str, settings: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """Give a Spark session: the open one as it is, or a new one that ends with the block.

    A program that was started by ``spark-submit``, and a notebook, have a session of their own;
    what was said there about cluster and memory holds.

    Args:
        master: Address of the cluster; None: as ``spark-submit`` says, else this machine.
        name: What the cluster calls the job.
        settings: Spark's settings for a new session.

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
    """Change settings of a session that may be somebody else's, and change them back."""
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
    # Workers must run this Python, not the first one on the PATH; an archive of an environment
    # that is sent to them names its own.
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
        with _errors_alone():
            return builder.getOrCreate()
    except Exception as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        advice = "It needs Java 17 and, with --master, a cluster that can be reached."
        raise ResourceError(f"Spark could not be started ({problem}). {advice}") from error


@contextmanager
def _errors_alone() -> Iterator[None]:
    """Let a Java process that is started inside the block tell of errors and nothing else.

    A cluster with a file of its own about logs (``SPARK_CONF_DIR``) has its way.
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
    """Return whether there is a Java process, of ``spark-submit`` or of an earlier session."""
    context = import_module("pyspark").SparkContext
    return _is_submitted() or context._gateway is not None  # noqa: SLF001


def _is_submitted() -> bool:
    """Return whether ``spark-submit`` runs this program, which has a master then."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _check_master(session: Any, master: str | None) -> None:  # noqa: ANN401
    running = session.sparkContext.master
    if master not in {None, running}:
        raise UsageError(
            f"a Spark session is open on {running}, and {master} was asked for. Leave out the "
            "master, or stop that session first."
        )
