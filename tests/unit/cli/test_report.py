"""Pages to look at: --report, and the command that makes one of stored scores."""

import errno
import gzip
import json
import os
import re
import shlex
import subprocess
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
TEXTS = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
JUDGED = Path(__file__).parents[2] / "data" / "judged"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


def data_of(path: Path | str) -> Any:
    found = re.search(r'id="data">([^<]*)<', Path(path).read_text("utf-8"))
    assert found
    return json.loads(gzip.decompress(b64decode(found[1])))


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_what_is_printed_is_the_same_with_a_page(cli: Cli, command: str, form: str) -> None:
    rounds = ("--rounds", "20") if command == "compare" else ()
    words = (command, *TEXTS, "-m", "wer", "chrf", "-f", form, *rounds)
    plain = cli(*words)
    done = cli(*words, "--report", "out.html")
    assert (plain.returncode, done.returncode) == (0, 0)
    assert done.stdout == plain.stdout
    assert done.stderr == plain.stderr
    found = data_of("out.html")
    assert found["kind"] == command
    assert found["metrics"][0]["segments"]["shape"] == [2, 6]
    assert found["segments"]["count"] == 6


@pytest.mark.usefixtures("texts")
def test_a_comparison_has_intervals_on_its_page_alone(cli: Cli) -> None:
    words = ("compare", *TEXTS, "-m", "wer", "--rounds", "20", "-f", "json")
    done = cli(*words, "--report", "out.html")
    assert {row["ci"] for row in json.loads(done.stdout)["results"]} == {None}
    found = data_of("out.html")
    assert all(low < high for low, high in found["metrics"][0]["intervals"])
    assert (
        "confidence intervals of the scores: 95 %, 1,000 bootstrap samples of segments, seed 12345."
        in found["notes"]
    )


@pytest.mark.usefixtures("texts")
def test_scores_without_intervals_say_so(cli: Cli) -> None:
    note = "the scores have no confidence intervals (--ci)."
    cli("score", *TEXTS, "-m", "wer", "--report", "a.html", "-q")
    cli("score", *TEXTS, "-m", "wer", "--ci", "--resamples", "5", "--report", "b.html", "-q")
    assert note in data_of("a.html")["notes"]
    assert note not in data_of("b.html")["notes"]


@pytest.mark.usefixtures("texts")
def test_the_page_states_the_command_as_typed(cli: Cli) -> None:
    words = ("score", *TEXTS, "-m", 'bleu(tokenizer="char")', "--report", "my page.html", "-q")
    assert cli(*words).returncode == 0
    found = data_of("my page.html")
    assert shlex.split(found["command"]) == ["tenbin", *words]
    assert found["explainCommand"] == (
        "tenbin explain -r ref.txt -l en -t good.txt poor.txt -n {segment} -m '{metric}'"
    )
    # Nothing but what was typed: no folder of this machine.
    assert str(Path.cwd()) not in json.dumps(found)


@pytest.mark.usefixtures("texts")
def test_the_command_that_explains_another_segment_works(cli: Cli) -> None:
    cli("score", *TEXTS, "-m", "meteor", "--report", "out.html", "-q")
    command = data_of("out.html")["explainCommand"]
    filled = command.format(system="good", segment=3, metric="meteor")
    done = cli(*shlex.split(filled)[1:], "-q")
    assert done.returncode == 0
    assert done.stdout
    cli("score", "--set", JUDGED, "--pair", "de-en", "-m", "chrf", "--report", "out.html", "-q")
    found = data_of("out.html")
    filled = found["explainCommand"].format(system=found["systems"][0], segment=1, metric="meteor")
    assert cli(*shlex.split(filled)[1:], "-q").returncode == 0


@pytest.mark.usefixtures("texts")
def test_notes_of_the_page_name_options(cli: Cli) -> None:
    cli("score", "--set", "bundled:example", "--pair", "ja-en", "-m", "chrf", "--report", "a.html")
    notes = data_of("a.html")["notes"]
    assert "scored against refA; also available: refB (-r)." in notes


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(("language", "word"), [("en", "System"), ("ja", "システム")])
def test_the_page_speaks_to_its_readers(cli: Cli, language: str, word: str) -> None:
    words = ("score", *TEXTS, "-m", "wer", "--report", "out.html", "--report-language", language)
    assert cli(*words).returncode == 0
    text = Path("out.html").read_text("utf-8")
    assert f'<html lang="{language}">' in text
    assert f'<th scope="col">{word}</th>' in text


def test_human_scores_of_a_test_set_are_shown(cli: Cli, texts: Path) -> None:
    page = texts / "out.html"
    words = ("score", "--set", JUDGED, "--pair", "de-en", "-m", "chrf", "--report", page)
    assert cli(*words).returncode == 0
    found = data_of(page)
    assert found["human"]
    assert len(found["human"][0]["scores"]) == len(found["systems"])
    assert found["segments"]["columns"][0]["language"] == "de"


def test_meta_and_tune_have_pages(cli: Cli, texts: Path) -> None:
    judged = ("--set", JUDGED, "--pair", "de-en")
    words = ("meta", *judged, "-m", "chrf", "bleu", "--measure", "segment-pearson")
    plain = cli(*words)
    done = cli(*words, "--report", texts / "meta.html")
    assert done.returncode == 0
    assert done.stdout == plain.stdout
    found = data_of(texts / "meta.html")
    assert found["kind"] == "meta"
    assert [row["metric"] for row in found["meta"]["rows"]] == ["chrf", "bleu"]
    assert found["meta"]["measures"]["segment-pearson"]["summary"]
    assert found["meta"]["rankings"]
    tuned = ("tune", *judged, "-m", "chrf", "--parameter", "beta=1,2", "--measure", "kendall")
    done = cli(*tuned, "--report", texts / "tune.html", "--report-language", "ja")
    assert done.returncode == 0
    assert data_of(texts / "tune.html")["tune"]["tunings"]


def test_a_measure_after_report_is_still_taken(cli: Cli, texts: Path) -> None:
    start = ("tune", "--set", JUDGED, "--pair", "de-en", "-m", "chrf", "--parameter", "beta=1,2")
    words = (*start, "--measure", "kendall", "--folds", "0")
    new = cli(*words, "--report-measure", "pearson")
    old = cli(*words, "--report", "pearson")
    assert new.returncode == old.returncode == 0
    assert "pearson" in new.stdout
    assert old.stdout == new.stdout
    both = cli(*words, "--report-measure", "pearson", "--report", texts / "out.html")
    assert both.stdout == new.stdout
    assert (texts / "out.html").is_file()
    wrong = cli(*words, "--report-measure", "pearson", "--report", "kendall")
    assert wrong.returncode == 2
    assert "--report kendall: name a page, such as tuning.html." in wrong.stderr


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("command", ["score", "compare"])
def test_scores_now_and_the_page_later(cli: Cli, command: str) -> None:
    words = (command, *TEXTS, "-m", "wer", "meteor")
    assert cli(*words, "--report", "now.html", "-q").returncode == 0
    assert cli(*words, "-f", "json", "--texts", "-o", "scores.json", "-q").returncode == 0
    assert cli("report", "scores.json", "-o", "later.html").returncode == 0
    assert cli(*words, "-f", "json", "-o", "bare.json", "-q").returncode == 0
    assert cli("report", "bare.json", *TEXTS, "-o", "texts.html").returncode == 0
    assert cli("report", "bare.json", "-o", "bare.html").returncode == 0
    now, later, given, bare = (
        data_of(f"{name}.html") for name in ("now", "later", "texts", "bare")
    )
    for key in ("kind", "systems", "comparison", "metrics", "explanations", "ngrams", "licences"):
        assert later[key] == now[key]
    # The name of the reference is that of a file, which JSON does not hold.
    assert later["segments"]["texts"] == now["segments"]["texts"] == given["segments"]["texts"]
    assert given["metrics"][0]["scores"] == now["metrics"][0]["scores"]
    assert bare["segments"] is None
    assert bare["metrics"][0]["scores"] == now["metrics"][0]["scores"]


@pytest.mark.usefixtures("texts")
def test_options_of_the_command(cli: Cli) -> None:
    cli("score", *TEXTS, "-m", "meteor", "-f", "json", "--texts", "-o", "scores.json", "-q")
    words = ("report", "scores.json", "-o", "a.html", "--title", "<Ours>", "--explained", "2")
    assert cli(*words, "--report-language", "ja").returncode == 0
    found = data_of("a.html")
    assert found["title"] == "<Ours>"
    assert len({one["segment"] for one in found["explanations"]}) == 2


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no folder": (("score", *TEXTS, "--report", "none/a.html"), 1, "there is no folder"),
    "a folder": (("score", *TEXTS, "--report", "."), 1, "this is a directory"),
    "no name": (("score", *TEXTS, "--report", ""), 1, "the name of the output file is empty"),
    "standard output": (("score", *TEXTS, "--report", "-"), 2, "the page needs a file of its own"),
    "the same file": (
        ("score", *TEXTS, "--report", "a.html", "-o", "a.html", "-f", "text"),
        2,
        "-o names the same file",
    ),
    "a language without a page": (
        ("score", *TEXTS, "--report-language", "en"),
        2,
        "--report-language is about the page; add --report FILE.",
    ),
    "an unknown language": (
        ("score", *TEXTS, "--report", "a.html", "--report-language", "tlh"),
        2,
        "invalid choice: 'tlh'",
    ),
    "texts without JSON": (("score", *TEXTS, "--texts"), 2, "add -f json"),
    "a table": (
        ("score", "--input", "x.parquet", "-l", "en", "-o", "y", "--report", "a.html"),
        2,
        "--report: not with a table",
    ),
    "curves": (
        ("meta", "--set", str(JUDGED), "--pair", "de-en", "--curve", "--report", "a.html"),
        2,
        "--report: not with --curve",
    ),
    "no page": (("report", "scores.json"), 2, "name the page: -o report.html."),
    "no scores": (("report", "none.json", "-o", "a.html"), 3, "there is no such file"),
    "no JSON": (("report", "ref.txt", "-o", "a.html"), 3, "ref.txt: not JSON (line 1, column 1"),
    "texts without systems": (
        ("report", "scores.json", "-r", "ref.txt", "-o", "a.html"),
        2,
        "texts need systems: add -t SYS",
    ),
    "other systems": (
        ("report", "scores.json", "-r", "ref.txt", "-t", "poor.txt", "-o", "a.html"),
        2,
        "the texts are of poor (-t)",
    ),
    "a number of segments that is none": (
        ("report", "scores.json", "-o", "a.html", "--explained", "-1"),
        2,
        "--explained -1: give a number",
    ),
}


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(("words", "code", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_said(cli: Cli, words: tuple[str, ...], code: int, message: str) -> None:
    stored = cli("score", *TEXTS[:4], *TEXTS[5:], "-m", "wer", "-f", "json", "-q").stdout
    Path("scores.json").write_text(stored)
    done = cli(*words)
    assert done.returncode == code
    assert message in done.stderr
    assert done.stdout == ""
    assert not Path("a.html").exists()


def test_a_full_disk_leaves_the_old_page_and_the_scores(
    cli: Cli, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = texts / "out.html"
    page.write_text("before")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    done = cli("score", *TEXTS, "-m", "wer", "--report", page)
    assert done.returncode == 1
    assert "Free some space" in done.stderr
    assert "good" in done.stdout
    assert page.read_text() == "before"
    assert not [one for one in texts.iterdir() if one.name.startswith(".tenbin")]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(cli: Cli, texts: Path) -> None:
    folder = texts / "closed"
    folder.mkdir(mode=0o500)
    done = cli("score", *TEXTS, "-m", "wer", "--report", folder / "a.html")
    assert done.returncode == 1
    assert "could not be written" in done.stderr
