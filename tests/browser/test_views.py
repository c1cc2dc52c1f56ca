"""Every view of every report opens, says nothing on the console, and bars nobody."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.probes import barriers, missing_words, overlaps, resized, sideways
from tests.browser.watched import PHONE, Watched

Get = Callable[[str], Path]

SCORED = ("systems", "segments", "why", "analyses")
VIEWS = {
    "example": SCORED,
    "compare": ("systems",),
    "japanese": SCORED,
    "wmt24": SCORED,
    "wmt22": SCORED,
    "hostile": SCORED,
    "hebrew": ("segments", "why"),
    "chinese": ("segments", "why"),
    "meta": ("meta",),
    "tune": ("tune",),
}
EVERY = [(report, view) for report, views in VIEWS.items() for view in views]
# Scanning takes a second a view: one report of each kind, and the one whose texts are strangest.
SCANNED = [pair for pair in EVERY if pair[0] in {"example", "compare", "hostile", "meta", "tune"}]


@pytest.mark.parametrize(("name", "view"), EVERY)
def test_a_view_opens_at_its_address(name: str, view: str, report: Get, watched: Watched) -> None:
    page = watched.open(report(name), f"#view={view}")
    expect(page.locator(f"main[data-view={view}]")).not_to_be_empty()
    expect(page.locator("nav [aria-current=page]")).to_have_attribute("data-view", view)
    assert missing_words(page) == []
    assert overlaps(page) == []
    assert sideways(page) == []
    resized(page, PHONE)
    assert sideways(page) == []
    assert overlaps(page) == []


@pytest.mark.parametrize(("name", "view"), SCANNED)
def test_axe_finds_no_serious_violation(
    name: str, view: str, report: Get, watched: Watched, axe: str
) -> None:
    page = watched.open(report(name), f"#view={view}")
    assert barriers(page, axe) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, axe) == []
