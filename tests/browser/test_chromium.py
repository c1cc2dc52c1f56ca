"""A missing Chromium skips these tests or, where they are wanted, fails them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.browser.chromium import find_chromium

ROOT = Path(__file__).resolve().parents[2]
ONE = "tests/browser/test_shell.py::test_what_is_focused_is_seen"


def test_the_variable_goes_before_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TENBIN_CHROMIUM", raising=False)
    assert find_chromium() == str(program)
    monkeypatch.setenv("TENBIN_CHROMIUM", "/elsewhere/chrome")
    assert find_chromium() == "/elsewhere/chrome"


@pytest.mark.parametrize(("wanted", "code"), [({"TENBIN_CI": "1"}, 1), ({}, 0)])
def test_a_missing_browser_is_named(wanted: dict[str, str], code: int, tmp_path: Path) -> None:
    hidden = {"CI", "TENBIN_CI", "TENBIN_CHROMIUM"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ONE],
        cwd=ROOT,
        env=environment | {"PATH": str(tmp_path)} | wanted,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stdout
    assert "apt-get install chromium" in ended.stdout
    assert ("1 skipped" in ended.stdout) == (code == 0)
