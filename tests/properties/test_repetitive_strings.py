"""No pattern takes longer than linear time on repetitive strings.

Nothing is timed: a program of its own reads strings of 10, 100 and 1,000 kB under a limit of
processor time that linear work does not come near and quadratic work exceeds many times.
"""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("simplemma")

PROGRAM = Path(__file__).with_name("repetitive_strings.py")
SECONDS = 400
FEWEST = 100


@pytest.mark.slow
@pytest.mark.parametrize("size", [10_000, 100_000, 1_000_000])
def test_repetitive_strings(size: int) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(size)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert int(done.stdout) >= FEWEST
