"""The page that helps to choose a metric names what is registered, and its commands run."""

import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tenbin.cli.main import main
from tenbin.metrics.registry import ALIASES, metric_names

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "howto" / "choose-metrics.md"

sys.path.insert(0, str(ROOT))
chooser: ModuleType = import_module("docs.generator.chooser")


def purposes() -> list[str]:
    """Return what the page says to use, a cell for each purpose."""
    part = PAGE.read_text("utf-8").partition("## By purpose")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| [^|]+ \|$", part, re.M)
    return [cell for cell in rows if cell != "use"]


def test_every_named_metric_exists() -> None:
    named = {
        code
        for cell in purposes()
        for code in re.findall(r"`([^`]+)`", cell)
        if not code.startswith(("tenbin ", "--"))
    }
    assert len(named) > 20
    assert named <= {*metric_names(), *ALIASES}


def test_every_metric_has_its_purpose_or_is_named_with_what_it_can_do() -> None:
    text = PAGE.read_text("utf-8")
    families = {"combination", "paraeval", "learned", "nist"}  # in the tables, or by their presets
    lacking = {name for name in metric_names() if f"`{name}`" not in text}
    assert lacking <= families


def test_languages_are_those_of_the_measurements() -> None:
    text = PAGE.read_text("utf-8").partition("<!-- measured by language -->")[2]
    rows = re.findall(r"^\| `(\w+)` \|", text.partition("<!-- end of")[0], re.M)
    assert rows == sorted(chooser.measured_gains())
    assert "en" in rows


def test_a_gain_is_the_mean_difference_from_chrf() -> None:
    values = chooser.measured_values(None)["ja"]
    (found,) = [one for one in chooser.measured_gains()["ja"] if one.metric == "yisi0"]
    assert found.mean == pytest.approx(values["yisi0"][0] - values["chrf"][0])
    assert (found.above, found.below, found.pairs) == (1, 0, 1)


def test_commands_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sudachipy", reason="the extra 'ja' is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    lines = [f"The cat of Mr Smith slept on mat {number}." for number in range(1, 21)]
    for name, texts in {
        "src": [line.replace("cat", "Katze") for line in lines],
        "ref": lines,
        "a": [line.replace("slept", "was asleep") for line in lines],
        "b": [line.replace("Smith", "Jones") for line in lines],
        "ja-ref": ["齊藤さんがリンゴを買った。"],
        "ja-out": ["斎藤さんはリンゴを買った。"],
    }.items():
        Path(f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    Path("glossary.csv").write_text("source,target\nKatze,cat\n", encoding="utf-8")
    words = "check --write-baseline base.json -r ref.txt -t a.txt -l en -m chrf"
    assert main(words.split()) == 0
    commands = [code for cell in purposes() for code in re.findall(r"`(tenbin [^`]+)`", cell)]
    assert len(commands) >= 6
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, f"{command}: {capsys.readouterr().err}"
