"""Scores at all thresholds of a grid are those of scoring with one threshold after the other."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.errors import LowCoverage, UsageError
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options, evaluate
from tenbin.evaluation.sweeps import sweep
from tenbin.metrics.representations.vector_tokens import VectorTokens

TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")
GRID = np.round(np.linspace(-1, 1, 41), 2)
TEXTS = TestSet(
    hypotheses={
        "a": ("a kitten sits", "the the dog", "", "zzz mat", "sat a dog the mat"),
        "b": ("the cat", "a dog sat", "cat", "zzz", "the dog sat on a mat"),
    },
    references=(
        ("the cat sat zzz", "a cat"),
        ("the dog sat",),
        ("a cat", "sat"),
        ("zzz mat zzz",),
        ("a dog sits", "the dog sat on the mat", "mat"),
    ),
)


@pytest.mark.parametrize("rejected", ["zero", "survivors"])
@pytest.mark.parametrize(
    ("metric", "more"),
    [("was", ""), ("mas", ""), ("has", ""), ("has", ", order='zero_first'")],
)
@pytest.mark.parametrize("penalty", [False, True])
def test_every_threshold(metric: str, more: str, rejected: str, *, penalty: bool) -> None:
    common = f"vectors={TOY!r}, rejected={rejected!r}, length_penalty={penalty}{more}"
    found = sweep(TEXTS, f"{metric}({common})", "en", GRID.tolist())
    assert found.scores.shape == (2, 41)
    assert found.segments.shape == (2, 5, 41)
    assert found.systems == ("a", "b")
    for place, threshold in enumerate(GRID.tolist()):
        spec = f"{metric}({common}, threshold={threshold!r})"
        (alone,) = evaluate(TEXTS, [spec], "en", Options(segments=True)).results
        assert alone.segments is not None
        np.testing.assert_array_equal(found.segments[:, :, place], alone.segments)
        np.testing.assert_array_equal(found.scores[:, place], alone.scores)
    assert len(np.unique(found.scores[0])) > 1, "the threshold must matter here"


def test_similarities_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    plain = VectorTokens.blocks

    def counted(*arguments: object) -> object:
        calls.append(arguments)
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(VectorTokens, "blocks", counted)
    sweep(TEXTS, f"was(vectors={TOY!r})", "en", GRID.tolist())
    assert len(calls) == 1


@pytest.mark.parametrize("grid", [[], [0.5, 0.5], [0.5, 0.1], [0.0, 1.5]])
def test_a_grid_must_ascend(grid: list[float]) -> None:
    with pytest.raises(UsageError, match="ascend from -1 to 1"):
        sweep(TEXTS, f"was(vectors={TOY!r})", "en", grid)


def test_a_metric_without_a_threshold_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no threshold to sweep.*: has, mas, was"):
        sweep(TEXTS, "bleu", "en", [0.0])


def test_texts_are_checked_as_for_a_score() -> None:
    strange = TestSet(hypotheses={"a": ("xxx yyy",)}, references=(("uuu vvv",),))
    with pytest.raises(LowCoverage):
        sweep(strange, f"was(vectors={TOY!r})", "en", [0.0])


def test_workers_give_the_same_numbers() -> None:
    spec = f"mas(vectors={TOY!r})"
    one = sweep(TEXTS, spec, "en", [0.0, 0.5])
    two = sweep(TEXTS, spec, "en", [0.0, 0.5], Options(jobs=2))
    np.testing.assert_array_equal(one.segments, two.segments)
