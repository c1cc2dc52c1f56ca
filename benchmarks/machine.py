"""Names the hardware and the versions that results depend on."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("tenbin", "numpy", "numba", "rapidfuzz")
_PEERS = ("sacrebleu", "nltk", "cer", "torchmetrics", "torch")


def describe_machine(peers: Sequence[str] = _PEERS) -> dict[str, str]:
    """Return what a reader needs to judge the times.

    Args:
        peers: Packages that Tenbin is timed against.
    """
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load before": _load(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {_version(name)}" for name in (*_PACKAGES, *peers)),
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
