"""ParaEval: measures, references, tables, signature, explanation.

It needs a table that only a user can name, so the contracts that other metrics keep are repeated
here with one.
"""

import pickle
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tenbin
from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.metric import Metric
from tenbin.core.resource import ResourceKind
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.metrics.paraeval.choices import Merge, ParaEvalMeasure, RecallReference
from tenbin.metrics.paraeval.metric import ParaEval
from tenbin.penalty.choices import NameSource, Penalty
from tenbin.resources.paraphrases import write_paraphrase_sets

# Fixtures that examples share; and no look at the clock.
UNTIMED_FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

GROUPS = (
    ("blown up", "bombing", "explosion"),
    ("a lot of", "many"),
    ("many", "several"),
    ("cat", "the cat", "animal"),
)
WORDS = ("blown", "up", "bombing", "explosion", "a", "lot", "of", "many", "several", "the", "cat")
sentences = st.lists(st.sampled_from((*WORDS, "animal", "was", "Many")), max_size=9).map(" ".join)
VARIANTS = [
    {"measure": measure, "min_length": least, "merge": merge, "references": choice}
    for measure in ParaEvalMeasure
    for least in (1, 2)
    for merge in Merge
    for choice in RecallReference
]


def written(path: Path, groups: Sequence[Sequence[str]], **facts: str) -> str:
    write_paraphrase_sets(str(path), sets_from_groups(groups), facts)
    return str(path)


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("paraeval")
    return written(folder / "toy.paraphrases", GROUPS, language="en", tokenizer="13a")


@st.composite
def segments(draw: st.DrawFn) -> TestSet:
    count = draw(st.integers(1, 3))
    column = st.lists(sentences, min_size=count, max_size=count).map(tuple)
    alternatives = st.lists(sentences, min_size=1, max_size=3).map(tuple)
    return TestSet(
        hypotheses={name: draw(column) for name in draw(st.sampled_from(["a", "ab"]))},
        references=tuple(draw(st.lists(alternatives, min_size=count, max_size=count))),
    )


def rows_of(metric: Metric, texts: TestSet) -> FloatArray:
    return chunk_statistics(texts, [metric])[0]


def score(spec: str, hypothesis: str, *references: str) -> float:
    metric = tenbin.load_metric(spec, language="en")
    return metric.score([hypothesis], [list(references)]).score


def spec(table: str, **parameters: object) -> str:
    listed = "".join(f", {name}={value!r}" for name, value in parameters.items())
    return f"paraeval(table={table!r}{listed})"


def test_phrases_of_several_words_are_longest_first(table: str) -> None:
    assert score(spec(table), "a lot of", "many") == 1
    assert score(spec(table), "many a lot of", "many") == 3 / 4, "'a lot of' is the longest"
    assert score(spec(table), "many a lot of", "many several") == 1, "'many' is in two sets"
    assert score(spec(table, min_length=2), "many", "a lot of") == 0
    assert score(spec(table, min_length=2), "a lot of", "many") == 1, "of the hypothesis alone"
    assert score(spec(table, min_length=2, measure="recall"), "a lot of", "many") == 1
    assert score(spec(table, min_length=2, measure="recall"), "many", "a lot of") == 0


def test_joined_sets_are_transitive(table: str) -> None:
    assert score(spec(table), "a lot of", "several") == 0
    assert score(spec(table, merge="components"), "a lot of", "several") == 1


def test_case_is_dropped_unless_told(table: str) -> None:
    assert score(spec(table), "MANY", "A lot OF") == 1
    assert score(spec(table, lowercase=False), "MANY", "A lot OF") == 0


def test_recall_is_that_of_the_best_reference_or_the_mean(table: str) -> None:
    references = ("cat sat", "cat was a lot of fun", "")
    assert score(spec(table, measure="recall"), "animal", *references) == 1 / 2
    mean = score(spec(table, measure="recall", references="mean"), "animal", *references)
    assert mean == pytest.approx((1 / 2 + 1 / 6 + 0) / 3)


def test_of_equal_recall_the_longest_reference_counts(table: str) -> None:
    metric = ParaEval(table=table, measure=ParaEvalMeasure.RECALL).bind("en")
    texts = TestSet(hypotheses={"a": ("x y",)}, references=(("x a", "x y b c", "a", ""),))
    assert rows_of(metric, texts).tolist() == [[[2, 4]]]


def test_one_reference_has_the_same_counts_as_mean_and_best(table: str) -> None:
    texts = TestSet(
        hypotheses={"a": ("many cats sat", "x")}, references=(("several of 49",), ("y x z",))
    )
    best, mean = (
        rows_of(
            ParaEval(table=table, measure=ParaEvalMeasure.RECALL, references=choice).bind("en"),
            texts,
        )
        for choice in RecallReference
    )
    np.testing.assert_array_equal(best, mean)


def test_f_is_the_harmonic_mean_of_corpus_precision_and_recall(table: str) -> None:
    hypotheses, references = ["many bombing x", "the cat sat"], ["several y", "animal was here"]
    values = {
        measure: tenbin.load_metric(spec(table, measure=str(measure)), language="en")
        .score(hypotheses, references)
        .score
        for measure in ParaEvalMeasure
    }
    precision, recall = values[ParaEvalMeasure.PRECISION], values[ParaEvalMeasure.RECALL]
    assert (precision, recall) == (3 / 6, 2 / 5)
    assert values[ParaEvalMeasure.F] == pytest.approx(2 * precision * recall / (precision + recall))


@given(texts=segments())
def test_without_a_table_it_is_clipped_unigram_precision(texts: TestSet) -> None:
    own = rows_of(registry.load("paraeval(table='none')").bind("en"), texts)
    other = registry.load("mup(lowercase=True)").bind("en")
    np.testing.assert_array_equal(
        own[..., 0] / np.maximum(own[..., 1], 1), other.score(rows_of(other, texts))
    )


def test_a_table_must_be_named() -> None:
    metric = registry.load("paraeval")
    assert metric.needs.parameters == {"table"}
    assert metric.needs.resources == {ResourceKind.PARAPHRASES}
    with pytest.raises(UsageError, match='table="FILE"'):
        metric.bind("en")
    assert not registry.load("paraeval(table='none')").needs.parameters


def test_the_tokenizer_is_that_of_the_table(tmp_path: Path) -> None:
    chars = written(tmp_path / "chars", [("猫", "動 物")], language="ja", tokenizer="char")
    metric = ParaEval(table=chars).bind("ja")
    assert metric.tokenizer == "char"
    with pytest.raises(UsageError, match=r"cut into words by 'char'.*'13a'"):
        ParaEval(table=chars, tokenizer="13a").bind("ja")
    unknown = written(tmp_path / "unknown", [("cat", "animal")])
    assert ParaEval(table=unknown, tokenizer="char").bind("en").tokenizer == "char"
    assert ParaEval(table=unknown).bind("en").tokenizer == "13a"


def test_a_table_of_another_language_is_refused(table: str) -> None:
    assert ParaEval(table=table).bind("en-GB").language == "en-GB"
    with pytest.raises(UsageError, match=r"paraphrases in 'en'.*'de'"):
        ParaEval(table=table).bind("de")


def test_a_file_that_is_no_table(tmp_path: Path) -> None:
    other = tmp_path / "sets.tsv"
    other.write_text("1\tcat\n1\tanimal\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"sets\.tsv"):
        ParaEval(table=str(other)).bind("en")


@pytest.mark.parametrize(
    "wrong", ["min_length=0", "measure='p'", "merge='all'", "references='min'", "table=3"]
)
def test_bad_values_are_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match=f"parameter {wrong.partition('=')[0]}="):
        registry.load(f"paraeval({wrong})")


def test_changing_any_one_field_changes_the_signature(table: str, tmp_path: Path) -> None:
    metric = ParaEval(table=table).bind("en")
    copied = written(tmp_path / "toy.paraphrases", GROUPS[:3], language="en", tokenizer="13a")
    others = {
        "tokenizer": "char",
        "lowercase": False,
        "language": "en-GB",
        "penalty": Penalty.NUMBERS,
        "names": NameSource.PROPN,
        "strength": 0.1,
        "table": copied,
        "measure": ParaEvalMeasure.F,
        "min_length": 3,
        "merge": Merge.COMPONENTS,
        "references": RecallReference.MEAN,
    }
    # A glossary is in the signature where names are compared: tests/unit/penalty.
    assert {*others, "glossary"} == {field.name for field in fields(metric)}
    changed = [replace(metric, **{name: value}) for name, value in others.items()]  # type: ignore[arg-type]
    signatures = {str(one.signature()) for one in (metric, *changed)}
    assert len(signatures) == 1 + len(others)
    assert ("match", "longest-leftmost") in metric.signature().fields
    for one in (metric, *changed):
        assert Signature.parse(str(one.signature())) == one.signature()
        assert "/" not in str(one.signature()), "the folder of a table is nobody's business"


def test_a_bound_metric_is_a_value(table: str) -> None:
    metric = ParaEval(table=table).bind("en")
    assert metric.bind("de") == metric
    copied = pickle.loads(pickle.dumps(metric))  # noqa: S301 - our own bytes
    assert (copied, hash(copied), copied.signature()) == (metric, hash(metric), metric.signature())
    unbound = registry.load("paraeval").signature()
    assert not unbound.resources


@pytest.mark.parametrize(
    "parameters", VARIANTS, ids=lambda values: "-".join(map(str, values.values()))
)
@settings(max_examples=12, suppress_health_check=UNTIMED_FIXTURES)
@given(texts=segments())
def test_contracts(table: str, parameters: dict[str, object], texts: TestSet) -> None:
    metric = ParaEval(table=table, **parameters).bind("en")  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", "plain")
        rows = rows_of(metric, texts)
        patch.setenv("TENBIN_KERNELS", "compiled")
        np.testing.assert_array_equal(rows_of(metric, texts), rows)
    for scores in (metric.segment_score(rows), metric.score(rows.sum(axis=1))):
        assert ((scores >= 0) & (scores <= 1 + 1e-12)).all()
    turned = replace(texts, references=tuple(other[::-1] for other in texts.references))
    np.testing.assert_allclose(rows_of(metric, turned), rows, rtol=1e-12)
    for segment in range(texts.segment_count):
        alone = rows_of(metric, texts.part(segment, segment + 1))
        np.testing.assert_array_equal(alone, rows[:, segment : segment + 1])
    # Explanations tell the same score.
    batch = build_batch(texts, metric.needs.annotations)
    flat = metric.segment_score(rows).ravel()
    for item, expected in enumerate(flat.tolist()):
        told = metric.explain(batch, item)
        assert told.score == pytest.approx(expected, abs=1e-12)
        assert told.steps[-1].value == told.score
        assert told.alignment.exclusive


@settings(suppress_health_check=UNTIMED_FIXTURES)
@given(text=sentences.filter(bool))
def test_a_text_matches_itself_where_sets_are_joined(table: str, text: str) -> None:
    for measure in ParaEvalMeasure:
        assert score(spec(table, merge="components", measure=str(measure)), text, text) == 1
