"""Ranges of scores: what is declared for the default parameters, and what others change."""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.metric import bounds_of
from tenbin.metrics.registry import load

STATIC = 'model="static:glove-en-small"'


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("wmd", (0, 1)),
        ("wmd(form=negative)", (-2, 0)),
        ("we_wpi", (0, 1)),
        ("we_wpi(clip=False)", (-1, 1)),
        ("moverscore", (0, 1)),
        ("moverscore(variant=v1)", (-1, 1)),
        ("bertscore", (0, 1)),
        ("bertscore(measure=p)", (-1, 1)),
        ("chrf", (0, 100)),
        ("nist", (0, float("inf"))),
        ("ter", (0, float("inf"))),
    ],
)
def test_parameters_move_the_range(spec: str, expected: tuple[float, float]) -> None:
    assert bounds_of(load(spec)) == expected


def test_a_baseline_moves_the_range(tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.5\n", encoding="utf-8")
    rescaled = load(f'bertscore({STATIC}, baseline="{path}", layer=0)').bind("en")
    assert bounds_of(rescaled) == (-1, 1)
    assert bounds_of(load(f'bertscore(baseline="{path}")')) == (-float("inf"), 1)


@pytest.mark.parametrize("spec", ["wmd", "wmd(form=negative)", "we_wpi", f"bertscore({STATIC})"])
def test_the_ends_are_reached_and_not_passed(spec: str) -> None:
    same, apart = ["the cat sat on the mat"], [""]
    low, high = bounds_of(load(spec))
    scored = tenbin.load_metric(spec, language="en")
    assert scored.score(same, same).score == pytest.approx(high, abs=1e-6)
    assert low <= scored.score(apart, same).score <= high
