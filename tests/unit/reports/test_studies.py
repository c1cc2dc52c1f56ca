"""How the experiments on ParaEval are shown."""

import json

import pytest

from tenbin.core.study import (
    CorrelationRow,
    CorrelationTable,
    Difference,
    Lead,
    Shares,
    Study,
    TranslationRow,
    TranslationTable,
)
from tenbin.reports.formats import Format
from tenbin.reports.render import render

NAN = float("nan")
CORRELATION_COLUMNS = [
    "set",
    "pair",
    "human",
    "references",
    "metric",
    "min_length",
    "spearman",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "spearman_whole",
    "difference",
    "difference_low",
    "difference_high",
    "phrase_share",
    "word_share",
    "systems",
    "unit",
    "units",
    "signature",
]
TRANSLATION_COLUMNS = [
    "set",
    "pair",
    "metric",
    "against",
    "translation",
    "kind",
    "score",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "rank",
    "translations",
    "human",
    "human_score",
    "best_machine",
    "lead",
    "lead_low",
    "lead_high",
    "share_above",
    "unit",
    "units",
    "signature",
]


def correlation(**changes: object) -> CorrelationRow:
    row = {
        "test_set": "wmt21",
        "pair": "de-en",
        "human": "da-z",
        "references": ("refA", "refB"),
        "metric": "ParaEval f",
        "min_length": None,
        "value": 0.7025,
        "ci": (0.68, 0.72),
        "ci_mean": (0.675325, 0.729675),
        "undefined": 0,
        "whole": 0.7,
        "systems": 9,
        "unit": "documents",
        "units": 1234,
        "difference": None,
        "shares": None,
        "signature": "paraeval|version:1",
    }
    return CorrelationRow(**(row | changes))  # type: ignore[arg-type]


def table(study: Study, *rows: CorrelationRow) -> CorrelationTable:
    return CorrelationTable(study=study, rows=rows, notes=("a note.",), resamples=1000, seed=7)


def translation(name: str, **changes: object) -> TranslationRow:
    row = {
        "test_set": "wmt21",
        "pair": "de-en",
        "metric": "BLEU",
        "against": ("refB",),
        "translation": name,
        "is_human": False,
        "score": 30.456,
        "ci": (29.5, 31.25),
        "mean_ci": (30.4, 30.5),
        "decimals": 2,
        "rank": 2,
        "translations": 2,
        "unit": "segments",
        "units": 50,
        "human": None,
        "human_score": None,
        "lead": None,
        "signature": "bleu|version:1",
    }
    return TranslationRow(**(row | changes))  # type: ignore[arg-type]


LEAD = Lead(best="x", gap=Difference(value=1.5, ci=(0.5, 2.5)), above=0.999, below=1, machines=1)
HUMANS = TranslationTable(
    rows=(translation("x"), translation("refA", is_human=True, rank=1, lead=LEAD)),
    notes=(),
    resamples=100,
    seed=1,
)


def test_a_ranking_as_text() -> None:
    gap = Difference(value=-0.05, ci=(-0.1, 0.01))
    text = render(
        table(Study.RANKING, correlation(difference=gap), correlation(metric="BLEU")), Format.TEXT
    )
    title = "wmt21 de-en against da-z: 9 systems, refA+refB, 1,234 documents drawn"
    assert text.splitlines()[0] == title
    (line,) = [line for line in text.splitlines() if line.startswith("ParaEval f")]
    assert line.split("  ")[1:] == [
        "0.703",
        "[0.680, 0.720]",
        "[0.6753, 0.7297]",
        "0.700",
        "-0.050",
        "[-0.100, +0.010]",
    ]
    assert "1,000 bootstrap samples, the human ranking fixed, seed 7" in text
    assert "difference from BLEU" in " ".join(text.split())
    assert text.endswith("  paraeval|version:1\n")


def test_without_differences_there_is_no_column_for_them() -> None:
    text = render(table(Study.RANKING, correlation()), Format.TEXT)
    assert "Δ" not in text


def test_lengths_say_what_paraphrases_add() -> None:
    rows = (
        correlation(min_length=0, shares=Shares(phrases=0.0, words=0.5)),
        correlation(min_length=3, shares=Shares(phrases=0.25, words=0.375)),
    )
    lines = render(table(Study.LENGTHS, *rows), Format.TEXT).splitlines()
    plain, longer = [line.split() for line in lines if line.startswith("ParaEval f")]
    assert (plain[2], plain[-3:]) == ("none", ["0.0%", "50.0%", "+0.0%"])
    assert (longer[2], longer[-3:]) == ("3+", ["25.0%", "37.5%", "+12.5%"])


@pytest.mark.parametrize("study", [Study.REFERENCES, Study.DECOMPOSITION])
def test_references_are_named_in_their_rows(study: Study) -> None:
    text = render(table(study, correlation(), correlation(references=("refA",))), Format.TEXT)
    assert "References" in text
    assert "refA+refB" not in text.splitlines()[0]
    assert sum("refA+refB" in line for line in text.splitlines()) == 1


def test_each_kind_of_judgment_has_a_grid() -> None:
    rows = (correlation(), correlation(human="mqm"), correlation(pair="is-en"))
    text = render(table(Study.RANKING, *rows), Format.MARKDOWN)
    titles = [line for line in text.splitlines() if line.startswith("**")]
    assert [title.count("against") for title in titles] == [1, 1, 1]
    assert "- `paraeval|version:1`" in text


def test_several_language_pairs_have_a_mean() -> None:
    up, down = Difference(value=0.2, ci=(0.1, 0.3)), Difference(value=-0.1, ci=(-0.2, 0.0))
    rows = (
        correlation(references=("refA",), value=0.5, difference=up),
        correlation(references=("refB",), value=0.2, difference=down),
        correlation(value=0.3),
        correlation(pair="cs-en", references=("refC",), value=0.8, difference=up),
        correlation(pair="cs-en", value=0.6),
    )
    text = render(table(Study.DECOMPOSITION, *rows), Format.TEXT)
    ending = text[text.index("Mean over 2 language pairs") :].splitlines()
    single, together = [line.split()[2:] for line in ending if line.startswith("ParaEval f")]
    assert single == ["1", "0.500", "+0.100", "2", "of", "3", "0", "of", "3"]
    assert together == ["2", "0.450"]
    assert "in how many cases" in text


def test_several_kinds_of_judgment_have_no_mean() -> None:
    rows = (correlation(), correlation(human="mqm"), correlation(pair="cs-en"))
    assert "Mean over" not in render(table(Study.RANKING, *rows), Format.TEXT)
    assert "Mean over" not in render(table(Study.RANKING, rows[0]), Format.TEXT)
    both = render(table(Study.RANKING, rows[0], rows[2]), Format.TEXT)
    assert "Mean over 2 language pairs" in both
    assert "Δ" not in both


def test_undefined_values_are_dashes_in_text_and_null_in_json() -> None:
    lost = correlation(value=NAN, ci=(NAN, NAN), ci_mean=(NAN, NAN), whole=NAN)
    assert "–" in render(table(Study.RANKING, lost), Format.TEXT)
    payload = json.loads(render(table(Study.RANKING, lost), Format.JSON))
    (row,) = payload["rows"]
    assert list(row) == CORRELATION_COLUMNS
    assert (row["spearman"], row["ci_mean_low"], row["references"]) == (None, None, "refA+refB")
    assert (payload["study"], payload["resamples"], payload["notes"]) == (
        "ranking",
        1000,
        ["a note."],
    )


def test_tidy_rows_have_all_columns() -> None:
    gap = Difference(value=0.1, ci=(0.0, 0.2))
    row = correlation(difference=gap, shares=Shares(phrases=0.25, words=0.5), min_length=2)
    head, line = render(table(Study.LENGTHS, row), Format.TSV).splitlines()
    fields = dict(zip(head.split("\t"), line.split("\t"), strict=True))
    assert (fields["difference_high"], fields["phrase_share"]) == ("0.2", "0.25")
    assert (fields["min_length"], fields["units"]) == ("2", "1234")
    head, machine, human = render(HUMANS, Format.TSV).splitlines()
    assert head.split("\t") == TRANSLATION_COLUMNS
    fields = dict(zip(head.split("\t"), human.split("\t"), strict=True))
    assert (fields["kind"], fields["best_machine"], fields["share_above"]) == (
        "human",
        "x",
        "0.999",
    )
    assert machine.split("\t")[5] == "machine"


def test_translations_as_text() -> None:
    text = render(HUMANS, Format.TEXT)
    assert text.splitlines()[0] == ("wmt21 de-en: references against each other, 50 segments drawn")
    line = next(line for line in text.splitlines() if line.startswith("BLEU"))
    assert "30.46" in line
    assert "[+0.50, +2.50]" in line
    assert line.endswith("1 of 1      99.9%")
    ranked = [line.split()[0] for line in text.splitlines() if "30.46 [29.50, 31.25]" in line]
    assert ranked == ["refA", "x"]


def test_several_sets_are_told_apart() -> None:
    more = translation("refA", is_human=True, lead=LEAD, test_set="wmt22", human="mqm")
    both = TranslationTable(rows=(*HUMANS.rows, more), notes=(), resamples=9, seed=1)
    text = render(both, Format.TEXT)
    assert text.startswith("References against each other\n")
    assert [line.split()[0] for line in text.splitlines() if "1 of 1" in line] == ["wmt21", "wmt22"]
    assert "mqm" in text


@pytest.mark.parametrize("form", [Format.LATEX, Format.MARKDOWN])
def test_other_forms_carry_the_signatures(form: Format) -> None:
    for one in (table(Study.RANKING, correlation()), HUMANS):
        assert "version:1" in render(one, form)
    latex = render(HUMANS, Format.LATEX)
    assert latex.count(r"\begin{table}") == 2
    assert "95 \\%" in latex


def test_a_table_shows_itself() -> None:
    for one in (table(Study.RANKING, correlation()), HUMANS):
        assert str(one) == render(one, Format.TEXT)
