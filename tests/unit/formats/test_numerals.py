"""Numbers in files: what Python would read and a file does not mean is refused."""

import pytest

from tenbin.formats.numerals import MOST, decimal_number, whole_number

ODD = [
    "",
    " ",
    "1_0",
    "+",
    "0x10",
    "\uff11\uff12",
    "²",
    "٣",
    "1 2",
    "1,5",
    "true",
    "9" * 5000 + "x",
]


@pytest.mark.parametrize("text", [*ODD, "-1", "+1", "1.0", "1e3", "9" * 5000, str(MOST + 1)])
def test_what_is_no_whole_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize("text", [*ODD, ".", "e", "1.2.3", "nan", "inf", "-Infinity", "1e999"])
def test_what_is_no_decimal_number(text: str) -> None:
    assert decimal_number(text) is None


def test_numbers() -> None:
    assert [whole_number(text) for text in ("0", "007", str(MOST))] == [0, 7, MOST]
    assert whole_number("9" * 20, most=10**20) == 10**20 - 1
    written = ("0", "-1.5", "+2.", ".5", "1e-3", " 7\t", "0" * 5000)
    assert [decimal_number(text) for text in written] == [0, -1.5, 2, 0.5, 0.001, 7, 0]


def test_long_numbers_take_no_longer_than_their_length() -> None:
    # A pattern that tries every place to split the digits would be busy for an hour.
    assert decimal_number("9" * 1_000_000 + "x") is None
