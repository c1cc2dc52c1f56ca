"""N-grams that one system renders and another does not."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.text import TestSet
from tenbin.evaluation.analyses import ngrams
from tenbin.evaluation.analyses.ngrams import LONGEST, ngram_contrasts

WORDS = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


def contrasts(texts: TestSet, language: str = "en") -> dict[tuple[int, int], dict[str, object]]:
    found = ngram_contrasts(texts, language, range(len(texts.systems)))
    return {(one.a, one.b): {row.ngram: row for row in one.rows} for one in found}


def grams(text: str) -> set[str]:
    words = text.split()
    return {
        " ".join(words[start : start + length])
        for length in range(1, LONGEST + 1)
        for start in range(len(words) - length + 1)
    }


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=12))
def test_counts_are_those_of_a_slow_count(rows: list[tuple[str, str, str]]) -> None:
    references, one, two = zip(*rows, strict=True)
    texts = TestSet(
        hypotheses={"one": one, "two": two}, references=tuple((text,) for text in references)
    )
    sets = [[grams(text) for text in column] for column in (references, one, two)]
    whole = Counter(gram for own in sets[0] for gram in own)
    for (a, b), found in contrasts(texts).items():
        for gram, row in found.items():
            has = [
                [gram in ref and gram in own for ref, own in zip(sets[0], column, strict=True)]
                for column in sets[1:]
            ]
            only = tuple(
                place
                for place, (mine, yours) in enumerate(zip(has[a], has[b], strict=True))
                if mine and not yours
            )
            assert (row.a, row.b, row.reference, row.segments) == (  # type: ignore[attr-defined]
                sum(has[a]),
                sum(has[b]),
                whole[gram],
                only,
            )
            assert len(only) >= 2


def test_the_most_telling_comes_first_and_parts_of_it_do_not_follow() -> None:
    references = ["the prime minister spoke"] * 6 + ["a cat"] * 2
    texts = TestSet(
        hypotheses={
            "one": (*references[:6], "a dog", "a dog"),
            "two": ("the spoke",) * 6 + ("a cat", "a cat"),
        },
        references=tuple((text,) for text in references),
    )
    found = contrasts(texts)
    assert list(found[0, 1]) == ["the prime minister spoke"]
    assert list(found[1, 0]) == ["a cat"]


def test_words_without_spaces_are_joined() -> None:
    texts = TestSet(
        hypotheses={"one": ("我爱北京",) * 3, "two": ("不",) * 3}, references=(("我爱北京",),) * 3
    )
    assert list(contrasts(texts, "zh")[0, 1]) == ["我爱北京"]


def test_punctuation_alone_is_no_ngram() -> None:
    texts = TestSet(
        hypotheses={"one": ("a .", "b ."), "two": ("a", "b")}, references=(("a .",), ("b .",))
    )
    assert contrasts(texts) == {}


@pytest.mark.parametrize(
    "texts",
    [
        TestSet(hypotheses={"one": ("a",)}, references=(("a",),)),
        TestSet(hypotheses={"one": ("a",), "two": ("b",)}, source=("a",)),
    ],
)
def test_without_two_systems_and_references_there_is_nothing(texts: TestSet) -> None:
    assert ngram_contrasts(texts, "en", range(len(texts.systems))) == ()


def test_many_systems_are_compared_with_the_best_and_with_their_neighbors() -> None:
    order = [3, 1, 4, 0, 5, 9, 2, 6, 8, 7]
    pairs = ngrams._pairs(order, None)
    assert len(pairs) == len(set(pairs)) == 2 * (9 + 8)
    assert {(3, one) for one in range(10) if one != 3} <= set(pairs)
    assert {(4, 0), (0, 4)} <= set(pairs)
    assert {(7, one) for one in range(7)} <= set(ngrams._pairs(order, 7))
    assert ngrams._pairs(range(8), None) == [
        (a, b) for a, b in product(range(8), repeat=2) if a != b
    ]


def test_of_much_text_the_first_segments_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngrams, "MOST_CHARACTERS", 20)
    texts = TestSet(
        hypotheses={"one": ("a b",) * 4 + ("c d",) * 4, "two": ("x",) * 8},
        references=(("a b",),) * 4 + (("c d",),) * 4,
    )
    assert list(contrasts(texts)[0, 1]) == ["a b"]
