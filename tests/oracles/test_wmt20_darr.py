"""Agreement of sentBLEU and chrF with human judges on WMT20 en-de, from the texts.

Provenance: `data/README.md` of the shared folder ("What was checked"): tau of sacrebleu 2.6.0
sentence BLEU 0.3034 (published by the task: 0.303) and chrF 0.3796 (published: 0.379) over the
9,339 DARR pairs; definition in `specs/meta-evaluation.md`, section 3; read 2026-11-15.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import tenbin
from tenbin.core.arrays import FloatArray

pytestmark = [pytest.mark.oracle, pytest.mark.slow]


class Judgement(NamedTuple):
    """On one segment, counted from 0, people prefer one system by 25 points or more."""

    segment: int
    better: str
    worse: str


def darr_tau(judgements: list[Judgement], scores: Mapping[str, FloatArray]) -> float:
    """Return (concordant - discordant) / all; a tie of the metric is discordant."""
    concordant = sum(
        bool(scores[better][segment] > scores[worse][segment])
        for segment, better, worse in judgements
    )
    return (2 * concordant - len(judgements)) / len(judgements)


def read_segments(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def read_judgements(path: Path) -> list[Judgement]:
    rows = [line.split("\t") for line in read_segments(path)[1:]]
    return [Judgement(int(segment) - 1, better, worse) for segment, better, worse in rows]


@pytest.fixture(scope="module")
def judgements(shared: Path) -> list[Judgement]:
    return read_judgements(shared / "data" / "wmt20" / "human-pairs" / "en-de.darr.tsv")


@pytest.fixture(scope="module")
def segment_scores(shared: Path, judgements: list[Judgement]) -> dict[str, dict[str, FloatArray]]:
    """Segment scores by metric and system."""
    folder = shared / "data" / "wmt20"
    systems = sorted({name for _, *pair in judgements for name in pair})
    table = tenbin.score(
        {
            name: read_segments(folder / "system-outputs" / "en-de" / f"{name}.txt")
            for name in systems
        },
        read_segments(folder / "references" / "en-de.refA.txt"),
        metrics=["sentbleu", "chrf"],
        language="de",
        segments=True,
    )
    found: dict[str, dict[str, FloatArray]] = {}
    for result in table.score_set.results:
        assert result.segments is not None
        found[result.metric] = dict(zip(result.systems, result.segments, strict=True))
    return found


@pytest.mark.parametrize(("metric", "expected"), [("sentbleu", 0.3034), ("chrf", 0.3796)])
def test_tau(
    judgements: list[Judgement],
    segment_scores: dict[str, dict[str, FloatArray]],
    metric: str,
    expected: float,
) -> None:
    assert len(judgements) == 9339
    assert round(darr_tau(judgements, segment_scores[metric]), 4) == expected
