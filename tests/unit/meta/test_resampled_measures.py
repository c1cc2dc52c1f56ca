"""Every measure on drawn segments equals the measure on a table with those segments written out."""

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanPairs, HumanScores, ScoreMatrix
from tenbin.meta.measures import tie_calibration
from tenbin.meta.measures.catalog import MEASURES, measure, prepare
from tenbin.meta.measures.measurement import Settings, Undefined
from tenbin.meta.measures.scores import MetricTables, build_darr
from tenbin.meta.significance.bootstrap import bootstrap, difference, uncertainty

SYSTEMS = ("A", "B", "C", "D", "E")
SEGMENTS = 12
# Outliers are found once, on all segments, and not again in every sample.
# Outliers and means over samples look at other data than a sample of the segments alone.
ALL = sorted(
    name
    for name, one in MEASURES.items()
    if not one.info.without_outliers and one.info.mean_of is None
)


def table(name: str, scores: FloatArray) -> ScoreMatrix:
    return ScoreMatrix.by_segment(name, dict(zip(SYSTEMS, scores.tolist(), strict=True)))


def example(seed: int, *, gaps: bool) -> tuple[HumanScores, MetricTables]:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 5, (len(SYSTEMS), SEGMENTS)).astype(np.float64) * 20
    scores: FloatArray = (gold / 100 + rng.normal(0, 0.3, gold.shape)).round(1)
    gold[:, 2] = 60.0  # a segment without correlation
    raw = table("da", gold)
    if gaps:
        gold[rng.random(gold.shape) < 0.2] = np.nan
    human = HumanScores(name="da", segments=table("da", gold), pairs=build_darr(raw))
    return human, MetricTables(name="m", segments=table("m", scores))


def written_out(
    human: HumanScores, metric: MetricTables, counts: IntArray
) -> tuple[HumanScores, MetricTables]:
    assert human.segments is not None
    assert metric.segments is not None
    assert human.pairs is not None
    places = np.repeat(np.arange(SEGMENTS), counts)
    judgments = []
    for new, old in enumerate(places):
        here = np.flatnonzero(human.pairs.segments == old)
        judgments += [
            (
                new,
                human.pairs.systems[human.pairs.better[j]],
                human.pairs.systems[human.pairs.worse[j]],
            )
            for j in here
        ]
    return (
        HumanScores(
            name="da",
            segments=table("da", human.segments.scores[:, places]),
            pairs=HumanPairs.of_names("darr", judgments),
        ),
        MetricTables(name="m", segments=table("m", metric.segments.scores[:, places])),
    )


@pytest.mark.parametrize("undefined", list(Undefined))
@pytest.mark.parametrize("name", ALL)
def test_drawn_segments_are_segments_written_out(name: str, undefined: Undefined) -> None:
    settings = Settings(undefined=undefined, by_segment=True, permutations=200)
    rng = np.random.default_rng(5)
    for seed in range(4):
        human, metric = example(seed, gaps=name != "spa")
        prepared = prepare(name, human, metric, settings)
        counts = rng.multinomial(SEGMENTS, [1 / SEGMENTS] * SEGMENTS, size=5)
        counts[0] = 1
        found = prepared.resampled(counts.astype(np.float64))
        expected = [
            measure(name, *written_out(human, metric, row), settings).value for row in counts
        ]
        np.testing.assert_allclose(found, expected, atol=1e-12)
        assert found[0] == pytest.approx(prepared.value().value, abs=1e-12)


def test_judgments_are_drawn_one_by_one() -> None:
    human, metric = example(1, gaps=False)
    assert human.pairs is not None
    prepared = prepare("wmt14-tau", human, metric)
    assert prepared.units == len(human.pairs)
    counts = np.zeros((2, prepared.units))
    counts[0, 0] = 3
    counts[1] = 1
    alone = measure(
        "wmt14-tau",
        HumanPairs(
            name="rr",
            systems=human.pairs.systems,
            segments=human.pairs.segments[:1],
            better=human.pairs.better[:1],
            worse=human.pairs.worse[:1],
        ),
        metric,
    )
    found = prepared.resampled(counts)
    assert found.tolist() == pytest.approx([alone.value, prepared.value().value])


def test_documents_are_drawn_whole() -> None:
    human, metric = example(2, gaps=False)
    prepared = prepare("segment-pearson", human, metric)
    documents = ["x"] * 5 + ["y"] * 7
    samples = bootstrap(
        [prepared], rng=np.random.default_rng(1), resamples=40, documents=documents
    )[0]
    whole = [
        prepared.resampled(np.array([[a] * 5 + [b] * 7], dtype=float))[0]
        for a, b in ((2, 0), (1, 1), (0, 2))
    ]
    assert sorted(set(samples.round(12).tolist())) == sorted(np.round(whole, 12).tolist())


def test_blocks_do_not_change_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    human, metric = example(3, gaps=True)
    prepared = prepare("acc-eq", human, metric)
    large = bootstrap([prepared], rng=np.random.default_rng(4), resamples=30)
    monkeypatch.setattr("tenbin.meta.significance.bootstrap._BLOCK_ROWS", 7)
    small = bootstrap([prepared], rng=np.random.default_rng(4), resamples=30)
    np.testing.assert_allclose(small, large, atol=1e-12)


def test_metrics_share_the_draws_so_that_differences_are_paired() -> None:
    human, metric = example(4, gaps=False)
    assert metric.segments is not None
    shifted = table("n", metric.segments.scores * 2 + 1)  # no correlation can see the change
    both = [prepare("segment-pearson", human, one) for one in (metric.segments, shifted)]
    samples = bootstrap(both, rng=np.random.default_rng(6), resamples=50)
    assert difference(samples, 0, 1).percentile == pytest.approx((0, 0), abs=1e-12)
    assert uncertainty(samples[0]).percentile[0] < samples[0].mean()


def test_a_metric_can_say_how_its_system_scores_come_about() -> None:
    human, metric = example(5, gaps=False)
    assert metric.segments is not None
    scores = metric.segments.scores
    squared = MetricTables(
        name="m",
        systems=ScoreMatrix.by_system(
            "m", dict(zip(SYSTEMS, (scores**2).sum(axis=1), strict=True))
        ),
        resampler=lambda counts: counts @ (scores**2).T,
    )
    prepared = prepare("system-pearson", human, squared)
    ones = np.ones((1, SEGMENTS))
    assert prepared.resampled(ones)[0] == pytest.approx(prepared.value().value)
    fixed = prepare("paraeval-spearman", human, squared)
    counts = np.zeros((1, SEGMENTS))
    counts[0, 3] = SEGMENTS
    gold = human.segments.scores.mean(axis=1) if human.segments else np.empty(0)
    by_hand = measure(
        "system-spearman",
        ScoreMatrix.by_system("h", dict(zip(SYSTEMS, gold, strict=True))),
        ScoreMatrix.by_system("m", dict(zip(SYSTEMS, scores[:, 3] ** 2, strict=True))),
    )
    assert fixed.resampled(counts)[0] == pytest.approx(by_hand.value)


def test_system_scores_alone_cannot_vary() -> None:
    human = ScoreMatrix.by_system("h", {"A": 1, "B": 2, "C": 4})
    metric = ScoreMatrix.by_system("m", {"A": 1, "B": 3, "C": 4})
    samples = bootstrap(
        [prepare("system-pearson", human, metric)], rng=np.random.default_rng(1), resamples=5
    )
    found = uncertainty(samples[0])
    assert np.isnan([found.mean, *found.percentile, *found.of_mean]).all()
    assert found.undefined == 5


def test_what_cannot_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    human, metric = example(6, gaps=False)
    prepared = prepare("acc-eq-none", human, metric)
    rng = np.random.default_rng(1)
    with pytest.raises(InputError, match="the documents of 3 lines, expected those of 12 segments"):
        bootstrap([prepared], rng=rng, documents=["a", "b", "c"])
    with pytest.raises(InputError, match="differ in what can be drawn"):
        bootstrap([prepared, prepare("wmt12-tau", human, metric)], rng=rng)
    monkeypatch.setattr(tie_calibration, "_MOST_RESAMPLED", 10)
    with pytest.raises(UsageError, match="too many to calibrate"):
        prepared.resampled(np.ones((1, SEGMENTS)))
    monkeypatch.setattr(tie_calibration, "_MOST_PAIRS", 10)
    with pytest.raises(UsageError, match=r"1,770 pairs .* too many"):
        prepare("acc-eq-none", human, metric)
