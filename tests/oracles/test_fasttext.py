"""Vectors of known and unknown words are those of fastText; `tests/data/fasttext` says how made."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors

DATA = Path(__file__).parents[1] / "data" / "fasttext"

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> WordVectors:
    store = ResourceStore(tmp_path_factory.mktemp("cache"))
    return load_vectors(str(DATA / "tiny.bin"), "und", store)


@pytest.fixture(params=["known", "unknown"])
def expected(request: pytest.FixtureRequest) -> dict[str, list[float]]:
    lines = (DATA / "vectors.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {row[1]: [float(value) for value in row[2:]] for row in rows if row[0] == request.param}


def test_vectors(
    vectors: WordVectors, expected: dict[str, list[float]], request: pytest.FixtureRequest
) -> None:
    found = vectors.look_up(list(expected), lowercase=False, subwords=True)
    wanted = np.array(list(expected.values()))
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(found.units, wanted, rtol=0, atol=1e-6)
    known = "[known]" in request.node.name
    assert ((found.rows >= 0) if known else (found.rows == -2)).all()
    assert len(expected) >= 10


def test_unknown_words_stay_unknown_unless_asked_for(vectors: WordVectors) -> None:
    assert vectors.look_up(["doggy", "Cat"]).present.tolist() == [False, True]
    assert vectors.look_up(["doggy"], subwords=True).present.tolist() == [True]


def test_how_words_are_put_together_makes_no_difference(vectors: WordVectors) -> None:
    words = [f"{a}{b}" for a in "abcdé猫" for b in "xyzя語"] * 20
    together = vectors.look_up(words, subwords=True).units
    alone = np.concatenate([vectors.look_up([word], subwords=True).units for word in words[:30]])
    assert together[:30].tobytes() == alone.tobytes()
    assert together[30:60].tobytes() == alone.tobytes()
