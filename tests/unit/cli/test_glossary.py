"""``--glossary`` on the command line: terms, names, marks, and files that are none."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("simplemma")

Cli = Callable[..., subprocess.CompletedProcess[str]]

GLOSSARY = "source,target,forbidden,type\ncat,Katze,Mieze,\ndog,Hund,,\nmouse,Mia,,name\n"
SOURCE = "The cats sleep.\nIt rains.\nA dog and a mouse.\n"
REFERENCE = "Die Katzen schlafen.\nEs regnet.\nEin Hund und Mia.\n"
SYSTEM = "Die Mieze schläft.\nEs regnet.\nEin Hund und Mio.\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    contents = {"terms.csv": GLOSSARY, "src": SOURCE, "ref": REFERENCE, "sys": SYSTEM}
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


TEXTS = ("-s", "src", "-r", "ref", "-t", "sys", "--pair", "en-de", "--glossary", "terms.csv")


@pytest.mark.usefixtures("files")
def test_score(cli: Cli) -> None:
    found = cli("score", *TEXTS, "-m", "terms", "--segments", "-f", "json")
    assert found.returncode == 0, found.stderr
    (result,) = json.loads(found.stdout)["results"]
    assert result["score"] == pytest.approx(1 / 3)
    assert result["segments"] == [0, None, 0.5]
    assert "|source_language:en|" in result["signature"]
    assert "|resource:terms.csv=" in result["signature"]
    assert "2 segments of 3 with terms of terms.csv, 3 occurrences" in found.stderr


@pytest.mark.usefixtures("files")
def test_segments_without_terms_are_dashes_in_a_table(cli: Cli) -> None:
    shown = cli("score", *TEXTS, "-m", "terms", "--segments", "--ci", "--resamples", "20").stdout
    assert "nan" not in shown
    assert "–" in shown


@pytest.mark.usefixtures("files")
def test_names_are_penalized(cli: Cli) -> None:
    spec = 'impact(penalty="names")'
    scores = []
    for given in (TEXTS, TEXTS[:-2]):
        found = cli("score", *given, "-m", spec, "-f", "json", "--segments")
        (result,) = json.loads(found.stdout)["results"]
        scores.append(result["segments"][2])
        assert ("resource:terms.csv=" in result["signature"]) == (given is TEXTS)
    assert scores[0] <= scores[1]


@pytest.mark.usefixtures("files")
def test_explain_marks_terms_whatever_the_metric(cli: Cli) -> None:
    found = cli("explain", *TEXTS, "-m", "yisi0", "-n", "1", "3")
    assert found.returncode == 0, found.stderr
    assert "✗  cats  forbidden: Mieze; asked for: Katze" in found.stdout
    assert "✓  dog  rendered as asked: Hund" in found.stdout
    assert "∅  mouse  missing; asked for: Mia" in found.stdout
    data = json.loads(cli("explain", *TEXTS, "-m", "yisi0", "-n", "1", "-f", "json").stdout)
    (term,) = data["explanations"][0]["terms"]
    assert (term["status"], term["source"], term["translation"]) == ("forbidden", [4, 8], [4, 9])


@pytest.mark.usefixtures("files")
def test_explain_by_terms(cli: Cli) -> None:
    found = cli("explain", *TEXTS, "-m", "terms", "--worst", "3")
    assert found.returncode == 0, found.stderr
    assert "term 1: cats" in found.stdout
    assert found.stdout.count("segment") >= 2
    none = cli("explain", *TEXTS, "-m", "terms", "-n", "2")
    assert "no term of the glossary in the source" in none.stdout


def test_report_and_comparison(files: Path, cli: Cli) -> None:
    (files / "other").write_text(REFERENCE, encoding="utf-8")
    command = ("compare", *TEXTS, "-t", "other", "-m", "terms", "--rounds", "20")
    found = cli(*command, "--report", "page.html", "-f", "json", "-o", "scores.json")
    assert found.returncode == 0, found.stderr
    assert (files / "page.html").is_file()
    texts = ("-s", "src", "-r", "ref", "-t", "sys", "other", "--pair", "en-de")
    for given in ((), ("--glossary", "terms.csv")):
        again = cli("report", "scores.json", "-o", "again.html", *texts, *given)
        assert again.returncode == 0, again.stderr


def test_check_refuses_another_glossary(files: Path, cli: Cli) -> None:
    written = cli("check", "--write-baseline", "base.json", *TEXTS, "-m", "terms")
    assert written.returncode == 0, written.stderr
    check = ("check", "--baseline", "base.json", *TEXTS, "--rounds", "50")
    assert cli(*check).returncode == 0
    (files / "terms.csv").write_text(GLOSSARY + "rain,Regen,,\n", encoding="utf-8")
    refused = cli(*check)
    assert refused.returncode == 3
    assert "resource of terms.csv was" in refused.stderr


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (None, 3, "terms.csv: there is no such file"),
        ("", 3, "terms.csv: there is no entry in the glossary"),
        ("source,target\ncat,\n", 3, "terms.csv, line 2: 'cat' has neither"),
        ("Kirby\n", 3, "the glossary has names and no source terms"),
    ],
)
def test_what_is_no_glossary(
    files: Path, cli: Cli, content: str | None, code: int, message: str
) -> None:
    path = files / "terms.csv"
    path.unlink() if content is None else path.write_text(content, encoding="utf-8")
    found = cli("score", *TEXTS, "-m", "terms")
    assert found.returncode == code
    assert message in found.stderr


@pytest.mark.usefixtures("files")
def test_what_is_missing_is_said(cli: Cli) -> None:
    without = cli("score", *TEXTS[:-2], "-m", "terms")
    assert without.returncode == 2
    assert "--glossary FILE" in without.stderr
    sourceless = cli("score", "-t", "sys", "-l", "de", "-m", "terms", "--glossary", "terms.csv")
    assert sourceless.returncode == 2
    assert "reads the source text, which is missing (-s)" in sourceless.stderr
    unused = cli("score", *TEXTS, "-m", "chrf")
    assert "no score depends on the glossary terms.csv" in unused.stderr
    bundled = cli("score", *TEXTS[:-1], "bundled:nothing", "-m", "terms")
    assert "there is bundled:example" in bundled.stderr


@pytest.mark.usefixtures("files")
def test_many_processes_know_the_glossary(cli: Cli) -> None:
    one, two = (
        cli("score", *TEXTS, "-m", "terms", "--jobs", jobs, "-f", "json") for jobs in (1, 2)
    )
    assert json.loads(one.stdout)["results"] == json.loads(two.stdout)["results"]
