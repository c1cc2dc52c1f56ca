"""Which measure is compared with which judgment, and what measures declare."""

import pytest

from tenbin.core.agreement import JudgmentForm, MetricTest
from tenbin.core.errors import UsageError
from tenbin.core.judgments import Level
from tenbin.meta.measures.catalog import MEASURES, find_measure
from tenbin.meta.planning import (
    SHARED_TASKS,
    MetaOptions,
    MetaTask,
    check_measures,
    chosen_test,
    default_measures,
    planned_tasks,
    suitable_kinds,
)

BOTH = frozenset({JudgmentForm.SEGMENT_SCORES, JudgmentForm.SYSTEM_SCORES})
PAIRS = frozenset({JudgmentForm.PREFERENCES})
WMT14 = {"trueskill": frozenset({JudgmentForm.SYSTEM_SCORES}), "rr": PAIRS}
WMT16 = {"da-z": frozenset({JudgmentForm.SEGMENT_SCORES})}
WMT20 = {"da-raw": BOTH, "da-z": BOTH, "darr": PAIRS}
WMT23 = {"mqm": BOTH}


@pytest.mark.parametrize(
    ("forms", "measures"),
    [
        (WMT14, ["wmt14-tau", "system-pearson", "system-accuracy"]),
        (WMT16, ["segment-pearson", "segment-kendall"]),
        (WMT20, ["darr-tau", "system-pearson", "system-accuracy"]),
        (WMT23, ["segment-pearson", "acc-eq", "system-pearson", "system-accuracy"]),
        ({"darr": PAIRS}, ["darr-tau"]),
    ],
)
def test_default_measures_suit_the_judgments(
    forms: dict[str, frozenset[JudgmentForm]], measures: list[str]
) -> None:
    assert default_measures(forms) == measures
    tasks, _ = planned_tasks(forms, MetaOptions())
    assert [task.measure for task in tasks] == measures
    assert None not in {task.human for task in tasks}


def test_default_measures_keep_to_the_kind_asked_for() -> None:
    tasks, notes = planned_tasks(WMT20, MetaOptions(human=("da-raw",)))
    assert tasks == [
        MetaTask(measure, "da-raw")
        for measure in ("segment-pearson", "segment-kendall", "system-pearson", "system-accuracy")
    ]
    assert notes == []


def test_the_most_reliable_judgment_is_taken_and_noted() -> None:
    forms = {"da-raw": BOTH, "da-z": BOTH, "mqm": BOTH, "hter": BOTH}
    options = MetaOptions(measures=("system-pearson", "segment-kendall"))
    tasks, notes = planned_tasks(forms, options)
    assert {task.human for task in tasks} == {"mqm"}
    assert notes == [
        "system-pearson, segment-kendall: against mqm; others (`human`): da-z, da-raw, hter."
    ]


def test_one_measure_against_several_kinds() -> None:
    options = MetaOptions(measures=("system-pearson", "darr-tau"), human=("da-raw", "darr", "da-z"))
    tasks, _ = planned_tasks(WMT20, options)
    assert tasks == [
        MetaTask("system-pearson", "da-raw"),
        MetaTask("system-pearson", "da-z"),
        MetaTask("darr-tau", "darr"),
    ]


def test_a_measure_that_nothing_suits_stays_in_the_list() -> None:
    assert planned_tasks(WMT23, MetaOptions(measures=("wmt14-tau",)))[0] == [
        MetaTask("wmt14-tau", None)
    ]


def test_relative_rankings_are_no_darr_unless_asked_for() -> None:
    assert planned_tasks(WMT14, MetaOptions(measures=("darr-tau",)))[0] == [
        MetaTask("darr-tau", None)
    ]
    asked = MetaOptions(measures=("darr-tau",), human=("rr",))
    assert planned_tasks(WMT14, asked)[0] == [MetaTask("darr-tau", "rr")]


def test_an_unknown_kind_is_refused_unless_another_pair_may_have_it() -> None:
    options = MetaOptions(measures=("system-pearson",), human=("mqm",))
    with pytest.raises(UsageError, match="no human judgment mqm; there are: da-z, da-raw, darr"):
        planned_tasks(WMT20, options)
    tasks, _ = planned_tasks(WMT20, options, is_alone=False)
    assert tasks == [MetaTask("system-pearson", None)]


def test_all_unknown_measures_are_listed_at_once() -> None:
    with pytest.raises(UsageError) as refused:
        check_measures(["sistem-pearson", "darr-tau", "nonsense"])
    first, second = str(refused.value).splitlines()
    assert "Did you mean system-pearson" in first
    assert "'nonsense'" in second


def test_every_measure_declares_what_it_needs_counts_and_is_tested_by() -> None:
    check_measures(list(MEASURES))
    everything = {"mqm": BOTH, "rr": PAIRS, "darr": PAIRS}
    for name, one in MEASURES.items():
        info = one.info
        assert info.name == name
        assert info.summary
        assert info.counts
        assert info.tests
        assert suitable_kinds(info, everything), name
        assert info.mean_of is None or info.mean_of in MEASURES


# What the names promise: they are what users write, so names and declarations must agree.
@pytest.mark.parametrize("name", MEASURES)
def test_names_and_declarations_agree(name: str) -> None:
    info = MEASURES[name].info
    at_system = name.startswith(("system-", "spa", "paraeval"))
    assert (info.level is Level.SYSTEM) == at_system
    by_system = name.startswith(("system-", "paraeval"))
    assert (info.needs is JudgmentForm.SYSTEM_SCORES) == by_system
    is_preference = name.startswith(("darr", "wmt"))
    assert (info.needs is JudgmentForm.PREFERENCES) == is_preference
    counts = "translations"
    if is_preference:
        counts = "judgements"
    elif name == "spa" or name.startswith("system-accuracy"):
        counts = "pairs of systems"
    elif by_system:
        counts = "systems"
    elif name.startswith(("acc-eq", "tau-eq")) or name.endswith("-differences"):
        counts = "pairs of translations"
    assert info.counts == counts
    assert info.uses_darr == (name == "darr-tau")
    assert info.without_outliers == name.endswith("-without-outliers")
    assert info.is_pooled == name.startswith("system-accuracy")
    assert info.calibrates_ties == (name.startswith(("acc-eq", "tau-eq")) and "-fixed" not in name)
    if name.startswith("system-pearson"):
        assert info.tests[0] is MetricTest.WILLIAMS
    elif name in {"paraeval-spearman", "spa", "segment-pearson-differences"}:
        assert info.tests == (MetricTest.BOOTSTRAP,)
    else:
        assert info.tests == (MetricTest.PERM_BOTH, MetricTest.BOOTSTRAP)


def test_a_test_that_is_not_defined_is_refused() -> None:
    info = find_measure("segment-kendall").info
    assert chosen_test(info, None) is MetricTest.PERM_BOTH
    assert chosen_test(info, MetricTest.BOOTSTRAP) is MetricTest.BOOTSTRAP
    with pytest.raises(UsageError, match="williams; choose perm-both or bootstrap"):
        chosen_test(info, MetricTest.WILLIAMS)


def test_shared_tasks_name_measures_that_exist() -> None:
    assert {name for names in SHARED_TASKS.values() for name in names} <= set(MEASURES)


def test_nothing_is_drawn_tested_or_plotted_unless_asked_for() -> None:
    plain = MetaOptions()
    assert [plain.intervals, plain.compare, plain.rankings] == [False, False, False]
    assert (plain.resamples, plain.rounds) == (1_000, 1_000)  # as mt-metrics-eval draws
    assert (plain.epsilon, plain.outliers, plain.unit, plain.test) == (0.0, None, None, None)
