"""The hashes of the manifest against what the real package managers bring today.

Last run: 2026-11-15, pip 23.2.1, npm 11.19.1, apt 2.6.1 (Debian 12); all twelve resources agreed.
"""

import os
import shutil
from pathlib import Path

import pytest

from tenbin.resources.store.manifest import LOCAL, ProviderType, bundled_manifest
from tenbin.resources.store.store import ResourceStore

PROGRAMS = {ProviderType.WHEEL: "pip", ProviderType.NPM: "npm", ProviderType.DEB: "apt-get"}
FETCHED = [
    name
    for name, entry in bundled_manifest().items()
    if any(provider.type not in LOCAL for provider in entry.providers)
]


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("name", FETCHED)
def test_what_comes_has_the_hash_of_the_manifest(name: str, tmp_path: Path) -> None:
    if os.environ.get("TENBIN_NETWORK_TESTS") != "1":
        pytest.skip("fetches real packages: set TENBIN_NETWORK_TESTS=1")
    opened = ResourceStore(tmp_path)
    needed = [PROGRAMS.get(one.type, "") for one in opened.entry(name).providers]
    if not any(shutil.which(program) for program in needed if program):
        pytest.skip(f"none of its package managers is installed: {', '.join(filter(None, needed))}")
    assert opened.install(name).stat().st_size == opened.entry(name).size
    assert opened.verify(name)
