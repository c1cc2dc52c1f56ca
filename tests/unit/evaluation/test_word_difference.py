"""The words in which two translations differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.evaluation.word_difference import differing_words


def marked(first: str, second: str) -> tuple[list[str], list[str]]:
    both = differing_words(first, second)
    return (
        [first[start:stop] for start, stop in both[0]],
        [second[start:stop] for start, stop in both[1]],
    )


@pytest.mark.parametrize(
    ("first", "second", "own", "other"),
    [
        ("The cat sat.", "The cat sat.", [], []),
        ("The cat sat.", "The dog sat.", ["cat"], ["dog"]),
        ("A cat, too", "A cat too", [","], []),
        ("", "All new.", [], ["All new."]),
        ("don't go", "do not go", ["don't"], ["do not"]),
        ("価格は249€です", "価格は300€です", ["249"], ["300"]),
        # One character between two stretches that differ is chance.
        ("山の犬が来た", "川の猫が来た", ["山の犬"], ["川の猫"]),
    ],
)
def test_differing_words(first: str, second: str, own: list[str], other: list[str]) -> None:
    assert marked(first, second) == (own, other)


@given(st.text(alphabet="ab 猫が.", max_size=40), st.text(alphabet="ab 猫が.", max_size=40))
def test_what_is_not_marked_is_the_same(first: str, second: str) -> None:
    rests = []
    for text, ranges in zip((first, second), differing_words(first, second), strict=True):
        for start, stop in reversed(ranges):
            text = text[:start] + " " + text[stop:]  # noqa: PLW2901
        rests.append("".join(text.split()))
    assert rests[0] == rests[1]


def test_a_very_long_text_is_compared_at_its_ends() -> None:
    first = "start " + "a b " * 3000 + "end"
    second = "start " + "b c " * 3000 + "end"
    (own,), (other,) = differing_words(first, second)
    assert first[: own[0]] == second[: other[0]] == "start "
    assert first[own[1] :] == second[other[1] :] == " end"
