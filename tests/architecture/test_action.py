"""The GitHub Action calls the command with options that exist, and passes on what it finds."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tenbin.cli.main import build_parser, main

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
GUIDE = ROOT / "docs" / "howto" / "gate.md"

pytestmark = pytest.mark.skipif(not ACTION.is_file(), reason="not a checkout of the repository")


@pytest.fixture
def action() -> dict[str, Any]:
    found = yaml.safe_load(ACTION.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def check_step(action: dict[str, Any]) -> dict[str, Any]:
    (step,) = [one for one in action["runs"]["steps"] if one.get("name") == "Check"]
    assert isinstance(step, dict)
    return step


def test_every_input_is_described_and_used(action: dict[str, Any]) -> None:
    text = ACTION.read_text("utf-8")
    for name, entry in action["inputs"].items():
        assert entry["description"].endswith("."), name
        assert f"${{{{ inputs.{name} }}}}" in text, name


def test_no_input_is_part_of_a_command(action: dict[str, Any]) -> None:
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_its_options_exist(action: dict[str, Any]) -> None:
    options = set(re.findall(r"(--[a-z-]+)", check_step(action)["run"]))
    parser = build_parser(["check"]).format_help()
    known = build_parser(["check"])
    assert parser
    words = ["check", "--baseline=b", "--systems=t", "--p=0.1", "--junit=j", "--markdown=m"]
    words += ["--references=r", "--max-drop=chrf=1", "--source=s", "--language=en", "--rescore"]
    assert {word.partition("=")[0] for word in words[1:]} == options
    parsed = known.parse_args(words)
    assert parsed.systems == ["t"]
    assert parsed.max_drop == ["chrf=1"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(("system", "code"), [("same.txt", 0), ("it's $(worse).txt", 1)])
def test_its_script_runs(
    action: dict[str, Any], tmp_path: Path, system: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"the cat number {place} sat" for place in range(20)]
    for name, texts in (
        ("ref.txt", lines),
        ("same.txt", lines),
        ("it's $(worse).txt", [line[::-1] for line in lines]),
    ):
        Path(name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    words = ["-r", "ref.txt", "-t", "same.txt", "-l", "en", "-m", "chrf", "bleu"]
    assert main(["check", "--write-baseline", "base.json", *words]) == 0
    Path("bin").mkdir()
    command = Path("bin/tenbin")
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tenbin "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    given = {
        **{name.upper().replace("-", "_"): one.get("default", "") for name, one in inputs(action)},
        "BASELINE": "base.json",
        "SYSTEM": system,
        "REFERENCES": "ref.txt\n",
        "MAX_DROP": "chrf=0.3\nbleu=0.5",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", check_step(action)["run"]],  # noqa: S607
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert Path("tenbin-check.xml").is_file()
    mark = "❌" if code else "✅"
    assert (tmp_path / "summary.md").read_text("utf-8").startswith(f"### {mark}")


def inputs(action: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(action["inputs"].items())


def test_the_workflow_of_the_guide_fits(action: dict[str, Any]) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    workflow = yaml.safe_load(block)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    (own,) = [step for step in steps if "tenbin" in step.get("uses", "")]
    assert set(own["with"]) <= set(action["inputs"])
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= set(
        own["with"]
    )
