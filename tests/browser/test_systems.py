"""Systems: ranking, pairs, and the brush that selects segments."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.watched import Watched

Get = Callable[[str], Path]


def dragged(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag over the points, from and to shares of their frame."""
    frame = page.locator(".brush .ground")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    assert box
    points = [
        (box["x"] + box["width"] * across, box["y"] + box["height"] * down)
        for across, down in (begin, end)
    ]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=4)
    page.mouse.up()


def selected(page: Page) -> int:
    found = re.search(r"\d[\d,]*", page.locator("#brush-open").inner_text())
    assert found
    return int(found[0].replace(",", ""))


def test_the_best_system_comes_first_in_either_direction(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"))
    for title, scores in (("BLEU", ["39.67", "14.85", "0.44"]), ("TER", ["56.11", "69.39"])):
        page.locator("#systems-metric").select_option(label=title)
        ranking = page.locator("section", has=page.get_by_role("heading", name="Ranking by"))
        expect(ranking).to_contain_text(f"Ranking by {title}")
        text = ranking.inner_text()
        places = [text.index(score) for score in scores]
        assert places == sorted(places)
        assert text.index("careful") < text.index("literal") < text.index("gloss")
    assert "metric=ter" in page.url


def test_clusters_and_pairs_say_what_the_test_found(report: Get, watched: Watched) -> None:
    page = watched.open(report("compare"))
    expect(page.locator("main")).to_contain_text("Cluster 3")
    cell = page.locator("td button[data-row]").first
    cell.hover()
    readout = page.locator(".readout")
    expect(readout).to_contain_text("careful")
    hovered = readout.inner_text()
    assert re.search(r"p [<=] ?0", hovered), hovered
    other = page.locator("td button[data-row]").nth(3)
    other.focus()
    expect(readout).not_to_have_text(hovered)
    other.click()
    expect(page.locator("main")).to_have_attribute("data-view", "segments")


@pytest.mark.parametrize("name", ["example", "wmt24", "wmt22"])
def test_a_brush_selects_the_segments_of_its_points(
    name: str, report: Get, watched: Watched
) -> None:
    page = watched.open(report(name))
    opened = page.locator("#brush-open")
    expect(opened).to_be_disabled()
    dragged(page, (0.5, 0.02), (0.98, 0.9))
    expect(opened).to_be_enabled()
    right = selected(page)
    # The same by numbers, which a keyboard can give.
    ends = [page.locator(f"#brush-{axis}-{end}").input_value() for axis in "xy" for end in "01"]
    page.locator("#brush-clear").click()
    expect(opened).to_be_disabled()
    for place, value in zip(["x-0", "x-1", "y-0", "y-1"], ends, strict=True):
        page.locator(f"#brush-{place}").fill(value)
    page.locator("#brush-select").press("Enter")
    expect(opened).to_be_enabled()
    assert abs(selected(page) - right) <= 2  # ends are rounded
    chosen = selected(page)
    opened.click()
    expect(page.locator("main")).to_have_attribute("data-view", "segments")
    expect(page.locator(".count-line")).to_contain_text(f"{chosen:,} of ")


def test_metrics_stand_against_people(report: Get, watched: Watched) -> None:
    page = watched.open(report("wmt22"))
    options = page.locator("#scatter-y option").all_inner_texts()
    assert any(option.startswith("People") for option in options), options
    page.locator("#scatter-level").select_option("systems")
    chart = page.locator("main svg[role=img]").last
    expect(chart).to_contain_text("PROMT")
