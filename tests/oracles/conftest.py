"""Other implementations that several tests compare with."""

import warnings
from typing import Any

import pytest


@pytest.fixture(scope="session")
def pot() -> Any:
    """Python Optimal Transport, without the deep-learning frameworks that it finds."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for framework in ("PYTORCH", "JAX", "CUPY", "TENSORFLOW"):
            patch.setenv(f"POT_BACKEND_DISABLE_{framework}", "1")
        warnings.simplefilter("ignore")  # on import only
        return pytest.importorskip("ot", reason="POT is not installed: pip install POT")
