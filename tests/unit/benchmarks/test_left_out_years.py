"""Adapters without a year see nothing of it, and the page shows what was measured."""

from pathlib import Path

import pytest

folds = pytest.importorskip("benchmarks.left_out_years.folds", reason="not run from the repository")
measuring = pytest.importorskip("benchmarks.left_out_years.measuring")

from tenbin.annotation.joint.adapter import find_adapter  # noqa: E402 - after the skip
from tenbin.core.agreement import MetaRow, MetaTable  # noqa: E402
from tenbin.core.errors import UsageError  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
DATA, ADAPTERS = Path("data"), Path("adapters")
YEARS = ("wmt14", "wmt15", "wmt16", "wmt19", "wmt21", "wmt22", "wmt23")


@pytest.mark.parametrize("year", YEARS)
def test_nothing_of_a_year_is_read(year: str) -> None:
    every = {fold.kind: fold for some in folds.rounds([year]) for fold in some}
    for fold in every.values():
        settings = fold.settings(DATA, ADAPTERS)
        assert settings["test_sets"]
        assert not [one for one in settings["test_sets"] if Path(one).name.startswith(year)]
    student = every[folds.Kind.FAST].settings(DATA, ADAPTERS)
    assert student["start"] == str(every[folds.Kind.FIRST].path(ADAPTERS))
    if folds.Kind.LARGE in every:
        assert student["student_of"] == str(every[folds.Kind.LARGE].path(ADAPTERS))
    else:
        taught_on = find_adapter(student["student_of"]).card.training["sets"]
        assert not [one for one in taught_on if one["name"].startswith(year)]


def test_published_scores_are_left_out_with_their_year() -> None:
    with_and_without = [
        folds.Fold(folds.Kind.LARGE, year).settings(DATA, ADAPTERS)["teachers"]
        for year in ("wmt14", folds.TAUGHT)
    ]
    assert with_and_without == [folds.TEACHERS, ()]


def test_what_others_need_is_trained_before() -> None:
    first, last = folds.rounds(YEARS)
    files = {fold.path(ADAPTERS) for fold in first}
    assert len(files) == len(first) == 5 + 2  # two first stages serve all years
    assert {fold.year for fold in last} == set(YEARS)
    for fold in last:
        settings = fold.settings(DATA, ADAPTERS)
        assert Path(settings["start"]) in files
        assert settings["student_of"] == "tenbin-large" or Path(settings["student_of"]) in files


def test_the_bundled_adapter_had_these_settings() -> None:
    card = find_adapter("tenbin-large").card
    settings = folds.Fold(folds.Kind.LARGE, "none").settings(DATA, ADAPTERS)
    assert card.share == settings["share"]
    assert {one["name"] for one in card.training["sets"]} == set(folds.JUDGED)
    assert card.layer == settings["layer"]
    assert sorted(card.training["teacher"]) == sorted(settings["teachers"])


def test_the_bundled_student_says_what_it_learned_from() -> None:
    card, teacher = find_adapter("tenbin-fast").card, find_adapter("tenbin-large")
    assert teacher.identity is not None
    assert (card.share, card.layer) == (1.0, 5)
    assert {one["name"] for one in card.training["sets"]} == set(folds.READ)
    assert card.training["student_of"]["fingerprint"] == teacher.identity.fingerprint
    assert [one["name"] for one in card.training["texts"]] == [
        *("bitext.txt", "packages.txt"),
        *("round-trips.tsv", "translations.tsv", "set-trips.tsv"),
    ]
    stages = (card.training, card.training["first_stage"])
    # Curves of loss fall from the beginning to the end.
    assert all(one["curve"][-1][1] < one["curve"][0][1] for one in stages)


def test_the_bundled_adapter_is_taken_where_it_saw_nothing(tmp_path: Path) -> None:
    fold = folds.Fold(folds.Kind.LARGE, "wmt22")
    running = {"dtype": "int8"}
    assert measuring.preset(fold, tmp_path, running) == (
        "tenbin-large(adapter='tenbin-large', dtype='int8')"
    )
    seen = folds.Fold(folds.Kind.FAST, "wmt22")
    with pytest.raises(UsageError, match=r"saw wmt22.*train --years wmt22"):
        measuring.preset(seen, tmp_path, running)
    seen.path(tmp_path).write_bytes(b"")
    assert str(seen.path(tmp_path)) in measuring.preset(seen, tmp_path, running)


def test_the_page_is_that_of_the_table(tmp_path: Path) -> None:
    rows = measuring.read_rows(ROOT / "docs" / "measurements" / "learned.tsv")
    page = (ROOT / "docs" / "formulas" / "learned.md").read_text(encoding="utf-8")
    assert measuring.render_page(rows).strip() in page
    copy = tmp_path / "learned.tsv"
    measuring.write_rows(copy, rows)
    assert measuring.read_rows(copy) == rows


def test_rows_that_were_measured_again_replace_stored_ones() -> None:
    stored = [("wmt14", "cs-en", "tau", "1"), ("wmt15", "de-en", "r", "2")]
    measured = [("wmt15", "de-en", "r", "3"), ("wmt15", "fi-en", "r", "4")]
    assert measuring.updated(stored, measured) == [stored[0], *measured]


def _measured(*names: str, n: int = 500) -> MetaTable:
    return MetaTable(
        rows=tuple(
            MetaRow(
                test_set="wmt15.daseg",
                pair="de-en",
                metric=name,
                measure="segment-pearson",
                human="da-z",
                value=0.5 + number / 10,
                n=n,
                counted="translations",
                ci=(0.4, 0.6),
            )
            for number, name in enumerate(names)
        )
    )


def test_a_column_that_is_measured_alone_leaves_the_others() -> None:
    key = ("wmt15.daseg", "de-en", "segment-pearson")
    columns = measuring.COLUMNS
    (row,) = measuring.measured_row(_measured(*columns), key, columns, None)
    assert len(row) == len(measuring.HEADER)
    assert row[:8] == (*key, "da-z", "500", "0.5000", "0.4000", "0.6000")
    assert row[-2:] == ("+0.1000", "0.8000")

    student = ["tenbin-fast"]
    (changed,) = measuring.measured_row(_measured(*student), key, student, row)
    start = measuring.HEADER.index("tenbin-fast")
    assert changed[start] == "0.5000"
    assert [*changed[:start], *changed[start + 1 :]] == [*row[:start], *row[start + 1 :]]
    with pytest.raises(ValueError, match=r"now .*'3'"):
        list(measuring.measured_row(_measured(*student, n=3), key, student, row))
    # Nobody judged what was to be measured.
    assert not list(measuring.measured_row(_measured(*student), key, columns, None))
