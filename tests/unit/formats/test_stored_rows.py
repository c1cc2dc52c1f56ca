"""Rows in a temporary file."""

from tenbin.formats.stored_rows import StoredRows


def test_rows_are_read_in_any_order() -> None:
    stored = StoredRows([number, ["a\nb", None], ["猫\ud800"]] for number in range(5))
    assert len(stored) == 5
    assert list(stored.read([3, 0, 3])) == [
        [number, ["a\nb", None], ["猫\ud800"]] for number in (3, 0, 3)
    ]


def test_nothing_is_stored_of_nothing() -> None:
    assert len(StoredRows([])) == 0
