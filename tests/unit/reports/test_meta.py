"""Tables of a meta-evaluation."""

import json
import math
from dataclasses import replace

import pytest

from tenbin.core.agreement import (
    JudgmentForm,
    MeasureInfo,
    MeasureList,
    MetaAverage,
    MetaComparison,
    MetaRow,
    MetaTable,
)
from tenbin.core.judgments import Level
from tenbin.reports.formats import PRINTED, Format
from tenbin.reports.render import render

SPA = MeasureInfo(
    name="spa",
    summary="soft",
    level=Level.SYSTEM,
    needs=JudgmentForm.SEGMENT_SCORES,
    counts="pairs of systems",
)
COLUMNS = [
    "set",
    "pair",
    "metric",
    "measure",
    "human",
    "value",
    "ci_low",
    "ci_high",
    "ci_mean_low",
    "ci_mean_high",
    "n",
    "counted",
    "rank",
    "signature",
]


def row(metric: str, value: float, **changes: object) -> MetaRow:
    fields: dict[str, object] = {
        "test_set": "wmt",
        "pair": "de-en",
        "metric": metric,
        "measure": "darr-tau",
        "human": "darr",
        "value": value,
        "n": 1234,
        "counted": "judgements",
    }
    return MetaRow(**(fields | changes))  # type: ignore[arg-type]


def lines(table: MetaTable, form: Format = Format.TEXT) -> list[str]:
    return render(table, form).splitlines()


def test_one_pair_has_a_column_per_measure_and_the_best_metric_first() -> None:
    table = MetaTable(
        rows=(
            row("a", 0.1),
            row("b", 0.2),
            row("c", math.nan, n=0),
            row("a", 0.5, measure="spa", counted="pairs of systems", n=3),
            row("b", 0.4, measure="spa", counted="pairs of systems", n=3),
        ),
        measures={"spa": SPA},
    )
    assert lines(table)[:7] == [
        "wmt de-en",
        "",
        "Metric  darr-tau      spa",
        "──────  ─────────  ───────",
        "b         0.2000*  0.4000",
        "a         0.1000   0.5000*",
        "c              –",
    ]
    shown = "\n".join(lines(table))
    assert "darr-tau: against darr, n = 1,234 judgements." in shown
    assert "spa: soft; against darr, n = 3 pairs of systems." in shown
    assert "A star marks the best value." in shown


def test_a_measure_against_two_kinds_names_them() -> None:
    table = MetaTable(rows=(row("a", 0.1, human="da-z"), row("a", 0.2, human="mqm")))
    assert "darr-tau (da-z)  darr-tau (mqm)" in render(table, Format.TEXT)


def test_several_pairs_have_a_grid_per_measure_with_the_mean() -> None:
    table = MetaTable(
        rows=(row("a", 0.1), row("a", 0.3, pair="fr-en", n=10)),
        averages=(MetaAverage(metric="a", measure="darr-tau", value=0.2, pairs=2),),
    )
    shown = lines(table)
    assert shown[0] == "darr-tau"
    assert shown[2].split() == ["Metric", "de-en", "fr-en", "mean"]
    assert shown[4].split() == ["a", "0.1000", "0.3000", "0.2000"]
    assert "n = 1,234 + 10 judgements" in shown[6]


def test_a_pooled_measure_has_no_mean() -> None:
    pooled = replace(SPA, name="darr-tau", is_pooled=True)
    table = MetaTable(
        rows=(row("a", 0.1), row("a", 0.3, pair="fr-en", n=10)),
        averages=(MetaAverage(metric="a", measure="darr-tau", value=0.2, pairs=2),),
        measures={"darr-tau": pooled},
    )
    assert lines(table)[2].split() == ["Metric", "de-en", "fr-en", "pooled"]


def test_a_mean_over_samples_has_the_interval_of_the_mean() -> None:
    mean = replace(SPA, name="darr-tau", mean_of="wmt14-tau")
    one = row("a", 0.1, ci=(0.0, 0.2), ci_mean=(0.05, 0.15))
    table = MetaTable(rows=(one,), measures={"darr-tau": mean})
    assert lines(table)[2].split("  ")[-1].strip() == "interval of the mean"
    assert "[0.0500, 0.1500]" in lines(table)[4]
    ranked = MetaTable(rows=(replace(one, rank=1, is_winner=True),), measures=table.measures)
    assert "interval of the mean" in lines(ranked)[2]


def test_several_sets_are_told_apart() -> None:
    table = MetaTable(rows=(row("a", 0.1), row("a", 0.3, test_set="other")))
    assert "wmt de-en  other de-en" in render(table, Format.TEXT)


@pytest.fixture
def ranked() -> MetaTable:
    return MetaTable(
        rows=(
            row("a_b", 0.1, rank=2, is_winner=False, ci=(0.05, 0.15)),
            row("c%d", 0.2, rank=1, is_winner=True, ci=(0.15, 0.25), signature="c|x:1"),
            row("e", math.nan, n=0),
        ),
        comparisons=(
            MetaComparison(
                test_set="wmt",
                pair="de-en",
                measure="darr-tau",
                human="darr",
                better="c%d",
                worse="a_b",
                difference=0.1,
                p_value=0.0004,
                test="perm-both",
            ),
        ),
        drawn=" over 9 samples",
    )


def test_ranks_stand_with_the_step_to_the_next_metric(ranked: MetaTable) -> None:
    shown = lines(ranked)
    assert shown[0] == "wmt de-en, darr-tau against darr"
    assert shown[2].split("  ")[0] == "Rank"
    assert shown[4].split() == ["1", "c%d*", "0.2000", "[0.1500,", "0.2500]", "0.1000", "<0.001"]
    assert shown[5].split() == ["2", "a_b", "0.1000", "[0.0500,", "0.1500]"]
    assert shown[6].split() == ["–", "e", "–", "–"]
    told = " ".join(shown)
    assert "by PERM-BOTH" in told
    assert "percentile interval over 9 samples" in told
    assert shown[-1] == "  c|x:1"


def test_names_are_escaped_in_markdown_and_latex(ranked: MetaTable) -> None:
    assert "a\\_b" in ranked.to_markdown()
    assert "**c%d**" in ranked.to_markdown()
    assert "a\\_b" in ranked.to_latex()
    assert "\\textbf{c\\%d}" in ranked.to_latex()
    assert "\\texttt{c\\textbar{}x:1}" in ranked.to_latex()


def test_undefined_numbers_are_null_and_empty(ranked: MetaTable) -> None:
    rows = json.loads(ranked.to_json())["rows"]
    assert (rows[2]["value"], rows[2]["ci"], rows[2]["rank"]) == (None, None, None)
    tidy = [line.split("\t") for line in ranked.to_tsv().splitlines()]
    assert tidy[0] == COLUMNS
    assert tidy[3][COLUMNS.index("value")] == ""
    assert tidy[2][COLUMNS.index("ci_low")] == "0.15"


def test_values_are_looked_up(ranked: MetaTable) -> None:
    assert ranked["de-en", "c%d", "darr-tau"] == 0.2
    with pytest.raises(KeyError, match="de-en e darr-tau"):
        _ = ranked["de-en", "f", "darr-tau"]
    assert str(ranked) == render(ranked, Format.TEXT)


@pytest.mark.parametrize("form", list(PRINTED))
def test_every_measure_is_listed(form: Format) -> None:
    shown = render(MeasureList((SPA, replace(SPA, name="other", summary="soft too"))), form)
    assert "spa" in shown
    assert "other" in shown
    assert "soft too" in shown
