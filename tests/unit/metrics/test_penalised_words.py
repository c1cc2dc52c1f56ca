"""Wrong names and figures in metrics over words: METEOR, ParaEval, IMPACT, those over vectors."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InvalidParameter, UsageError
from tenbin.core.explanation import Step
from tenbin.core.metric import ExplainableMetric, Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.evaluation.sweeps import sweep
from tenbin.metrics import registry
from tenbin.metrics.meteor.metric import Meteor
from tenbin.penalty.choices import Penalty

pytest.importorskip("simplemma")

TABLE = """6 3
Smith 0 1 0
Jones .8 .6 0
paid 0 0 1
5 0 .6 .8
7 0 .8 .6
. .6 0 .8
"""
RIGHT = "Smith paid 5 dollars ."
WRONG = "Smith paid 7 dollars ."
# One figure is wrong, one name missing.
WORSE = "He paid 7 dollars ."
TEXTS = (RIGHT, WRONG, WORSE)
HALVED = 0.5
BOTH = 2 * 0.5 * 0.25 / 0.75
FACTORS = np.array([1, HALVED, BOTH])


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return str(tmp_path / "toy.vec")


def rows(metric: Metric, hypotheses: tuple[str, ...], *references: str) -> FloatArray:
    texts = TestSet(hypotheses={"one": hypotheses}, references=(references,) * len(hypotheses))
    found: FloatArray = chunk_statistics(texts, [metric])[0][0]
    return found


def segment_scores(metric: Metric, *references: str) -> FloatArray:
    return metric.segment_score(rows(metric, TEXTS, *references))


def both(spec: str, parameters: str = "") -> tuple[Metric, Metric]:
    """Return a metric without and with the penalty."""
    penalized = 'penalty="names+numbers"'
    specs = [", ".join(filter(None, part)) for part in ((parameters,), (parameters, penalized))]
    plain, lowered = (registry.load(f"{spec}({one})").bind("en") for one in specs)
    return plain, lowered


@pytest.mark.parametrize("name", ["was", "mas", "has", "sv", "wmd", "we_wpi", "yisi1", "mee"])
def test_scores_are_multiplied(name: str, toy: str) -> None:
    plain, lowered = both(name, f'vectors="{toy}", oov="identity"')
    expected = FACTORS * segment_scores(plain, RIGHT)
    assert segment_scores(lowered, RIGHT) == pytest.approx(expected, abs=1e-12)
    assert "penalty:names+numbers|names:capitals|strength:0.5" in str(lowered.signature())
    assert "version:simplemma=" in str(lowered.signature())
    assert "version:simplemma=" not in str(plain.signature())


@pytest.mark.parametrize("name", ["yisi0", "onehot", "impact"])
def test_metrics_without_vectors_learn_the_language(name: str) -> None:
    plain, lowered = both(name)
    expected = FACTORS * segment_scores(plain, RIGHT)
    assert segment_scores(lowered, RIGHT) == pytest.approx(expected, abs=1e-12)
    assert "language:en" in str(lowered.signature())
    # The language of a metric goes before that of a run, for its words too.
    own = registry.load(f'{name}(language="zh")').bind("en")
    assert "language:zh" in str(own.signature())
    assert "tok:zh" in str(own.signature())


def test_negative_similarities_stay(tmp_path: Path) -> None:
    (tmp_path / "toy.vec").write_text("2 2\n5 1 0\n7 -.6 .8\n")
    plain, lowered = both("has", f'vectors="{tmp_path / "toy.vec"}", threshold=-1')
    found = rows(lowered, ("7",), "5")
    assert found[0, 0] == pytest.approx(-0.6)
    assert np.array_equal(found, rows(plain, ("7",), "5"))


def test_a_distance_takes_no_factor() -> None:
    with pytest.raises(InvalidParameter, match="none, with form=negative"):
        registry.load('wmd(form="negative", penalty="numbers")')


def test_across_languages_there_is_no_penalty() -> None:
    assert not hasattr(registry.metric_class("yisi2"), "penalty")


@pytest.mark.parametrize("name", ["was", "mas", "has"])
def test_a_sweep_is_scoring_at_each_threshold(name: str, toy: str) -> None:
    texts = TestSet(hypotheses={"one": TEXTS}, references=((RIGHT, WORSE),) * 3)
    spec = f'{name}(vectors="{toy}", penalty="names+numbers"'
    grid = [-0.5, 0.0, 0.7, 0.9]
    swept = sweep(texts, f"{spec})", "en", grid)
    for place, threshold in enumerate(grid):
        metric = registry.load(f"{spec}, threshold={threshold})").bind("en")
        found = chunk_statistics(texts, [metric])[0]
        assert np.array_equal(swept.segments[..., place], metric.segment_score(found))
        assert np.array_equal(swept.scores[..., place], metric.score(found.sum(axis=1)))


def meteor(**parameters: object) -> Meteor:
    loaded = registry.load('meteor(stages=("exact",))')
    assert isinstance(loaded, Meteor)
    return replace(loaded, **parameters).bind("en")  # type: ignore[arg-type]


def test_meteor_lowers_precision_and_recall_and_keeps_its_chunks() -> None:
    plain, lowered = meteor(), meteor(penalty=Penalty.BOTH)
    found = [one.parts(rows(one, TEXTS, RIGHT)) for one in (plain, lowered)]
    assert found[1].precision == pytest.approx(found[0].precision * [1, 0.5, 0.5])
    assert found[1].recall == pytest.approx(found[0].recall * [1, 0.5, 0.25])
    assert np.array_equal(found[1].fragmentation, found[0].fragmentation)
    assert np.array_equal(found[1].penalty, found[0].penalty)


def test_meteor_of_a_corpus_is_that_of_the_summed_rows() -> None:
    """Matches add up after they were lowered: 5 + 4 / 2 of 10 words."""
    lowered = meteor(penalty=Penalty.NUMBERS, delta=0.5)
    parts = lowered.parts(rows(lowered, TEXTS[:2], RIGHT).sum(axis=0))
    assert float(parts.precision) == pytest.approx((5 + 4 / 2) / 10)
    assert float(parts.recall) == pytest.approx((5 + 4 / 2) / 10)


def test_meteor_chooses_the_reference_after_the_penalty() -> None:
    plain, lowered = meteor(), meteor(penalty=Penalty.NUMBERS)
    references = (WRONG, "It was Smith who then paid 5 dollars .")
    for metric, best in ((plain, references[0]), (lowered, references[1])):
        expected = rows(metric, TEXTS[:1], best)
        for order in (references, references[::-1]):
            assert np.array_equal(rows(metric, TEXTS[:1], *order), expected)


def test_meteor_is_tuned_from_kept_statistics() -> None:
    lowered = meteor(penalty=Penalty.BOTH)
    other = replace(lowered, alpha=0.3, beta=1.0, gamma=0.2, delta=0.6)
    kept, anew = (rows(one, TEXTS, RIGHT) for one in (lowered, other))
    assert np.array_equal(other.score(kept), other.score(anew))


def test_meteor_explains_what_is_kept() -> None:
    metric = meteor(penalty=Penalty.BOTH)
    explained = explanation(metric, WORSE, RIGHT)
    steps = {step.label: step for step in explained}
    assert steps["factor of precision"].meaning.endswith(": 7 dollars")
    assert steps["factor of recall"].meaning.endswith(": Smith, 5 dollars")
    assert steps["precision, penalized"].value == pytest.approx(steps["precision"].value / 2)
    assert steps["recall, penalized"].value == pytest.approx(steps["recall"].value / 4)
    # Whole words are counted, whatever is kept of them.
    assert float(steps["exact matches"].value).is_integer()
    assert explained[-1].value == pytest.approx(metric.score(rows(metric, (WORSE,), RIGHT))[0])
    assert not any("kept" in step.label for step in explanation(metric, RIGHT, RIGHT))


def explanation(metric: ExplainableMetric, hypothesis: str, *references: str) -> list[Step]:
    texts = TestSet(hypotheses={"one": (hypothesis,)}, references=(references,))
    batch = build_batch(texts, sorted(metric.needs.annotations))
    return list(metric.explain(batch, 0).steps)


def paraeval(measure: str, penalty: str) -> Metric:
    spec = f'paraeval(table="none", measure="{measure}", penalty="{penalty}")'
    return registry.load(spec).bind("en")


@pytest.mark.parametrize(
    ("measure", "factors"), [("precision", [1, 0.5, 0.5]), ("recall", [1, 0.5, 0.25])]
)
def test_paraeval_lowers_matches(measure: str, factors: list[float]) -> None:
    plain, lowered = (paraeval(measure, penalty) for penalty in ("none", "names+numbers"))
    found = [rows(one, TEXTS, RIGHT) for one in (plain, lowered)]
    assert found[1][:, 0] == pytest.approx(found[0][:, 0] * factors)
    assert np.array_equal(found[1][:, 1], found[0][:, 1])
    # Precision is against all references: what one of them has is right.
    two = rows(lowered, TEXTS[1:2], RIGHT, WRONG)
    assert np.array_equal(two, rows(plain, TEXTS[1:2], RIGHT, WRONG))


@pytest.mark.parametrize("choice", ["max", "mean"])
@pytest.mark.parametrize("measure", ["precision", "recall", "f"])
def test_paraeval_explains_what_is_kept(measure: str, choice: str) -> None:
    metric = replace(paraeval(measure, "names+numbers"), references=choice)  # type: ignore[type-var]
    for references in ((RIGHT,), (RIGHT, "Smith got 5 .")):
        steps = explanation(metric, WORSE, *references)  # type: ignore[arg-type]
        score = float(metric.segment_score(rows(metric, (WORSE,), *references))[0])
        assert steps[-1].value == pytest.approx(score, abs=1e-12)
        said = [step.meaning for step in steps if step.label.startswith("factor of")]
        assert any(one.endswith(": 7 dollars") for one in said) == (measure != "recall")
        assert any("Smith, 5" in one for one in said) == (measure != "precision")


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="penalty=numbers"):
        registry.load('paraeval(table="none", penalty="names")').bind("th")
    with pytest.raises(InvalidParameter, match="auto, propn, ner, capitals or glossary"):
        registry.load('meteor(names="rare")')
    thai = registry.load('meteor(penalty="numbers")').bind("th")
    assert thai.signature().get("penalty") == "numbers"
