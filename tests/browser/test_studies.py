"""Meta-evaluation and tuning: the numbers of the command, and its warnings."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.reports import JUDGED
from tests.browser.watched import Watched

from tenbin.cli.main import main

Get = Callable[[str], Path]


def test_agreement_is_that_of_the_command(
    report: Get, watched: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    path = report("meta")
    capsys.readouterr()
    words = ("--set", str(JUDGED), "--pair", "de-en", "-m", "bleu", "chrf", "yisi0", "-f", "json")
    assert main(["meta", *words]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    page = watched.open(path)
    text = page.locator("main").inner_text()
    assert rows
    for row in rows:
        assert row["measure"] in text
        assert f"{row['value']:.4f}".replace("-", "\N{MINUS SIGN}") in text


def test_tuning_warns_of_the_end_of_its_range(report: Get, watched: Watched) -> None:
    page = watched.open(report("tune"))
    main_part = page.locator("main")
    expect(main_part).to_contain_text("beta = 3 is the largest value that was tried")
    chart = page.locator("main svg").first
    expect(chart).to_contain_text("default: 2")
    expect(chart).to_contain_text("3")
    expect(main_part).to_contain_text("cross-validated")
    for summary in page.locator("main summary").all():
        summary.press("Enter")
    expect(page.locator("main details[open] tbody tr").first).to_be_visible()
