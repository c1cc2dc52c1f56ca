"""Finds and starts the Chromium in which the report is tried, measured and photographed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser")
HOW_TO_INSTALL = (
    "no Chromium was found: 'apt-get install chromium' on Debian or Ubuntu installs it; elsewhere "
    "set TENBIN_CHROMIUM to the path of the program"
)


def find_chromium() -> str | None:
    """Return the path of the program, or None; TENBIN_CHROMIUM goes before what is on the path."""
    if given := os.environ.get("TENBIN_CHROMIUM"):
        return given
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def started_chromium(program: str) -> Iterator[Browser]:
    """A headless browser that lasts as long as the block."""
    # Chromium refuses a sandbox to root; a container may have little shared memory.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if root else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
