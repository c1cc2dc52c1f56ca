"""The table a call returns, in all its forms."""

import builtins
import json
from typing import Any

import pytest

import tenbin
from tenbin.core.errors import MissingExtra, SpecError

SYSTEMS = {"good": ["the cat sat", "it rained"], "poor": ["a cat", "rain"]}
REFERENCES = ["the cat sat", "it rains"]
METRICS = ["bleu", "chrf(word_order=2)", "ter"]


@pytest.fixture(scope="module")
def table() -> tenbin.ScoreTable:
    return tenbin.score(SYSTEMS, REFERENCES, metrics=METRICS, language="en")


@pytest.fixture(scope="module")
def full_table() -> tenbin.ScoreTable:
    return tenbin.score(
        SYSTEMS, REFERENCES, metrics=METRICS, language="en", segments=True, ci=True, resamples=20
    )


def test_json_has_the_promised_shape(table: tenbin.ScoreTable) -> None:
    payload = json.loads(table.to_json())
    assert list(payload) == ["tenbin", "language", "segment_count", "results", "notes"]
    assert payload["tenbin"] == tenbin.__version__
    assert payload["language"] == "en"
    assert payload["segment_count"] == 2
    assert [(one["metric"], one["system"]) for one in payload["results"]] == [
        (metric, system) for metric in METRICS for system in SYSTEMS
    ]
    for one in payload["results"]:
        assert list(one) == ["system", "metric", "score", "signature", "ci"]
        assert one["score"] == table[one["system"], one["metric"]]
        assert one["ci"] is None
        assert str(tenbin.Signature.parse(one["signature"])) == one["signature"]
        assert str(tenbin.Spec.parse(one["metric"])) == one["metric"]
    assert payload == table.to_dict()


def test_json_with_segments_and_intervals(full_table: tenbin.ScoreTable) -> None:
    for one in json.loads(full_table.to_json())["results"]:
        assert list(one) == ["system", "metric", "score", "signature", "ci", "segments"]
        low, high = one["ci"]
        assert low <= high
        assert len(one["segments"]) == 2
        assert "|bs:20|" in one["signature"]


def test_json_keeps_other_scripts_readable() -> None:
    named = tenbin.score({"訳": ["a"]}, ["a"], metrics=["chrf"], language="en")
    assert '"訳"' in named.to_json()


def test_scores_by_system_and_metric(table: tenbin.ScoreTable) -> None:
    assert table["good", "ter"] < table["poor", "ter"]
    assert isinstance(table["good", "bleu"], float)


def test_a_metric_is_found_however_it_is_spaced(table: tenbin.ScoreTable) -> None:
    assert table["good", "chrf( word_order = 2 )"] == table["good", "chrf(word_order=2)"]


@pytest.mark.parametrize("key", [("none", "bleu"), ("good", "ribes"), ("good", "chrf"), "good", 0])
def test_a_missing_score_is_a_key_error_that_lists_what_there_is(
    table: tenbin.ScoreTable, key: Any
) -> None:
    with pytest.raises(KeyError, match="systems: good, poor; metrics: bleu, chrf"):
        _ = table[key]


def test_a_broken_metric_name_is_a_spec_error(table: tenbin.ScoreTable) -> None:
    with pytest.raises(SpecError):
        _ = table["good", "chrf("]


def test_data_frame_is_tidy(full_table: tenbin.ScoreTable) -> None:
    frame = full_table.to_dataframe()
    assert len(frame) == len(METRICS) * len(SYSTEMS) * (1 + 2)
    corpus = frame[frame["level"] == "corpus"]
    assert len(corpus) == len(METRICS) * len(SYSTEMS)
    assert corpus["ci_low"].notna().all()
    segments = frame[(frame["level"] == "segment") & (frame["system"] == "good")]
    assert segments["segment"].tolist() == [1, 2] * len(METRICS)
    row = corpus[(corpus["system"] == "poor") & (corpus["metric"] == "ter")].iloc[0]
    assert row["score"] == full_table["poor", "ter"]


def test_data_frame_without_pandas_says_what_to_install(
    table: tenbin.ScoreTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_pandas(name: str, *rest: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[tables\]'"):
        table.to_dataframe()


def test_tsv_is_tidy_at_full_precision(full_table: tenbin.ScoreTable) -> None:
    head, *rows = [line.split("\t") for line in full_table.to_tsv().splitlines()]
    assert head == [
        *("system", "metric", "level", "segment"),
        *("score", "ci_low", "ci_high", "signature"),
    ]
    assert all(len(row) == len(head) for row in rows)
    assert len(rows) == len(METRICS) * len(SYSTEMS) * (1 + 2)
    for row in rows:
        system, metric, level, segment, value, low, *_ = row
        if level == "corpus":
            assert (segment, float(value)) == ("", full_table[system, metric])
            assert low
        else:
            assert int(segment) in {1, 2}
            assert not low


@pytest.mark.parametrize("form", ["to_latex", "to_markdown", "__str__"])
def test_every_drawn_table_has_scores_systems_and_signatures(
    table: tenbin.ScoreTable, form: str
) -> None:
    text = getattr(table, form)()
    for system in SYSTEMS:
        assert system in text
        assert f"{table[system, 'ter']:.2f}" in text
    for title in ("BLEU", "TER"):
        assert title in text
    assert text.count("lang:en") >= len(METRICS)


def test_latex_is_a_booktabs_table(table: tenbin.ScoreTable) -> None:
    text = table.to_latex()
    for part in (r"\begin{table}", r"\toprule", r"\bottomrule", r"\end{table}", r"\textbf{"):
        assert part in text
    assert r"word\_order=2" in text


def test_markdown_is_a_table_with_the_best_in_bold(table: tenbin.ScoreTable) -> None:
    lines = table.to_markdown().splitlines()
    assert lines[0].startswith("| System |")
    assert set(lines[1]) <= set("|:- ")
    assert f"**{table['good', 'ter']:.2f}**" in lines[2]
