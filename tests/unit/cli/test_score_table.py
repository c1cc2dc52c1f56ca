"""``tenbin score --input``: options, what is printed, and how it ends."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

Cli = Callable[..., subprocess.CompletedProcess[str]]
TABLE = ("score", "--input", "pairs.parquet", "-o", "scores.parquet", "-l", "en")


@pytest.fixture
def table(texts: Path) -> Path:
    """The folder of `texts` with the same texts as a table."""
    reference = (texts / "ref.txt").read_text().splitlines()
    rows = {
        "hypothesis": (texts / "good.txt").read_text().splitlines(),
        "reference": reference,
        "id": list(range(len(reference))),
    }
    parquet.write_table(pa.table(rows), texts / "pairs.parquet")
    return texts


def refused(done: subprocess.CompletedProcess[str], code: int) -> str:
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("tenbin: error: ")
    return done.stderr


@pytest.mark.usefixtures("table")
def test_the_same_scores_as_for_text_files(cli: Cli) -> None:
    done = cli(*TABLE, "-f", "json")  # bleu and chrf by default, whatever is installed
    files = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")
    plain = cli("score", *files, "-m", "bleu", "chrf", "-f", "json", "--segments")
    found, expected = json.loads(done.stdout)["results"], json.loads(plain.stdout)["results"]
    for one, other in zip(found, expected, strict=True):
        assert one["score"] == other["score"]
        assert one["signature"] == other["signature"]
        column = parquet.read_table("scores.parquet").column(one["metric"])
        assert column.to_pylist() == other["segments"]
    assert done.stderr == ""


@pytest.mark.usefixtures("table")
def test_the_table_is_printed_with_signatures(cli: Cli) -> None:
    done = cli(*TABLE, "-m", "chrf", "--drop-texts")
    assert done.stdout.splitlines()[0].split() == ["System", "chrF", "↑"]
    assert done.stdout.splitlines()[2].startswith("pairs ")
    assert "  chrf|lang:en|nrefs:1|" in done.stdout
    assert parquet.read_table("scores.parquet").column_names == ["id", "chrf"]


def test_columns_of_other_names(cli: Cli, table: Path) -> None:
    rows = parquet.read_table(table / "pairs.parquet")
    usual = cli(*TABLE, "-m", "chrf", "-f", "tsv").stdout
    count = rows.num_rows
    renamed = rows.rename_columns(["ours", "theirs", "id"])
    for name in ("foreign", "engine"):
        renamed = renamed.append_column(name, pa.array(["pairs"] * count))
    parquet.write_table(renamed, table / "pairs.parquet")
    texts = ("--hypothesis-column", "ours", "--reference-column", "theirs")
    named = (*texts, "--system-column", "engine")
    assert cli(*TABLE, "-m", "chrf", "-f", "tsv", *named).stdout == usual
    message = refused(cli(*TABLE, "-m", "chrf", *texts, "--system-column", "engines"), 3)
    assert "there is no column 'engines'. Did you mean 'engine'?" in message
    assert "Name one (system_column)" in message


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-r", "ref.txt"), "-r: not with a table"),
        (("--ci", "--segments"), "--ci, --segments: not with a table"),
        (("--set", "bundled:example"), "--set: not with a table"),
        (("--jobs", "-1"), "--jobs -1"),
        (("--master", "local[2]"), "choose the engine spark"),
        (("--ship-resources",), "choose the engine spark"),
        (("-m", "nist"), "learned from all texts of a test set"),
        (("-m", "chrf", "chrf()"), "given twice"),
    ],
)
def test_wrong_usage(cli: Cli, words: tuple[str, ...], message: str) -> None:
    assert message in refused(cli(*TABLE, *words), 2)


@pytest.mark.usefixtures("table")
def test_what_is_missing(cli: Cli) -> None:
    no_output = ("score", "--input", "pairs.parquet", "-l", "en")
    assert "-o FILE.parquet" in refused(cli(*no_output), 2)
    assert "-l en" in refused(cli("score", "--input", "pairs.parquet", "-o", "s.parquet"), 2)
    alone = ("score", "-r", "ref.txt", "-t", "good.txt", "-l", "en", "--drop-texts")
    assert "--drop-texts: only with a table" in refused(cli(*alone), 2)


def test_spark_that_is_not_installed(
    cli: Cli, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    message = refused(cli(*TABLE, "--engine", "spark"), 4)
    assert "pip install 'tenbin[spark]'" in message
    assert not (table / "scores.parquet").exists()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_nothing(table: Path, endless: Any, jobs: int) -> None:
    rows = parquet.read_table(table / "pairs.parquet")
    (table / "scores.parquet").write_text("old")
    parquet.write_table(pa.concat_tables([rows] * 1_000), table / "pairs.parquet")
    before = sorted(file.name for file in table.iterdir())
    command = [sys.executable, "-m", "tenbin", *TABLE, "-m", endless.spec, "--jobs", str(jobs)]
    with subprocess.Popen(
        command, cwd=table, stderr=subprocess.PIPE, text=True, env=endless.environment
    ) as running:
        endless.wait_for(running, jobs)
        assert list(table.glob(".tenbin-*"))
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate()
    assert running.returncode == 130
    assert errors == "tenbin: interrupted; no file was changed.\n"
    assert sorted(file.name for file in table.iterdir()) == before
    assert (table / "scores.parquet").read_text() == "old"
