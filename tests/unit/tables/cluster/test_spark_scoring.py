"""A cluster gives the table of this machine, to the last bit, whatever happens to its workers."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import tenbin

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

Kill = Callable[[Path, int], Thread]
WORDS = ("the", "cat", "sat", "on", "a", "mat", "while", "rain", "fell", "over", "our", "town")
STOP = "stop here"


def rows(count: int, *, stop: int | None = None) -> Any:
    """Rows of three systems in turn; references are one to three texts."""
    texts = [" ".join(WORDS[number % 7 :: 1 + number % 3]) for number in range(count)]
    references = [
        [" ".join(WORDS[(number + shift) % 5 :]) for shift in range(1 + number % 3)]
        for number in range(count)
    ]
    if stop is not None:
        texts[stop] = STOP
    columns = {
        "system": ["xyz"[number % 3] for number in range(count)],
        "hypothesis": texts,
        "references": references,
        "id": list(range(count)),
        "a.b (c)": [{"n": number, "t": ["x"] * (number % 3)} for number in range(count)],
    }
    return pa.table(columns)


def folder_of(table: Any, folder: Path) -> Path:
    """Files of very different size, which Spark would not read in order of their names."""
    folder.mkdir()
    bounds = [0, 50, 60, table.num_rows]
    for number, (start, stop) in enumerate(pairwise(bounds)):
        part = table.slice(start, stop - start)
        parquet.write_table(part, folder / f"{number}.parquet", row_group_size=500)
    return folder


def both(path: Path, metrics: list[str]) -> tuple[Any, Any]:
    """Score here and on the cluster; the tables must be equal. Return both corpus scores."""
    here, there = path.parent / "here.parquet", path.parent / "there.parquet"
    options: dict[str, Any] = {"metrics": metrics, "language": "en"}
    spark = tenbin.score_table(path, there, engine="spark", **options).to_dict()
    local = tenbin.score_table(path, here, **options).to_dict()
    one, other = parquet.read_table(here), parquet.read_table(there)
    assert one.column_names == other.column_names
    for name in one.column_names:
        assert one.column(name).to_pylist() == other.column(name).to_pylist(), name
    return local, spark


@pytest.mark.usefixtures("cluster")
def test_the_same_table_as_here(tmp_path: Path) -> None:
    path = folder_of(rows(3_000), tmp_path / "pairs.parquet")
    local, spark = both(path, ["bleu", "chrf(word_order=1)", "meteor"])
    assert local == spark
    parts = sorted((tmp_path / "there.parquet").glob("part-*.parquet"))
    assert len(parts) == 3
    described = json.loads((tmp_path / "there.parquet" / "_tenbin.json").read_text())
    assert described["signatures"]["bleu"] == local["results"][0]["signature"]
    written = json.loads(
        parquet.read_schema(parts[0]).metadata[b"org.apache.spark.sql.parquet.row.metadata"]
    )
    assert written["fields"][-1]["metadata"]["signature"] == local["results"][-1]["signature"]


@pytest.mark.usefixtures("cluster")
def test_metrics_that_read_no_reference(tmp_path: Path) -> None:
    """The references of the table may be missing, all or some, and the table may have none."""
    lines = [f"{word} {place % 5} {place % 7}" for place, word in enumerate(WORDS, start=1)]
    vectors = tmp_path / "both.vec"
    vectors.write_text("\n".join([f"{len(WORDS)} 2", *lines]) + "\n", encoding="utf-8")
    spec = f"yisi2(vectors={str(vectors)!r}, source_vectors={str(vectors)!r}, idf=none)"
    plain = rows(300)
    texts = [some[0] for some in plain.column("references").to_pylist()]
    plain = plain.drop_columns("references").append_column("source", pa.array(texts))
    found = []
    for number, references in enumerate((None, texts, [None, *texts[1:]])):
        table = plain
        if references is not None:
            table = plain.append_column("reference", pa.array(references, pa.string()))
        (tmp_path / str(number)).mkdir()
        local, spark = both(folder_of(table, tmp_path / f"{number}/pairs.parquet"), [spec])
        assert local == spark
        found.append(local)
    assert found == found[:1] * 3
    assert "|nrefs:0|" in found[0]["results"][0]["signature"]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(("steps", "victim"), [(0, "pyspark"), (2, "ExecutorBackend")])
def test_a_worker_is_killed_on_the_way(tmp_path: Path, kill: Kill, steps: int, victim: str) -> None:
    gate = tmp_path / "gate"
    gate.mkdir()
    path = folder_of(rows(3_000, stop=1_500), tmp_path / "pairs.parquet")
    killing = kill(gate, steps)
    local, spark = both(path, ["chrf", f'gated(folder="{gate}")'])
    killing.join()
    assert victim in (gate / "killed").read_text()
    assert local == spark


@pytest.mark.usefixtures("cluster")
def test_bad_rows_are_named_and_nothing_is_left(tmp_path: Path) -> None:
    table = rows(200)
    texts = table.column("hypothesis").to_pylist()
    texts[170] = None
    path = folder_of(table.set_column(1, "hypothesis", pa.array(texts)), tmp_path / "pairs.parquet")
    options: dict[str, Any] = {"language": "en", "engine": "spark", "metrics": ["chrf"]}
    with pytest.raises(tenbin.InputError, match=r"2\.parquet, row 111: the column 'hypothesis'"):
        tenbin.score_table(path, tmp_path / "out.parquet", **options)
    with pytest.raises(tenbin.InputError, match="there is no column 'mt'"):
        tenbin.score_table(path, tmp_path / "out.parquet", hypothesis_column="mt", **options)
    (tmp_path / "text.parquet").write_text("no table")
    with pytest.raises(tenbin.InputError, match=r"text\.parquet: Spark cannot read it"):
        tenbin.score_table(tmp_path / "text.parquet", tmp_path / "out.parquet", **options)
    with pytest.raises(tenbin.OutputError, match="this exists already"):
        tenbin.score_table(path, path, **options)
    with pytest.raises(tenbin.UsageError, match="a Spark session is open on local-cluster"):
        tenbin.score_table(path, tmp_path / "out.parquet", master="local[2]", **options)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pairs.parquet", "text.parquet"]


@pytest.mark.usefixtures("cluster")
def test_files_that_specs_name_are_sent(tmp_path: Path) -> None:
    vectors = tmp_path / "own vectors.txt"
    vectors.write_text("".join(f"{word} {len(word)} {ord(word[0])}\n" for word in set(WORDS)))
    path = folder_of(rows(100), tmp_path / "pairs.parquet")
    local, spark = both(path, [f'sv(vectors="{vectors}")'])
    assert local == spark
