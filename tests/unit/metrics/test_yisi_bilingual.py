"""YiSi-2: two tables, the source, and weights by the sources or by each system."""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import LowCoverage, UsageError
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics.registry import load

SOURCE = ("die Katze saß", "der Hund saß da")
REFERENCES = (("the cat sat",), ("the dog sat there",))
SYSTEMS = {"a": ("the cat sat", "the dog sat there"), "b": ("a cat", "the the dog")}


@pytest.fixture
def spec(tmp_path: Path) -> str:
    (tmp_path / "de.vec").write_text(
        "5 2\nKatze 1 0\nsaß 0 1\ndie .6 .8\nHund .8 .6\nUSA 0 -1\n", encoding="utf-8"
    )
    (tmp_path / "en.vec").write_text(
        "6 2\ncat 1 0\nsat 0 1\nthe .6 .8\ndog .8 .6\nusa .6 -.8\nnot -1 0\n", encoding="utf-8"
    )
    own, other = tmp_path / "en.vec", tmp_path / "de.vec"
    return f"yisi2(vectors={str(own)!r}, source_vectors={str(other)!r}, ngram=1)"


def score(spec: str, hypothesis: str, source: str) -> float:
    metric = tenbin.load_metric(spec, language="en")
    return metric.score([hypothesis], ["anything"], source=[source]).score


def test_words_are_compared_across_languages(spec: str) -> None:
    assert score(spec, "cat", "Katze") == pytest.approx(1, abs=1e-5)
    assert score(spec, "dog", "Katze") == pytest.approx(0.8)
    assert score(spec, "not", "Katze") == 0, "negative cosines count as 0"


def test_equal_words_are_alike_if_one_is_not_listed_as_it_stands(spec: str) -> None:
    spec = spec.replace("ngram=1", "ngram=1, min_coverage=0.0")
    assert score(spec, "Berlin", "berlin") == 1
    assert score(spec, "USA", "USA") == 1, "only 'usa' is listed in English"
    assert score(spec, "usa", "USA") == pytest.approx(0.8), "both are listed: the cosine counts"
    zero = spec.replace("ngram=1", "ngram=1, oov='zero'")
    assert score(zero, "Berlin", "berlin") == 0
    assert score(zero, "USA", "USA") == pytest.approx(0.8)


def test_references_are_not_read_and_other_systems_change_nothing(spec: str) -> None:
    metric = load(spec).bind("en")
    both = TestSet(hypotheses=SYSTEMS, references=REFERENCES, source=SOURCE)
    alone = TestSet(hypotheses={"b": SYSTEMS["b"]}, references=(("x", "y"), ("z",)), source=SOURCE)
    (together,) = chunk_statistics(both, [metric])
    (one,) = chunk_statistics(alone, [metric])
    np.testing.assert_array_equal(together[1], one[0])
    assert together.shape == (2, 2, 2)


def test_weights_are_those_of_the_sources(spec: str) -> None:
    metric = load(spec.replace("ngram=1", "ngram=1, alpha=0.0")).bind("en")
    own = {"a": ("the not", "not not not saß"), "b": ("the not", "cat cat")}
    texts = TestSet(hypotheses=own, references=REFERENCES, source=SOURCE)
    (rows,) = chunk_statistics(texts, [metric])
    assert rows[0, 0, 0] == rows[1, 0, 0], "the same text in another system"
    # Both sources have saß, none has not.
    seen, unseen = np.log2(1 + 3 / 3), np.log2(1 + 3 / 1)
    assert rows[0, 1, 0] == pytest.approx(seen / (3 * unseen + seen), abs=1e-6)


def test_weights_as_published_are_those_of_the_system(spec: str) -> None:
    metric = load(spec.replace("ngram=1", "ngram=1, idf=system")).bind("en")
    same = ("the not", "the dog")
    other = ("the not", "cat cat")
    texts = TestSet(hypotheses={"a": same, "b": other}, references=REFERENCES, source=SOURCE)
    (rows,) = chunk_statistics(texts, [metric])
    assert rows[0, 0, 0] != rows[1, 0, 0], "the same text in another collection"


def test_explanation_speaks_of_the_source(spec: str) -> None:
    (found,) = tenbin.explain(
        {"b": SYSTEMS["b"]},
        [list(texts) for texts in REFERENCES],
        source=SOURCE,
        language="en",
        metric=spec,
        segments=2,
    )
    assert found.alignment.reference == ("der", "Hund", "saß", "da")
    assert found.steps[-1].value == pytest.approx(found.score, abs=1e-12)
    assert "n-grams of the source" in found.steps[2].meaning


def test_source_vectors_must_be_named_and_lie_in_the_same_space(spec: str, tmp_path: Path) -> None:
    assert load("yisi2").needs.parameters == {"source_vectors"}
    with pytest.raises(UsageError, match="no vectors of the source language"):
        load("yisi2").bind("en")
    (tmp_path / "de.vec").write_text("1 3\nKatze 1 0 0\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"2 dimensions and 'de\.vec' of 3"):
        load(spec).bind("en")


def test_the_source_must_be_given(spec: str) -> None:
    with pytest.raises(UsageError, match="reads the source text"):
        tenbin.load_metric(spec, language="en").score(["a"], ["b"])
    metric = load(spec).bind("en")
    texts = TestSet(hypotheses={"a": ("cat",)}, references=(("cat",),))
    with pytest.raises(UsageError, match="reads the source text"):
        metric.statistics(build_batch(texts, metric.needs.annotations))


def test_coverage_of_the_source_is_checked_too(spec: str) -> None:
    with pytest.raises(LowCoverage, match=r"0\.0% .* 'de\.vec'"):
        tenbin.score(["cat"], ["cat"], source=["ein Wort"], metrics=[spec], language="en")


def test_the_source_may_be_cut_as_the_target_must_not(spec: str) -> None:
    """13a does not cut Japanese, but it is the source that it is for."""
    pytest.importorskip("sudachipy")
    bound = spec.replace("ngram=1", "ngram=1, min_coverage=0.0")
    table = tenbin.score(
        ["猫が座った。"], ["猫が座った。"], source=["die Katze"], metrics=[bound], language="ja"
    )
    assert table.score_set.results[0].scores[0] == 0
