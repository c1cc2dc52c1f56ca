"""Meta-evaluation: python -m benchmarks.meta [--write-docs]."""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page
from benchmarks.tables import Row, Section
from benchmarks.timing import cpu_seconds
from tenbin.core.arrays import FloatArray
from tenbin.core.judgments import HumanPairs, ScoreMatrix
from tenbin.meta.measures.catalog import measure, prepare
from tenbin.meta.significance.permutation import rank_metrics

SPEED = Section(
    "Measures of agreement",
    "Seconds of processor time on made-up scores, kernels loaded. The peer of tie calibration is "
    "the straightforward program: the accuracy of all pairs, anew for every epsilon that occurs; "
    "it was timed on one metric and multiplied.",
    "compiled kernels; no scores",
)
_PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
_MARKER = "<!-- benchmarks: meta-evaluation -->"
_SYSTEMS, _SEGMENTS, _METRICS = 10, 1_000, 30
_JUDGMENTS, _JUDGED_METRICS = 60_000, 20
_TESTED_METRICS, _ROUNDS = 20, 1_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write-docs", action="store_true", help="put the table into the docs")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    rows = [_preferences(rng), _calibration(rng), _permutation(rng)]
    texts = f"made-up scores of {_SYSTEMS} systems on {_SEGMENTS:,} segments"
    report = render_results(describe_machine(), texts, {SPEED: rows})
    print(report)
    if options.write_docs:
        write_page(_PAGE, report, _MARKER)


def _preferences(rng: np.random.Generator) -> Row:
    better = rng.integers(_SYSTEMS, size=_JUDGMENTS)
    pairs = HumanPairs(
        name="darr",
        systems=tuple(f"system{number}" for number in range(_SYSTEMS)),
        segments=rng.integers(_SEGMENTS, size=_JUDGMENTS),
        better=better,
        worse=(better + rng.integers(1, _SYSTEMS, size=_JUDGMENTS)) % _SYSTEMS,
    )
    metrics = [_table(f"m{number}", _scores(rng)) for number in range(_JUDGED_METRICS)]
    seconds = cpu_seconds(lambda: [measure("darr-tau", pairs, metric) for metric in metrics])
    return {
        "task": f"darr-tau, {_JUDGED_METRICS} metrics, {_JUDGMENTS:,} pairs",
        "Tenbin, s": seconds,
        "target, s": "< 1",
    }


def _calibration(rng: np.random.Generator) -> Row:
    gold = np.round(_scores(rng) * 20)
    human = _table("human", gold)
    arrays = [gold / 20 + _scores(rng) for _ in range(_METRICS)]
    metrics = [_table(f"m{number}", scores) for number, scores in enumerate(arrays)]
    found = [measure("acc-eq", human, metric).value for metric in metrics]
    plain = _straightforward(gold, arrays[0])
    if abs(found[0] - plain) > 1e-12:
        raise AssertionError(f"calibration disagrees: {found[0]} and {plain}")
    seconds = cpu_seconds(lambda: [measure("acc-eq", human, metric) for metric in metrics])
    peer = _METRICS * cpu_seconds(lambda: _straightforward(gold, arrays[0]))
    return {
        "task": f"acc-eq with tie calibration, {_METRICS} metrics",
        "Tenbin, s": seconds,
        "target, s": "< 5",
        "peer, s": peer,
        "ratio": peer / seconds,
        "target": 5,
    }


def _permutation(rng: np.random.Generator) -> Row:
    gold = np.round(_scores(rng) * 20)
    human = _table("human", gold)
    prepared = {
        f"m{number}": prepare("acc-eq", human, _table(f"m{number}", gold / 20 + _scores(rng)))
        for number in range(_TESTED_METRICS)
    }
    seconds = cpu_seconds(
        lambda: rank_metrics(
            prepared, rng=np.random.default_rng(2), rounds=_ROUNDS, early_stop=None
        )
    )
    return {
        "task": f"PERM-BOTH of acc-eq, {_TESTED_METRICS} metrics, {_ROUNDS:,} rounds, all pairs",
        "Tenbin, s": seconds,
        "target, s": "minutes",
    }


def _straightforward(gold: FloatArray, metric: FloatArray) -> float:
    """Return acc_eq of the best epsilon by trying each; segments are groups of equal size."""
    first, second = np.triu_indices(len(gold), 1)
    human = (gold[first] - gold[second]).ravel()
    difference = (metric[first] - metric[second]).ravel()
    agreed = human * difference > 0
    tied = human == 0
    size = np.abs(difference)
    return max(
        float(np.mean(np.where(size <= epsilon, tied, agreed))) for epsilon in np.unique([0, *size])
    )


def _scores(rng: np.random.Generator) -> FloatArray:
    return rng.random((_SYSTEMS, _SEGMENTS))


def _table(name: str, scores: FloatArray) -> ScoreMatrix:
    systems = {f"system{number}": row.tolist() for number, row in enumerate(scores)}
    return ScoreMatrix.by_segment(name, systems)


if __name__ == "__main__":
    main()
