"""Products of integers are exact on every processor, also on those that cut off sums in 16 bits."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tenbin.annotation.encoders import integer_sums
from tenbin.annotation.encoders.integer_sums import IntegerWeights

# The greatest products two by two, of both signs, which 16 bits do not hold.
_EXTREME = """
import torch
from tenbin.annotation.encoders.integer_sums import IntegerWeights
one = torch.full((64, 128), 127, dtype=torch.int8)
for weights in (one, -one):
    sums = IntegerWeights(torch, weights[:32]).sums(one)
    assert (sums == 128 * 127 * weights[0, 0].int()).all(), sums
"""


def _integers(rng: Any, *shape: int) -> Any:
    return torch.from_numpy(rng.integers(-127, 128, shape).astype(np.int8))


@pytest.mark.parametrize("fits", [True, False])
def test_sums_are_exact(*, fits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if fits and not integer_sums.fits(torch):
        pytest.skip("this processor adds products in 16 bits")
    monkeypatch.setattr(integer_sums, "fits", lambda _: fits)
    rng = np.random.default_rng(2)
    weights, inputs = _integers(rng, 24, 96), _integers(rng, 40, 96)
    weights[0], weights[1], inputs[0] = 127, -127, 127
    expected = inputs.numpy().astype(np.int64) @ weights.numpy().astype(np.int64).T
    made = IntegerWeights(torch, weights)
    np.testing.assert_array_equal(made.sums(inputs).numpy(), expected)
    out = torch.empty(40, 24, dtype=torch.int32)
    made.sums(inputs, out)
    np.testing.assert_array_equal(out.numpy(), expected)


def test_a_processor_without_an_instruction_for_them() -> None:
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX2", "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", _EXTREME], env=environment, check=True)
