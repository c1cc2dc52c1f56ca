"""``tenbin check``: what fails, what is refused, and what continuous integration reads."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]

LINES = [f"the cat number {place} sat on the mat" for place in range(20)]
METRICS = ("-m", "chrf", "bleu", "ter")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> Path:
    """A baseline, the same system, a worse one, and one that is worse in one segment."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "ref": LINES,
        "old": [line.replace("sat", "sits") for line in LINES],
        "worse": [line.replace("cat", "dog").replace("sat", "x") for line in LINES],
        "slightly": ["dogs", *(line.replace("sat", "sits") for line in LINES[1:])],
        "better": LINES,
    }
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    words = ("--write-baseline", "base.json", "-r", "ref.txt", "-t", "old.txt", "-l", "en")
    done = cli("check", *words, *METRICS)
    assert done.returncode == 0, done.stderr
    return tmp_path


@pytest.mark.parametrize(
    ("system", "code", "outcomes"),
    [
        ("old", 0, {"passed"}),
        ("better", 0, {"passed"}),
        ("worse", 1, {"failed"}),
        ("slightly", 0, {"not significant"}),
    ],
)
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.usefixtures("folder")
def test_a_significant_drop_fails(
    cli: Cli, system: str, code: int, outcomes: set[str], *, given: bool
) -> None:
    references = ("-r", "ref.txt") if given else ()
    words = ("--baseline", "base.json", *references, "-t", f"{system}.txt", "-f", "json")
    done = cli("check", *words)
    assert done.returncode == code, done.stderr
    data = json.loads(done.stdout)
    assert data["passed"] is (code == 0)
    assert {one["outcome"] for one in data["metrics"]} == outcomes
    assert [one["metric"] for one in data["metrics"]] == ["chrf", "bleu", "ter"]
    assert {one["tested"] for one in data["metrics"]} == {"statistics of segments"}


@pytest.mark.usefixtures("folder")
def test_p_values_are_those_of_compare(cli: Cli) -> None:
    done = cli("check", "--baseline", "base.json", "-t", "slightly.txt", "-f", "json")
    texts = ("-r", "ref.txt", "-t", "old.txt", "slightly.txt", "-l", "en")
    compared = json.loads(cli("compare", *texts, *METRICS, "-f", "json").stdout)
    expected = {one["metric"]: one["p_value"] for one in compared["pairs"]}
    found = {one["metric"]: one["p_value"] for one in json.loads(done.stdout)["metrics"]}
    assert found == expected


@pytest.mark.usefixtures("folder")
def test_drops_can_be_allowed(cli: Cli) -> None:
    words = ("check", "--baseline", "base.json", "-t", "worse.txt", "-f", "json")
    done = cli(*words, "--max-drop", "chrf=99", "ter=1000")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert [(one["metric"], one["outcome"]) for one in data["metrics"]] == [
        ("chrf", "allowed"),
        ("ter", "allowed"),
    ]
    assert cli(*words, "--max-drop", "chrf=99", "-m", "bleu").returncode == 1
    assert cli(*words, "--max-drop", "chrf=99", "ter=0.1").returncode == 1


def test_scores_of_segments_are_enough(folder: Path, cli: Cli) -> None:
    texts = ("-r", "ref.txt", "-t", "old.txt", "-l", "en")
    cli("score", *texts, *METRICS, "--segments", "-f", "json", "-o", "segments.json")
    words = ("check", "--baseline", "segments.json", "-r", "ref.txt", "-f", "json")
    for system, code in (("old", 0), ("better", 0), ("worse", 1)):
        done = cli(*words, "-t", f"{system}.txt")
        assert done.returncode == code
        assert "has no texts" in done.stderr
        tested = {one["tested"] for one in json.loads(done.stdout)["metrics"]}
        assert tested == {"segment scores"}
    cli("score", *texts, *METRICS, "-f", "json", "-o", "bare.json")
    done = cli("check", "--baseline", "bare.json", "-r", "ref.txt", "-t", "old.txt")
    assert done.returncode == 3
    assert "neither texts nor segment scores (chrf, bleu, ter)" in done.stderr
    assert (folder / "bare.json").is_file()


def test_other_settings_are_refused_with_what_differs(folder: Path, cli: Cli) -> None:
    text = (folder / "base.json").read_text()
    (folder / "base.json").write_text(text.replace("nc:6", "nc:5").replace("tok:13a", "tok:zh"))
    words = ("check", "--baseline", "base.json", "-t", "old.txt")
    done = cli(*words)
    assert done.returncode == 3
    assert "chrf: nc was '5' and is '6'" in done.stderr
    assert "bleu: tok was 'zh' and is '13a'" in done.stderr
    assert "ter:" not in done.stderr
    assert "--rescore" in done.stderr
    assert cli(*words, "--rescore").returncode == 0
    assert cli(*words, "--max-drop", "ter=1").returncode == 0  # the others are not looked at
    done = cli(*words, "-l", "de", "--max-drop", "ter=1")
    assert done.returncode == 3
    assert "lang was 'en' and is 'de'" in done.stderr


def test_a_changed_baseline_is_refused(folder: Path, cli: Cli) -> None:
    data = json.loads((folder / "base.json").read_text())
    data["results"][0]["score"] += 1
    (folder / "base.json").write_text(json.dumps(data))
    done = cli("check", "--baseline", "base.json", "-t", "old.txt")
    assert done.returncode == 3
    assert "the file was changed" in done.stderr


def test_other_texts_are_refused(folder: Path, cli: Cli) -> None:
    (folder / "other.txt").write_text("\n".join([*LINES[:4], "another", *LINES[5:]]) + "\n")
    done = cli("check", "--baseline", "base.json", "-r", "other.txt", "-t", "old.txt")
    assert done.returncode == 3
    assert "segment 5 has another reference than in base.json" in done.stderr
    (folder / "short.txt").write_text("one\n")
    done = cli("check", "--baseline", "base.json", "-t", "short.txt")
    assert done.returncode == 3
    assert "scores of 20 segments, and the new text has 1" in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--baseline FILE to check"),
        (("--baseline", "base.json", "--write-baseline", "x.json"), "--write-baseline FILE to"),
        (("--baseline", "base.json"), "missing -t SYS"),
        (("--baseline", "base.json", "-t", "old.txt", "better.txt"), "one new system"),
        (("--baseline", "base.json", "-t", "old.txt", "--max-drop", "chrf"), "such as chrf=0.3"),
        (("--baseline", "base.json", "-t", "old.txt", "--max-drop", "chrf=-1"), "such as chrf"),
        (("--baseline", "base.json", "-t", "old.txt", "--max-drop", "chrf=nan"), "such as chrf"),
        (("--baseline", "base.json", "-t", "old.txt", "--max-drop", "wer=1"), "no scores by wer"),
        (("--baseline", "base.json", "-t", "old.txt", "--p", "0"), "--p 0.0: give a level"),
        (("--baseline", "base.json", "-t", "old.txt", "--baseline-system", "x"), "no system 'x'"),
        (("--write-baseline", "x.json", "-t", "old.txt", "--junit", "x.xml"), "is for a check"),
    ],
)
def test_wrong_usage(cli: Cli, words: tuple[str, ...], message: str) -> None:
    done = cli("check", *words)
    assert done.returncode == 2
    assert message in done.stderr


def test_one_of_several_systems_is_the_baseline(folder: Path, cli: Cli) -> None:
    texts = ("-r", "ref.txt", "-t", "worse.txt", "better.txt", "-l", "en", "-m", "chrf")
    cli("score", *texts, "--segments", "--texts", "-f", "json", "-o", "two.json")
    words = ("check", "--baseline", "two.json", "-t", "old.txt")
    assert "choose one (--baseline-system): worse, better" in cli(*words).stderr
    assert cli(*words, "--baseline-system", "worse").returncode == 0
    assert cli(*words, "--baseline-system", "better").returncode == 1
    assert (folder / "two.json").is_file()


def test_reports_for_continuous_integration(folder: Path, cli: Cli) -> None:
    words = ("--baseline", "base.json", "-t", "worse.txt", "--junit", "c.xml", "--markdown", "c.md")
    assert cli("check", *words).returncode == 1
    root = ET.fromstring((folder / "c.xml").read_text("utf-8"))  # noqa: S314 - our own file
    (suite,) = root
    assert suite.attrib["failures"] == "3"
    cases = {case.attrib["name"]: case for case in suite}
    assert list(cases) == ["chrf", "bleu", "ter"]
    failure = cases["chrf"].find("failure")
    assert failure is not None
    assert "dropped by" in failure.attrib["message"]
    summary = (folder / "c.md").read_text("utf-8")
    assert summary.startswith("### ❌ Failed: worse against old, chrf dropped by")
    assert "| chrF ↑ |" in summary
    assert cli("check", *words[:2], "-t", "old.txt", "--junit", "c.xml").returncode == 0
    (suite,) = ET.fromstring((folder / "c.xml").read_text("utf-8"))  # noqa: S314
    assert suite.attrib["failures"] == "0"
    assert all(case.find("system-out") is not None for case in suite)


def test_names_with_markup_stay_text(folder: Path, cli: Cli) -> None:
    name = 'a<b>&"|\x01.txt'
    (folder / name).write_text((folder / "worse.txt").read_text())
    words = ("--baseline", "base.json", "-t", name, "--junit", "c.xml", "--markdown", "c.md")
    assert cli("check", *words).returncode == 1
    (suite,) = ET.fromstring((folder / "c.xml").read_text("utf-8"))  # noqa: S314
    assert suite.attrib["name"].startswith('a<b>&"|')
    assert "<b>" not in (folder / "c.md").read_text("utf-8").replace("\\<", "")
