"""Reports, opened in a real Chromium that may reach nothing but the file itself."""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from tests.browser.watched import Watched

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
# Where these tests are wanted, what they need must be there.
WANTED = bool(os.environ.get("CI") or os.environ.get("TENBIN_CI"))

# Playwright comes with the extra 'dev'; without it nothing here can be imported.
collect_ignore_glob = [] if WANTED or find_spec("playwright") else ["*.py"]


def _missing(reason: str) -> None:
    if WANTED:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """One browser for all tests; each test has windows of its own in it."""
    from playwright.sync_api import expect  # noqa: PLC0415 - only where it is installed
    from tests.browser import chromium, watched  # noqa: PLC0415

    program = chromium.find_chromium()
    if program is None:
        _missing(chromium.HOW_TO_INSTALL)
    else:
        expect.set_options(timeout=watched.PATIENCE)
        with chromium.started_chromium(program) as browser:
            yield browser


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that finds what bars people with disabilities."""
    if not AXE.is_file():
        if shutil.which("npm") is None:
            pytest.skip("Node is not installed, which brings axe-core ('apt-get install npm')")
        _missing("axe-core is not installed: 'npm ci' in the folder web installs it")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The report of that name (reports.py has them), made once."""
    from tests.browser.reports import MAKERS  # noqa: PLC0415 - imports all of Tenbin

    folder = tmp_path_factory.mktemp("reports")
    made: dict[str, Path] = {}

    def get(name: str) -> Path:
        if name not in made:
            path = folder / f"{name}.html"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TENBIN_SCORES", str(folder / "scores"))
                MAKERS[name](path)
            made[name] = path
        return made[name]

    return get


@pytest.fixture
def watched(chromium: "Browser") -> "Iterator[Watched]":
    """Opens pages; when the test is over, none may have complained or asked for anything."""
    from tests.browser.watched import Watched  # noqa: PLC0415 - only where it is installed

    windows = Watched(chromium)
    yield windows
    windows.close()
    assert windows.problems == []
