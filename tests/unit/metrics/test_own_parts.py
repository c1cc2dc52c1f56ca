"""The example of the how-to: a representation and an aggregation of another package."""

import pickle
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import InvalidParameter
from tenbin.core.metric import ExplainableMetric
from tenbin.metrics import registry
from tenbin.metrics.catalogue import describe_metric

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "tenbin-own-parts"
TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")
MEDIAN = f"median-maxima(vectors={TOY!r}, min_coverage=0)"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an installer would have written, without installing anything."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    ((group, points),) = project["entry-points"].items()
    found = [EntryPoint(name, value, group) for name, value in points.items()]
    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.setattr(registry, "entry_points", lambda **_: found)
    registry._third_party.cache_clear()
    yield
    registry._third_party.cache_clear()


def scores(spec: str, hypotheses: list[str], references: list[str]) -> list[float]:
    table = tenbin.score(hypotheses, references, metrics=[spec], language="en", segments=True)
    segments = table.score_set.results[0].segments
    assert segments is not None
    return [float(score) for score in segments[0]]


def test_a_representation_of_our_own() -> None:
    found = scores("letter-matching", ["the tac", "", "dog"], ["the cat", "cat", "Dogs"])
    assert found == pytest.approx([1, 0, 3 / 4])
    (explained,) = tenbin.explain(
        ["god"], ["dogs"], metric="letter-matching", language="en", segments=[1]
    )
    (link,) = explained.alignment.matches
    assert (link.kind, link.similarity) == ("spelling", 0.75)
    assert explained.steps[-1].value == explained.score == 0.75


def test_the_penalty_comes_with_the_point_that_is_named() -> None:
    texts = ["pay 5 now"], ["pay 7 now"]
    pytest.importorskip("simplemma")
    plain = scores("letter-matching", *texts)
    penalized = scores('letter-matching(penalty="numbers", strength=0.5)', *texts)
    assert penalized == [pytest.approx(plain[0] / 2)]


def test_an_aggregation_of_our_own() -> None:
    # a/the .928, kitten/cat .8, sits/sat .96; each is the other's best.
    found = scores(MEDIAN, ["a kitten sits", "cat", ""], ["the cat sat", "cat", "cat"])
    assert found == pytest.approx([0.928, 1, 0], abs=1e-6)
    (explained,) = tenbin.explain(
        ["a kitten"], ["the cat"], metric=MEDIAN, language="en", segments=[1]
    )
    assert [link.kind for link in explained.alignment.matches] == ["vector", "vector"]
    assert explained.steps[-1].value == pytest.approx(explained.score)


def test_parts_document_check_and_name_the_parameters() -> None:
    described = {one.name: one for one in describe_metric("median-maxima").parameters}
    assert described["quantile"].help.startswith("0.5 for the median")
    assert described["vectors"].help.startswith("Word vectors")
    assert described["tokenizer"].help.startswith("Name of a tokenizer")
    with pytest.raises(InvalidParameter, match="quantile=2"):
        registry.load("median-maxima(quantile=2)")
    signature = registry.load(MEDIAN).bind("en").signature()
    assert signature.get("quantile") == "0.5"
    assert signature.get("vectors") == "toy.vec"
    assert [name for name, _ in signature.resources] == ["toy.vec"]


@pytest.mark.parametrize("spec", ["letter-matching", MEDIAN])
def test_they_are_values_like_any_other_metric(spec: str) -> None:
    metric = registry.load(spec).bind("en")
    assert isinstance(metric, ExplainableMetric)
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301 - our own
    assert replace(metric) == metric  # type: ignore[type-var]
    assert not metric.needs.collection
    assert np.isnan(metric.score(np.zeros((1, 4)))).all()
