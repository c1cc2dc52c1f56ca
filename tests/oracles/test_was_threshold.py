"""The default threshold of WAS is the one that is best on sets it was not chosen on.

Provenance: Matsuo, Komachi and Sudoh (2017), section 5: on NTCIR-8 the correlation of WAS with
people is highest at a threshold of 1.00. The curve is from ``tenbin tune -m was --parameter
threshold=0:1:0.1 --measure kendall --set wmt15.daseg wmt16.daseg --pair all --by sets``, with the
bundled vectors, 2026-11-16.
"""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.tuning import GridSide
from tenbin.metrics.registry import load

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

PUBLISHED_OPTIMUM = 1.0
# Mean segment Kendall of seven language pairs; unknown words and vectors may move it a little.
AT_ZERO, AT_ONE, TOLERANCE = 0.1106, 0.2192, 0.01


def test_default_is_the_published_optimum() -> None:
    assert load("was").threshold == PUBLISHED_OPTIMUM  # type: ignore[attr-defined]
    assert load("was-paper").threshold == 0  # type: ignore[attr-defined]


def test_default_is_best_on_each_set_that_is_held_out(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path))
    table = tenbin.tune(
        "was-paper",
        "threshold=0:1:0.1",
        folder=[str(shared / "data" / name) for name in ("wmt15.daseg", "wmt16.daseg")],
        pairs="all",
        measure="kendall",
        by="sets",
    )
    (tuning,) = table.tunings
    found = tuning.validation
    assert found is not None
    default = load("was").threshold  # type: ignore[attr-defined]
    assert default == 1
    # A set may have its best value one step below, where some words differ in a suffix alone.
    assert {values[0] for values in found.chosen} <= {0.9, default}
    assert found.difference > 0.1
    assert tuning.default.value == pytest.approx(AT_ZERO, abs=TOLERANCE)
    assert tuning.oracle.value == pytest.approx(AT_ONE, abs=TOLERANCE)
    (edge,) = tuning.edges
    assert (edge.side, edge.value, edge.ends_range) == (GridSide.UPPER, 1.0, True)
    assert edge.is_oracle
