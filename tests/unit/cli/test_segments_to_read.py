"""``score --worst``, ``compare --differences`` and ``explain --worst``: segments with texts."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.reports.grid import display_width

Cli = Callable[..., subprocess.CompletedProcess[str]]
FILES = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
COMPARED = ("compare", *FILES, "-m", "chrf", "--rounds", "9")

pytestmark = pytest.mark.usefixtures("texts")


def test_the_worst_segments_follow_the_table(cli: Cli) -> None:
    done = cli("score", *FILES, "-m", "chrf", "ter", "--worst", "2")
    table, _, rest = done.stdout.partition("The 2 worst segments of each system by chrF")
    assert "chrF ↑" in table
    assert rest.startswith(": lowest score first\n")
    assert re.findall(r"^(\w+)\n─", rest, re.M) == ["good", "poor"]
    assert rest.count("reference    ") == rest.count("translation  ") == 4
    assert "source " not in rest


def test_source_and_document_are_shown_where_there_are_any(cli: Cli) -> None:
    done = cli(
        *("score", "--set", "bundled:example", "--pair", "ja-en", "-t", "careful"),
        *("-m", "chrf", "--worst", "1"),
    )
    assert "  document     " in done.stdout
    assert "  source       " in done.stdout


def test_segment_scores_are_printed_only_where_asked_for(cli: Cli) -> None:
    worst = cli("score", *FILES, "-m", "chrf", "--worst", "1", "-f", "json")
    data = json.loads(worst.stdout)
    assert "segments" not in data["results"][0]
    assert [one["system"] for one in data["worst_segments"]["segments"]] == ["good", "poor"]
    both = cli("score", *FILES, "-m", "chrf", "--worst", "1", "--segments", "-f", "json")
    assert "segments" in json.loads(both.stdout)["results"][0]
    without = cli("score", *FILES, "-m", "chrf", "-f", "json")
    assert "worst_segments" not in json.loads(without.stdout)


def test_tidy_rows_have_columns_for_texts_only_where_asked_for(cli: Cli) -> None:
    done = cli("score", *FILES, "-m", "chrf", "--worst", "1", "-f", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[0][-4:] == ["document", "source", "reference", "translation"]
    assert [row[2] for row in rows[1:]] == ["corpus", "corpus", "worst", "worst"]
    plain = cli("score", *FILES, "-m", "chrf", "-f", "tsv")
    assert "translation" not in plain.stdout


@pytest.mark.parametrize("columns", [40, 60, 80, 160])
@pytest.mark.parametrize(
    "words",
    [
        ("score", *FILES, "-m", "chrf", "--worst", "3"),
        (*COMPARED, "--differences", "3"),
        ("explain", *FILES, "-m", "was(threshold=0)", "--worst", "1"),
        ("explain", *FILES, "-m", "meteor(paraphrases='none')", "--worst", "1"),
        ("explain", *FILES, "-m", "wmd", "-n", "1"),
    ],
    ids=lambda words: words[0],
)
def test_nothing_but_signatures_is_wider_than_the_terminal(
    words: tuple[str, ...], columns: int, cli: Cli, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("COLUMNS", str(columns)), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    # A line with a long word, in a long segment.
    for name in ("ref", "good", "poor"):
        path = texts / f"{name}.txt"
        lines = path.read_text().splitlines()
        lines[0] = f"{lines[0]} {'x' * 200} " + "The end of a long sentence. " * 8
        path.write_text("".join(f"{line}\n" for line in lines))
    done = cli(*words)
    assert done.returncode == 0, done.stderr
    wide = [
        line
        for line in done.stdout.splitlines()
        if display_width(line) > columns and "|version:" not in line
    ]
    assert wide == []


def test_differences_are_marked_by_more_than_color(cli: Cli) -> None:
    done = cli(*COMPARED, "--differences", "2")
    assert "good better than poor" in done.stdout
    assert "poor better than good\n─────────────────────\n\n  none" in done.stdout
    assert re.search(r"^  good .*⟦.+⟧", done.stdout, re.M)
    assert "\x1b" not in done.stdout


def test_the_color_of_marked_words_ends_with_the_line(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("COLUMNS", "40"), ("TERM", "xterm"), ("NO_COLOR", "")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    painted = cli(*COMPARED, "--differences", "3").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    plain = cli(*COMPARED, "--differences", "3").stdout
    assert "\x1b[1;33m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == plain
    for line in painted.splitlines():
        assert line.count("\x1b[1;33m") == line.count("\x1b[0m")


def test_two_systems_may_be_named_by_their_files(cli: Cli) -> None:
    done = cli(
        *(*COMPARED, "--differences", "1", "-f", "json"),
        *("--differences-between", "poor.txt", "good.txt"),
    )
    (pair,) = json.loads(done.stdout)["segment_differences"]["pairs"]
    assert (pair["system_a"], pair["system_b"], pair["a_better"]) == ("poor", "good", [])
    (one,) = pair["b_better"]
    shown = [one["translation_a"][start:stop] for start, stop in one["differing_a"]]
    assert shown
    assert one["difference"] == one["score_a"] - one["score_b"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", *FILES, "-m", "chrf", "--worst", "0"), "--worst 0: give a number of at least 1"),
        (("score", *FILES, "-m", "chrf", "--worst-by", "chrf"), "add --worst N"),
        (
            ("score", *FILES, "-m", "chrf", "--worst", "1", "--worst-by", "bleu"),
            "--worst-by bleu is not among the metrics of this run: chrf. Name one of them, or",
        ),
        (("score", "--input", "a.parquet", "-o", "b", "-l", "en", "--worst", "1"), "--worst: not"),
        ((*COMPARED, "--differences", "-1"), "--differences -1: give a number of at least 1"),
        ((*COMPARED, "--differences-by", "chrf"), "--differences-by says which segments to show"),
        (
            (*COMPARED, "--differences", "1", "--differences-between", "good", "nobody"),
            "there is no system nobody; there are: good, poor.",
        ),
        (
            (*COMPARED, "--differences", "1", "--differences-between", "good", "good"),
            "--differences-between: name two different systems, not good, good",
        ),
        (("explain", *FILES, "-n", "1", "--worst", "1"), "give one of them"),
        (("explain", *FILES, "--worst", "1001"), "at most 1,000 segments"),
        (("explain", *FILES, "-n", "1", "--fold", "1.5"), "--fold 1.5: give a number from 0"),
        (("explain", *FILES, "-n", "1", "--fold", "nan"), "--fold nan: give a number from 0"),
    ],
)
def test_wrong_usage_is_said(cli: Cli, words: tuple[str, ...], message: str) -> None:
    done = cli(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_hostile_texts_do_not_reach_the_terminal(cli: Cli, texts: Path) -> None:
    hostile = "<script>alert(1)</script> \x1b[31mred \u202eright to left\u202c **bold** `code`"
    path = texts / "poor.txt"
    path.write_text(path.read_text().replace("Cat is on carpet.", hostile))
    for words in (
        ("score", *FILES, "-m", "chrf", "--worst", "6"),
        (*COMPARED, "--differences", "6"),
        ("explain", *FILES, "-m", "was(threshold=0)", "-n", "1"),
    ):
        shown = cli(*words).stdout
        assert "<script>" in shown
        assert not {"\x1b", "\u202e", "\u202c"} & set(shown)
        assert "\ufffd[31mred" in shown


def test_weak_numbers_are_folded_and_counted(cli: Cli) -> None:
    words = ("explain", *FILES, "-m", "was(threshold=0)", "-n", "1")
    folded = cli(*words).stdout
    everything = cli(*words, "--fold", "0").stdout
    assert re.search(r"· stands for \d+ of \d+ numbers too", folded)
    assert "stands for" not in everything
    numbers = re.compile(r" \.\d\d\b")
    assert len(numbers.findall(folded)) < len(numbers.findall(everything))
    assert cli(*words, "-f", "json").stdout == cli(*words, "--fold", "1", "-f", "json").stdout


def test_plain_sentences_come_first(cli: Cli) -> None:
    done = cli("explain", *FILES, "-s", "ref.txt", "-m", "wmd", "-n", "1")
    assert done.stdout.startswith("good, segment 1: wmd ")
    texts = done.stdout.split("\n\n")[1].splitlines()
    assert [line.split()[0] for line in texts] == ["source", "reference", "translation"]
    assert texts[2] == "translation  The cat sat quietly on an old mat."
