"""Reports, opened in a real Chromium that may reach nothing but the file itself."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.browser.reports import MAKERS

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed (the extra 'dev' has it)"
)

from playwright.sync_api import Browser, expect  # noqa: E402 - only where it is installed
from tests.browser import watched as watching  # noqa: E402
from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


def _must_not_be_missed() -> bool:
    return bool(os.environ.get("CI") or os.environ.get("TENBIN_CI"))


def _missing(reason: str) -> None:
    if _must_not_be_missed():
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests; each test has windows of its own in it."""
    program = find_chromium()
    if program is None:
        _missing(HOW_TO_INSTALL)
    else:
        expect.set_options(timeout=watching.PATIENCE)
        with started_chromium(program) as browser:
            yield browser


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that finds what bars people with disabilities."""
    if not AXE.is_file():
        _missing("axe-core is not installed: 'npm ci' in web/ installs it")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The report of that name (reports.py has them), made once."""
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
def watched(chromium: Browser) -> Iterator[watching.Watched]:
    """Opens pages; when the test is over, none may have complained or asked for anything."""
    windows = watching.Watched(chromium)
    yield windows
    windows.close()
    assert windows.problems == []
