"""Texts that every adapter scores, and what `tenbin.score` says of them."""

from collections.abc import Callable

import pytest

import tenbin

HYPOTHESES = ["a cat sat", "the dog", "birds\u2028sing\nloudly", "猫が座った"]
REFERENCES = ["the cat sat", "the dog runs", "birds sing", "猫が座る"]


@pytest.fixture
def hypotheses() -> list[str]:
    return list(HYPOTHESES)


@pytest.fixture
def references() -> list[str]:
    return list(REFERENCES)


@pytest.fixture
def expected() -> Callable[[str], float]:
    """Return the corpus score by a metric, of all texts."""

    def corpus(metric: str) -> float:
        table = tenbin.score(HYPOTHESES, REFERENCES, metrics=[metric], language="en")
        return table["hypotheses", metric]

    return corpus
