"""HAS against scipy, WMD and WE_WPI against POT, on real and on random pairs of segments.

Provenance: scipy.optimize.linear_sum_assignment; POT (`ot.emd2`, Flamary et al. 2021), both as
installed. Costs and weights are worked out here from their definitions, in 64 bits, out of the
cosines that the metrics see.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Batch
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.metrics.aggregations.transport import WordMoversWork
from tenbin.metrics.choices import DistanceForm, OutOfVocabulary, PositionPenalty
from tenbin.metrics.earth_movers import WeWpi, WordMovers
from tenbin.metrics.representations.counted_words import CountedWords
from tenbin.metrics.similarity_metric import SimilarityMetric
from tenbin.metrics.was_mas_has import Has

PAIRS = 300
WORDS = (
    *("the", "cat", "dog", "sat", "mat", "house", "run", "runs", "red", "blue"),
    *(",", ".", "zzxqj", "The", "in", "on", "under", "big", "small"),
)
ODD = [
    ("", "a cat sat"),
    ("a cat sat", ""),
    ("", ""),
    ("zzxqj qjxzz", "qqzzx"),
    ("zzxqj zzxqj", "zzxqj"),
    ("cat", "dog"),
    ("the the the the", "the cat the"),
    ("the cat sat", "the cat sat"),
]


def example_pairs(example: Callable[[str, str], list[str]]) -> TestSet:
    """Return all pairs of the bundled example and pairs that are hard to get right."""
    pairs = [
        pair
        for name in ("careful", "literal", "gloss")
        for reference in ("refA", "refB")
        for pair in zip(example("ja-en", name), example("ja-en", reference), strict=True)
    ]
    return as_test_set([*ODD, *pairs])


def wmt14_pairs(shared: Path) -> TestSet:
    """Return pairs of WMT14 de-en and pairs that are hard to get right."""
    folder = shared / "data" / "wmt14"
    references = (folder / "references" / "de-en.refA.txt").read_text("utf-8").splitlines()
    system = folder / "system-outputs" / "de-en" / "onlineB.0.txt"
    pairs = list(zip(system.read_text("utf-8").splitlines(), references, strict=True))
    return as_test_set([*ODD, *pairs[: PAIRS - len(ODD)]])


def random_pairs() -> TestSet:
    rng = np.random.default_rng(12345)

    def text() -> str:
        return " ".join(rng.choice(WORDS, size=int(rng.integers(0, 25))))

    return as_test_set([(text(), text()) for _ in range(PAIRS)])


def as_test_set(pairs: list[tuple[str, str]]) -> TestSet:
    return TestSet(
        hypotheses={"system": tuple(own for own, _ in pairs)},
        references=tuple((other,) for _, other in pairs),
    )


@pytest.fixture(scope="module", params=["example", "random", "wmt14"])
def pairs(request: pytest.FixtureRequest) -> TestSet:
    if request.param == "random":
        return random_pairs()
    if request.param == "example":
        return example_pairs(request.getfixturevalue("example"))
    return wmt14_pairs(request.getfixturevalue("shared"))


def scored(metric: SimilarityMetric, pairs: TestSet) -> tuple[Batch, FloatArray]:
    batch = build_batch(pairs, metric.needs.annotations)
    return batch, metric.segment_score(metric.statistics(batch))


def cosines(metric: SimilarityMetric, batch: Batch, pair: int) -> FloatArray:
    """Return the cosines of one pair, in 64 bits."""
    left, right = batch.pairs()
    words = metric.compares.tokens(batch)
    return words.blocks(left[pair : pair + 1], right[pair : pair + 1]).one(0).astype(np.float64)


def test_has(pairs: TestSet) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    metric = Has(threshold=-1.0).bind("en")
    batch, found = scored(metric, pairs)
    for pair, score in enumerate(found):
        block = cosines(metric, batch, pair)
        rows, columns = optimize.linear_sum_assignment(block, maximize=True)
        expected = block[rows, columns].mean() if block.size else 0.0
        assert score == pytest.approx(expected, abs=1e-9)


@pytest.fixture(scope="module")
def emd() -> Callable[[FloatArray, FloatArray, FloatArray], float]:
    ot = pytest.importorskip("ot")

    def solved(own: FloatArray, other: FloatArray, costs: FloatArray) -> float:
        # POT takes the same total on both sides to the last bit.
        return float(ot.emd2(own / own.sum(), other / other.sum(), costs, numItermax=1_000_000))

    return solved


def test_wmd(pairs: TestSet, emd: Callable[..., float]) -> None:
    metric = WordMovers(form=DistanceForm.NEGATIVE, oov=OutOfVocabulary.DROP).bind("en")
    batch, found = scored(metric, pairs)
    represented = metric.part(CountedWords)
    words = represented.tokens(batch)
    left, right = batch.pairs()
    known = represented.table().look_up(list(words.vocabulary))
    column = represented.column(batch)
    for pair, score in enumerate(found):
        sides = [
            Counter(number for number in column.rows.row(string).tolist() if known.present[number])
            for string in (left[pair], right[pair])
        ]
        if not all(sides):
            assert score == -2
            continue
        vectors = [known.units[list(side)].astype(np.float64) for side in sides]
        apart = vectors[0][:, None] - vectors[1][None]
        distances = np.sqrt((apart**2).sum(axis=2))
        weights = [np.array(list(side.values()), dtype=np.float64) for side in sides]
        part = words.blocks(left[pair : pair + 1], right[pair : pair + 1])
        compared = metric.pairs_from(batch, pair, pair + 1)
        problem = metric.part(WordMoversWork).problem(compared)
        seen = problem.costs.reshape(int(part.heights[0]), int(part.widths[0]))
        assert score == pytest.approx(-emd(problem.supplies, problem.demands, seen), abs=1e-9)
        # Vectors of length 1 in 32 bits: their distances agree with those by cosine to 1e-7 or so.
        assert score == pytest.approx(-emd(*weights, distances), abs=5e-7)
        cost = metric.explain(batch, pair).alignment.matches
        assert -score == pytest.approx(sum((m.mass or 0) * (m.cost or 0) for m in cost), abs=1e-9)


@pytest.mark.parametrize("idf", ["references", "system"])
@pytest.mark.parametrize("exponential", [False, True])
def test_we_wpi(pairs: TestSet, emd: Callable[..., float], idf: str, *, exponential: bool) -> None:
    penalty = PositionPenalty.EXP if exponential else PositionPenalty.LINEAR
    metric = WeWpi(position=penalty, idf=idf).bind("en")
    batch, found = scored(metric, pairs)
    words = metric.compares.tokens(batch)
    texts = [[words.tokens(int(row)) for row in side] for side in batch.pairs()]
    learned = texts if idf == "system" else [texts[1], texts[1]]
    document_counts = [Counter(word for text in side for word in set(text)) for side in learned]

    def weights(side: int, text: tuple[str, ...]) -> FloatArray:
        counts = Counter(text)
        size = len(texts[side])
        return np.array(
            [
                (1 + np.log10(counts[word]))
                * np.log10(1 + size / max(document_counts[side][word], 1))
                for word in text
            ]
        )

    for pair, score in enumerate(found):
        own, other = texts[0][pair], texts[1][pair]
        if not own or not other:
            assert score == 0
            continue
        block = np.maximum(cosines(metric, batch, pair), 0)
        places = [np.arange(1, len(side) + 1) / len(side) for side in (own, other)]
        apart = np.abs(np.subtract.outer(*places))
        costs = 1 - block * (np.exp(-apart) if exponential else 1 - apart)
        expected = 1 - emd(weights(0, own), weights(1, other), costs)
        assert score == pytest.approx(expected, abs=1e-9)
