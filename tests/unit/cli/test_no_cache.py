"""``--no-cache`` and ``cache=False`` mean no cache at all: none is read, none is written."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.annotation.encoders import loading
from tenbin.annotation.encoders.cache import EncodingCache
from tenbin.annotation.encoders.layered_model import LayeredModel
from tenbin.evaluation.score_cache import ScoreCache

Cli = Callable[..., subprocess.CompletedProcess[str]]
JUDGED = Path(__file__).parents[2] / "data" / "judged"
TEXTS = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
SET = ("--set", JUDGED, "--pair", "de-en")
COMMANDS: dict[str, tuple[object, ...]] = {
    "score": ("score", *TEXTS),
    "compare": ("compare", *TEXTS, "--rounds", "10"),
    "explain": ("explain", *TEXTS, "-n", "1"),
    "meta": ("meta", *SET, "--measure", "segment-pearson"),
    "tune": ("tune", *SET, "--parameter", "measure=p,r", "--measure", "pearson"),
    "study": ("study", "ranking", *SET, "--table", "none", "--resamples", "10"),
}


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of both caches, which is not there yet."""
    folder = tmp_path / "caches"
    monkeypatch.setenv("TENBIN_SCORES", str(folder / "scores"))
    monkeypatch.setenv("TENBIN_ENCODINGS", str(folder / "encodings"))
    loading._cached.clear()
    return folder


@pytest.fixture
def spec(tiny_model: Path) -> str:
    return f'bertscore(model="{tiny_model}", layer=2)'


def spoil(patch: pytest.MonkeyPatch) -> None:
    """Have the model give other vectors."""
    right = LayeredModel.vectors

    def wrong(self: LayeredModel, rows: Any) -> Any:
        found = right(self, rows)
        return [np.abs(vectors) for vectors in found]

    patch.setattr(LayeredModel, "vectors", wrong)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_leave_the_caches_alone(
    cli: Cli, caches: Path, spec: str, texts: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert texts.is_dir()
    words = (*COMMANDS[command], "-m", spec)
    right = cli(*words, "--no-cache", "-q")
    assert right.returncode == 0, right.stderr
    assert not caches.exists()
    with monkeypatch.context() as patch:
        spoil(patch)
        loading._cached.clear()
        wrong = cli(*words, "-q")
    assert list(caches.rglob("*.safetensors"))
    # The wrong vectors are on disk and in memory.
    assert cli(*words, "-q").stdout == wrong.stdout != right.stdout
    before = {path: path.stat().st_mtime_ns for path in caches.rglob("*")}
    assert cli(*words, "--no-cache", "-q").stdout == right.stdout
    loading._cached.clear()
    assert cli(*words, "--no-cache", "-q").stdout == right.stdout
    assert {path: path.stat().st_mtime_ns for path in caches.rglob("*")} == before


def test_a_program_says_it_with_one_parameter(
    caches: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touched(*_: object) -> None:
        raise AssertionError("a cache was used")

    for kind in (ScoreCache, EncodingCache):
        for name in ("find", "store"):
            monkeypatch.setattr(kind, name, touched)
    texts = (["the cat sat"], ["the dog sat"])
    two = {"a": ["the cat sat"], "b": ["a cat"]}
    tenbin.score(*texts, metrics=[spec], language="en", cache=False)
    tenbin.compare(two, texts[1], metrics=[spec], language="en", rounds=10, cache=False)
    tenbin.explain(*texts, metric=spec, language="en", cache=False)
    tenbin.load_metric(spec, language="en").score(*texts, cache=False)
    judged = str(JUDGED)
    tenbin.meta_evaluate(
        judged, "de-en", metrics=["chrf", spec], measures="segment-pearson", cache=False
    )
    tenbin.tune(
        spec,
        "measure=p,r",
        folder=judged,
        pairs="de-en",
        measure="pearson",
        folds=0,
        cache=False,
    )
    assert not caches.exists()


def test_the_table_form_too(cli: Cli, caches: Path, spec: str, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"hypothesis": ["the cat sat"], "reference": ["the dog sat"]})
    parquet.write_table(table, tmp_path / "in.parquet")
    words = ("score", "--input", tmp_path / "in.parquet", "-l", "en", "-m", spec, "-q")
    assert cli(*words, "-o", tmp_path / "a.parquet", "--no-cache").returncode == 0
    assert not caches.exists()
    loading._cached.clear()
    assert cli(*words, "-o", tmp_path / "b.parquet").returncode == 0
    assert list(caches.rglob("*.safetensors"))
