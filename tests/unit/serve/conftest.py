"""A real server on a free port for each test; skipped without the extra ``serve``."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.unit.serve.visiting import Play, Scenario, played

from tenbin.serve.jobs import WORKER
from tenbin.serve.limits import Limits
from tenbin.serve.server import temporary_folder


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Run a scenario against a server of its own."""
    pytest.importorskip("httpx2", reason="the tests of the local page need httpx2")
    pytest.importorskip("starlette", reason="the extra 'serve' is not installed")
    pytest.importorskip("uvicorn", reason="the extra 'serve' is not installed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(
        scenario: Scenario,
        *,
        command: Sequence[str] = WORKER,
        host: str = "127.0.0.1",
        **limits: Any,
    ) -> None:
        chosen = Limits(**{"grace_seconds": 3_600.0, **limits})
        with temporary_folder() as folder:
            asyncio.run(played(scenario, folder, chosen, command, host))
        assert not folder.exists()

    return run
