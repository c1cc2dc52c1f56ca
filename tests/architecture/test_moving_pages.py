"""What the pages for users of other programs show in their tables exists and runs."""

import json
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tenbin.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "howto").glob("from-*.md"))

sys.path.insert(0, str(ROOT))
cli_page: ModuleType = import_module("docs.generator.cli_page")

# What needs a model, a test set of WMT or a network; their options are checked all the same.
NOT_RUN = re.compile(r"bertscore|sentence-source|--set |^tenbin (serve|resources|sets show|build)")


def commands(page: Path) -> list[str]:
    """Return the commands of Tenbin in the tables of a page that name what they work on."""
    rows = re.findall(r"^\|.*\|$", page.read_text("utf-8"), re.M)
    found = [code for row in rows for code in re.findall(r"`(tenbin [^`]+)`", row)]
    return [code for code in found if " -" in code and "REF" not in code]


def runnable(page: Path) -> list[str]:
    """Return those whose texts the tests have."""
    texts = re.compile(r" -[rt]\b")
    return [one for one in commands(page) if texts.search(one) and not NOT_RUN.search(one)]


def shown_tests(page: Path) -> set[str]:
    return set(re.findall(r"`(tests/[\w/]+\.py)`", page.read_text("utf-8")))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    lines = [f"The cat number {number} slept on the mat." for number in range(1, 13)]
    outputs = {
        "a": [line.replace("slept", "was asleep") for line in lines],
        "b": [line.replace("cat", "dog") for line in lines],
    }
    texts = {"src": lines, "ref": lines, "refA": lines, "refB": lines, "samples": lines, **outputs}
    for name, own in texts.items():
        Path(f"{name}.txt").write_text("\n".join(own) + "\n", encoding="utf-8")
    comet = {
        f"{name}.txt": [
            {"src": line, "mt": text, "ref": line, "COMET": 0.9 - number / 100}
            for number, (line, text) in enumerate(zip(lines, own, strict=True))
        ]
        for name, own in outputs.items()
    }
    Path("comet.json").write_text(json.dumps(comet), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_in_tables_have_options_that_exist(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in commands(page):
        _, name, *words = shlex.split(command)
        try:
            cli_page.command_parser(name).parse_args(words)
        except SystemExit:
            pytest.fail(f"{command}: {capsys.readouterr().err}")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_in_tables_run(
    page: Path, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert files.is_dir()
    pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    for command in runnable(page):
        code = main(shlex.split(command)[1:])
        assert code == 0, f"{command}: {capsys.readouterr().err}"


def test_there_are_commands_to_run() -> None:
    assert sum(len(runnable(page)) for page in PAGES) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_said_to_be_equal_is_tested(page: Path) -> None:
    for name in shown_tests(page):
        assert (ROOT / name).is_file(), name


def test_scores_of_comet_have_the_mean_that_it_prints(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    segments = json.loads((files / "comet.json").read_text("utf-8"))["a.txt"]
    # What comet-score prints as the score of a system.
    mean = sum(one["COMET"] for one in segments) / len(segments)
    words = "score -r ref.txt -t a.txt b.txt -l en -m chrf --scores COMET=comet.json -f json"
    assert main(words.split()) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    (found,) = [one for one in results if (one["system"], one["metric"]) == ("a", "COMET")]
    assert found["score"] == pytest.approx(mean)
