"""Widths of texts on a terminal, and texts that must not move its cursor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.reports.grid import display_width, printable, shortened


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("日本語", 6),
        ("한국", 4),
        ("\uff46\uff55\uff4c\uff4c", 8),
        ("e\u0301", 1),
        ("กั", 1),
        ("a\u200bb", 2),
        ("…", 1),
        ("↑", 1),
    ],
)
def test_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_control_characters_are_shown_as_unknown() -> None:
    assert printable("a\nb\tc\x1b[31md\x7f\u2028") == "a�b�c�[31md��"
    assert printable("plain, 日本語 – é") == "plain, 日本語 – é"


@given(st.text(max_size=40), st.integers(min_value=3, max_value=30))
def test_a_shortened_text_fits_and_keeps_its_ends(text: str, width: int) -> None:
    short = shortened(text, width)
    assert display_width(short) <= max(width, 0)
    if display_width(text) <= width:
        assert short == text
    else:
        front, mark, back = short.partition("…")
        assert mark
        assert text.startswith(front) or "…" in text
        assert text.endswith(back) or "…" in text
