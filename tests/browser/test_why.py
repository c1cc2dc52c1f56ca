"""Why: words and what links them, drawn in three ways and listed in one, and the arithmetic."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.probes import overlaps
from tests.browser.watched import PHONE, Watched

Get = Callable[[str], Path]
VECTORS = "glove-en-small"


def opened(watched: Watched, path: Path, metric: str) -> Page:
    page = watched.open(path, "#view=why")
    page.locator("#why-metric").select_option(metric)
    expect(page.locator("section.explained").first).to_be_visible()
    return page


def test_links_say_why_to_mouse_and_keyboard(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), "meteor")
    detail = page.locator(".explained .link-detail").first
    links = page.locator(".drawing.curves g.link[role=img]")
    links.first.focus()
    expect(detail).to_contain_text(re.compile(r"[=≈]"))
    focused = detail.inner_text()
    page.keyboard.press("ArrowRight")
    expect(links.nth(1)).to_be_focused()
    expect(detail).not_to_have_text(focused)
    # The same by the mouse: it needs not hit a hair line.
    page.mouse.move(0, 0)
    links.first.locator(".badge, .wire").first.hover(force=True)
    expect(detail).to_have_text(focused)
    # A screen reader hears what the eye sees.
    said = links.first.get_attribute("aria-label")
    assert said
    assert said.split(":")[0] in focused.replace("\n", " ")


def test_reasons_are_told_apart_without_color(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), "meteor")
    kinds = page.locator(".drawing g.link").evaluate_all(
        "(all) => [...new Set(all.map((one) => one.getAttribute('class').match(/kind-(\\w+)/)[1]))]"
    )
    letters = page.locator(".drawing g.link .badge text").all_text_contents()
    assert len(set(letters)) == len(kinds) >= 2
    legend = page.locator(".picture .legend").first
    for letter in set(letters):
        expect(legend).to_contain_text(letter)


def test_words_without_a_partner_are_marked(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), "meteor")
    alone = page.locator(".drawing .word.alone").first
    expect(alone).to_be_visible()
    assert alone.get_attribute("title")


def test_transport_is_drawn_as_ribbons(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), f'we_wpi(vectors="{VECTORS}")')
    bands = page.locator(".drawing.ribbons path.band")
    expect(bands.first).to_be_attached()
    assert bands.count() > 3


def test_bertscore_is_a_heat_map_with_numbers(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), f'bertscore(model="static:{VECTORS}")')
    cells = page.locator("table.heatmap td.heat")
    assert cells.count() > 9
    assert all(
        re.fullmatch(r"([◆▸▾]\s*)?\u2212?(\.\d\d|1\.00)", text)
        for text in cells.all_inner_texts()[:9]
    )
    cells.first.focus()
    before = page.locator(".explained .link-detail").first.inner_text()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    expect(page.locator(".explained .link-detail").first).not_to_have_text(before)


@pytest.mark.parametrize("name", ["example", "wmt24"])
def test_the_arithmetic_ends_at_the_score(name: str, report: Get, watched: Watched) -> None:
    page = opened(watched, report(name), "meteor")
    part = page.locator("section.explained").first
    score = part.locator("h2 .score").inner_text()
    expect(part.locator("ol.steps li.result .value")).to_have_text(score)
    assert part.locator("ol.steps li").count() > 5
    expect(part.locator(".lowered")).not_to_be_empty()
    assert overlaps(page) == []


def test_two_systems_stand_one_below_the_other(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), "meteor")
    page.locator("#why-b").select_option(index=1)
    expect(page.locator("section.explained, section.unexplained, section.panel")).to_have_count(2)


def test_the_address_keeps_segment_metric_and_systems(report: Get, watched: Watched) -> None:
    page = opened(watched, report("example"), "meteor")
    page.locator("#why-jump").select_option(index=2)
    chosen = page.locator("#why-segment").input_value()
    expect(page.locator(".why-texts")).to_have_attribute("data-segment", chosen)
    again = watched.open(report("example"), "#" + page.url.partition("#")[2])
    expect(again.locator("#why-segment")).to_have_value(chosen)
    expect(again.locator("#why-metric")).to_have_value("meteor")


def test_a_phone_lists_what_it_cannot_draw(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=why&metric=meteor", size=PHONE)
    expect(page.locator("table.link-list").first).to_be_visible()
    expect(page.locator(".drawing").first).to_be_hidden()
    page.locator(".explained button.chip").first.click()
    expect(page.locator(".drawing").first).to_be_visible()


def test_a_segment_that_is_not_explained_says_how_to_get_it(report: Get, watched: Watched) -> None:
    page = watched.open(report("wmt22"), "#view=why&metric=meteor")
    held = page.locator("#why-jump option").evaluate_all("(all) => all.map((one) => one.value)")
    missing = next(number for number in range(1984) if str(number) not in held)
    page.locator("#why-segment").fill(str(missing + 1))
    page.locator("#why-segment").press("Enter")
    expect(page.locator("main")).to_contain_text("tenbin explain --set")
    expect(page.locator("main code")).to_contain_text(f"-n {missing + 1} ")
