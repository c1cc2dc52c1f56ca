"""WER and PER against their definitions in a few plain lines."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

WORDS = st.lists(st.sampled_from("abcd"), max_size=6)


def row(spec: str, hypothesis: list[str], *references: list[str]) -> list[float]:
    metric = registry.load(f"{spec}(tokenizer=none)")
    test_set = TestSet(
        hypotheses={"A": (" ".join(hypothesis),)},
        references=(tuple(" ".join(words) for words in references),),
    )
    found: list[float] = chunk_statistics(test_set, [metric])[0][0, 0].tolist()
    return found


def plain_edits(own: list[str], other: list[str]) -> int:
    """Return the edit distance by the table of Levenshtein (1966), row by row."""
    above = list(range(len(other) + 1))
    for number, word in enumerate(own, start=1):
        below = [number]
        for position, ((diagonal, up), answer) in enumerate(
            zip(pairwise(above), other, strict=True)
        ):
            below.append(min(diagonal + (word != answer), up + 1, below[position] + 1))
        above = below
    return above[-1]


@given(own=WORDS, other=WORDS)
def test_wer_counts_plain_edits(own: list[str], other: list[str]) -> None:
    assert row("wer", own, other) == [plain_edits(own, other), len(other)]


@given(own=WORDS, other=WORDS)
def test_per_ignores_order(own: list[str], other: list[str]) -> None:
    common = (Counter(own) & Counter(other)).total()
    expected = [max(len(own), len(other)) - common, len(other)]
    assert row("per", own, other) == expected
    assert row("per", own[::-1], other) == expected


@pytest.mark.parametrize("spec", ["wer", "per"])
@pytest.mark.parametrize(
    ("references", "expected"),
    [
        ((["a", "b", "c"], ["a", "b"]), [0, 2]),  # the lower rate
        ((["x", "y", "z"], ["x", "y"]), [2, 2]),  # equal rates: fewer edits
        ((["x", "y"], []), [2, 0]),  # equal rates and edits: the shorter reference
    ],
)
def test_the_best_reference_counts_in_any_order(
    spec: str, references: tuple[list[str], ...], expected: list[int]
) -> None:
    assert row(spec, ["a", "b"], *references) == expected
    assert row(spec, ["a", "b"], *references[::-1]) == expected


def test_rates_are_percent_of_reference_words() -> None:
    metric = registry.load("wer")
    statistics = np.array([[1.0, 4.0], [6.0, 4.0], [0.0, 0.0], [3.0, 0.0]])
    assert metric.score(statistics).tolist() == [25.0, 150.0, 0.0, 100.0]
