"""The import contracts of pyproject.toml hold when the package is imported, not on paper alone.

A layer is imported in a process of its own, and what is in ``sys.modules`` afterwards is looked at:
an import by name at run time is not seen by ``lint-imports``, nor is a part of the standard
library such as ``urllib.request``.
"""

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
    "tool"
]["importlinter"]["contracts"]

# What opens a connection. 'urllib.parse' and 'socket', which multiprocessing needs, do not.
NETWORK = {
    *("aiohttp", "ftplib", "http.client", "httpx", "huggingface_hub", "requests", "smtplib"),
    *("telnetlib", "urllib.request", "urllib3", "websockets", "xmlrpc.client"),
}
# Extras and their companions: imported by what uses them, at the moment when it does.
EXTRAS = {
    *("bert_score", "cer", "duckdb", "gensim", "jieba", "matplotlib", "MeCab", "nltk", "ot"),
    *("pandas", "polars", "py4j", "pyarrow", "pymorphy3", "pyoxigraph", "pyspark", "resvg_py"),
    *("safetensors", "simplemma", "sudachipy", "thot", "tokenizers", "torch", "transformers"),
    *("HanTa", "openpyxl", "polib", "starlette", "uvicorn", "wordfreq"),
    *("accelerate", "datasets", "evaluate", "lightning", "pytorch_lightning", "torchmetrics"),
}
# The one layer that fetches, when 'tenbin resources install' asks it to.
FETCHES = "resources"

IMPORT_ALL = """\
import importlib, json, pkgutil, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for part in pkgutil.walk_packages(getattr(module, "__path__", ()), name + "."):
        importlib.import_module(part.name)
print(json.dumps(sorted(sys.modules)))
"""
IMPORT_ONE = """\
import importlib, json, sys
importlib.import_module(sys.argv[1])
print(json.dumps(sorted(sys.modules)))
"""
SCORE = """\
import json, sys
from tenbin.cli.main import main
assert main(["score", *sys.argv[1:]]) == 0
print(json.dumps(sorted(sys.modules)))
"""


def groups() -> list[list[str]]:
    """Return the layers from the highest to the lowest; those that stand side by side together."""
    (contract,) = [one for one in CONTRACTS if one["type"] == "layers"]
    assert contract["containers"] == ["tenbin"]
    return [[name.strip(" ()") for name in re.split("[|:]", one)] for one in contract["layers"]]


LAYERS = [name for group in groups() for name in group]


@cache
def loaded(code: str, *words: str) -> frozenset[str]:
    """Return the modules of a fresh process that ran some code."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def loaded_with(module: str) -> frozenset[str]:
    """Return the modules of a process that imported one module, and all below it."""
    return loaded(IMPORT_ALL, module)


def layers_in(modules: frozenset[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("tenbin.")}


def belongs(module: str, to: set[str]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in to)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_nothing_above_it(layer: str) -> None:
    # The package itself loads these.
    below: set[str] = {"moved", "version"}
    for group in reversed(groups()):
        if layer in group:
            break
        below |= set(group)
    modules = loaded_with(f"tenbin.{layer}")
    assert layer in layers_in(modules)
    assert sorted(layers_in(modules) - below - {layer}) == []


@pytest.mark.parametrize("layer", LAYERS)
def test_no_layer_imports_an_extra_before_it_is_needed(layer: str) -> None:
    assert sorted(loaded_with(f"tenbin.{layer}") & EXTRAS) == []


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer != FETCHES])
def test_no_layer_but_one_can_reach_the_network(layer: str) -> None:
    assert sorted(loaded_with(f"tenbin.{layer}") & NETWORK) == []


@pytest.mark.parametrize(
    ("source", "forbidden"),
    [
        pytest.param(source, set(one["forbidden_modules"]), id=f"{source}: {one['name']}")
        for one in CONTRACTS
        # What may be imported indirectly is loaded all the same.
        if one["type"] == "forbidden" and not one.get("allow_indirect_imports")
        for source in one["source_modules"]
    ],
)
def test_forbidden_modules_are_not_there(source: str, forbidden: set[str]) -> None:
    found = [name for name in loaded_with(source) if belongs(name, forbidden)]
    assert sorted(found) == []


def test_import_tenbin_brings_its_version_and_nothing_else() -> None:
    modules = loaded(IMPORT_ONE, "tenbin")
    own = {name for name in modules if belongs(name, {"tenbin"})}
    assert own == {"tenbin", "tenbin.moved", "tenbin.version"}
    assert sorted(modules & (EXTRAS | NETWORK | {"numpy", "numba", "scipy", "ssl"})) == []


@pytest.mark.parametrize(
    "modules",
    [
        pytest.param(lambda: loaded(IMPORT_ONE, "tenbin.cli.score"), id="import"),
        pytest.param(
            lambda: loaded(
                *(SCORE, "--set", "bundled:example", "--pair", "ja-en", "--quiet"),
                *("-m", "bleu", "chrf", "ter", "ribes", "meteor", "was"),
            ),
            id="run",
        ),
    ],
)
def test_score_loads_neither_spark_nor_frameworks_nor_the_network(modules: Any) -> None:
    names = modules()
    assert "tenbin.cli.score" in names
    assert sorted(names & (EXTRAS | NETWORK | {"ssl"})) == []
    assert [name for name in sorted(names) if "spark" in name] == []
