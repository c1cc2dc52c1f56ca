"""Numbers as the steps of an explanation write them."""

import numpy as np
import numpy.typing as npt


def n(number: float) -> str:
    """Return a number with up to four decimals.

    >>> n(0.25), n(3.0), n(0.0)
    ('0.25', '3', '0')
    """
    return f"{number:.4f}".rstrip("0").rstrip(".") if number else "0"


def added(values: npt.NDArray[np.floating]) -> float:
    """Return a sum in 64 bits, one number after the other."""
    return float(sum(values.astype(np.float64).tolist()))


def quotient(numerator: float, denominator: float) -> float:
    """Return a quotient; 0 where there is nothing to divide by."""
    return numerator / denominator if denominator else 0.0


def divided(numerator: float, denominator: float) -> tuple[str, float]:
    """Return a quotient in writing, and its value; 0 where there is nothing to count."""
    if not denominator:
        return "0, for there is nothing to count", 0.0
    return f"{n(numerator)} / {n(denominator)}", numerator / denominator
