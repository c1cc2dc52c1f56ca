"""Texts from right to left, and in characters that two languages share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.watched import PHONE, Watched

Get = Callable[[str], Path]


def style(element: Locator, name: str) -> str:
    return str(element.evaluate(f"(one) => getComputedStyle(one).{name}"))


@pytest.mark.parametrize(
    ("name", "languages", "direction"),
    [("hebrew", ("ar", "he"), "rtl"), ("chinese", ("ja", "zh"), "ltr")],
)
def test_texts_have_their_language_and_direction(
    name: str, languages: tuple[str, str], direction: str, report: Get, watched: Watched
) -> None:
    page = watched.open(report(name), "#seg=3")
    source, target = languages
    row = page.locator(".row[data-segment='3']")
    expect(row.locator(f"bdi[lang={source}]")).to_have_count(1)
    # The reference and two systems.
    expect(row.locator(f"bdi[lang={target}]")).to_have_count(3)
    texts = [*row.locator("bdi.text").all(), *page.locator("aside bdi.text").all()]
    assert len(texts) == 8
    for text in texts:
        assert style(text, "direction") == direction
        assert style(text, "unicodeBidi") == "isolate"
    # The page itself stays as it is.
    assert style(page.locator("body"), "direction") == "ltr"


def test_a_text_from_right_to_left_begins_at_the_right(report: Get, watched: Watched) -> None:
    page = watched.open(report("hebrew"), "#seg=3", size=PHONE)
    text = page.locator("aside bdi[lang=he]").first
    first, last = text.evaluate(
        """(one) => {
          const box = (from, to) => {
            const range = document.createRange();
            const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            range.setStart(walker.nextNode(), from);
            range.setEnd(walker.currentNode, to);
            return range.getBoundingClientRect().left;
          };
          return [box(0, 1), box(8, 9)];
        }"""
    )
    assert first > last


def test_words_of_an_explanation_run_the_same_way(report: Get, watched: Watched) -> None:
    page = watched.open(report("hebrew"), "#view=why&seg=3")
    table = page.locator("table.heatmap").first
    assert style(table, "direction") == "rtl"
    expect(table.locator("tbody th").first).to_have_attribute("lang", "he")
    places = table.locator("thead th.column").evaluate_all(
        "(words) => words.slice(0, 4).map((word) => word.getBoundingClientRect().left)"
    )
    assert len(places) == 4
    assert places == sorted(places, reverse=True)
