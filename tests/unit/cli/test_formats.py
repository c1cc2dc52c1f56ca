"""What score and compare print, in every form."""

import csv
import io
import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.signature import Signature
from tenbin.reports.grid import display_width
from tenbin.version import __version__

Cli = Callable[..., subprocess.CompletedProcess[str]]
ONE = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")
TWO = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")

pytestmark = pytest.mark.usefixtures("texts")


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, str]]:
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_json_of_score_has_the_agreed_keys(cli: Cli) -> None:
    payload = json.loads(cli("score", *TWO, "-m", "bleu", "chrf++", "-f", "json").stdout)
    assert list(payload) == ["tenbin", "language", "segment_count", "results", "notes"]
    assert payload["tenbin"] == __version__
    assert payload["language"] == "en"
    assert payload["segment_count"] == 6
    assert [(r["system"], r["metric"]) for r in payload["results"]] == [
        ("good", "bleu"),
        ("poor", "bleu"),
        ("good", "chrf++"),
        ("poor", "chrf++"),
    ]
    for result in payload["results"]:
        assert list(result) == ["system", "metric", "score", "signature", "ci"]
        assert result["ci"] is None
        assert isinstance(result["score"], float)
        assert str(Signature.parse(result["signature"])) == result["signature"]


def test_json_with_intervals_and_segments(cli: Cli) -> None:
    words = ("score", *TWO, "-f", "json", "--ci", "--resamples", "50", "--segments")
    payload = json.loads(cli(*words).stdout)
    for result in payload["results"]:
        low, high = result["ci"]
        assert low <= result["score"] <= high
        assert len(result["segments"]) == 6
        assert "bs:50" in result["signature"]
        assert "seed:12345" in result["signature"]


def test_json_of_compare_has_the_agreed_keys(cli: Cli) -> None:
    words = ("compare", *TWO, "-m", "bleu", "chrf", "-f", "json", "--rounds", "99", "--seed", "7")
    payload = json.loads(cli(*words).stdout)
    assert list(payload) == [
        "tenbin",
        "language",
        "segment_count",
        "results",
        "test",
        "pairs",
        "ranks",
        "curves",
        "notes",
    ]
    assert payload["test"] == {
        "name": "ar",
        "rounds": 99,
        "seed": 7,
        "unit": "segments",
        "baseline": None,
    }
    assert len(payload["pairs"]) == 2
    for pair in payload["pairs"]:
        assert list(pair) == [
            "metric",
            "system_a",
            "system_b",
            "difference",
            "p_value",
            "p_value_holm",
            "people",
        ]
        assert (pair["system_a"], pair["system_b"]) == ("good", "poor")
        assert 0 < pair["p_value"] <= pair["p_value_holm"] <= 1
    by_name = {(r["metric"], r["system"]): r["score"] for r in payload["results"]}
    for pair in payload["pairs"]:
        expected = by_name[pair["metric"], "good"] - by_name[pair["metric"], "poor"]
        assert math.isclose(pair["difference"], expected)
    assert set(payload["ranks"]) == {"bleu", "chrf"}
    assert set(payload["ranks"]["bleu"]) == {"good", "poor"}


def test_undefined_numbers_are_null_and_empty(cli: Cli, texts: Path) -> None:
    for name in ("ref.txt", "good.txt"):
        (texts / name).write_text("1\n")
    done = cli("score", *ONE, "-m", "bleu", "wer", "-f", "json", "--segments")
    json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_tsv_is_tidy(cli: Cli) -> None:
    words = (
        "score",
        *TWO,
        "-m",
        "bleu",
        "ter",
        "-f",
        "tsv",
        "--segments",
        "--ci",
        "--resamples",
        "9",
    )
    table = rows(cli(*words))
    assert list(table[0]) == [
        "system",
        "metric",
        "level",
        "segment",
        "score",
        "ci_low",
        "ci_high",
    ]
    assert len(table) == 2 * 2 * (1 + 6)
    keys = [(row["system"], row["metric"], row["level"], row["segment"]) for row in table]
    assert len(set(keys)) == len(keys)
    for row in table:
        float(row["score"])
        assert (row["level"] == "corpus") == (row["segment"] == "") == (row["ci_low"] != "")
    payload = json.loads(cli("score", *TWO, "-m", "bleu", "ter", "-f", "json").stdout)
    corpus = [float(row["score"]) for row in table if row["level"] == "corpus"]
    assert corpus == [result["score"] for result in payload["results"]]


def test_tsv_of_compare(cli: Cli) -> None:
    table = rows(cli("compare", *TWO, "-m", "chrf", "-f", "tsv", "--rounds", "9"))
    assert list(table[0]) == [
        "metric",
        "system_a",
        "system_b",
        "difference",
        "p_value",
        "p_value_holm",
        "rank_a",
        "rank_b",
        "people",
        "people_low",
        "people_high",
        "people_beyond",
    ]
    assert len(table) == 1
    baseline = rows(cli("compare", *TWO, "-f", "tsv", "--rounds", "9", "--baseline"))
    assert [row["rank_a"] for row in baseline] == ["", ""]


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_every_form_carries_names_scores_and_signatures(cli: Cli, command: str, form: str) -> None:
    done = cli(command, *TWO, "-m", "chrf", "-f", form)
    assert done.returncode == 0
    for word in ("good", "poor", "chrf"):
        assert word in done.stdout
    # A signature in every row would be most of a TSV file.
    assert "nc:6" in (done.stderr if form == "tsv" else done.stdout)
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("\n")
    assert not done.stdout.endswith("\n\n")


def test_text_tables_are_aligned(cli: Cli) -> None:
    lines = cli("score", *TWO, "-m", "bleu", "ter", "--ci", "--resamples", "20").stdout.splitlines()
    heading, rule, good, poor = lines[:4]
    assert heading.split() == ["System", "BLEU", "↑", "TER", "↓"]
    assert set(rule) == {"─", " "}
    assert good.startswith("good ")
    assert good.index("]") == poor.index("]")
    assert good.count("*") == 2
    assert "6 segments, target language en. A star marks the best score." in " ".join(lines)


def test_one_system_has_no_best(cli: Cli) -> None:
    text = cli("score", *ONE).stdout
    assert "*" not in text
    assert "best score" not in text


def test_markdown_is_a_table(cli: Cli) -> None:
    lines = cli("score", *TWO, "-f", "markdown", "--ci", "--resamples", "20").stdout.splitlines()
    assert [line.count("|") for line in lines[:4]] == [4] * 4
    assert lines[1] == "| :--- | ---: | ---: |"
    assert lines[2].count("**") == 4
    assert lines[-2].startswith("- `chrf|")
    assert lines[-1].startswith("- `we_wpi|")


def test_latex_is_escaped_and_balanced(cli: Cli, texts: Path) -> None:
    (texts / "a_b & 50%--x.txt").write_text((texts / "good.txt").read_text())
    (texts / "[c].txt").write_text((texts / "poor.txt").read_text())
    done = cli(
        "score", "-r", "ref.txt", "-t", "a_b & 50%--x.txt", "[c].txt", "-l", "en", "-f", "latex"
    )
    assert r"a\_b \& 50\%-{}-x &" in done.stdout
    assert "{}[c] &" in done.stdout
    assert done.stdout.count("{") == done.stdout.count("}")
    assert r"\textbar{}" in done.stdout


def test_each_latex_table_of_a_comparison_has_its_own_signature(cli: Cli) -> None:
    done = cli("compare", *TWO, "-m", "bleu", "chrf", "-f", "latex", "--rounds", "9")
    first, second = done.stdout.split("\n\n")
    assert r"\texttt{bleu" in first
    assert r"\texttt{chrf" not in first
    assert r"\texttt{chrf" in second
    assert "≤" not in done.stdout


def test_results_go_to_a_file(cli: Cli, texts: Path) -> None:
    printed = cli("score", *TWO, "-f", "json")
    filed = cli("score", *TWO, "-f", "json", "-o", "out.json")
    assert filed.stdout == ""
    assert (texts / "out.json").read_text() == printed.stdout
    assert cli("score", *TWO, "-f", "json", "-o", "-").stdout == printed.stdout
    assert sorted(path.name for path in texts.iterdir()) == [
        "good.txt",
        "out.json",
        "poor.txt",
        "ref.txt",
    ]


def test_names_of_any_script_stay_aligned(cli: Cli, texts: Path) -> None:
    (texts / "翻訳機.txt").write_text((texts / "good.txt").read_text())
    lines = cli(
        "score", "-r", "ref.txt", "-t", "翻訳機.txt", "poor.txt", "-l", "en"
    ).stdout.splitlines()
    assert lines[2].startswith("翻訳機  ")
    assert lines[3].startswith("poor    ")
    assert display_width(lines[2]) == display_width(lines[3]) + len("*")


def test_the_same_run_prints_the_same_bytes(cli: Cli) -> None:
    words = ("compare", *TWO, "-f", "json", "--rounds", "200")
    assert cli(*words).stdout == cli(*words).stdout
    other = cli(*words, "--seed", "1").stdout
    assert "seed:1|" in other
