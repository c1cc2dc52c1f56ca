"""No pattern takes longer than linear time on repetitive strings of 10, 40 and 1,000 kB."""

from collections.abc import Callable

import pytest

pytest.importorskip("simplemma")

SECONDS = 400
FEWEST = 100


@pytest.mark.slow
@pytest.mark.parametrize("size", [10_000, 40_000, 1_000_000])
def test_repetitive_strings(size: int, under_limit: Callable[[str, int, int], str]) -> None:
    assert int(under_limit("repetitive_strings.py", size, SECONDS)) >= FEWEST
