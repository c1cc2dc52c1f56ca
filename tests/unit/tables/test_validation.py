"""What a first reading finds adds up, and survives the way back from a cluster."""

from functools import partial
from typing import Any

import pytest

from tenbin.core.errors import InputError
from tenbin.tables.columns import TextColumns
from tenbin.tables.rows import rows_of
from tenbin.tables.validation import RowFacts, row_facts

pa = pytest.importorskip("pyarrow")

COLUMNS = TextColumns(hypothesis="h", reference="r", system="s", source="q")
ROWS: dict[str, list[Any]] = {
    "h": ["a", "", "b", " \t", "c"],
    "r": [["x"], ["", "y"], ["z", " ", "w"], ["v"], ["u"]],
    "s": ["two", "one", "two", "one", "three"],
    "q": ["A", "B", "C", "D", "E"],
}


def batch(start: int = 0, stop: int = 5) -> Any:
    return pa.RecordBatch.from_pydict(ROWS).slice(start, stop - start)


def place(start: int, number: int) -> tuple[str, int]:
    return "f", start + number + 1


def facts_of(start: int = 0, stop: int = 5) -> RowFacts:
    return row_facts(batch(start, stop), COLUMNS, partial(place, start), system="all")


@pytest.mark.parametrize("cut", range(6))
def test_parts_add_up_in_any_order(cut: int) -> None:
    whole = facts_of()
    assert facts_of(0, cut) + facts_of(cut, 5) == whole
    assert facts_of(cut, 5) + facts_of(0, cut) == whole
    assert whole.system_names == ("two", "one", "three")
    assert whole.reference_counts == (1, 2, 3)
    assert dict(whole.empty_counts) == {"one": 2, "references": 2}
    assert whole.row_count == 5


def test_facts_come_back_as_they_were() -> None:
    faulty = RowFacts(error=(("f", 3), "bad"))
    for facts in (facts_of(), faulty, RowFacts()):
        assert RowFacts.from_json(facts.to_json()) == facts


def test_the_first_error_is_named_wherever_it_was_found() -> None:
    later, first = RowFacts(error=(("f", 30), "b")), RowFacts(error=(("f", 4), "a"))
    with pytest.raises(InputError, match=r"^f, row 4: a$"):
        (later + facts_of() + first).checked("t", COLUMNS)


def test_a_column_of_numbers_of_rows_is_no_column_of_systems() -> None:
    names = [f"{number}" for number in range(10_001)]
    rows = {"h": names, "r": [["x"]] * len(names), "s": names, "q": names}
    many = row_facts(pa.RecordBatch.from_pydict(rows), COLUMNS, partial(place, 0), system="")
    with pytest.raises(InputError, match=r"more than 10,000 different values.*system_column"):
        many.checked("t", COLUMNS)


def test_texts_of_rows() -> None:
    rows = rows_of(batch(1, 4), COLUMNS)
    assert rows.texts.hypotheses == {"": ("", "b", " \t")}
    assert rows.texts.references == (("", "y"), ("z", " ", "w"), ("v",))
    assert rows.texts.source == ("B", "C", "D")
    assert rows.systems == ("one", "two", "one")
