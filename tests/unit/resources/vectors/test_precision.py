"""Lengths of vectors, and what rounding costs."""

import numpy as np
import pytest

from tenbin.resources.vectors.precision import (
    LossSample,
    Precision,
    decoded,
    decoded_units,
    encoded,
    unit_length,
)

RNG = np.random.default_rng(11)


def test_tiny_and_null_vectors() -> None:
    found = unit_length(np.array([[0, 0], [1e-3, 0]], dtype=np.float32))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [[0, 0], [1, 0]])


@pytest.mark.parametrize("size", [1e-38, 1e-30, 1e-20, 1.0, 1e18, 1e30, 3e38])
def test_numbers_whose_squares_32_bits_cannot_hold(size: float) -> None:
    vectors = np.array([[3, -4], [0, 0], [-3, -4]], dtype=np.float32)
    vectors *= np.float32(size / 4)
    expected = np.array([[0.6, -0.8], [0, 0], [-0.6, -0.8]])
    np.testing.assert_allclose(unit_length(vectors), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("precision", "error"), [(Precision.FLOAT16, 5e-4), (Precision.INT8, 5e-3)]
)
def test_what_is_stored_is_nearly_what_was_given(precision: Precision, error: float) -> None:
    vectors = RNG.normal(size=(50, 20)).astype(np.float32)
    vectors[3] = 0
    stored, scales = encoded(vectors, precision)
    assert str(stored.dtype) == precision
    found = decoded(stored, scales)
    np.testing.assert_allclose(found, vectors, atol=error * np.abs(vectors).max())
    lengths = np.linalg.norm(decoded_units(stored), axis=1)
    np.testing.assert_allclose(np.delete(lengths, 3), 1, atol=1e-6)
    assert lengths[3] == 0


def test_every_half_is_decoded_as_numpy_does() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)[None]
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(decoded(every, None), every.astype(np.float32))


def test_the_loss_is_that_of_cosines() -> None:
    vectors = unit_length(RNG.normal(size=(60, 9)).astype(np.float32))
    sample = LossSample(9)
    sample.add(vectors)
    assert sample.loss(Precision.FLOAT32) == (0, 0)
    for precision in (Precision.FLOAT16, Precision.INT8):
        kept = decoded_units(encoded(vectors, precision)[0]).astype(np.float64)
        exact = vectors.astype(np.float64)
        changes = np.abs(exact @ exact.T - kept @ kept.T)
        largest, mean = sample.loss(precision)
        # 10,000 pairs of 3,600 possible ones: nearly all, the largest with them.
        assert largest == pytest.approx(changes.max(), rel=0.2)
        assert mean == pytest.approx(changes.mean(), rel=0.1)


def test_the_sample_does_not_depend_on_how_rows_arrive() -> None:
    vectors = unit_length(RNG.normal(size=(5000, 3)).astype(np.float32))
    together, piecemeal = LossSample(3), LossSample(3)
    together.add(vectors)
    for first in range(0, 5000, 700):
        piecemeal.add(vectors[first : first + 700])
    assert together.loss(Precision.INT8) == piecemeal.loss(Precision.INT8)
