"""SV with vectors as long as in their file: equations 1 and 2 of Matsuo et al. (2017), by hand.

SV(a) is the mean of the vectors of a text, and the score the cosine of two such means. The default
gives all vectors length 1 before.
"""

import math
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import MissingResource, UsageError
from tenbin.core.resource import ResourceKind
from tenbin.formats.vectors.detection import open_vectors
from tenbin.resources.store.store import default_store

# Lengths 2, 3, .5, √2 and 2. `cats` has the vector of `cat`.
VECTORS = """\
5 3
cat 2 0 0
dog 0 3 0
sat 0 0 0.5
the 1 1 0
cats 2 0 0
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "toy.vec"
    path.write_text(VECTORS)
    return path


def score(table: Path, own: str, answer: str, **parameters: str) -> float:
    told = "".join(f', {name}="{value}"' for name, value in parameters.items())
    metric = tenbin.load_metric(f'sv(vectors="{table}"{told})', language="en")
    return float(metric.score([own], [answer]).score)


def test_means_of_vectors_as_they_are_in_the_file(table: Path) -> None:
    # the cat sat: (3, 1, .5) / 3; the dog sat: (1, 4, .5) / 3.
    by_hand = (3 + 4 + 0.25) / math.sqrt((9 + 1 + 0.25) * (1 + 16 + 0.25))
    raw = score(table, "the cat sat", "the dog sat", vector_length="raw")
    assert raw == pytest.approx(by_hand, abs=1e-6)


def test_vectors_have_length_one_unless_asked_for(table: Path) -> None:
    half = math.sqrt(0.5)
    # The sums: 1 + h, h, 1 on one side, h, 1 + h, 1 on the other, where h is the half below.
    by_hand = (2 * (1 + half) * half + 1) / ((1 + half) ** 2 + half**2 + 1)
    unit = score(table, "the cat sat", "the dog sat")
    assert unit == pytest.approx(by_hand, abs=1e-6)
    assert unit == score(table, "the cat sat", "the dog sat", vector_length="unit")
    assert unit != pytest.approx(score(table, "the cat sat", "the dog sat", vector_length="raw"))


def test_words_without_a_vector_have_the_mean_length_of_the_file_or_are_dropped(
    table: Path,
) -> None:
    # Each a dimension of its own.
    mean = (2 + 3 + 0.5 + math.sqrt(2) + 2) / 5
    by_hand = 10 / (10 + mean**2)  # (3, 1, 0) on both sides
    raw = score(table, "the cat zzz", "the cat yyy", vector_length="raw")
    assert raw == pytest.approx(by_hand, abs=1e-6)
    same = score(table, "the cat zzz", "cat the zzz", vector_length="raw")
    assert same == pytest.approx(1.0, abs=1e-12)
    for policy in ("drop", "zero"):
        dropped = score(table, "the cat zzz", "the cat yyy", vector_length="raw", oov=policy)
        assert dropped == pytest.approx(1.0, abs=1e-6)


def test_different_words_with_one_vector_are_as_alike_as_they_are_spelled(table: Path) -> None:
    # cat and cats: 3 of 4 letters; 2 · 2 · 3/4 + 3 · 3, over squares of 4 + 9.
    raw = score(table, "cat dog", "cats dog", vector_length="raw")
    assert raw == pytest.approx(12 / 13, abs=1e-6)


def test_a_table_of_unit_vectors_has_no_lengths() -> None:
    with pytest.raises(UsageError, match="'glove-en-small' are a table of vectors of length 1"):
        tenbin.load_metric('sv(vector_length="raw")', language="en").score(["cat"], ["dog"])


def test_composed_vectors_have_no_length(table: Path) -> None:
    with pytest.raises(UsageError, match='vector_length="raw" needs vectors of whole words'):
        score(table, "cat", "cat", vector_length="raw", oov="subword")


def test_the_installed_english_vectors_against_a_plain_program() -> None:
    store = default_store()
    try:
        path = store.path("vectors-en")
        store.identity("vectors-en", kind=ResourceKind.VECTORS, language="en")
    except MissingResource:
        pytest.skip("vectors-en is not installed")
    own, answer = "the cat sat on the mat", "the old dog was sitting on the mat"
    wanted = set(own.split()) | set(answer.split())
    vectors: dict[str, FloatArray] = {}
    for words, block in open_vectors(path).chunks:
        for word, vector in zip(words, block.astype(np.float64), strict=True):
            if word in wanted:
                vectors.setdefault(word, vector)
        if len(vectors) == len(wanted):
            break
    here, there = (
        np.mean([vectors[word] for word in text.split()], axis=0) for text in (own, answer)
    )
    cosine = here @ there / np.linalg.norm(here) / np.linalg.norm(there)
    metric = tenbin.load_metric('sv(vectors="vectors-en", vector_length="raw")', language="en")
    assert float(metric.score([own], [answer]).score) == pytest.approx(cosine, abs=2e-4)
