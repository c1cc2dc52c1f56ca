"""What tests of benchmarks share."""

import pytest

from tenbin.core.errors import TenbinError
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint


@pytest.fixture(scope="session")
def minilm() -> Checkpoint:
    """The base model of the students, where it is installed."""
    try:
        return find_checkpoint("minilm-en", "en")
    except TenbinError:
        pytest.skip("minilm-en is not installed: tenbin resources install minilm-en")
