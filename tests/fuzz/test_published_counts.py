"""The page of the documentation shows the counts that were kept."""

from tests.fuzz.results import PAGE, read_results, rendered


def test_the_page_has_the_counts_of_the_results() -> None:
    assert rendered() in PAGE.read_text(encoding="utf-8")


def test_kept_runs_have_no_defects() -> None:
    assert {key: row[2] for key, row in read_results().items() if row[2]} == {}
