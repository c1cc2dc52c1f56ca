"""WE_WPI-Attention against the specification (embedding.md, section 6) and against WE_WPI."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import tenbin
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.metrics import registry
from tenbin.metrics.attention import WeWpiAttention
from tenbin.metrics.earth_movers import WeWpi

TEXTS = ["the cat sat", "the dog sat", "A Cat sat on the mat"]
HYPOTHESES = ["sat the cat", "a dog sits", "the cat Sat on mats"]
SOURCES = ["die Katze saß", "der Hund saß", "eine Katze saß auf der Matte"]


def mixed(cosine: float, words: float) -> str:
    """Return what the metric makes of a cosine and a WE_WPI with its default weights."""
    mixture = registry.load("we_wpi_attention").aggregates  # type: ignore[attr-defined]
    return f"{mixture.mixed(np.array(cosine), np.array(words)):.6f}"


def test_worked_example() -> None:
    assert mixed(0.9, 0.648537) == "0.671397"
    assert mixed(1.0, 0.0) == f"{1 / 11:.6f}"


def test_settings_that_the_specification_names() -> None:
    metric = WeWpiAttention()
    assert (metric.layers, metric.units, metric.embedding) == (1, 256, 256)
    assert (metric.rate, metric.epochs, metric.repeats) == (0.001, 10, 10)
    assert (metric.context, metric.context_vector) == ("test-set", "attention")
    assert not metric.other_references
    assert metric.seed == 1


def test_settings_that_were_measured() -> None:
    """docs/formulas/we_wpi_attention.md: the time of a step by the size of batch and vocabulary."""
    assert (WeWpiAttention().batch, WeWpiAttention().vocabulary) == (64, 8_000)
    assert ContextRecipe() == ContextRecipe(batch=64, vocabulary=8_000)


def test_sources_are_tokenized_by_13a() -> None:
    assert WeWpiAttention().source_tokenizer == registry.load("yisi2").source_tokenizer  # type: ignore[attr-defined]
    assert WeWpiAttention().source_tokenizer == "13a"


def test_words_are_compared_as_in_we_wpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_CONTEXT_MODELS", str(tmp_path))
    plain = {field.name: field.default for field in fields(WeWpi)}
    own = {field.name: field.default for field in fields(WeWpiAttention)}
    assert {name: own[name] for name in plain} == plain
    little = "units=4, embedding=4, epochs=1, repeats=1"
    scores = [
        tenbin.score(
            HYPOTHESES, TEXTS, metrics=[spec], language="en", source=SOURCES, segments=True
        )
        .results[0]
        .segments
        for spec in ("we_wpi", f"we_wpi_attention(w1=0, {little})")
    ]
    assert scores[0] is not None
    assert scores[1] is not None
    np.testing.assert_allclose(scores[1], scores[0], rtol=1e-12)
