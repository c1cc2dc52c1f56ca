"""Which measure is set against which judgement."""

import pytest

from tenbin.core.errors import UsageError
from tenbin.meta.choice import Task, chosen_tasks, default_measures, suitable_kinds
from tenbin.meta.options import (
    PROTOCOLS,
    MetaOptions,
    Offer,
    check_measures,
    counted,
    listed_measures,
    needed,
)

BOTH = frozenset({Offer.SEGMENTS, Offer.SYSTEMS})
PAIRS = frozenset({Offer.PAIRS})
WMT14 = {"trueskill": frozenset({Offer.SYSTEMS}), "rr": PAIRS}
WMT16 = {"da-z": frozenset({Offer.SEGMENTS})}
WMT20 = {"da-raw": BOTH, "da-z": BOTH, "darr": PAIRS}
WMT23 = {"mqm": BOTH}


@pytest.mark.parametrize(
    ("offers", "measures"),
    [
        (WMT14, ["wmt14-tau", "system-pearson", "system-accuracy"]),
        (WMT16, ["segment-pearson", "segment-kendall"]),
        (WMT20, ["darr-tau", "system-pearson", "system-accuracy"]),
        (WMT23, ["segment-pearson", "acc-eq", "system-pearson", "system-accuracy"]),
        ({"darr": PAIRS}, ["darr-tau"]),
    ],
)
def test_default_measures_suit_the_judgements(
    offers: dict[str, frozenset[Offer]], measures: list[str]
) -> None:
    assert default_measures(offers) == measures
    tasks, _ = chosen_tasks(offers, MetaOptions())
    assert [task.measure for task in tasks] == measures
    assert None not in {task.human for task in tasks}


def test_default_measures_keep_to_the_kind_asked_for() -> None:
    tasks, notes = chosen_tasks(WMT20, MetaOptions(human=("da-raw",)))
    assert tasks == [
        Task(measure, "da-raw")
        for measure in ("segment-pearson", "segment-kendall", "system-pearson", "system-accuracy")
    ]
    assert notes == []


def test_the_surest_judgement_is_taken_and_told() -> None:
    offers = {"da-raw": BOTH, "da-z": BOTH, "mqm": BOTH, "hter": BOTH}
    options = MetaOptions(measures=("system-pearson", "segment-kendall"))
    tasks, notes = chosen_tasks(offers, options)
    assert {task.human for task in tasks} == {"mqm"}
    assert notes == [
        "system-pearson, segment-kendall: against mqm; also there: da-z, da-raw, hter (--human)."
    ]


def test_one_measure_against_several_kinds() -> None:
    options = MetaOptions(measures=("system-pearson", "darr-tau"), human=("da-raw", "darr", "da-z"))
    tasks, _ = chosen_tasks(WMT20, options)
    assert tasks == [
        Task("system-pearson", "da-raw"),
        Task("system-pearson", "da-z"),
        Task("darr-tau", "darr"),
    ]


def test_a_measure_that_nothing_suits_stays_in_the_list() -> None:
    assert chosen_tasks(WMT23, MetaOptions(measures=("wmt14-tau",)))[0] == [Task("wmt14-tau", None)]


def test_relative_rankings_are_no_darr_unless_asked_for() -> None:
    assert chosen_tasks(WMT14, MetaOptions(measures=("darr-tau",)))[0] == [Task("darr-tau", None)]
    asked = MetaOptions(measures=("darr-tau",), human=("rr",))
    assert chosen_tasks(WMT14, asked)[0] == [Task("darr-tau", "rr")]


def test_an_unknown_kind_is_refused_unless_another_pair_may_have_it() -> None:
    options = MetaOptions(measures=("system-pearson",), human=("mqm",))
    with pytest.raises(UsageError, match="no human judgement mqm; there are: da-z, da-raw, darr"):
        chosen_tasks(WMT20, options)
    tasks, _ = chosen_tasks(WMT20, options, is_alone=False)
    assert tasks == [Task("system-pearson", None)]


def test_all_unknown_measures_are_told_at_once() -> None:
    with pytest.raises(UsageError) as refused:
        check_measures(["sistem-pearson", "darr-tau", "nonsense"])
    first, second = str(refused.value).splitlines()
    assert "Did you mean system-pearson" in first
    assert "'nonsense'" in second


def test_every_listed_measure_can_be_asked_for() -> None:
    names = [name for name, _ in listed_measures()]
    assert set(PROTOCOLS) < set(names)
    check_measures(names)
    everything = {"mqm": BOTH, "rr": PAIRS, "darr": PAIRS}
    for name, summary in listed_measures():
        assert summary
        assert suitable_kinds(name, everything), name
        assert counted(name)
        assert (needed(name) is Offer.PAIRS) == name.endswith("-tau"), name
