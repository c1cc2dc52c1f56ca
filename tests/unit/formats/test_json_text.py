"""JSON of others: everything that is wrong with it is a ValueError."""

import pytest

from tenbin.formats.json_text import parse_json


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 5000,
        '"\\ud800"',
        '{"\\udfff": 1}',
        b"\xff",
        b'"\xed\xa0\x80"',
    ],
    ids=["empty", "open", "lists", "objects", "digits", "half", "key", "bytes", "half in bytes"],
)
def test_what_is_not_json(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


def test_whole_pairs_are_text() -> None:
    assert parse_json(b'["\\ud83d\\ude00", "\\u00e9"]') == ["\U0001f600", "é"]
