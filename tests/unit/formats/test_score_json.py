"""Scores in JSON are read as they were written, and what is wrong has a place."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.api.page import metric_looks
from tenbin.api.scoring import compare, score
from tenbin.core.errors import UnknownMetric, UnreadableFile
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import TestSet
from tenbin.formats.score_json import read_score_json

TEXTS = TestSet(
    hypotheses={"one": ("a cat sat", "b"), "two": ("the cat", "")},
    references=(("the cat sat", "a cat"), ("b b",)),
    source=("eine Katze", "B"),
    documents=("d", "d"),
)
METRICS = ["bleu", "ter", "chrf(word_order=2)"]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[object], str]:
    def write(content: object) -> str:
        path = tmp_path / "scores.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def plain() -> Any:
    table = score(TEXTS, metrics=METRICS, language="en", segments=True, ci=True, resamples=5)
    return ScoreTable(
        language=table.language,
        segment_count=table.segment_count,
        systems=table.systems,
        results=table.results,
        notes=table.notes,
        texts=TEXTS,
    ).to_dict()


def assert_same(found: ScoreTable, expected: ScoreTable) -> None:
    assert found.to_dict() == expected.to_dict()
    for one, other in zip(found.results, expected.results, strict=True):
        assert (one.title, one.higher_is_better, one.decimals) == (
            other.title,
            other.higher_is_better,
            other.decimals,
        )
        assert one.signature == other.signature
        assert np.array_equal(one.scores, other.scores, equal_nan=True)


def test_a_table_of_scores(written: Callable[[object], str], plain: Any) -> None:
    found = read_score_json(written(plain), metric_looks)
    assert isinstance(found, ScoreTable)
    assert found.texts == TEXTS
    assert found.results[0].segments is not None
    assert found.results[0].intervals is not None
    assert_same(found, found)
    assert found.to_dict() == plain


@pytest.mark.parametrize("segments", [True, False])
def test_scores_alone(written: Callable[[object], str], segments: bool) -> None:  # noqa: FBT001
    table = score(TEXTS, metrics=METRICS, language="en", segments=segments)
    found = read_score_json(written(table.to_json()), metric_looks)
    assert isinstance(found, ScoreTable)
    assert_same(found, table)


@pytest.mark.parametrize("baseline", [None, "two"])
def test_a_comparison(written: Callable[[object], str], baseline: str | None) -> None:
    comparison = compare(TEXTS, metrics=METRICS, language="en", rounds=20, baseline=baseline)
    found = read_score_json(written(comparison.to_json()), metric_looks)
    assert isinstance(found, Comparison)
    assert_same(found.scores, comparison.scores)
    assert (found.test, found.rounds, found.seed, found.unit, found.baseline) == (
        comparison.test,
        comparison.rounds,
        comparison.seed,
        comparison.unit,
        comparison.baseline,
    )
    for one, other in zip(found.metrics, comparison.metrics, strict=True):
        assert np.array_equal(one.p_values, other.p_values, equal_nan=True)
        assert np.array_equal(one.adjusted, other.adjusted, equal_nan=True)
        assert (one.ranks is None) == (other.ranks is None)
        mine, yours = one.share(0, 1), other.share(0, 1)
        assert (mine and mine.value) == (yours and pytest.approx(yours.value))


def first(plain: Any) -> Any:
    return plain["results"][0]


WRONG: dict[str, tuple[Callable[[Any], object], str]] = {
    "no results": (lambda plain: plain.pop("results"), "the whole file has no field 'results'"),
    "empty results": (lambda plain: plain.update(results=[]), "results is empty"),
    "a score in words": (
        lambda plain: first(plain).update(score="high"),
        r'results\[0\]\.score is "high", expected a number or null',
    ),
    "a score that is true": (
        lambda plain: first(plain).update(score=True),
        r"results\[0\]\.score is true",
    ),
    "a score of thousands of digits": (
        lambda plain: first(plain).update(score=10**400),
        r"results\[0\]\.score",
    ),
    "too few segments": (
        lambda plain: first(plain)["segments"].pop(),
        r"results\[0\]\.segments has 1, expected 2 numbers",
    ),
    "a signature of nothing": (
        lambda plain: first(plain).update(signature="bleu|x"),
        r"results\[0\]\.signature: cannot read the signature",
    ),
    "a second score": (
        lambda plain: plain["results"].append(first(plain)),
        r"results\[6\] gives a second score",
    ),
    "a system too few": (lambda plain: plain["results"].pop(), "not of the same systems"),
    "other texts": (
        lambda plain: plain["texts"]["systems"].pop("two"),
        "texts.systems has other systems than results",
    ),
    "texts of another length": (
        lambda plain: plain["texts"]["source"].pop(),
        "texts: the inputs differ in their number of segments",
    ),
    "a text that is a number": (
        lambda plain: plain["texts"]["systems"]["one"].__setitem__(1, 5),
        r"texts\.systems\.one\[1\] is 5, expected a text",
    ),
    "a number of segments that is none": (
        lambda plain: plain.update(segment_count=-1),
        "segment_count is not a number of things",
    ),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_has_a_place(
    written: Callable[[object], str], plain: Any, change: Callable[[Any], object], message: str
) -> None:
    change(plain)
    path = written(plain)
    with pytest.raises(UnreadableFile, match=message) as caught:
        read_score_json(path, metric_looks)
    assert path in str(caught.value)
    assert "write it again" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"results": [', r"not JSON \(line 1, column 14"),
        ("", r"not JSON \(line 1, column 1"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", r"the whole file is \[\], expected an object"),
        ("null", "the whole file is null"),
    ],
)
def test_what_is_no_json(written: Callable[[object], str], text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read_score_json(written(text), metric_looks)


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_file_that_is_cut_off(written: Callable[[object], str], plain: Any, cut: float) -> None:
    text = json.dumps(plain)
    with pytest.raises(UnreadableFile, match="not JSON"):
        read_score_json(written(text[: int(len(text) * cut)]), metric_looks)


def test_a_metric_that_is_not_installed(written: Callable[[object], str], plain: Any) -> None:
    for row in plain["results"]:
        row["metric"] = row["metric"].replace("bleu", "nosuchmetric")
    with pytest.raises(UnknownMetric, match="nosuchmetric"):
        read_score_json(written(plain), metric_looks)


def test_there_is_no_file(tmp_path: Path) -> None:
    def never(_specs: Sequence[str]) -> list[Any]:
        raise AssertionError

    with pytest.raises(UnreadableFile, match="there is no such file"):
        read_score_json(str(tmp_path / "none.json"), never)
