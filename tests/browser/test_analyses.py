"""Analyses: groups of segments, word groups, outliers, and the way to their segments."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.watched import Watched

Get = Callable[[str], Path]


@pytest.mark.parametrize(("name", "segments"), [("example", 60), ("wmt24", 634), ("wmt22", 1984)])
def test_groups_cover_all_segments_and_open_them(
    name: str, segments: int, report: Get, watched: Watched
) -> None:
    page = watched.open(report(name), "#view=analyses")
    for group in ("length", "frequency"):
        rows = page.locator(f"#analysis-{group} tbody tr")
        counts = [
            int(text.replace(",", ""))
            for text in rows.locator("td.number:nth-of-type(1)").all_inner_texts()
        ]
        assert len(counts) > 1
        # A segment without a word has no frequency.
        assert sum(counts) == segments if group == "length" else sum(counts) > 0.99 * segments
    longest = page.locator("#analysis-length tbody tr").last
    size = longest.locator("td.number").first.inner_text()
    longest.get_by_role("button").click()
    expect(page.locator("main")).to_have_attribute("data-view", "segments")
    expect(page.locator(".count-line")).to_contain_text(f"{size} of {segments:,}")
    page.go_back()
    expect(page.locator("#analysis-length")).to_be_visible()


def test_documents_and_wrong_parts_are_told_apart(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=analyses")
    expect(page.locator("#analysis-document tbody tr")).to_have_count(6)
    expect(page.locator("main")).to_contain_text("no number")
    expect(page.locator("main")).to_contain_text("no name")


def test_word_groups_of_one_system_lead_to_their_segments(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=analyses")
    page.locator("#ngrams-a").select_option(label="literal")
    row = page.locator("#analysis-ngrams tbody tr").first
    words = row.locator("th").inner_text()
    button = row.get_by_role("button")
    found = re.search(r"\d+", button.inner_text())
    assert found
    button.click()
    expect(page.locator(".count-line")).to_contain_text(f"{found[0]} of 60")
    expect(page.locator(".row[data-segment]").first).to_contain_text(words, ignore_case=True)


def test_metrics_that_disagree_name_segments_to_read(report: Get, watched: Watched) -> None:
    page = watched.open(report("wmt22"), "#view=analyses")
    link = page.locator("#analysis-metrics tbody tr a").first
    number = re.search(r"\d[\d,]*", link.inner_text())
    assert number
    link.click()
    expect(page.locator("#detail-title")).to_contain_text(number[0].replace(",", ""))


def test_another_metric_gives_other_means(report: Get, watched: Watched) -> None:
    page = watched.open(report("example"), "#view=analyses")
    table = page.locator("#analysis-length tbody")
    before = table.inner_text()
    page.locator("main select").first.select_option(label="TER")
    expect(table).not_to_have_text(before)
