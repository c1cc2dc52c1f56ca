"""The command that tunes parameters."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
JUDGED = Path(__file__).parents[2] / "data" / "judged"
INPUT = ("tune", "-m", "was", "--set", JUDGED, "--pair", "de-en")
WHOLE = (*INPUT, "--parameter", "threshold=0:1:0.5", "--measure", "kendall")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


def test_text_shows_the_curve_and_tells_notes_on_stderr(cli: Cli) -> None:
    done = cli(*WHOLE)
    assert done.returncode == 0
    assert done.stdout.startswith("was: segment-kendall on judged de-en\n")
    assert "oracle (tuned on the test data)" in done.stdout
    assert "note: " in done.stderr
    assert cli(*WHOLE, "-q").stderr == ""


def test_json_and_tsv_hold_the_same_curve(cli: Cli) -> None:
    (one,) = json.loads(cli(*WHOLE, "-f", "json").stdout)["tunings"]
    rows = [line.split("\t") for line in cli(*WHOLE, "-f", "tsv").stdout.splitlines()[1:]]
    curve = {setting["setting"]["threshold"]: setting["value"] for setting in one["curve"]}
    assert curve == {float(row[3]): float(row[4]) for row in rows[:3]}
    assert list(curve) == [0.0, 0.5, 1.0]
    assert one["cross_validated"]["folds"] == 6


def test_a_picture_is_written_beside_the_result(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        *WHOLE,
        "-m",
        "mas",
        "--plot",
        tmp_path / "curve.svg",
        "-o",
        tmp_path / "table.tsv",
        "-f",
        "tsv",
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "table.tsv").read_text().startswith("metric\t")
    drawing = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawing).tag.endswith("svg")  # noqa: S314 - our own drawing
    assert "was: default" in drawing
    assert "mas: default" in drawing


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--parameter", "threshold=0,1"), 2, "missing --measure NAME"),
        (("--measure", "kendall"), 2, "missing --parameter NAME=VALUES"),
        (("--parameter", "treshold=0,1", "--measure", "kendall"), 2, "'threshold'"),
        (("--parameter", "threshold=0:2:1", "--measure", "kendall"), 2, "threshold=2"),
        (("--parameter", "threshold=1:0:1", "--measure", "kendall"), 2, "names no value"),
        (("--parameter", "threshold=0,1", "--measure", "kendal"), 2, "unknown measure 'kendal'"),
    ],
)
def test_what_is_missing_or_wrong_is_told(
    cli: Cli, words: tuple[str, ...], code: int, told: str
) -> None:
    done = cli(*INPUT, *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--folds", "7"), 2, "7 folds are not possible"),
        (("--folds", "-1"), 2, "--folds -1"),
        (("--trials", "5"), 2, "add --search random"),
        (("--search", "random", "--trials", "0"), 2, "--trials 0"),
        (("--human", "esa"), 2, "no human judgment esa"),
        (("--plot", "curve.jpg"), 2, ".svg, .png or .pdf"),
        (("--plot", "nowhere/curve.svg"), 1, "there is no folder"),
        (("--seed", "-1"), 2, "--seed -1"),
        (("--set", "nowhere"), 3, "nowhere"),
    ],
)
def test_options_are_checked(cli: Cli, words: tuple[str, ...], code: int, told: str) -> None:
    done = cli(*WHOLE, *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
