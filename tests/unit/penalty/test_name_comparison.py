"""The name penalty of the paper: the specification's worked examples, and its three variants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.penalty.choices import Coefficient, NameSource
from tenbin.penalty.factor import Scale, harmonic, penalty_factor
from tenbin.penalty.names.comparison import (
    NamedTokens,
    NamePenalty,
    agreement,
    apply_name_penalty,
    marked_tokens,
    name_coefficients,
    token_places,
)
from tenbin.penalty.names.forms import name_form
from tenbin.penalty.names.recognition import name_spans
from tenbin.resources.frequencies import TokenFrequencies


def side(readings: list[str], names: list[int], special: list[int] | None = None) -> NamedTokens:
    marks = np.zeros(len(readings), dtype=np.bool_)
    marks[names] = True
    if special is None:
        return NamedTokens(readings=readings, names=marks)
    others = np.zeros(len(readings), dtype=np.bool_)
    others[special] = True
    return NamedTokens(readings=readings, names=marks, special=others)


def test_the_worked_example() -> None:
    hypothesis = side(["さいとう", *"abcdefg"], [0])
    reference = side(["おざき", *"abcdefgh"], [0])
    done = apply_name_penalty(0.80, 0.78, hypothesis, reference, range(8), [*range(8), 7])
    assert done == pytest.approx((0.700, 0.693333, 0.696651), abs=1e-6)
    assert harmonic(0.80, 0.78) == pytest.approx(0.789873, abs=1e-6)


IDENTITY = ResourceIdentity("toy", ResourceKind.FREQUENCIES, "1", "ja", "CC0-1.0", "0" * 64)


def from_text(text: str, frequencies: TokenFrequencies | None) -> tuple[list[str], NamedTokens]:
    tokens = load_tokenizer("sudachi-c").tokenize(text)
    spans = name_spans(text, "ja", NameSource.PROPN)
    proper = marked_tokens(spans, token_places(text, tokens))
    marks = proper if frequencies is None else frequencies.rare(tokens)
    return tokens, NamedTokens.of(tokens, marks, "ja")


def links(own: list[str], other: list[str], known: dict[str, str]) -> list[int]:
    """Link each token to an equal one or to the one that vectors would take it for."""
    places = {token: place for place, token in reversed(list(enumerate(other)))}
    return [places.get(token, places.get(known.get(token, ""), -1)) for token in own]


def test_the_published_examples_from_raw_text() -> None:
    pytest.importorskip("sudachipy")
    first = (
        "尾崎は自分がこれまでになく良い場所にいると思った。",
        "齊藤さんは今最高の環境にいると思った。",
    )
    second = (
        "あなたはハンターがすべきように槍を持っていなかった、それはあなたのせいです。",
        "あなたは猟師のように槍を握っていなかったから失敗したのよ。",
    )
    taken_for = {"尾崎": "齊藤", "ハンター": "猟師"}
    taken_for |= {other: own for own, other in taken_for.items()}
    common = {token: 50 for pair in (first, second) for text in pair
              for token in load_tokenizer("sudachi-c").tokenize(text)}  # fmt: skip
    rare = {token: count for token, count in common.items() if token not in taken_for}
    rare |= {"稀": 1, "珍": 1}
    novels = TokenFrequencies(IDENTITY, 100, rare)
    factors = {}
    for frequencies in (novels, None):
        for case, (own, other) in {"name": first, "noun": second}.items():
            left, hypothesis = from_text(own, frequencies)
            right, reference = from_text(other, frequencies)
            there, back = links(left, right, taken_for), links(right, left, taken_for)
            done = apply_name_penalty(1.0, 1.0, hypothesis, reference, there, back)
            factors[case, frequencies is novels] = done.f
    # Rare tokens: both are penalized, as in the paper. Proper nouns: a hunter is none.
    assert factors["name", True] == factors["name", False] < 0.95
    assert factors["noun", True] < 1
    assert factors["noun", False] == 1


def test_readings_are_joined_in_the_order_of_their_owner() -> None:
    hypothesis = side(["ab", "x", "cd"], [0, 2])
    reference = side(["cd", "ab"], [0])
    # The same token twice as a partner is written twice.
    both = name_coefficients(hypothesis, reference, [1, 0, 1], Coefficient.DIRECTION)
    assert both.tolist() == [agreement("abcd", "abab")] * 2 == [0.5, 0.5]
    each = name_coefficients(hypothesis, reference, [1, 0, 1], Coefficient.TOKEN)
    assert each.tolist() == [1.0, 0.0]
    shared = name_coefficients(hypothesis, reference, [1, 0, 1], Coefficient.SHARED)
    assert shared.tolist() == [agreement("abcd", "cd")] * 2


def test_empty_cases() -> None:
    nobody, somebody = side(["a", "b"], []), side(["a", "", "c"], [1])
    assert apply_name_penalty(0.5, 0.5, nobody, nobody, [0, 1], [0, 1]) == (0.5, 0.5, 0.5)
    # An empty reading and a partner without one agree; with a reading they do not.
    assert name_coefficients(somebody, side([""], []), [0, 0, 0], Coefficient.TOKEN) == [1.0]
    assert name_coefficients(somebody, nobody, [0, 0, 0], Coefficient.TOKEN) == [0.0]
    assert name_coefficients(side(["a"], [0]), nobody, [-1], Coefficient.DIRECTION) == [0.0]
    empty = side([], [])
    assert apply_name_penalty(0.0, 0.0, empty, nobody, [], [-1, -1]) == (0.0, 0.0, 0.0)


def test_special_tokens_are_never_names_and_not_counted() -> None:
    hypothesis = side(["[CLS]", "ab", "c", "[SEP]"], [0, 1], special=[0, 3])
    reference = side(["[CLS]", "xy", "c", "[SEP]"], [1], special=[0, 3])
    assert hypothesis.length == 2
    there = apply_name_penalty(1.0, 1.0, hypothesis, reference, [0, 1, 2, 3], [0, 1, 2, 3])
    assert there == (0.5, 0.5, 0.5)
    # A name whose best match is [CLS] has no partner.
    alone = name_coefficients(hypothesis, reference, [0, 0, 2, 3], Coefficient.TOKEN)
    assert alone.tolist() == [0.0]


def test_a_fixed_share() -> None:
    assert penalty_factor([0.0, 1.0, 0.5], 9, scale=Scale.EACH, strength=0.4) == pytest.approx(0.5)
    assert penalty_factor([0.0] * 9, 9, scale=Scale.EACH, strength=1.0) == 0.0
    assert penalty_factor([], 0) == penalty_factor([], 0, scale=Scale.EACH) == 1.0
    settings = NamePenalty(scale=Scale.EACH, strength=0.5)
    hypothesis, reference = side(["a", "b", "c"], [0, 1]), side(["x", "y", "c"], [0, 1])
    # One coefficient for all names is one loss.
    assert settings.factor(hypothesis, reference, [0, 1, 2]) == 0.5
    each = NamePenalty(coefficient=Coefficient.TOKEN, scale=Scale.EACH, strength=0.5)
    assert each.factor(hypothesis, reference, [0, 1, 2]) == 0.25


def test_other_scripts_are_compared_by_spelling() -> None:
    assert agreement(name_form("Müller", "de"), name_form("MUELLER", "de")) == pytest.approx(6 / 7)
    assert agreement(name_form("Иванов", "ru"), name_form("Петров", "ru")) == pytest.approx(1 / 3)


def test_readings_by_language() -> None:
    marks = np.array([True, False])
    assert NamedTokens.of(["Müller", "##X"], marks, "de").readings == ["muller", "x"]
    pytest.importorskip("sudachipy")
    # As the paper has it: the prolonged sound mark is a character.
    assert NamedTokens.of(["ハンター", "##尾崎"], marks, "ja").readings == ["はんたー", "おざき"]


def test_tokens_in_their_text() -> None:
    text = "İstanbul is not in Ístanbul"
    places = token_places(text, ["İstanbul", "is", "[UNK]", "in", "ístan", "##bul", "", "is"])
    parts = [text[start:stop] for start, stop in places]
    assert parts == ["İstanbul", "is", "", "in", "Ístan", "bul", "", ""]
    assert token_places("", ["a"]) == [(0, 0)]


def test_flags_must_fit() -> None:
    with pytest.raises(ValueError, match="2 readings, 1 flags"):
        NamedTokens(readings=["a", "b"], names=np.array([True]))


WORDS = st.lists(st.text("abc", max_size=3), min_size=1, max_size=6)


@given(WORDS, WORDS, st.sampled_from(Coefficient), st.sampled_from(Scale), st.data())
def test_a_penalty_only_lowers(
    own: list[str], other: list[str], coefficient: Coefficient, scale: Scale, data: st.DataObject
) -> None:
    marks = data.draw(st.lists(st.integers(0, len(own) - 1), unique=True))
    linked = data.draw(
        st.lists(st.integers(-1, len(other) - 1), min_size=len(own), max_size=len(own))
    )
    settings = NamePenalty(coefficient=coefficient, scale=scale, strength=0.5)
    factor = settings.factor(side(own, marks), side(other, []), linked)
    assert 0 <= factor <= 1
    same = settings.factor(side(own, marks), side(own, marks), range(len(own)))
    assert same == 1
