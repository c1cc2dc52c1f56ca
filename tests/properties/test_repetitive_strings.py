"""No pattern takes longer than linear time on repetitive strings of 20 and 500 kB."""

from collections.abc import Callable

import pytest

pytest.importorskip("simplemma")

# Quadratic work on the longer strings takes more than this for one pattern and one string.
SIZES, SECONDS = (20_000, 500_000), 200
FEWEST = 100


@pytest.mark.slow
def test_repetitive_strings(under_limit: Callable[..., str]) -> None:
    assert int(under_limit("repetitive_strings.py", *SIZES, seconds=SECONDS)) >= FEWEST
