"""``tenbin mbr``, ``tenbin rerank`` and ``tenbin oracle``."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]

NBEST = """\
0 ||| a dog sat ||| m= 1 ||| -1.0
0 ||| the cat sat ||| m= 2 ||| -0.5
0 ||| the cat sat down ||| m= 3 ||| -2.0
1 ||| hello ||| m= 1 ||| -3.0
1 ||| hello there ||| m= 1 ||| -4.0
"""


@pytest.fixture
def nbest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nbest.txt").write_text(NBEST)
    (tmp_path / "ref.txt").write_text("the cat sat\nhello there\n")
    return tmp_path


def test_chosen_texts_are_printed(nbest: Path, cli: Cli) -> None:
    done = cli("mbr", "-t", "nbest.txt", "-l", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "the cat sat down\nhello there\n"
    cli("mbr", "-t", "nbest.txt", "-l", "en", "-o", "chosen.txt", "-q")
    assert (nbest / "chosen.txt").read_text() == done.stdout


@pytest.mark.usefixtures("nbest")
def test_scores_and_positions_are_in_tables(cli: Cli) -> None:
    done = cli("mbr", "-t", "nbest.txt", "-l", "en", "-f", "json", "--aggregate", "--with-self")
    data = json.loads(done.stdout)
    assert data["kind"] == "mbr"
    assert "approximation" in data["method"]
    assert "mbr:all-aggregated" in data["features"][0]["signature"]
    first = data["segments"][0]
    assert sorted(one["candidate"] for one in first["candidates"]) == [1, 2, 3]
    assert first["text"] == first["candidates"][0]["text"]
    rows = cli("mbr", "-t", "nbest.txt", "-l", "en", "-f", "tsv").stdout.splitlines()
    assert rows[0].split("\t")[:6] == ["segment", "rank", "candidate", "score", "chosen", "text"]
    assert len(rows) == 6


def test_an_nbest_list_comes_back_in_order(nbest: Path, cli: Cli) -> None:
    done = cli("rerank", "-t", "nbest.txt", "-l", "en", "--given", "--all")
    lines = done.stdout.splitlines()
    assert lines[0] == "0 ||| the cat sat ||| given= -0.5 ||| -0.5"
    (nbest / "again.txt").write_text(done.stdout)
    again = cli("rerank", "-t", "again.txt", "-l", "en", "--given", "--all")
    assert again.stdout == done.stdout
    assert cli("rerank", "-t", "nbest.txt", "-l", "en", "--given").stdout == "the cat sat\nhello\n"


def test_the_oracle_is_a_table(nbest: Path, cli: Cli) -> None:
    words = ("oracle", "-r", "ref.txt", "-t", "nbest.txt", "-l", "en")
    done = cli(*words, "--chosen", "best.txt")
    assert "best candidates (oracle)  100.00" in done.stdout
    assert "2 to 3 candidates" in done.stdout
    assert (nbest / "best.txt").read_text() == "the cat sat\nhello there\n"
    data = json.loads(cli(*words, "-f", "json").stdout)
    assert data["oracle"]["corpus"] == 100
    assert data["gap"] == data["oracle"]["segment_mean"] - data["first"]["segment_mean"]
    assert "| best candidates (oracle)" in cli(*words, "-f", "markdown").stdout


def test_a_line_break_is_not_printed_as_a_line(nbest: Path, cli: Cli) -> None:
    (nbest / "n.jsonl").write_text('["a\\nb"]\n')
    done = cli("mbr", "-t", "n.jsonl", "-l", "en", "-q")
    assert done.returncode == 2
    assert "segment 1: the chosen text has a line break" in done.stderr
    assert "-f json" in done.stderr
    assert cli("mbr", "-t", "n.jsonl", "-l", "en", "-q", "-f", "json").returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mbr", "-l", "en"), "missing -t FILE ..."),
        (("mbr", "-t", "nbest.txt"), "missing -l LANG"),
        (("mbr", "-t", "ref.txt", "-l", "en"), "(--per-segment N)"),
        (("mbr", "-t", "nbest.txt", "-l", "en", "--all", "-f", "tsv"), "--all is an n-best list"),
        (("mbr", "-t", "nbest.txt", "-l", "en", "-m", "ter", "--aggregate"), "(--aggregate)"),
        (("oracle", "-t", "nbest.txt", "-l", "en"), "missing -r REF"),
        (("rerank", "-t", "nbest.txt", "-l", "en"), "(--given)"),
        (("rerank", "-t", "nbest.txt", "-l", "en", "-m", "chrf"), "reranking has none"),
    ],
)
def test_wrong_usage_names_options(
    nbest: Path, cli: Cli, words: tuple[str, ...], message: str
) -> None:
    assert nbest.is_dir()
    done = cli(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "`" not in done.stderr


def test_other_references_are_refused(nbest: Path, cli: Cli) -> None:
    (nbest / "short.txt").write_text("the cat sat\n")
    done = cli("oracle", "-t", "nbest.txt", "-r", "short.txt", "-l", "en")
    assert done.returncode == 3
    assert "number of segments" in done.stderr
