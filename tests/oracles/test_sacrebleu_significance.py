"""Our tests against sacrebleu's on WMT20 en-de, from the same seed.

Provenance: sacrebleu 2.6.0 `PairedTest`, numpy 2.4.6, seed 12345, stored with its description in
`oracles/sacrebleu-significance` of the shared data. sacrebleu itself only extracts the
statistics here; the two scoring formulas are written out again, over stacks, to be quick.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu import metrics as sacrebleu_metrics

from tenbin.stats.arrays import FloatArray
from tenbin.stats.resampling import bootstrap_scores, percentile_interval
from tenbin.stats.significance import paired_bootstrap, paired_randomization

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
EXPECTED = SHARED / "oracles" / "sacrebleu-significance"
WMT20 = SHARED / "data" / "wmt20"
SEED = 12345


pytestmark = [
    pytest.mark.oracle,
    pytest.mark.slow,
    pytest.mark.skipif(not EXPECTED.is_dir(), reason="stored sacrebleu p-values are not here"),
    pytest.mark.skipif(not WMT20.is_dir(), reason="WMT20 texts are not here"),
]


def bleu(statistics: FloatArray) -> FloatArray:
    lengths, correct, total = np.split(statistics, [2, 6], axis=-1)
    brevity = np.minimum(0, 1 - lengths[..., 1] / lengths[..., 0])
    scores: FloatArray = 100 * np.exp(np.log(correct / total).mean(axis=-1) + brevity)
    return scores


def chrf(statistics: FloatArray) -> FloatArray:
    hypothesis, reference, match = (statistics[..., part::3] for part in range(3))
    precision = (match / hypothesis).mean(axis=-1)
    recall = (match / reference).mean(axis=-1)
    scores: FloatArray = 500 * precision * recall / (4 * precision + recall)
    return scores


def read_segments(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@cache
def extracted_statistics(system: str) -> tuple[FloatArray, FloatArray]:
    references = [read_segments(WMT20 / "references" / "en-de.refA.txt")]
    hypotheses = read_segments(WMT20 / "system-outputs" / "en-de" / f"{system}.txt")
    metrics = (sacrebleu_metrics.BLEU(), sacrebleu_metrics.CHRF())
    first, second = (
        np.array(metric._extract_corpus_statistics(hypotheses, references), dtype=np.float64)
        for metric in metrics
    )
    return first, second


class Comparison:
    """One stored comparison: systems (baseline first), their statistics, sacrebleu's numbers."""

    def __init__(self, file: str, test: str) -> None:
        record: dict[str, Any] = json.loads((EXPECTED / file).read_text("utf-8"))[test]
        systems: list[str] = record["systems"]
        extracted = [extracted_statistics(system) for system in systems]
        self.statistics = [np.stack(arrays) for arrays in zip(*extracted, strict=True)]
        self.scorers = [bleu, chrf]
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


BOTH_FILES = pytest.mark.parametrize("file", ["expected.json", "expected-baseline-OPPO.json"])


@BOTH_FILES
def test_scores_equal_sacrebleu(file: str) -> None:
    comparison = Comparison(file, "bs.n=1000")
    for observed, stored in zip(comparison.observed, comparison.stored, strict=True):
        np.testing.assert_allclose(observed, column(stored, "score"), rtol=0, atol=1e-9)


@BOTH_FILES
def test_same_seed_gives_the_intervals_of_sacrebleu(file: str) -> None:
    comparison = Comparison(file, "bs.n=1000")
    for scores, stored in zip(comparison.resampled(), comparison.stored, strict=True):
        low, high = percentile_interval(scores)
        # sacrebleu sums in float32, which moves chrF (sums near 1e5) by some 1e-5.
        np.testing.assert_allclose(scores.mean(axis=1), column(stored, "mean"), rtol=0, atol=2e-5)
        np.testing.assert_allclose((high - low) / 2, column(stored, "ci"), rtol=0, atol=2e-5)


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("expected.json", "ar.n=1000"),
        ("expected.json", "ar.n=10000"),
        ("expected-baseline-OPPO.json", "ar.n=10000"),
    ],
)
def test_same_seed_gives_the_randomisation_of_sacrebleu(file: str, test: str) -> None:
    comparison = Comparison(file, test)
    for p_values, stored in zip(comparison.randomised(), comparison.stored, strict=True):
        expected = column(stored, "p_value", start=1)
        np.testing.assert_allclose(p_values[0, 1:], expected, rtol=0, atol=1e-12)


@BOTH_FILES
def test_rule_of_sacrebleu_on_our_resamples_gives_its_bootstrap_p_values(file: str) -> None:
    comparison = Comparison(file, "bs.n=1000")
    for observed, scores, stored in zip(
        comparison.observed, comparison.resampled(), comparison.stored, strict=True
    ):
        p_values = p_value_folded_before_centring(observed, scores)
        # A float32 sum may carry one resample across the observed difference.
        expected = column(stored, "p_value", start=1)
        np.testing.assert_allclose(p_values, expected, rtol=0, atol=1.5 / comparison.rounds)


@BOTH_FILES
def test_our_bootstrap_agrees_with_randomisation_where_sacrebleu_does_not(file: str) -> None:
    bootstrap = Comparison(file, "bs.n=1000")
    randomisation = Comparison(file, "ar.n=10000")
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
