"""When the compiled twin of a kernel runs."""

import sys

import pytest

from tenbin.kernels.dispatch import compiled_twin

KERNEL = "ranking.order_correlation"
MODULE = f"tenbin.kernels.compiled.{KERNEL}"


@pytest.fixture(autouse=True)
def _unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TENBIN_KERNELS", raising=False)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)


def test_small_work_runs_plain_and_large_work_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert compiled_twin(KERNEL, work=999, threshold=1_000) is None
    monkeypatch.undo()
    found = compiled_twin(KERNEL, work=1_000, threshold=1_000)
    assert found is not None
    assert found.__name__ == MODULE


def test_less_is_enough_once_numba_is_there() -> None:
    pytest.importorskip("numba")
    assert compiled_twin(KERNEL, work=49, threshold=1_000) is None
    assert compiled_twin(KERNEL, work=50, threshold=1_000) is not None
    # And nothing is too small for a kernel that is loaded.
    assert compiled_twin(KERNEL, work=1, threshold=1_000) is not None


def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", "plain")
    assert compiled_twin(KERNEL, work=10**9, threshold=1) is None
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    assert compiled_twin(KERNEL, work=1, threshold=10**9) is not None
