"""Lines fit, whatever the script, and lose nothing but blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.reports.grid import display_width, printable
from tenbin.reports.wrapping import hanging, wrapped

TEXTS = st.text(alphabet="ab 猫が、。「」（）ー한글é\u0301\u200dא⟦⟧.", max_size=60)


@given(TEXTS, st.integers(2, 30))
def test_lines_fit_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(display_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_no_line_of_japanese_begins_with_a_closing_sign() -> None:
    text = "翌朝の十時ごろ、みすぼらしい姿で腹をすかせ、「歩いていると」言った。" * 3
    for width in range(8, 40):
        lines = wrapped(text, width)
        assert all(line[0] not in "、。」ょっ" for line in lines), (width, lines)
        assert all(line[-1] != "「" for line in lines[:-1])


def test_korean_words_stay_whole_where_they_fit() -> None:
    assert wrapped("나는 학교에 갑니다", 12) == ["나는 학교에", "갑니다"]


def test_marks_stay_with_their_letters() -> None:
    assert wrapped("e\u0301" * 4, 2) == ["e\u0301" * 2] * 2


def test_a_word_wider_than_the_page_is_cut() -> None:
    assert wrapped("see " + "x" * 10, 4) == ["see", "xxxx", "xxxx", "xx"]


def test_marks_are_not_torn_from_what_they_enclose() -> None:
    for width in range(6, 20):
        lines = wrapped("猫が⟦寝てい⟧る町で⟦雨⟧", width)
        assert not any(line.endswith("⟦") or line.startswith("⟧") for line in lines)


def test_an_indent_hangs() -> None:
    assert hanging("one two three", 9, "a: ", 3) == "a: one\n   two\n   three\n"


@pytest.mark.parametrize(
    "character", ["\x1b", "\t", "\u2028", "\u202e", "\u2066", "\u2069", "\ud800", "\x9b"]
)
def test_what_moves_or_turns_the_output_is_shown_as_a_sign(character: str) -> None:
    assert printable(f"a{character}b") == "a\ufffdb"


def test_what_a_script_needs_stays() -> None:
    kept = "שלום \u200f مر\u200cحبا 👩\u200d🔬 e\u0301"  # noqa: RUF001
    assert printable(kept) == kept
