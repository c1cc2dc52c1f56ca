"""A Spark cluster of two worker processes on this machine, and ways to hurt it."""

import os
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tenbin.metrics import registry

MASTER = "local-cluster[2,1,1024]"
_SECONDS_TO_START = 600

Kill = Callable[[Path, int], threading.Thread]


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An open session on a cluster whose workers know the metric ``gated``."""
    sql = pytest.importorskip("pyspark.sql", reason="the extra 'spark' is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and there is none")
    if os.name != "posix":
        pytest.skip("Spark's local cluster needs its shell scripts")
    plugins = tmp_path_factory.mktemp("plugins")
    shutil.copy(Path(__file__).with_name("gated_metric.py"), plugins)
    info = plugins / "gated_metric-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gated-metric\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tenbin.metrics]\ngated = gated_metric:Gated\n")
    sys.path.insert(0, str(plugins))
    registry._third_party.cache_clear()
    # A machine may not know its own name.
    wanted = {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "localhost",
    }
    before = {name: os.environ[name] for name in wanted if name in os.environ}
    os.environ.update(wanted)
    # A short life is not worth much compiling.
    brief = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    settings = {
        "spark.driver.extraJavaOptions": brief,
        "spark.executor.extraJavaOptions": brief,
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(
            [str(plugins), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.log.level": "OFF",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = sql.SparkSession.builder.master(MASTER).appName("tests of tenbin")
    for key, value in settings.items():
        builder = builder.config(key, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = builder.getOrCreate()
    _wait_for_workers(session)
    yield session
    session.stop()
    sys.path.remove(str(plugins))
    registry._third_party.cache_clear()
    for name in wanted:
        del os.environ[name]
    os.environ.update(before)


def _wait_for_workers(session: Any) -> None:
    """Skip where the machine lets no worker talk to the driver, instead of waiting for ever."""
    done = threading.Event()

    def count() -> None:
        session.sparkContext.parallelize(range(2), 2).count()
        done.set()

    threading.Thread(target=count, daemon=True).start()
    if not done.wait(_SECONDS_TO_START):
        session.stop()
        pytest.skip(f"no worker of {MASTER} answered in {_SECONDS_TO_START} seconds")


def parent_of(process: int) -> int:
    """Return the id of the process that started another one."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("PPid:")).split()[1])


@pytest.fixture
def kill() -> Kill:
    """Start a thread that ends the first worker at the gate, then opens the gate."""
    if not Path("/proc/self/status").is_file():
        pytest.skip("processes are found by /proc, which this system does not have")

    def start(gate: Path, steps: int) -> threading.Thread:
        def act() -> None:
            while not (found := list(gate.glob("worker-*"))):
                time.sleep(0.02)
            worker = int(found[0].name.removeprefix("worker-"))
            victim = worker
            for _ in range(steps):
                victim = parent_of(victim)
            (gate / "killed").write_text(Path(f"/proc/{victim}/cmdline").read_text())
            os.kill(victim, signal.SIGKILL)
            (gate / "open").touch()

        thread = threading.Thread(target=act, daemon=True)
        thread.start()
        return thread

    return start
