"""``tenbin explain`` and `tenbin.explain`."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tenbin
from tenbin.cli import terminal
from tenbin.core.errors import UsageError

Cli = Callable[..., CompletedProcess[str]]

METRIC = 'meteor(paraphrases="none")'
FILES = ("-r", "ref.txt", "-l", "en", "-m", METRIC)


def titles(text: str) -> list[str]:
    return re.findall(r"^(\w+, segment \d+): meteor", text, re.MULTILINE)


@pytest.mark.usefixtures("texts")
def test_a_segment_is_drawn(cli: Cli) -> None:
    done = cli("explain", *FILES, "-t", "good.txt", "-n", 1)
    assert done.returncode == 0
    assert titles(done.stdout) == ["good, segment 1"]
    assert "only in the reference: the" in done.stdout
    assert "From matches to score" in done.stdout
    assert "meteor|lang:en|nrefs:1|" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("texts")
def test_systems_and_segments_come_one_after_the_other(cli: Cli) -> None:
    done = cli("explain", *FILES, "-t", "good.txt", "poor.txt", "-n", "5-6", "-n", 2, 5)
    expected = [f"{name}, segment {n}" for n in (5, 6, 2) for name in ("good", "poor")]
    assert titles(done.stdout) == expected


@pytest.mark.usefixtures("texts")
def test_the_score_is_that_of_the_segment(cli: Cli) -> None:
    scored = cli("score", *FILES, "-t", "poor.txt", "--segments", "-f", "json")
    segments = json.loads(scored.stdout)["results"][0]["segments"]
    explained = cli("explain", *FILES, "-t", "poor.txt", "-n", "1-6", "-f", "json")
    found = json.loads(explained.stdout)["explanations"]
    assert [one["score"] for one in found] == segments
    assert [one["steps"][-1]["value"] for one in found] == segments


def test_a_file_gets_the_same_as_a_pipe(cli: Cli, texts: Path) -> None:
    printed = cli("explain", *FILES, "-t", "good.txt", "-n", 3).stdout
    assert cli("explain", *FILES, "-t", "good.txt", "-n", 3, "-o", "out.txt").stdout == ""
    assert (texts / "out.txt").read_text(encoding="utf-8") == printed


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-n", "7"], "there is no segment 7: there are 6 segments, counted from 1."),
        (["-n", "3-9"], "there is no segment 7"),
        (["-n", "0"], "-n 0: give a number from 1"),
        (["-n", "5-3"], "-n 5-3: give a number from 1"),
        (["-n", "two"], "-n two: give a number from 1"),
        (["-n", "1-99999999"], "at most 1,000 segments"),
        ([], "say which segment"),
        (["-n", "1", "-m", "bleu"], ", has, learned, mas, mee, meteor, "),
        (["-n", "1", "-m", "meteeor"], "Did you mean meteor"),
    ],
)
def test_what_cannot_be_explained_is_said(cli: Cli, words: list[str], message: str) -> None:
    done = cli("explain", *FILES, "-t", "good.txt", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_what_score_refuses_is_refused(cli: Cli, texts: Path) -> None:
    (texts / "ref.txt").write_text("猫が寝ている。\n" * 6, encoding="utf-8")
    done = cli("explain", *FILES, "-t", "good.txt", "-n", 1)
    assert done.returncode == 3
    assert "script" in done.stderr


def test_a_test_set_in_a_folder(cli: Cli) -> None:
    where = ("--set", "bundled:example", "--pair", "ja-en", "-r", "refA", "refB")
    done = cli("explain", *where, "-t", "careful", "-n", 2, "-m", METRIC)
    assert done.returncode == 0
    assert re.search(
        r"^careful, segment 2: .*\(reference [12] of 2, the best\)$", done.stdout, re.M
    )


@pytest.mark.parametrize(
    ("variable", "value", "color"),
    [("NO_COLOR", "", True), ("NO_COLOR", "1", False), ("TERM", "dumb", False)],
)
def test_color_is_for_terminals_that_want_it(
    variable: str,
    value: str,
    color: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert terminal.has_color(None) is color
    assert terminal.has_color("-") is color
    assert not terminal.has_color("file.txt")


def test_the_library_explains_too() -> None:
    texts = {"a": ["the cat", "it rains"], "b": ["a cat", "rain"]}
    references = ["the cat", "it is raining"]
    found = tenbin.explain(texts, references, language="en", segments=[2, 1], metric=METRIC)
    assert [(one.system, one.segment) for one in found] == [("a", 2), ("b", 2), ("a", 1), ("b", 1)]
    (one,) = tenbin.explain(texts, references, language="en", systems=["b"], metric=METRIC)
    assert isinstance(one, tenbin.Explanation)
    assert (one.system, one.segment) == ("b", 1)
    with pytest.raises(UsageError, match="there is no system c; there are: a, b"):
        tenbin.explain(texts, references, language="en", systems=["c"], metric=METRIC)
    with pytest.raises(UsageError, match="there is no segment 3"):
        tenbin.explain(texts, references, language="en", segments=3, metric=METRIC)
