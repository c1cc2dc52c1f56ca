"""Tunings as text and data, from values made by hand."""

import json
from dataclasses import replace

import pytest

from tenbin.core.spec import SpecValue
from tenbin.core.tuning import (
    CrossValidation,
    FoldUnit,
    GridEdge,
    GridSide,
    TriedSetting,
    Tuning,
    TuningTable,
)
from tenbin.reports.formats import Format
from tenbin.reports.render import render

NAN = float("nan")


def tried(*values: SpecValue, value: float, by_pair: tuple[float, ...] = ()) -> TriedSetting:
    return TriedSetting(
        values=values,
        spec=f"was(threshold={values[0]})",
        value=value,
        by_pair=by_pair or (value,),
        by_fold=(value, value / 2),
    )


def tuning(*settings: TriedSetting, parameters: tuple[str, ...] = ("threshold",)) -> Tuning:
    oracle = max((one for one in settings if one.value == one.value), key=lambda one: one.value)
    return Tuning(
        metric="was",
        signature="was|lang:en",
        parameters=parameters,
        measure="segment-kendall",
        human=("da-z",),
        places=(("wmt16", "de-en"),),
        n=(560,),
        counted="translations",
        settings=settings,
        default=settings[0],
        oracle=oracle,
        validation=CrossValidation(
            folds=2,
            unit=FoldUnit.SEGMENTS,
            chosen=(oracle.values, settings[0].values),
            by_fold=(0.25, NAN),
            left_out=1,
            value=0.25,
            default=0.1,
            oracle=0.3,
            difference=0.15,
            interval=(-0.05, 0.35),
        ),
    )


CURVE = tuning(
    tried(0.0, value=0.1), tried(0.5, value=NAN), tried(1.0, value=0.4), tried(2.0, value=0.2)
)


@pytest.fixture
def table() -> TuningTable:
    return TuningTable(tunings=(CURVE,), notes=("one note",))


def lines(table: TuningTable) -> list[list[str]]:
    return [line.split("\t") for line in table.to_tsv().splitlines()]


def test_the_oracle_is_never_without_its_label(table: TuningTable) -> None:
    for form in (Format.TEXT, Format.MARKDOWN, Format.LATEX):
        text = " ".join(render(table, form).split())
        assert "oracle (tuned on the test data)" in text
        assert "says what the metric could reach, not what it will" in text
    assert json.loads(table.to_json())["tunings"][0]["oracle"]["tuned_on_test_data"] is True


def test_text_shows_default_validated_and_oracle_beside_each_other(table: TuningTable) -> None:
    shown = [line.split() for line in str(table).splitlines()]
    assert ["default", "0", "0.1000", "0.1000"] in shown
    assert ["cross-validated", "0–1", "0.2500"] in shown
    assert ["0.5", "–"] in shown
    assert ["1", "0.4000", "oracle"] in shown
    assert "+0.1500 [-0.0500, +0.3500] (95 %, t over folds)" in " ".join(str(table).split())
    assert "Against da-z, n = 560 translations." in str(table)
    assert "  was|lang:en" in str(table)


def test_the_curve_as_rows(table: TuningTable) -> None:
    header, *rows = lines(table)
    assert header == ["metric", "measure", "pair", "threshold", "value", "role", "spec"]
    own = ["was", "segment-kendall", "de-en"]
    assert rows[0] == [*own, "0.0", "0.1", "default", "was(threshold=0.0)"]
    assert rows[1] == [*own, "0.5", "", "", "was(threshold=0.5)"]
    assert rows[2][4:6] == ["0.4", "oracle"]
    assert rows[4] == [*own, "1.0", "0.25", "held-out fold 1 of 2", ""]
    assert rows[6] == [*own, "", "0.25", "cross-validated", ""]
    assert len(rows) == 4 + 2 + 3


def test_several_language_pairs_have_rows_of_their_own_and_a_mean() -> None:
    two = replace(
        tuning(
            tried(0.0, value=0.1, by_pair=(0.0, 0.2)), tried(1.0, value=0.3, by_pair=(0.5, 0.1))
        ),
        places=(("wmt15", "de-en"), ("wmt16", "de-en")),
        human=("da-z", "da-z"),
        n=(500, 560),
        validation=None,
    )
    table = TuningTable(tunings=(two,))
    rows = [(row[2], row[3], row[4]) for row in lines(table)[1:]]
    assert rows[:3] == [
        ("wmt15 de-en", "0.0", "0.0"),
        ("wmt16 de-en", "0.0", "0.2"),
        ("mean", "0.0", "0.1"),
    ]
    assert "n = 500 + 560 translations" in str(table)
    assert "was: segment-kendall on wmt15 de-en; wmt16 de-en" in str(table)
    assert "held-out" not in str(table)
    told = table.to_dict()["tunings"][0]
    assert told["pairs"][0] == {
        "set": "wmt15",
        "pair": "de-en",
        "human": "da-z",
        "n": 500,
        "counted": "translations",
    }
    assert told["curve"][1]["by_pair"] == {"wmt15 de-en": 0.5, "wmt16 de-en": 0.1}
    assert told["cross_validated"] is None


def test_plain_data_hold_every_setting_and_null_for_what_is_undefined(table: TuningTable) -> None:
    told = json.loads(table.to_json())
    (one,) = told["tunings"]
    assert told["notes"] == ["one note"]
    assert one["curve"][1] == {
        "setting": {"threshold": 0.5},
        "spec": "was(threshold=0.5)",
        "value": None,
        "by_pair": {"de-en": None},
        "by_fold": [None, None],
    }
    assert one["curve"][0]["by_fold"] == [0.1, 0.05]
    assert one["cross_validated"]["by_fold"][1] == {
        "setting": {"threshold": 0.0},
        "value": None,
        "default": 0.05,
    }
    assert one["cross_validated"]["ci"] == [-0.05, 0.35]


def test_a_long_curve_is_thinned_but_keeps_what_matters() -> None:
    settings = [tried(place / 100, value=0.001 * (place % 67)) for place in range(101)]
    text = str(TuningTable(tunings=(tuning(*settings),)))
    assert "101 settings, 22 of them shown (all of them: tsv)" in " ".join(text.split())
    shown = [line.split() for line in text.splitlines()]
    assert ["0.66", "0.0660", "oracle"] in shown
    assert ["0", "0.0000", "default"] in shown
    assert ["0.67", "0.0000"] not in shown


def test_of_several_parameters_the_best_settings_are_shown() -> None:
    settings = [
        tried(a, ("x", b), value=a + b) for a in (0.1, 0.2, 0.3) for b in (0.01, 0.02, 0.03, 0.04)
    ]
    text = str(TuningTable(tunings=(tuning(*settings, parameters=("alpha", "weights")),)))
    assert "12 settings, the best 10 of them shown" in " ".join(text.split())
    shown = [line.split() for line in text.splitlines()]
    ranked = [line for line in shown if len(line) > 3 and line[1] == "(x,"]
    assert ranked[0] == ["0.3", "(x,", "0.04)", "0.3400", "oracle"]
    assert len(ranked) == 10
    assert "(x, 0.04) / (x, 0.01)" in text


AT = "threshold=0.8 (oracle, 1 of 2 folds)"


@pytest.mark.parametrize("form", [Format.TEXT, Format.MARKDOWN, Format.LATEX])
@pytest.mark.parametrize(
    ("ends_range", "said"),
    [
        (False, f"At the upper edge of the grid: {AT}; what is larger was not tried and may be"),
        (True, f"At the upper end of the range: {AT}."),
    ],
)
def test_a_best_value_at_an_edge_is_told(form: Format, said: str, *, ends_range: bool) -> None:
    edge = GridEdge(
        parameter="threshold",
        side=GridSide.UPPER,
        value=0.8,
        ends_range=ends_range,
        is_oracle=True,
        folds=1,
    )
    found = TuningTable(tunings=(replace(CURVE, edges=(edge,)),))
    assert said in " ".join(render(found, form).split())
    (told,) = found.to_dict()["tunings"][0]["edges"]
    assert told == {
        "parameter": "threshold",
        "side": "upper",
        "value": 0.8,
        "end_of_range": ends_range,
        "oracle": True,
        "folds": 1,
    }


def test_a_lower_edge_that_only_folds_chose() -> None:
    edge = GridEdge(
        parameter="beta", side=GridSide.LOWER, value=1, ends_range=False, is_oracle=False, folds=2
    )
    text = " ".join(str(TuningTable(tunings=(replace(CURVE, edges=(edge,)),))).split())
    assert "At the lower edge of the grid: beta=1 (2 of 2 folds); what is smaller was" in text


def test_folds_that_are_test_sets_have_names() -> None:
    validation = CURVE.validation
    assert validation is not None
    own = replace(validation, unit=FoldUnit.SETS, names=("wmt15", "wmt16"))
    table = TuningTable(tunings=(replace(CURVE, validation=own),))
    assert "Cross-validated: 2 folds, each a test set;" in " ".join(str(table).split())
    assert "held-out sets" in str(table)
    assert [row[5] for row in lines(table)[5:7]] == ["held-out wmt15", "held-out wmt16"]
    folds = table.to_dict()["tunings"][0]["cross_validated"]["by_fold"]
    assert [fold["set"] for fold in folds] == ["wmt15", "wmt16"]
