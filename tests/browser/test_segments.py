"""Segments: search, order, filters, difference, links to one, export."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.hostile import STRINGS
from tests.browser.sheets import read_csv, read_xlsx
from tests.browser.watched import PHONE, Watched

Get = Callable[[str], Path]
Example = Callable[[str, str], list[str]]


def shown(page: Page) -> list[int]:
    """Return the numbers of the segments in sight, from 1, in the order of the list."""
    found = page.locator(".row[data-segment]").evaluate_all(
        "(rows) => rows.map((row) => Number(row.dataset.segment))"
    )
    return [int(number) for number in found]


def count(page: Page) -> int:
    """Return how many segments the list has."""
    found = re.match(r"([\d,]+) of ", page.locator(".count-line").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def first_rows(page: Page, numbers: list[int]) -> None:
    """Wait until the list begins with these segments."""
    for place, number in enumerate(numbers):
        row = page.locator(".row[data-segment]").nth(place)
        expect(row).to_have_attribute("data-segment", str(number))


def scores(page: Page) -> list[list[float]]:
    """Return the scores of the shown systems in each row in sight."""
    rows = page.locator(".row[data-segment]").all()
    return [[float(one) for one in row.locator(".cell-scores b").all_inner_texts()] for row in rows]


def test_search_finds_and_marks_what_was_typed(
    report: Get, watched: Watched, example: Example
) -> None:
    page = watched.open(report("example"), "#view=segments")
    assert count(page) == 60
    texts = [
        " ".join(row)
        for row in zip(
            *(example("ja-en", name) for name in ("refA", "refB", "careful", "literal", "gloss")),
            strict=True,
        )
    ]
    word = "train"
    expected = [number for number, text in enumerate(texts, 1) if word in text.lower()]
    assert 0 < len(expected) < 60
    page.locator("#segments-search").press_sequentially(word)
    expect(page.get_by_role("table", name="Segments")).to_have_attribute(
        "aria-rowcount", str(len(expected) + 1)
    )
    first_rows(page, expected[:2])
    assert {one.lower() for one in page.locator(".row mark").all_inner_texts()} == {word}
    # The address has it: a link opens the same.
    assert f"q={word}" in page.url
    page.locator("#segments-search").fill("/tr[a/")
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("#segments-search").fill("nothing has this")
    expect(page.locator(".empty")).to_be_visible()
    page.locator("#segments-search").fill("")
    first_rows(page, [1, 2])


@pytest.mark.parametrize("name", ["example", "wmt22"])
def test_the_worst_come_first_by_a_metric_of_either_direction(
    name: str, report: Get, watched: Watched
) -> None:
    page = watched.open(report(name), "#view=segments")
    page.locator("#segments-sort").select_option("worst")
    for label in page.locator("#segments-metric option").all_inner_texts():
        page.locator("#segments-metric").select_option(label=label)
        expect(page.locator(".row .cell-scores").first).to_contain_text(label)
        means = [sum(row) / len(row) for row in scores(page)]
        assert len(means) > 2
        assert means == sorted(means, reverse=label == "TER")


def test_two_systems_and_two_metrics_can_be_set_against_each_other(
    report: Get, watched: Watched
) -> None:
    page = watched.open(report("example"), "#view=segments")
    page.locator("#segments-metric").select_option(label="METEOR")
    page.locator("#segments-sort").select_option("systems")
    page.locator("#segments-a").select_option("literal")
    page.locator("#segments-b").select_option("careful")
    expect(page.locator(".row.head [role=columnheader]").nth(3)).to_contain_text("literal")
    gaps = [abs(a - b) for a, b in scores(page)]
    assert gaps == sorted(gaps, reverse=True)
    page.locator("#segments-sort").select_option("metrics")
    expect(page.locator("#segments-other")).to_be_visible()
    page.locator("#segments-sort").select_option("longest")
    longest = shown(page)[0]
    page.locator("#segments-sort").select_option("shortest")
    expect(page.locator(".row[data-segment]").first).not_to_have_attribute(
        "data-segment", str(longest)
    )


def test_wrong_names_and_numbers_can_be_found(report: Get, watched: Watched) -> None:
    page = watched.open(report("wmt22"), "#view=segments&sort=flags&only=flags")
    assert 0 < count(page) < 1984
    for row in page.locator(".row[data-segment]").all()[:3]:
        expect(row.locator(".chip.bad").first).to_be_visible()


def test_filters_narrow_the_list_and_can_be_taken_back(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=segments&metric=meteor")
    page.locator("#segments-max").fill("0.2")
    expect(page.get_by_role("table", name="Segments")).not_to_have_attribute("aria-rowcount", "61")
    assert all(sum(row) / len(row) <= 0.2 for row in scores(page))
    page.locator("#segments-longest").fill("8")
    page.locator("#segments-doc").select_option(index=1)
    expect(page.locator(".filters .count")).to_contain_text("(3)")
    assert count(page) < 60
    page.locator("#segments-reset").click()
    expect(page.get_by_role("table", name="Segments")).to_have_attribute("aria-rowcount", "61")


def test_the_difference_of_two_systems_is_marked_word_by_word(
    report: Get, watched: Watched
) -> None:
    page = watched.open(report("example"), "#view=segments")
    page.locator("#segments-diff").select_option("system:careful")
    row = page.locator(".row[data-segment]").first
    expect(row.locator("ins.difference").first).to_be_visible()
    expect(row.locator("del.difference").first).to_be_visible()
    # Not by color alone.
    decoration = row.locator("del.difference").first.evaluate(
        "(one) => getComputedStyle(one).textDecorationLine"
    )
    assert "line-through" in decoration


@pytest.mark.parametrize("name", ["example", "wmt24", "wmt22"])
def test_an_address_opens_one_segment(name: str, report: Get, watched: Watched) -> None:
    page = watched.open(report(name), "#seg=17")
    heading = page.locator("#detail-title")
    expect(heading).to_have_text(re.compile(r"\b17\b"))
    expect(page.locator(".row.current")).to_have_attribute("data-segment", "17")
    page.locator("#detail-next").click()
    expect(heading).to_have_text(re.compile(r"\b18\b"))
    assert "seg=18" in page.url
    page.go_back()
    expect(heading).to_have_text(re.compile(r"\b17\b"))
    page.keyboard.press("Escape")
    expect(heading).to_be_hidden()


def test_keys_walk_through_segments_and_on_to_why(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=segments")
    heading = page.locator("#detail-title")
    for key, number in (("j", 1), ("j", 2), ("j", 3), ("k", 2)):
        page.keyboard.press(key)
        expect(heading).to_have_text(re.compile(rf"\b{number}\b"))
    page.keyboard.press("w")
    expect(page.locator("main")).to_have_attribute("data-view", "why")
    assert "seg=2" in page.url
    page.go_back()
    expect(heading).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("#segments-search")).to_be_focused()


def test_a_row_opens_by_tab_and_enter(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=segments")
    table = page.get_by_role("table", name="Segments")
    table.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".row-link").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#detail-title")).to_be_focused()
    expect(page.locator("#detail-title")).to_have_text(re.compile(r"\b2\b"))


def test_only_rows_in_sight_exist_and_scrolling_brings_the_rest(
    report: Get, watched: Watched
) -> None:
    page = watched.open(report("wmt22"), "#view=segments")
    table = page.get_by_role("table", name="Segments")
    assert count(page) == 1984
    assert len(shown(page)) < 60
    table.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    expect(page.locator("[data-segment='1984']")).to_be_visible()
    assert len(shown(page)) < 60
    table.evaluate("(one) => one.scrollTo(0, 0)")
    expect(page.locator("[data-segment='1']")).to_be_visible()


def test_the_selection_is_exported_as_csv_and_xlsx(
    report: Get, watched: Watched, example: Example, tmp_path: Path
) -> None:
    page = watched.open(report("example"), "#view=segments&q=train&sort=longest")
    files = {}
    for ending in ("csv", "xlsx"):
        with page.expect_download() as download:
            page.locator(f"#export-{ending}").click()
        assert download.value.suggested_filename.endswith(f"-segments.{ending}")
        files[ending] = tmp_path / f"segments.{ending}"
        download.value.save_as(files[ending])
    plain, book = read_csv(files["csv"]), read_xlsx(files["xlsx"])
    assert plain[0] == book[0]
    assert len(plain) == len(book) == count(page) + 1
    assert [int(row[0]) for row in plain[1:3]] == shown(page)[:2]
    careful = plain[0].index("careful")
    for row, cells in zip(plain[1:], book[1:], strict=True):
        text = example("ja-en", "careful")[int(row[0]) - 1]
        assert row[careful] == cells[careful] == text
    column = plain[0].index("careful: METEOR")
    assert [float(row[column]) for row in plain[1:]] == [row[column] for row in book[1:]]


def test_no_exported_text_is_a_formula(report: Get, watched: Watched, tmp_path: Path) -> None:
    page = watched.open(report("hostile"), "#view=segments")
    for ending in ("csv", "xlsx"):
        with page.expect_download() as download:
            page.locator(f"#export-{ending}").click()
        download.value.save_as(tmp_path / f"all.{ending}")
    cells = [cell for row in read_csv(tmp_path / "all.csv") for cell in row]
    begun = [cell for cell in cells if re.match(r"\s*[=+@\t\r]|\s*-(?!\d)", cell)]
    assert begun == []
    book = [cell for row in read_xlsx(tmp_path / "all.xlsx") for cell in row]
    missing = [name for name, text in STRINGS.items() if text not in book]
    assert missing == []


def test_a_phone_shows_a_segment_over_the_list(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#seg=17", size=PHONE)
    expect(page.locator("#detail-title")).to_be_in_viewport()
    page.locator("#detail-close").click()
    expect(page.locator("#detail-title")).to_be_hidden()
    expect(page.locator(".row[data-segment]").first).to_be_visible()
