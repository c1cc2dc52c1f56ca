"""What is around the views: tabs, keys, colors, paper, and how the numbers were made."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.probes import settled
from tests.browser.watched import Watched

Get = Callable[[str], Path]
VIEWS = ["systems", "segments", "why", "analyses"]


def shown(page: Page, view: str) -> None:
    expect(page.locator("main")).to_have_attribute("data-view", view)


def background(page: Page) -> int:
    """Return how bright the page is, from 0 to 765."""
    color = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", color)[:3]))


def focused(page: Page) -> str:
    found = page.evaluate("() => document.activeElement.dataset.view ?? document.activeElement.id")
    return str(found)


def test_links_lead_to_views_and_back_undoes_each(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"))
    shown(page, "systems")
    for view in VIEWS[1:]:
        page.locator(f"nav a[data-view={view}]").click()
        shown(page, view)
    for view in reversed(VIEWS[:-1]):
        page.go_back()
        shown(page, view)
    page.go_forward()
    shown(page, "segments")


def test_the_keyboard_reaches_the_views(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"))
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.locator("nav a").first.focus()
    reached = []
    for _ in VIEWS:
        reached.append(focused(page))
        page.keyboard.press("ArrowRight")
    assert reached == VIEWS
    assert focused(page) == "systems"
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    shown(page, "analyses")
    for number, view in enumerate(VIEWS, 1):
        page.keyboard.press(str(number))
        shown(page, view)


def test_what_is_focused_is_seen(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=segments")
    outlines = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        outlines.add(
            page.evaluate(
                "() => { const style = getComputedStyle(document.activeElement);"
                " return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 }"
            )
        )
    assert outlines == {True}


def test_keys_are_explained_and_can_be_turned_off(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"))
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Segments")
    dialog.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("2")
    settled(page)
    shown(page, "systems")


def test_colors_follow_the_system_and_the_switch(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), scheme="dark")
    assert background(page) < 200
    page.emulate_media(color_scheme="light")
    assert background(page) > 600
    page.locator("select#theme").select_option("dark")
    assert background(page) < 200
    page.reload()
    shown(page, "systems")
    assert background(page) < 200


def test_without_scripts_the_scores_are_a_plain_table(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), scripts=False)
    table = page.locator("noscript table")
    # An element in noscript is one where scripts are off.
    expect(table).to_be_visible()
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table).to_contain_text("careful")
    expect(page.locator("noscript code").first).to_contain_text(
        "tenbin score --set bundled:example"
    )


def test_the_page_says_how_its_numbers_were_made(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"))
    made = page.locator("#made")
    expect(made).to_contain_text("tenbin score --set bundled:example --pair ja-en")
    for name in ("bleu", "chrf", "ter", "meteor", "we_wpi", "bertscore"):
        expect(made).to_contain_text(f"{name}|lang:en|nrefs:2")
    expect(made).to_contain_text("wordnet")
    expect(made).to_contain_text("PDDL-1.0")


@pytest.mark.parametrize("name", ["example", "wmt22", "meta", "tune"])
def test_paper_has_what_the_screen_has(name: str, report: Get, watched: Watched) -> None:
    page = watched.open(report(name))
    page.emulate_media(media="print")
    expect(page.locator("#paper")).not_to_be_empty()
    expect(page.locator("nav.tabs")).to_be_hidden()
    assert background(page) > 700
    pages = page.pdf(format="A4", print_background=True)
    assert pages.startswith(b"%PDF")
    # A report that prints every one of 1,984 segments is not one that a person prints.
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", pages)) <= 40


def test_words_are_japanese_where_asked(report: Get, watched: Watched) -> None:
    page = watched.open(report("japanese"))
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    for label in page.locator("nav.tabs a").all_inner_texts():
        assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", label), label
    for view in VIEWS:
        page.goto(page.url.partition("#")[0] + f"#view={view}")
        shown(page, view)
        headings = page.locator("main :is(h2, h3, button, label)").all_inner_texts()
        plain = [text for text in headings if re.fullmatch(r"[A-Z][a-z]+( [a-z]+)+\.?", text)]
        assert plain == []
