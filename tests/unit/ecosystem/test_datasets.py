"""Scores as columns of the real datasets."""

import sys
from typing import Any

import pytest

import tenbin
from tenbin import score_dataset
from tenbin.core.errors import InputError, MissingExtra, UnknownMetric, UsageError
from tenbin.ecosystem.datasets import _RowScorer

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def package() -> Any:
    found = pytest.importorskip("datasets", reason="the extra 'ecosystem' is not installed")
    found.disable_progress_bars()
    return found


@pytest.fixture
def dataset(package: Any, hypotheses: list[str], references: list[str]) -> Any:
    pairs = [{"de": text, "en": other} for text, other in zip(hypotheses, references, strict=True)]
    columns = {"mt": hypotheses, "ref": references, "translation": pairs, "number": [1, 2, 3, 4]}
    return package.Dataset.from_dict(columns)


def segment_scores(hypotheses: Any, references: Any, metric: str) -> list[float]:
    table = tenbin.score(hypotheses, references, metrics=[metric], language="en", segments=True)
    found = table.results[0].segments
    assert found is not None
    return [float(score) for score in found[0]]


@pytest.mark.parametrize("batch_size", [1, 3, 1000])
def test_columns_are_the_segment_scores(
    dataset: Any, hypotheses: list[str], references: list[str], batch_size: int
) -> None:
    found = score_dataset(
        dataset,
        hypothesis="mt",
        reference="ref",
        metrics=["chrf", "ter"],
        language="en",
        batch_size=batch_size,
    )
    assert found.column_names == [*dataset.column_names, "chrf", "ter"]
    for metric in ("chrf", "ter"):
        assert list(found[metric]) == segment_scores(hypotheses, references, metric)
    assert dataset.column_names == ["mt", "ref", "translation", "number"]


def test_a_metric_that_learns_from_all_texts_gets_them_at_once(
    package: Any, hypotheses: list[str], references: list[str]
) -> None:
    expected = segment_scores(hypotheses[:3], references[:3], "nist")
    dataset = package.Dataset.from_dict({"hypothesis": hypotheses[:3], "reference": references[:3]})
    found = score_dataset(dataset, metrics="nist", language="en", batch_size=1)
    assert list(found["nist"]) == expected
    with pytest.raises(UsageError, match="streamed dataset"):
        score_dataset(dataset.to_iterable_dataset(), metrics="nist", language="en")


def test_a_stream_is_scored_when_it_is_read(
    dataset: Any, hypotheses: list[str], references: list[str]
) -> None:
    asked: list[int] = []

    def noted(row: dict[str, Any]) -> dict[str, Any]:
        asked.append(row["number"])
        return row

    stream = dataset.to_iterable_dataset().map(noted)
    names: Any = {"hypothesis": "mt", "reference": "ref"}
    found = score_dataset(stream, **names, metrics="chrf", language="en", batch_size=2)
    assert asked == []
    rows = iter(found)
    first = next(rows)
    assert 1 in asked
    assert 4 not in asked
    scores = [first["chrf"], *(row["chrf"] for row in rows)]
    assert scores == segment_scores(hypotheses, references, "chrf")


def test_every_split_is_scored(package: Any, dataset: Any) -> None:
    splits = package.DatasetDict(a=dataset, b=dataset.select([1]))
    names: Any = {"hypothesis": "mt", "reference": "ref"}
    found = score_dataset(splits, **names, metrics="chrf", language="en", prefix="new_")
    assert isinstance(found, package.DatasetDict)
    assert found["a"]["new_chrf"][1] == found["b"]["new_chrf"][0]
    streams = package.IterableDatasetDict(a=dataset.to_iterable_dataset())
    streamed = score_dataset(streams, **names, metrics="chrf", language="en")
    assert isinstance(streamed, package.IterableDatasetDict)
    assert next(iter(streamed["a"]))["chrf"] == found["a"]["new_chrf"][0]


def test_entries_of_mappings_and_several_references(
    package: Any, dataset: Any, hypotheses: list[str], references: list[str]
) -> None:
    names: Any = {"hypothesis": "translation.de", "reference": ["translation.en", "more"]}
    both = dataset.add_column("more", [["x", text] for text in hypotheses])
    found = score_dataset(both, **names, metrics="chrf", language="en")
    every = [[one, "x", other] for one, other in zip(references, hypotheses, strict=True)]
    assert list(found["chrf"]) == segment_scores(hypotheses, every, "chrf")
    assert isinstance(found, package.Dataset)


def test_aliases_name_the_columns(
    dataset: Any, hypotheses: list[str], references: list[str]
) -> None:
    metrics = ["words=chrf(word_order=2)", "chrf"]
    found = score_dataset(
        dataset, hypothesis="mt", reference="ref", metrics=metrics, language="en", prefix="new_"
    )
    assert found.column_names[-2:] == ["new_words", "new_chrf"]
    expected = segment_scores(hypotheses, references, "chrf(word_order=2)")
    assert list(found["new_words"]) == expected


def test_the_format_stays(dataset: Any) -> None:
    shown = dataset.with_format("numpy", columns=["number"], output_all_columns=True)
    found = score_dataset(shown, hypothesis="mt", reference="ref", metrics="chrf", language="en")
    assert found.format["type"] == "numpy"
    assert found.format["columns"] == ["number", "chrf"]
    assert found.format["output_all_columns"]


def test_scores_of_another_version_are_not_taken_from_its_cache(package: Any) -> None:
    def scorer() -> _RowScorer:
        return _RowScorer("mt", ("ref",), None, ("chrf",), "en", "", cache=True)

    hashed = package.fingerprint.Hasher.hash
    first = scorer()
    assert hashed(first) == hashed(scorer())
    (signature,) = first.signatures
    assert f"version:tenbin={tenbin.__version__}" in signature
    other = scorer()
    object.__setattr__(other, "signatures", (f"{signature}9",))
    assert hashed(other) != hashed(first)


def test_what_is_wrong_is_named(package: Any, dataset: Any) -> None:
    names: Any = {"hypothesis": "mt", "reference": "ref"}
    with pytest.raises(InputError, match="no column 'hypothesis', 'reference'; its columns are mt"):
        score_dataset(dataset, metrics="chrf", language="en")
    with pytest.raises(InputError, match="no entry 'fr' in every row"):
        score_dataset(dataset, hypothesis="translation.fr", reference="ref", language="en",
                      metrics="chrf")  # fmt: skip
    scored = score_dataset(dataset, **names, metrics="chrf", language="en")
    with pytest.raises(InputError, match="already has a column 'chrf'"):
        score_dataset(scored, **names, metrics="chrf", language="en")
    with pytest.raises(UnknownMetric):
        score_dataset(dataset, **names, metrics="nonsense", language="en")
    with pytest.raises(UsageError, match="batch_size=0"):
        score_dataset(dataset, **names, metrics="chrf", language="en", batch_size=0)
    with pytest.raises(UsageError, match="of type list"):
        score_dataset([{"mt": "a"}], **names, metrics="chrf", language="en")
    with pytest.raises(UsageError, match="chrf"):
        score_dataset(dataset, hypothesis="mt", reference=None, metrics="chrf", language="en")
    holes = package.Dataset.from_dict({"mt": ["a", "b", None], "ref": ["a", "b", "c"]})
    with pytest.raises(InputError, match=r"column 'mt', row 3: the text is missing \(None\)"):
        score_dataset(holes, **names, metrics="chrf", language="en", batch_size=1)
    numbers = package.Dataset.from_dict({"mt": ["a"], "ref": [1]})
    with pytest.raises(InputError, match="column 'ref', row 1: the text is of type int"):
        score_dataset(numbers, **names, metrics="chrf", language="en")


def test_without_datasets_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[ecosystem\]'"):
        score_dataset([], metrics="chrf", language="en")
