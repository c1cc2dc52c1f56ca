"""Texts that try to act are shown, and do nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.hostile import STRINGS
from tests.browser.probes import acting
from tests.browser.watched import Watched

Get = Callable[[str], Path]

# A box that stands for a character names it in its title: the text is there again, whole.
_TEXT = """
(element) => {
  const read = (node) => node.nodeType === 3 ? node.data
    : node.matches(".unseen") ? String.fromCodePoint(parseInt(node.title.slice(2), 16))
    : [...node.childNodes].map(read).join("");
  return read(element);
}
"""
# What only markup could have made.
_FOREIGN = """
() => [...document.querySelectorAll("img, iframe, object, embed, link, base, form[action]")]
  .map((one) => one.tagName)
  .concat([...document.querySelectorAll("b")].map((one) => one.textContent)
    .filter((text) => text === "bold"))
  .concat([...document.querySelectorAll("script")].slice(3).map((one) => "SCRIPT"))
  .concat([...document.querySelectorAll("*")].flatMap((one) => one.getAttributeNames())
    .filter((name) => name.startsWith("on")))
"""


def text_of(element: Locator) -> str:
    """Return a text of the page with the characters that boxes stand for."""
    return str(element.evaluate(_TEXT))


def is_calm(page: Page) -> None:
    assert page.evaluate("() => window.ran") is None
    assert page.evaluate(_FOREIGN) == []
    assert page.evaluate("() => getComputedStyle(document.body).display") != "none"
    assert page.evaluate("() => Object.prototype.ran ?? ({}).systems ?? null") is None


@pytest.mark.parametrize("view", ["systems", "segments", "why", "analyses"])
def test_nothing_runs_in_any_view(view: str, report: Get, watched: Watched) -> None:
    page = watched.open(report("hostile"), f"#view={view}")
    is_calm(page)
    assert acting(page) == []
    page.mouse.move(400, 400)
    page.mouse.wheel(0, 600)
    for _ in range(25):
        page.keyboard.press("Tab")
    is_calm(page)


def test_every_text_is_shown_whole(report: Get, watched: Watched) -> None:
    page = watched.open(report("hostile"), "#seg=1")
    texts = page.locator("aside bdi.text")
    for number, (name, text) in enumerate(STRINGS.items(), 1):
        expect(page.locator("#detail-title")).to_contain_text(str(number))
        # Source, two references, five systems.
        expect(texts).to_have_count(8)
        shown = {text_of(texts.nth(place)) for place in (0, 1, 3)}
        assert shown == {text}, name
        is_calm(page)
        page.keyboard.press("j")


def test_without_scripts_names_are_text_too(report: Get, watched: Watched) -> None:
    page = watched.open(report("hostile"), scripts=False)
    rows = page.locator("noscript tbody th")
    assert rows.nth(0).text_content() == STRINGS["script"]
    assert page.locator("noscript img, noscript iframe, noscript script").count() == 0


def test_an_address_is_no_markup(report: Get, watched: Watched) -> None:
    address = "#view=segments&search=<img src=x onerror=window.ran=1>&metric=__proto__&sort=<b>"
    page = watched.open(report("hostile"), address)
    is_calm(page)
    page.goto(page.url.partition("#")[0] + "#seg=99999999999&view=<script>&system=-1&a=NaN")
    expect(page.locator("main")).not_to_be_empty()
    is_calm(page)
