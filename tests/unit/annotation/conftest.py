"""Encoders of these tests have a cache of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))
