"""Paraphrases pivoted on a cluster that loses a machine are those of DuckDB."""

import os
import select
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.building.paraphrases.pivot import Engine, EngineName, Pivoting, _Spark, pivot

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("duckdb")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

_BACKEND = "CoarseGrainedExecutorBackend"


def executors() -> list[int]:
    """Return the processes that do a cluster's work, of clusters that this process started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and _BACKEND in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended
    return [process for process in found if os.getpid() in ancestors(process)]


def ancestors(process: int) -> list[int]:
    above = []
    while process > 1:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        process = int(fields[1])
        above.append(process)
    return above


def pivoted(source: Path, folder: Path, engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each result, in an order that does not depend on the engine."""
    (folder / "spill").mkdir(parents=True)
    pivoting = Pivoting(least_share=0.05, least_pair=0.02)
    places = pivot([source], folder, pivoting, engine, spill=folder / "spill")
    return {
        name: sorted(parquet.read_table(place).to_pylist(), key=lambda row: sorted(row.items()))
        for name, place in places.items()
    }


def test_a_machine_is_lost_between_two_steps(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "pidfd_open"):
        pytest.skip("processes are those of Linux")
    rng = np.random.default_rng(3)
    draws = rng.integers([2, 12, 12, 4], size=(2_000, 4)).tolist()
    columns = {
        "lang": ["de" if a else "fr" for a, *_ in draws],
        "f": [b for _, b, *_ in draws],
        "e": [c for *_, c, _ in draws],
        "n": [1 + n for *_, n in draws],
    }
    source = tmp_path / "rows.parquet"
    parquet.write_table(pa.table(columns), source)
    local = pivoted(source, tmp_path / "duckdb", Engine(threads=1))
    victims = executors()
    assert len(victims) == 2
    write, ended = _Spark.write, list[str]()

    def write_and_lose(self: _Spark, query: str, folder: Path) -> None:
        write(self, query, folder)
        if not ended:
            process = os.pidfd_open(victims[0])
            os.kill(victims[0], signal.SIGKILL)
            select.select([process], [], [])  # until it is dead
            os.close(process)
            ended.append(folder.name)

    monkeypatch.setattr(_Spark, "write", write_and_lose)
    engine = Engine(name=EngineName.SPARK, master=cluster.sparkContext.master)
    spark = pivoted(source, tmp_path / "spark", engine)
    assert ended == ["counts"]
    assert victims[0] not in executors()
    assert all(local.values())
    assert local == spark
