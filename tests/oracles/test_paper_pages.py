"""The tables on the pages of papers 2 and 4 are the stored numbers, which name their signatures."""

import csv
from pathlib import Path

import pytest

from tenbin.resources.published import Paper, published_values

ROOT = Path(__file__).resolve().parents[2]
STORED = {
    "meteor-lexicons": ("4", Paper.METEOR_VECTORS),
    "meteor-vectors": ("4", Paper.METEOR_VECTORS),
    "attention": ("2", Paper.WE_WPI_ATTENTION),
}


def rows(name: str) -> list[dict[str, str]]:
    path = ROOT / "docs" / "measurements" / f"{name}.tsv"
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def shown(number: str) -> str:
    return f"{float(number):.3f}".replace("0.", ".", 1)


def lines(page: str, row: dict[str, str]) -> list[list[str]]:
    """The cells of all table lines about a row: by metric, or by test set where there are many."""
    text = (ROOT / "docs" / "papers" / f"{page}.md").read_text(encoding="utf-8")
    label = [row["metric"], row["setting"] if page == "4" else row["origin"]]
    if row["set"] not in {"wmt14", "wmt20", ""}:
        label = [f"{row['set']} {row['pair']}", row["measure"]]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [line for line in cells if [part.strip() for part in line[:2]] == label]


@pytest.mark.parametrize("name", STORED)
def test_the_page_has_the_stored_numbers(name: str) -> None:
    page, _ = STORED[name]
    stored = rows(name)
    assert stored
    for row in stored:
        if row["value"]:
            found = {cell for line in lines(page, row) for cell in line}
            assert shown(row["value"]) in found, row
        assert bool(row["signature"]) == (row["origin"] == "computed"), row


@pytest.mark.parametrize("name", STORED)
def test_what_is_called_published_is(name: str) -> None:
    _, paper = STORED[name]
    known = {one.value for one in published_values(paper)}
    printed = [float(row["published"]) for row in rows(name) if row["published"]]
    assert printed
    assert set(printed) <= known
