"""Tenbin's metrics in the real evaluate, without a network."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tenbin
from tenbin.core.errors import MissingExtra, ShapeError, UsageError
from tenbin.ecosystem import evaluate as adapter
from tenbin.ecosystem.evaluate import MODULE_FOLDER

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Any]:
    pytest.importorskip("evaluate", reason="the extra 'ecosystem' is not installed")

    def make(*words: Any, **settings: Any) -> Any:
        return adapter.load(*words, cache_dir=str(tmp_path), **settings)

    return make


def test_compute_gives_the_corpus_score(
    load: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    module = load(["chrf", "ter"], language="en")
    found = module.compute(predictions=hypotheses, references=references)
    assert found == {"chrf": expected("chrf"), "ter": expected("ter")}


def test_aliases_name_the_scores(
    load: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    module = load({"words": "chrf(word_order=2)"}, language="en")
    found = module.compute(predictions=hypotheses, references=references)
    assert found == {"words": expected("chrf(word_order=2)")}


def test_what_compute_is_given_goes_before_what_the_module_was(
    load: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    given = {"predictions": hypotheses, "references": references}
    found = load("chrf", language="de").compute(**given, metric="bleu", language="en")
    assert found == {"bleu": expected("bleu")}


def test_batches_and_single_segments_are_one_corpus(
    load: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    module = load("chrf", language="en")
    module.add_batch(predictions=hypotheses[:2], references=references[:2])
    module.add(prediction=hypotheses[2], reference=references[2])
    module.add(prediction=hypotheses[3], reference=[references[3]])
    found = module.compute(segments=True, signatures=True)
    table = tenbin.score(hypotheses, references, metrics=["chrf"], language="en", segments=True)
    (result,) = table.results
    assert result.segments is not None
    assert found == {
        "chrf": expected("chrf"),
        "chrf_segments": result.segments[0].tolist(),
        "chrf_signature": str(result.signature),
    }
    # And the next corpus begins anew.
    assert module.compute(predictions=["a"], references=["a"]) == {"chrf": 100.0}


def test_references_may_be_several_or_none(load: Callable[..., Any]) -> None:
    module = load("chrf", language="en")
    found = module.compute(predictions=["a cat", "a dog"], references=[["x", "a cat"], ["a dog"]])
    assert found == {"chrf": 100.0}
    with pytest.raises(UsageError, match="chrf"):
        module.compute(predictions=["a cat"])


def test_sources_are_passed_on(load: Callable[..., Any]) -> None:
    module = load("chrf", language="en")
    texts = {"predictions": ["a cat"], "references": ["a cat"]}
    assert module.compute(**texts, sources=["eine Katze"]) == {"chrf": 100.0}
    module = load("chrf", language="en")
    module.add_batch(**texts, sources=["eine Katze"])
    module.add_batch(**texts)
    with pytest.raises(ShapeError, match="some segments have a source text"):
        module.compute()


def test_what_is_missing_or_unknown_is_named(load: Callable[..., Any]) -> None:
    texts = {"predictions": ["a cat"], "references": ["a cat"]}
    with pytest.raises(UsageError, match="language"):
        load("chrf").compute(**texts)
    with pytest.raises(UsageError, match="no argument nonsense"):
        load("chrf", language="en").compute(**texts, nonsense=1)
    with pytest.raises(ShapeError, match="predictions is missing"):
        load("chrf", language="en").compute(references=["a cat"])


def test_the_script_of_the_folder_imports_and_does_nothing_else() -> None:
    (script,) = MODULE_FOLDER.glob("*.py")
    assert script.stem == MODULE_FOLDER.name
    lines = [line for line in script.read_text("utf-8").splitlines() if line]
    assert lines[2] == "from tenbin.ecosystem.evaluate import TranslationModule"
    assert lines[3].startswith("__all__ =")
    assert len(lines) == 4


LOADED = """\
import json, sys
import evaluate
module = evaluate.load(sys.argv[1], metric="chrf", language="en")
texts = json.loads(sys.argv[2])
both = evaluate.combine([module, evaluate.load(sys.argv[1], metric="ter", language="en")])
print(json.dumps([module.compute(**texts), both.compute(**texts)]))
"""


@pytest.mark.slow
def test_evaluate_loads_the_folder_without_a_network(
    load: Callable[..., Any],
    tmp_path: Path,
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    assert load("chrf") is not None
    texts = json.dumps({"predictions": hypotheses, "references": references})
    paths = [str(Path(tenbin.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    nowhere = "http://127.0.0.1:9"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOADED, str(MODULE_FOLDER), texts],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "HF_HOME": str(tmp_path / "home"),
            "HF_ENDPOINT": nowhere,
            "HTTPS_PROXY": nowhere,
            "HTTP_PROXY": nowhere,
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    one, both = json.loads(done.stdout.splitlines()[-1])
    assert one == {"chrf": expected("chrf")}
    assert both == {"chrf": expected("chrf"), "ter": expected("ter")}


def test_without_evaluate_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evaluate", None)
    adapter._translation_module.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[ecosystem\]'"):
        adapter.load("chrf")
    with pytest.raises(AttributeError, match="nonsense"):
        _ = adapter.nonsense
