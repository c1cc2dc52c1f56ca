"""Any text has names and numbers, or none; a text never lacks its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.penalty.choices import NameSource, Penalty
from tenbin.penalty.names.recognition import name_spans
from tenbin.penalty.texts import TextPenalty

pytest.importorskip("sudachipy")
pytest.importorskip("simplemma")

PARTS = (
    *(
        "3",
        "1.5",
        "1,234",
        "10 000",
        "½",
        "²",
        "٣",
        "\uff19",
        "-5",
        "9" * 400,
        "3:30",
        "3/4",
        "1\u20440",
    ),
    *("2020-03-03", "third", "twenty", "hundred", "and", "a", "km", "%", "$", "May", "p.m."),
    *(
        "三",
        "百",
        "万",
        "億",
        "\u3007",
        "第",
        "年",
        "月",
        "日",
        "時",
        "半",
        "令和",
        "元",
        "円",
        "齊藤",
        "ー",
    ),
    *("Smith", "O'Brien", "EU", "İ", "ß", "e\u0301", "'", ".", "、", " ", "\t", "😀", "\ud800"),
)
TEXTS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=8).map("".join),
    st.lists(st.sampled_from(PARTS), max_size=8).map(" ".join),
    st.text(max_size=20),
)


@given(TEXTS, TEXTS, st.sampled_from(["en", "ja", "de", "ru"]))
def test_any_two_texts(own: str, other: str, language: str) -> None:
    both = TextPenalty(penalty=Penalty.BOTH, language=language)
    there, back = both.factors(own, other), both.factors(other, own)
    assert 0 <= there.score <= 1
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert both.factors(own, own) == (1.0, 1.0, ())


@given(TEXTS, st.sampled_from(["en", "ja", "de", "ru"]))
def test_names_stand_where_they_are_said_to(text: str, language: str) -> None:
    for name in name_spans(text, language, NameSource.AUTO):
        assert text[name.start : name.stop] == name.text != ""
