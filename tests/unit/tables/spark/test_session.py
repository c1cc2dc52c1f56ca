"""How Spark is started, seen from a stand-in that only writes down what it was told."""

import os
import sys
from types import SimpleNamespace
from typing import Self

import pytest

from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.tables.spark.session import session_settings, spark_session

LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


class Builder:
    """Spark's builder of sessions, and the session that it builds."""

    def __init__(self) -> None:
        self.settings: dict[str, str] = {}
        self.address: str | None = None
        self.problem: str | None = None
        self.stopped = 0

    def appName(self, name: str) -> Self:  # noqa: N802 - as Spark calls it
        self.settings["spark.app.name"] = name
        return self

    def master(self, address: str) -> Self:
        self.address = address
        return self

    def config(self, key: str, value: str) -> Self:
        self.settings[key] = value
        return self

    def getOrCreate(self) -> Self:  # noqa: N802 - as Spark calls it
        if self.problem is not None:
            raise RuntimeError(self.problem)
        return self

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def builder(monkeypatch: pytest.MonkeyPatch) -> Builder:
    made = Builder()
    sessions = SimpleNamespace(builder=made, getActiveSession=lambda: None)
    context = SimpleNamespace(_gateway=None)
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(SparkContext=context))
    monkeypatch.setitem(sys.modules, "pyspark.sql", SimpleNamespace(SparkSession=sessions))
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    return made


@pytest.mark.parametrize("master", [None, "local[2]"])
def test_a_session_of_this_machine_is_out_of_reach_for_others(
    builder: Builder, master: str | None
) -> None:
    with spark_session(master, "a job"):
        pass
    assert builder.address == (master or "local[*]")
    assert LOOPBACK.items() <= builder.settings.items()
    assert builder.settings["spark.ui.enabled"] == "false"
    assert builder.stopped == 1


def test_workers_of_a_cluster_can_reach_the_driver(builder: Builder) -> None:
    with spark_session("spark://host:7077", "a job", {"spark.driver.memory": "1g"}):
        pass
    assert builder.address == "spark://host:7077"
    assert not LOOPBACK.keys() & builder.settings.keys()
    assert builder.settings["spark.driver.memory"] == "1g"


def test_what_was_submitted_keeps_its_master(
    builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    with spark_session(None, "a job"):
        pass
    assert builder.address is None
    assert not LOOPBACK.keys() & builder.settings.keys()


def test_workers_run_the_python_that_runs_this_unless_another_is_named(
    builder: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "./environment/bin/python")
    with spark_session(None, "a job"):
        assert os.environ["PYSPARK_PYTHON"] == "./environment/bin/python"
    monkeypatch.delenv("PYSPARK_PYTHON")
    with spark_session(None, "a job"):
        assert os.environ["PYSPARK_PYTHON"] == sys.executable
    assert builder.stopped == 2


def test_a_session_ends_when_its_block_fails(builder: Builder) -> None:
    with pytest.raises(ZeroDivisionError), spark_session(None, "a job"):
        raise ZeroDivisionError
    assert builder.stopped == 1


def test_an_open_session_is_taken_as_it_is_and_stays_open(builder: Builder) -> None:
    spark = sys.modules["pyspark.sql"].SparkSession
    spark.getActiveSession = lambda: builder
    builder.sparkContext = SimpleNamespace(master="yarn")  # type: ignore[attr-defined]
    for master in (None, "yarn"):
        with spark_session(master, "a job") as session:
            assert session is builder
    with (
        pytest.raises(UsageError, match=r"open on yarn, and spark://host:7077 was asked for"),
        spark_session("spark://host:7077", "a job"),
    ):
        pass
    assert not builder.settings
    assert not builder.stopped


def test_what_keeps_spark_from_starting_is_told_in_one_line(builder: Builder) -> None:
    builder.problem = "Java gateway process exited\nmany\nlines"
    with (
        pytest.raises(ResourceError, match=r"\(Java gateway process exited\)\. It needs Java 17"),
        spark_session(None, "a job"),
    ):
        pass


def test_without_pyspark_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingExtra, match=r"tenbin\[spark\]"), spark_session(None, "a job"):
        pass


def test_settings_of_somebody_elses_session_are_put_back() -> None:
    kept = {"a": "1"}
    session = SimpleNamespace(
        conf=SimpleNamespace(get=kept.get, set=kept.__setitem__, unset=kept.__delitem__)
    )

    def failing() -> None:
        with session_settings(session, {"a": "2", "b": "3"}):
            assert kept == {"a": "2", "b": "3"}
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert kept == {"a": "1"}
