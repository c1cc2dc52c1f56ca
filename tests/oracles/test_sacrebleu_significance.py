"""Our tests against sacrebleu's on the bundled example and on WMT20 en-de, from the same seed.

Provenance: sacrebleu 2.6.0 `PairedTest`, numpy 2.4.6, seed 12345. The numbers of the example are in
`tests/oracles/data/sacrebleu-significance`, those of WMT20, whose texts are not ours to copy, in
the shared folder. Statistics and formulas are those of our BLEU and chrF, and the first test shows
that their scores are sacrebleu's.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.stats.arrays import FloatArray
from tenbin.stats.resampling import bootstrap_scores, percentile_interval
from tenbin.stats.significance import paired_bootstrap, paired_randomization

SEED = 12345

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

Texts = Callable[[str], list[str]]
Example = Callable[[str, str], list[str]]


METRICS = [registry.load(name).bind("en") for name in ("bleu", "chrf")]


@dataclass(frozen=True, eq=False)
class Source:
    """Stored numbers, and the texts of the systems that they name."""

    folder: Path
    references: list[str]
    outputs: Texts


@cache
def extracted_statistics(source: Source, systems: tuple[str, ...]) -> list[FloatArray]:
    """Return the statistics of each metric, shape (systems, segments, K)."""
    texts = TestSet(
        hypotheses={system: tuple(source.outputs(system)) for system in systems},
        references=tuple((text,) for text in source.references),
    )
    return chunk_statistics(texts, METRICS)


@pytest.fixture(scope="session")
def mixtures(oracle_data: Path, example: Example) -> Source:
    """Systems of the example; 'ccl' is careful, careful, literal on segments 1, 2, 3, and again."""
    parts = {name[0]: example("ja-en", name) for name in ("careful", "literal")}

    def outputs(system: str) -> list[str]:
        if system == "careful":
            return parts["c"]
        count = len(parts["c"])
        return [parts[letter][n] for n, letter in zip(range(count), cycle(system), strict=False)]

    folder = oracle_data / "sacrebleu-significance"
    return Source(folder, example("ja-en", "refA"), outputs)


@pytest.fixture(scope="session")
def wmt20(shared: Path) -> Source:
    folder = shared / "data" / "wmt20"

    def read(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")

    return Source(
        shared / "oracles" / "sacrebleu-significance",
        read(folder / "references" / "en-de.refA.txt"),
        lambda system: read(folder / "system-outputs" / "en-de" / f"{system}.txt"),
    )


class Comparison:
    """One stored comparison: systems (baseline first), their statistics, sacrebleu's numbers."""

    def __init__(self, source: Source, file: str, test: str) -> None:
        record: dict[str, Any] = json.loads((source.folder / file).read_text("utf-8"))[test]
        systems: list[str] = record["systems"]
        self.statistics = extracted_statistics(source, tuple(systems))
        self.scorers = [metric.score for metric in METRICS]
        self.stored = [record["BLEU"], record["chrF2"]]
        self.rounds = int(test.partition("=")[2])
        self.observed = [
            scorer(array.sum(axis=1))
            for scorer, array in zip(self.scorers, self.statistics, strict=True)
        ]

    def resampled(self) -> list[FloatArray]:
        rng = np.random.default_rng(SEED)
        return bootstrap_scores(self.statistics, self.scorers, resamples=self.rounds, rng=rng)

    def randomised(self) -> list[FloatArray]:
        rng = np.random.default_rng(SEED)
        return paired_randomization(self.statistics, self.scorers, rounds=self.rounds, rng=rng)


def column(records: list[dict[str, float]], field: str, *, start: int = 0) -> FloatArray:
    return np.array([record[field] for record in records[start:]])


def p_value_folded_before_centring(observed: FloatArray, resampled: FloatArray) -> FloatArray:
    """The rule of sacrebleu 2.6.0, for every system against the first."""
    folded = np.abs(resampled[1:] - resampled[0])
    statistic = folded - folded.mean(axis=1, keepdims=True)
    above = statistic > np.abs(observed[1:] - observed[0])[:, np.newaxis]
    p_values: FloatArray = (above.sum(axis=1) + 1) / (resampled.shape[1] + 1)
    return p_values


FILES = [
    ("mixtures", "expected.json"),
    ("mixtures", "expected-baseline-ccll.json"),
    ("wmt20", "expected.json"),
    ("wmt20", "expected-baseline-OPPO.json"),
]
EVERY_FILE = pytest.mark.parametrize(
    ("source", "file"), FILES, ids=["-".join(pair) for pair in FILES], indirect=["source"]
)


@pytest.fixture
def source(request: pytest.FixtureRequest) -> Source:
    found: Source = request.getfixturevalue(request.param)
    return found


@EVERY_FILE
def test_scores_equal_sacrebleu(source: Source, file: str) -> None:
    comparison = Comparison(source, file, "bs.n=1000")
    for observed, stored in zip(comparison.observed, comparison.stored, strict=True):
        np.testing.assert_allclose(observed, column(stored, "score"), rtol=0, atol=1e-9)


@EVERY_FILE
def test_same_seed_gives_the_intervals_of_sacrebleu(source: Source, file: str) -> None:
    comparison = Comparison(source, file, "bs.n=1000")
    for scores, stored in zip(comparison.resampled(), comparison.stored, strict=True):
        low, high = percentile_interval(scores)
        # sacrebleu sums in float32, which moves chrF (sums near 1e5) by some 1e-5.
        np.testing.assert_allclose(scores.mean(axis=1), column(stored, "mean"), rtol=0, atol=2e-5)
        np.testing.assert_allclose((high - low) / 2, column(stored, "ci"), rtol=0, atol=2e-5)


@pytest.mark.parametrize(
    ("source", "file", "test"),
    [
        *((*pair, "ar.n=10000") for pair in FILES),
        ("mixtures", "expected.json", "ar.n=1000"),
        ("wmt20", "expected.json", "ar.n=1000"),
    ],
    indirect=["source"],
)
def test_same_seed_gives_the_randomisation_of_sacrebleu(
    source: Source, file: str, test: str
) -> None:
    comparison = Comparison(source, file, test)
    for p_values, stored in zip(comparison.randomised(), comparison.stored, strict=True):
        expected = column(stored, "p_value", start=1)
        np.testing.assert_allclose(p_values[0, 1:], expected, rtol=0, atol=1e-12)


@EVERY_FILE
def test_rule_of_sacrebleu_on_our_resamples_gives_its_bootstrap_p_values(
    source: Source, file: str
) -> None:
    comparison = Comparison(source, file, "bs.n=1000")
    for observed, scores, stored in zip(
        comparison.observed, comparison.resampled(), comparison.stored, strict=True
    ):
        p_values = p_value_folded_before_centring(observed, scores)
        # A float32 sum may carry one resample across the observed difference.
        expected = column(stored, "p_value", start=1)
        np.testing.assert_allclose(p_values, expected, rtol=0, atol=1.5 / comparison.rounds)


@EVERY_FILE
def test_our_bootstrap_agrees_with_randomisation_where_sacrebleu_does_not(
    source: Source, file: str
) -> None:
    bootstrap = Comparison(source, file, "bs.n=1000")
    randomisation = Comparison(source, file, "ar.n=10000")
    folded_is_off = False
    for observed, scores, folded, exact in zip(
        bootstrap.observed,
        bootstrap.resampled(),
        bootstrap.stored,
        randomisation.stored,
        strict=True,
    ):
        ours = paired_bootstrap(observed, scores)[0, 1:]
        target = column(exact, "p_value", start=1)
        # Four standard errors of both sides, as the description of the stored values allows.
        variance = target * (1 - target)
        tolerance = sum(4 * np.sqrt(variance / n) + 1 / n for n in (1_000, 10_000))
        assert (np.abs(ours - target) <= tolerance).all()
        folded_is_off |= bool(
            (np.abs(column(folded, "p_value", start=1) - target) > tolerance).any()
        )
    assert folded_is_off
