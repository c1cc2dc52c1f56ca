"""A few inputs for every target, the same ones each time; ``make fuzz`` tries many more."""

import warnings
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("regex")

from tests.fuzz.loop import run_target
from tests.fuzz.targets import TARGETS, Target

ROUNDS = {"readers": 20, "specs": 200, "tokenizers": 20, "words": 20, "metrics": 1, "routes": 1}


@pytest.mark.parametrize("target", TARGETS, ids=[f"{one.group}/{one.name}" for one in TARGETS])
def test_no_input_breaks_it(target: Target, tmp_path: Path) -> None:
    with warnings.catch_warnings(action="ignore"):
        count = run_target(target, 0, ROUNDS[target.group], tmp_path)
    assert count.defects == []
