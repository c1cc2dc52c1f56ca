"""Every registered metric on any text: finite, in range, whatever the order and the company."""

import math
import random
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
from tests.fuzz.texts import any_text, changed_text

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import AUTO, NAMES_DATA, CombinedMetric, ExplainableMetric, Metric, Property
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

SEGMENTS = 4
LANGUAGES = ("en", "ja", "ru")
_VECTORS = Path(__file__).parents[1] / "contracts" / "vectors.vec"
_BUNDLED = "glove-en-small"
_TRAINING: dict[str, SpecValue] = {"units": 8, "embedding": 8, "epochs": 1, "repeats": 1}


def _names() -> tuple[str, ...]:
    named = (*registry.metric_names(), *sorted(registry.ALIASES))
    # What needs data that only a user can name, or is for some languages, is left to its own tests.
    return tuple(
        name
        for name in named
        if not registry.load(name).needs.parameters
        and not isinstance(registry.load(name), CombinedMetric)
    )


METRIC_TARGETS = tuple(f"{name}:{language}" for name in _names() for language in LANGUAGES)


def spec_in(name: str, language: str) -> str:
    """Return the spec of a metric with data that come with the sources."""
    open_fields = {
        field.name
        for field in fields(registry.metric_class(registry.ALIASES.get(name, Spec(name)).name))  # type: ignore[arg-type]
        if field.default == AUTO and field.metadata.items() >= NAMES_DATA.items()
    }
    vectors = _BUNDLED if language == "en" else str(_VECTORS)
    if "model" in open_fields:
        return str(Spec(name, (("model", f"static:{vectors}"),)))
    # What is trained on the texts of a run is trained little.
    known = {field.name for field in fields(registry.load(name))}  # type: ignore[arg-type]
    training = tuple(_TRAINING.items()) if known >= set(_TRAINING) else ()
    given: tuple[tuple[str, SpecValue], ...] = (("vectors", vectors), *training)
    return str(Spec(name, given)) if "vectors" in open_fields else name


@cache
def bound(name: str, language: str) -> Metric:
    """Return a metric that can score a language."""
    return registry.load(spec_in(name, language)).bind(language)


def made_test_set(
    rng: random.Random, segments: int = SEGMENTS, *, one_line: bool = False
) -> TestSet:
    """Return random segments of which some resemble their references."""
    references = tuple(
        tuple(any_text(rng, one_line=one_line) for _ in range(rng.choice((1, 1, 2, 3))))
        for _ in range(segments)
    )
    hypotheses = tuple(
        changed_text(rng.choice(texts), rng)
        if rng.random() < 0.7
        else any_text(rng, one_line=one_line)
        for texts in references
    )
    return TestSet(
        hypotheses={"system": hypotheses},
        references=references,
        source=tuple(any_text(rng, one_line=one_line) for _ in range(segments)),
    )


def try_metric(name: str, rng: random.Random, _folder: Path) -> object:
    """Score some segments and check what every metric promises."""
    metric = bound(*name.rsplit(":", 1))
    texts = made_test_set(rng)
    rows = _rows(metric, texts)
    scores = metric.segment_score(rows)
    _check_range(metric, scores)
    _check_range(metric, metric.score(rows.sum(axis=0)))
    order = list(range(SEGMENTS))
    rng.shuffle(order)
    _same(metric.segment_score(_rows(metric, _reordered(texts, order))), scores[order])
    if Property.REFERENCE_ORDER_FREE in metric.info.properties:
        turned = TestSet(
            hypotheses=texts.hypotheses,
            references=tuple(one[::-1] for one in texts.references),
            source=texts.source,
        )
        _same(metric.segment_score(_rows(metric, turned)), scores)
    if not metric.needs.collection:
        alone = rng.randrange(SEGMENTS)
        _same(metric.segment_score(_rows(metric, _reordered(texts, [alone]))), scores[[alone]])
    if isinstance(metric, ExplainableMetric):
        _check_explanation(metric, texts, scores, rng.randrange(SEGMENTS))
    return scores


def _rows(metric: Metric, texts: TestSet) -> FloatArray:
    rows: FloatArray = chunk_statistics(texts, [metric])[0][0]
    return rows


def _reordered(texts: TestSet, order: list[int]) -> TestSet:
    source = texts.source or ()
    return TestSet(
        hypotheses={"system": tuple(texts.hypotheses["system"][place] for place in order)},
        references=tuple(texts.references[place] for place in order),
        source=tuple(source[place] for place in order),
    )


def _check_range(metric: Metric, scores: FloatArray) -> None:
    info = metric.info
    # exp(log(100)) is 100.00000000000004, in sacrebleu as here.
    slack = 1e-9 if math.isinf(info.maximum) else 1e-9 * info.maximum
    assert np.isfinite(scores).all(), scores
    assert (scores >= info.minimum - slack).all(), scores
    assert (scores <= info.maximum + slack).all(), scores


def _same(one: FloatArray, other: FloatArray) -> None:
    # Sums of 32-bit vectors depend on what else is in a matrix, in the last digits.
    np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def _check_explanation(
    metric: ExplainableMetric, texts: TestSet, scores: FloatArray, place: int
) -> None:
    batch = build_batch(texts, sorted(metric.needs.annotations), sources=metric.needs.source)
    explained = metric.explain(batch, place)
    assert math.isclose(explained.steps[-1].value, explained.score, rel_tol=1e-9, abs_tol=1e-9)
    _same(np.array([explained.score]), scores[[place]])
