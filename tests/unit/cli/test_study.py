"""The command that repeats the experiments on ParaEval."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.building.paraphrases.conversion import convert_paraphrases

Cli = Callable[..., subprocess.CompletedProcess[str]]
JUDGED = Path(__file__).parents[2] / "data" / "judged"
SET = ("--set", JUDGED, "--pair", "de-en")
EXAMPLE = ("--set", "bundled:example", "--pair", "ja-en")
PLAIN = ("--table", "none", "--resamples", "20")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of two sets."""
    source = tmp_path / "sets.tsv"
    source.write_text("1\ton the city all night\n1\tthroughout the night\n2\tshut\n2\tclosed\n")
    target = tmp_path / "en.paraphrases"
    convert_paraphrases([str(source)], "sets", str(target), language="en", tokenizer="13a")
    return target


def rows_of(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, object]] = json.loads(done.stdout)["rows"]
    return rows


def test_ranking_by_precision_recall_f_and_others(cli: Cli, table: Path) -> None:
    words = ("--table", table, "--resamples", "20", "-m", "mup(lowercase=True)", "bleu")
    done = cli("study", "ranking", *SET, *words, "-f", "json")
    rows = rows_of(done)
    metrics = ["ParaEval precision", "ParaEval recall", "ParaEval f", "mup(lowercase=True)", "BLEU"]
    assert [row["metric"] for row in rows] == metrics
    assert {row["references"] for row in rows} == {"refA+refB"}
    assert "resource:en.paraphrases=" in str(rows[0]["signature"])
    assert (
        "note: human translations left out as systems: refB (--human-systems include)."
        in done.stderr
    )
    text = cli("study", "ranking", *SET, *words).stdout
    assert text.startswith("judged de-en against mqm: 5 systems, refA+refB, 3 documents drawn\n")


def test_references_by_recall_alone(cli: Cli) -> None:
    words = ("--measure", "recall", "-m", "bleu", "--by", "segments", "-f", "tsv", "-q")
    done = cli("study", "references", *SET, *PLAIN, *words)
    assert done.returncode == 0, done.stderr
    head, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    found = [(line[3], line[4], line[head.index("unit")]) for line in lines]
    groups = ("refA", "refB", "refA+refB")
    assert found == [(g, m, "segments") for m in ("ParaEval recall", "BLEU") for g in groups]
    assert done.stderr == ""


def test_lengths_with_a_table(cli: Cli, table: Path) -> None:
    words = ("--table", table, "--lengths", "1", "3", "--resamples", "20", "-f", "json")
    rows = rows_of(cli("study", "lengths", *SET, *words))
    assert [row["min_length"] for row in rows] == [0, 1, 3]
    phrases = [row["phrase_share"] for row in rows]
    assert phrases[0] == 0
    assert float(str(phrases[1])) > float(str(phrases[2])) > 0


def test_humans_on_the_bundled_example(cli: Cli) -> None:
    done = cli("study", "humans", *EXAMPLE, *PLAIN, "-m", "bleu", "-f", "json")
    rows = rows_of(done)
    found = [(r["metric"], r["translation"], r["against"]) for r in rows if r["kind"] == "human"]
    assert found == [
        ("ParaEval precision", "refA", "refB"),
        ("BLEU", "refA", "refB"),
        ("ParaEval precision", "refB", "refA"),
        ("BLEU", "refB", "refA"),
    ]
    assert {row["best_machine"] for row in rows if row["kind"] == "human"} == {"careful"}
    assert all(row["human_score"] is None for row in rows)
    assert "there are no human scores" in done.stderr


def test_decomposition_needs_no_table(cli: Cli) -> None:
    done = cli("study", "decomposition", *SET, "--resamples", "20", "-f", "markdown")
    assert done.returncode == 0, done.stderr
    for step in ("BLEU", "MUP", "GM", "BP-BLEU"):
        assert done.stdout.count(f"| {step} |") == 3


def test_the_result_goes_to_a_file_whole(cli: Cli, tmp_path: Path) -> None:
    words = ("study", "decomposition", *SET, "-m", "mup", "--resamples", "20", "-f", "tsv")
    printed = cli(*words).stdout
    done = cli(*words, "-o", "steps.tsv")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "steps.tsv").read_text(encoding="utf-8") == printed
    failed = cli(*words, "-o", tmp_path / "no" / "steps.tsv")
    assert failed.returncode == 1
    assert "create it first" in failed.stderr


def test_the_seed_decides_the_draws(cli: Cli) -> None:
    words = ("study", "decomposition", *SET, "-m", "mup", "--by", "segments", "-f", "tsv")
    assert cli(*words).stdout == cli(*words).stdout
    assert cli(*words).stdout != cli(*words, "--seed", "5").stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("ranking",), 2, "give --set DIR --pair PAIR"),
        (("ranking", *SET), 2, "tenbin build paraphrases"),
        (("lengths", *SET), 2, "tenbin build paraphrases"),
        (("ranking", *SET, "--table", "no.paraphrases"), 2, "no file of that name"),
        (("ranking", *SET, "--table", "./no.paraphrases"), 3, "no such file"),
        (("ranking", *EXAMPLE, *PLAIN, "-m", "bleu"), 3, "no human judgments of ja-en"),
        (("ranking", *SET, *PLAIN, "-m", "blue", "chrff"), 2, "'chrff'"),
        (("ranking", *SET, *PLAIN, "-m", "bleu", "--human", "esa"), 2, "there are: mqm, da-raw"),
        (("ranking", *SET, *PLAIN, "--min-length", "0"), 2, "--min-length 0"),
        (("lengths", *SET, *PLAIN, "--lengths", "0"), 2, "--lengths 0"),
        (("lengths", *SET, *PLAIN), 2, "no lengths to compare"),
        (("references", *SET, *PLAIN, "-r", "refA"), 3, "two or more are needed"),
        (("humans", "--set", "bundled:example", "--pair", "en-ja", *PLAIN), 3, "example ja-en"),
        (("humans", "--set", "bundled:other", "--pair", "all", *PLAIN), 2, "bundled:example"),
        (("decomposition", *SET, "--resamples", "0"), 2, "--resamples 0"),
        (("decomposition", *SET, "-r", "refX"), 2, "There are: refA, refB"),
        (("decomposition", "--set", JUDGED, "--pair", "fr-en"), 3, "would do: judged de-en"),
        (("decomposition", *SET, "--table", "none"), 2, "unrecognized arguments: --table"),
        (("alignment", *SET), 2, "invalid choice"),
    ],
)
def test_errors_say_what_to_do(cli: Cli, words: tuple[object, ...], code: int, told: str) -> None:
    done = cli("study", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


def test_a_table_of_another_language_is_refused(cli: Cli, table: Path) -> None:
    words = ("--set", "bundled:example", "--pair", "ja-en", "--resamples", "20")
    converted = table.with_name("de.paraphrases")
    source = table.with_name("sets.tsv")
    convert_paraphrases([str(source)], "sets", str(converted), language="de", tokenizer="13a")
    done = cli("study", "humans", *words, "--table", converted)
    assert done.returncode == 2
    assert "Name a table of that language" in done.stderr


@pytest.mark.parametrize("study", ["ranking", "references", "lengths", "humans", "decomposition"])
def test_every_experiment_has_help_and_examples(cli: Cli, study: str) -> None:
    done = cli("study", study, "--help")
    assert done.returncode == 0
    assert done.stdout.count(f"tenbin study {study} --set") == 2
    assert ("--table FILE" in done.stdout) == (study != "decomposition")
    assert ("--subsets" in done.stdout) == (study in {"references", "decomposition"})


def test_a_grid_of_models_dictionaries_and_penalties(cli: Cli) -> None:
    words = [
        *("--model", "glove=static:glove-en-small", "wiki=no-model", "--resamples", "20"),
        *("--idf", "none", "references", "--names", "capitals", "-r", "refA"),
    ]
    done = cli("study", "grid", *SET, *words, "-f", "json")
    rows = rows_of(done)
    settings = [(row["model"], row["idf"], row["penalty"]) for row in rows]
    assert settings[:3] == [
        ("glove", "none", "none"),
        ("glove", "none", "capitals"),
        ("glove", "references", "none"),
    ]
    assert settings[-1] == ("sentbleu", None, None)
    assert "no-model" in str(rows[4]["missing"])
    assert "note: missing: wiki, idf none, penalty none; wiki" in done.stderr
    text = cli("study", "grid", *SET, *words, "-q").stdout
    assert text.startswith("judged de-en against mqm: 6 segments\n")
    (line,) = (one for one in text.splitlines() if one.startswith("wiki      references  capitals"))
    assert line.split()[3:] == ["missing"]
    measures = ("--measure", "segment-pearson", "segment-kendall", "--by-domain")
    table = cli("study", "grid", *SET, *words, *measures, "-f", "tsv", "-q").stdout.splitlines()
    heading = table[0].split("\t")
    domains = {line.split("\t")[heading.index("domain")] for line in table[1:]}
    assert domains == {"", "tales"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a grid needs --set DIR --pair PAIR and --model NAME=MODEL."),
        (("--model", "a=b", "a=c"), "--model a=c: there are two of the name a."),
        (("--model", "a="), "--model a=: give NAME=VALUE, or a value alone."),
        (("--model", "a", "--layer", "a=first"), "--layer first: give NAME=N, such as novel=1."),
        (("--model", "a", "--resamples", "-1"), "resamples=-1: give a number of samples, or 0."),
    ],
)
def test_a_grid_says_what_it_lacks(cli: Cli, words: tuple[str, ...], message: str) -> None:
    done = cli("study", "grid", *SET, *words)
    assert done.returncode == 2
    assert message in done.stderr
