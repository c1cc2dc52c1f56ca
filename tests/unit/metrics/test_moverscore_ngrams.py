"""MoverScore with n-grams: worked by hand."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import InvalidParameter
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics.earth_movers import MoverScore

TABLE = "4 3\ncat 1 0 0\nkitten .8 .6 0\nsat 0 0 1\nsits 0 .28 .96\n"


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return f"static:{tmp_path / 'toy.vec'}"


def scores(metric: MoverScore, hypothesis: str, reference: str) -> float:
    texts = TestSet(hypotheses={"one": (hypothesis,)}, references=((reference,),))
    (rows,) = chunk_statistics(texts, [metric.bind("en")])
    return float(rows[0, 0, 0])


def test_moverscore_of_pairs_of_neighbors(toy: str) -> None:
    """kitten sits: (.8, .88, .96) of length 1.528; cat sat: (1, 0, 1) of length 1.414."""
    metric = MoverScore(model=toy, idf=False, ngram=2)
    cosine = (0.8 + 0.96) / (np.sqrt(0.8**2 + 0.88**2 + 0.96**2) * np.sqrt(2))
    expected = 1 / (1 + np.sqrt(2 - 2 * cosine))
    assert scores(metric, "kitten sits", "cat sat") == pytest.approx(expected, abs=1e-6)
    assert scores(metric, "kitten , sits .", "cat sat") == pytest.approx(expected, abs=1e-6)
    assert scores(metric, "cat sat", "cat ! sat") == 1, "punctuation parts no neighbors"
    assert scores(metric, "cat", "cat") == 1, "one piece is an n-gram of one"
    assert scores(metric, "zzz cat", "zzz cat") == 1, "also where a vector is missing"
    assert scores(metric, "", "cat") == 0
    assert "|ngram:2|" in str(metric.bind("en").signature())
    with pytest.raises(InvalidParameter, match="a whole number from 1 to 20"):
        MoverScore(ngram=0)
