"""Where compiled kernels are cached, seen from fresh processes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tenbin

_HYPOTHESIS = "the cat sat on the mat and the dog sat on the cat"
_REFERENCE = "on the mat the cat sat and the dog sat on the mat"
_PROGRAM = f"""
import json, sys, tenbin
from tenbin.kernels.compiled.ranking.order_correlation import order_correlation
result = tenbin.load_metric("ribes", language="en").score([{_HYPOTHESIS!r}], [{_REFERENCE!r}])
hits = sum(order_correlation.stats.cache_hits.values())
print(json.dumps({{"home": tenbin.__file__, "score": result.score, "hits": hits}}))
"""
_TINY_PROGRAM = """
import json, sys, tenbin
texts = [f"segment {number} is short , but it has some words" for number in range(10)]
others = [f"this is segment {number} , short and with a few words" for number in range(10)]
metrics = ["bleu", "character", "chrf", "chrf++", "eed", "impact", "nist", "ribes", "ter", "wer"]
tenbin.score(texts, others, metrics=metrics, language="en", ci=True)
print(json.dumps(sorted(name for name in sys.modules if name in {"numba", "llvmlite"})))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package in whose folders of kernels no cache can be made.

    A file is where the cache folder would be: unlike permissions, this stops root as well.
    """
    site = tmp_path / "site"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(tenbin.__file__).parent, site / "tenbin", ignore=ignored)
    compiled = site / "tenbin" / "kernels" / "compiled"
    for folder in (compiled, *(path for path in compiled.iterdir() if path.is_dir())):
        (folder / "__pycache__").touch()
    return site


def _run(program: str, **variables: str) -> Any:
    cleared = {"NUMBA_CACHE_DIR", "TENBIN_KERNELS"}
    inherited = {key: value for key, value in os.environ.items() if key not in cleared}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _expected() -> float:
    return tenbin.load_metric("ribes", language="en").score([_HYPOTHESIS], [_REFERENCE]).score


@pytest.mark.slow
def test_a_read_only_package_caches_in_the_folder_of_the_user(
    package: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    variables = {
        "PYTHONPATH": str(package),
        "TENBIN_KERNELS": "compiled",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "LOCALAPPDATA": str(home / "cache"),
    }
    first = _run(_PROGRAM, **variables)
    assert Path(first["home"]).is_relative_to(package)
    assert first["score"] == _expected()
    assert first["hits"] == 0
    cached = {path.name for path in home.rglob("*.nbc")}
    assert any(name.startswith("order_correlation.") for name in cached)
    assert not list(package.rglob("*.nbc"))
    second = _run(_PROGRAM, **variables)
    assert second["score"] == _expected()
    assert second["hits"] > 0
    assert {path.name for path in home.rglob("*.nbc")} == cached


@pytest.mark.slow
def test_without_any_place_for_a_cache_kernels_still_run(package: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.touch()
    found = _run(
        _PROGRAM,
        PYTHONPATH=str(package),
        TENBIN_KERNELS="compiled",
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked / "cache"),
        LOCALAPPDATA=str(blocked / "cache"),
    )
    assert found["score"] == _expected()
    assert found["hits"] == 0
    assert not list(tmp_path.rglob("*.nbc"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="file sizes cannot be limited there")
def test_a_full_disk_costs_the_cache_and_nothing_else(tmp_path: Path) -> None:
    full_disk = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    )
    variables = {"TENBIN_KERNELS": "compiled", "NUMBA_CACHE_DIR": str(tmp_path)}
    # Python itself would leave what it compiled cut off, beside the files of the package.
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    assert _run(full_disk + _PROGRAM, **variables)["score"] == _expected()
    assert not list(tmp_path.rglob("*.nb*"))


def test_tiny_inputs_do_not_import_the_compiler() -> None:
    assert _run(_TINY_PROGRAM) == []
