"""Contracts on metrics that can penalize wrong names and figures: those that have ``penalty``."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.core.explanation import Explanation
from tenbin.core.metric import ExplainableMetric, Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.penalty.texts import Penalty

pytest.importorskip("jieba")
pytest.importorskip("sudachipy")
pytest.importorskip("simplemma")


class Texts(NamedTuple):
    """A reference, the same with a wrong figure or name, and texts that have neither."""

    reference: str
    figure: str
    name: str
    neither: tuple[str, str]


TEXTS = {
    "en": Texts(
        "In Berlin the cat sat on 350 mats.",
        "In Berlin the cat sat on 470 mats.",
        "In Madrid the cat sat on 350 mats.",
        ("The cat sat on the mat.", "A cat was sitting on a mat."),
    ),
    "ja": Texts(
        "東京の猫が350枚のマットに座った。",
        "東京の猫が470枚のマットに座った。",
        "京都の猫が350枚のマットに座った。",
        ("猫がマットに座った。", "マットの上に猫は座っていた。"),
    ),
    "zh": Texts(
        "北京的猫坐在350个垫子上。",
        "北京的猫坐在470个垫子上。",
        "上海的猫坐在350个垫子上。",
        ("猫坐在垫子上。", "垫子上坐着猫。"),
    ),
}


def with_penalty(spec: str, penalty: Penalty, language: str) -> Metric:
    parameters = {"penalty": penalty, "strength": 0.5}
    return replace(registry.load(spec), **parameters).bind(language)  # type: ignore[type-var]


def scores(metric: Metric, hypotheses: tuple[str, ...], *references: str) -> FloatArray:
    """Return the score of each hypothesis, and that of all together as the last one."""
    count = len(hypotheses)
    texts = TestSet(
        hypotheses={"one": hypotheses},
        references=(references,) * count,
        source=references[:1] * count,
    )
    (rows,) = chunk_statistics(texts, [metric])
    return np.append(metric.segment_score(rows)[0], metric.score(rows.sum(axis=1)))


def explanation(
    metric: ExplainableMetric, hypothesis: str, *references: str
) -> tuple[Explanation, float]:
    texts = TestSet(
        hypotheses={"one": (hypothesis,)}, references=(references,), source=references[:1]
    )
    batch = build_batch(texts, sorted(metric.needs.annotations), sources=metric.needs.source)
    scored = metric.segment_score(metric.statistics(batch))
    return metric.explain(batch, 0), float(scored[0])


def test_what_is_wrong_costs(penalizing: str, language: str) -> None:
    texts = TEXTS[language]
    plain = scores(with_penalty(penalizing, Penalty.NONE, language), texts[1:3], texts[0])
    assert (plain > 0).all()
    figures = scores(with_penalty(penalizing, Penalty.NUMBERS, language), texts[1:3], texts[0])
    assert figures[0] < plain[0]
    assert figures[1] == plain[1]
    assert figures[2] < plain[2]
    names = scores(with_penalty(penalizing, Penalty.NAMES, language), texts[1:3], texts[0])
    assert names[0] == plain[0]
    assert names[1] < plain[1]
    assert names[2] < plain[2]


def test_what_is_right_costs_nothing(penalizing: str, language: str) -> None:
    texts = TEXTS[language]
    plain = with_penalty(penalizing, Penalty.NONE, language)
    lowered = with_penalty(penalizing, Penalty.BOTH, language)
    for hypotheses in ((texts.reference,), texts.neither[1:], ("",)):
        for reference in (texts.reference, texts.neither[0]):
            if texts.reference in {*hypotheses, reference} and hypotheses != (reference,):
                continue  # 350 is missing, or too much
            expected = scores(plain, hypotheses, reference)
            found = scores(lowered, hypotheses, reference)
            assert np.array_equal(found, expected), (hypotheses, reference)


def test_the_best_reference_is_chosen_after_the_penalty(
    penalizing_by_segment: str, language: str
) -> None:
    metric = with_penalty(penalizing_by_segment, Penalty.NUMBERS, language)
    texts = TEXTS[language]
    near, right = texts.figure, texts.name  # one figure is wrong, or one word is another
    alone = [scores(metric, texts[:1], one)[0] for one in (near, right)]
    for references in ((near, right), (right, near)):
        found = scores(metric, texts[:1], *references)
        assert found[0] == max(alone)
    assert alone[1] > alone[0]


def test_only_names_may_be_impossible(penalizing_nameless: tuple[str, str]) -> None:
    spec, language = penalizing_nameless
    for penalty in (Penalty.NONE, Penalty.NUMBERS):
        with_penalty(spec, penalty, language)
    for penalty in (Penalty.NAMES, Penalty.BOTH):
        with pytest.raises(UsageError, match="penalty=numbers"):
            with_penalty(spec, penalty, language)


def test_the_explanation_says_what_is_wrong(penalizing_links: str, language: str) -> None:
    metric = with_penalty(penalizing_links, Penalty.NUMBERS, language)
    assert isinstance(metric, ExplainableMetric)
    texts = TEXTS[language]
    explained, scored = explanation(metric, texts.figure, texts.reference)
    assert explained.score == pytest.approx(scored, abs=1e-12)
    assert explained.steps[-1].value == pytest.approx(scored, abs=1e-6)
    said = " ".join(step.meaning for step in explained.steps)
    assert "470" in said
    assert "350" in said
    # The first reference is nearer but for its figure.
    explained, scored = explanation(metric, texts.reference, texts.figure, texts.name)
    assert explained.reference == 2
    assert explained.score == pytest.approx(scored, abs=1e-12)


def test_every_step_has_a_name_of_its_own(penalizing_links: str, language: str) -> None:
    texts = TEXTS[language]
    for penalty in Penalty:
        metric = with_penalty(penalizing_links, penalty, language)
        assert isinstance(metric, ExplainableMetric)
        for hypothesis in (texts.figure, texts.name, texts.reference, texts.neither[0], ""):
            explained, _ = explanation(metric, hypothesis, texts.reference)
            labels = [step.label for step in explained.steps]
            assert len(set(labels)) == len(labels), (penalty, hypothesis, labels)
            assert labels[-1] == "score"


def test_a_factor_of_1_says_that_nothing_is_wrong(penalizing_links: str, language: str) -> None:
    texts = TEXTS[language]
    metric = with_penalty(penalizing_links, Penalty.NUMBERS, language)
    assert isinstance(metric, ExplainableMetric)
    for hypothesis in (texts.reference, texts.figure):
        explained, _ = explanation(metric, hypothesis, texts.reference)
        for step in explained.steps:
            if step.label.startswith("factor") and step.value == 1:
                assert step.meaning.startswith(("no wrong name or number", "nothing ")), step
