"""The ending of its file tells the form of a result, of every command that has one."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.cli.forms import form_by_ending
from tenbin.core.errors import UsageError

Cli = Callable[..., subprocess.CompletedProcess[str]]

TEXTS = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")

pytestmark = pytest.mark.usefixtures("texts")


@pytest.mark.parametrize("name", ["a.json", "a.JSON"])
def test_an_explanation_in_a_file_called_json_is_json(cli: Cli, name: str) -> None:
    assert cli("explain", *TEXTS, "-m", "meteor", "-n", "1", "-o", name).returncode == 0
    assert json.loads(Path(name).read_text(encoding="utf-8"))


def test_what_is_said_decides(cli: Cli) -> None:
    words = ("explain", *TEXTS, "-m", "meteor", "-n", "1", "-f", "text", "-o", "a.json")
    assert cli(*words).returncode == 0
    assert not Path("a.json").read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.html", "a.jsonl", "a.txt.gz"])
def test_a_form_that_a_command_does_not_write_is_refused(cli: Cli, name: str) -> None:
    failed = cli("explain", *TEXTS, "-m", "meteor", "-n", "1", "-o", name)
    assert failed.returncode == 2
    assert f"-o {name}: no result of this command has the form that this ending says" in (
        failed.stderr
    )
    assert "Say with -f which form it is to have: text, json." in failed.stderr
    assert not Path(name).exists()


def test_the_table_of_scores_is_no_result_that_is_printed(cli: Cli) -> None:
    pa = pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"reference": ["a cat"], "hypothesis": ["the cat"]}), "a.parquet")
    words = ("score", "--input", "a.parquet", "-l", "en", "-m", "chrf")
    done = cli(*words, "-o", "b.parquet")
    assert done.returncode == 0, done.stderr
    assert "chrF" in done.stdout
    assert parquet.read_table("b.parquet").num_rows == 1
    before = Path("a.parquet").read_bytes()
    assert cli(*words, "-o", "a.parquet").returncode == 2
    assert Path("a.parquet").read_bytes() == before


def test_other_names_have_the_usual_form() -> None:
    for path in (None, "-", "a", "a.txt", "a.en", ".json"):
        assert form_by_ending(path, ["text", "json"], "text") == "text"
    assert form_by_ending("a.md", ["text", "markdown"], "text") == "markdown"
    with pytest.raises(UsageError, match=r"Call a spreadsheet \.xlsx"):
        form_by_ending("a.ods", ["text", "xlsx"], "text")


@pytest.mark.parametrize("command", ["metrics", "doctor"])
def test_a_command_without_a_file_speaks_of_none(cli: Cli, command: str) -> None:
    words = " ".join(cli(command, "--help").stdout.split())
    assert "form of the result: text, json (default: text)" in words
