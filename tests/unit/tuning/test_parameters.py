"""The grammar of what is tuned, and the metrics that follow from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UsageError
from tenbin.core.spec import Spec, SpecValue
from tenbin.metrics.registry import load
from tenbin.tuning.parameters import (
    TunedParameter,
    check_values,
    grid,
    grid_size,
    in_words,
    parse_parameters,
    spec_of,
    value_of,
    with_value,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("threshold=0:1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("threshold=0.1:0.35:0.1", (0.1, 0.2, 0.3)),
        ("threshold=1:0:-0.5", (1.0, 0.5, 0.0)),
        ("threshold = -0.1 : 0.1 : 0.1", (-0.1, 0.0, 0.1)),
        ("beta=5e-1:1:5e-1", (0.5, 1.0)),
        ("word_order=0:2:1", (0, 1, 2)),
        ("word_order=3:3:1", (3,)),
        ("beta=1,2,1", (1, 2)),
        ("tokenizer=13a,ja-mecab,'with, comma'", ("13a", "ja-mecab", "with, comma")),
        ("lowercase=True,False", (True, False)),
        ("any=1,True,None", (1, True, None)),
        ("weights=(1, 0.5),(1,)", ((1, 0.5), (1,))),
        ('stages=("exact",\'stem\'),("exact",)', (("exact", "stem"), ("exact",))),
        ("vectors=folder/file.vec", ("folder/file.vec",)),
    ],
)
def test_values_are_read(text: str, values: tuple[SpecValue, ...]) -> None:
    found = TunedParameter.parse(text).values
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@given(st.integers(0, 50), st.integers(1, 50), st.sampled_from(["0.1", "0.01", "0.25", "3"]))
def test_a_range_holds_decimal_numbers_as_one_writes_them(
    start: int, count: int, step: str
) -> None:
    stop = start + float(step) * count
    values = TunedParameter.parse(f"x={start}:{stop:.10g}:{step}").values
    assert values[0] == start
    assert len(values) == count + 1
    assert all(len(repr(value)) <= 6 for value in values)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("threshold", "cannot read"),
        ("=1:2:1", "cannot read"),
        ("threshold=", "names no value"),
        ("threshold=,", "names no value"),
        ("threshold=0:1:0", "names no value"),
        ("threshold=0:1:-0.1", "names no value"),
        ("threshold=0:1:1e-9", "larger STEP"),
        ("weights[0]=0:1:1", "counted from 1"),
        ("weights=(1, 2", "cannot read"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        TunedParameter.parse(text)


@pytest.mark.parametrize("texts", [["beta=1", "beta=2"], ["weights=(1, 1)", "weights[1]=0,1"]])
def test_nothing_is_tuned_twice(texts: list[str]) -> None:
    with pytest.raises(UsageError, match="tuned twice"):
        parse_parameters(texts)


def test_something_must_be_tuned() -> None:
    with pytest.raises(UsageError, match="no parameter"):
        parse_parameters([])


def test_a_grid_is_every_combination() -> None:
    parameters = parse_parameters(["a=1,2", "b=x,y,z"])
    settings = grid(parameters)
    assert grid_size(parameters) == len(settings) == len(set(settings)) == 6
    assert settings[:2] == [(("a", 1), ("b", "x")), (("a", 1), ("b", "y"))]
    assert in_words(settings[0]) == "a=1, b=x"


def test_one_value_changes_and_the_order_stays() -> None:
    parameters = parse_parameters(["a=1,2", "b=3,4"])
    assert with_value((("b", 3),), "a", 2, parameters) == (("a", 2), ("b", 3))


def test_a_setting_takes_the_place_of_what_the_metric_was_given() -> None:
    base = Spec.parse("chrf(beta=3, word_order=1)")
    assert str(spec_of(base, (("beta", 1),), "en")) == "chrf(beta=1, word_order=1)"
    assert spec_of(base, (), "en") == base


def test_an_entry_of_a_list_leaves_the_others_as_the_language_has_them() -> None:
    base = Spec.parse('meteor(stages=("exact", "stem"), task="rank")')
    own = load(base).bind("en")
    changed = load(spec_of(base, (("weights[2]", 0.25),), "en")).bind("en")
    assert value_of(changed, "weights[2]") == 0.25
    assert value_of(changed, "weights[1]") == value_of(own, "weights[1]") == 1.0


@pytest.mark.parametrize(
    ("setting", "told"),
    [((("weights[3]", 1),), "no entry 3"), ((("alpha[1]", 1),), "is no list")],
)
def test_an_entry_that_is_not_there_is_told(
    setting: tuple[tuple[str, SpecValue], ...], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        spec_of(Spec.parse('meteor(stages=("exact", "stem"))'), setting, "en")


def test_every_impossible_value_is_told_at_once() -> None:
    with pytest.raises(UsageError, match=r"threshold=1\.5") as caught:
        check_values(Spec.parse("was"), parse_parameters(["threshold=0.5:2:0.5"]), ["en"])
    assert "threshold=2.0" in str(caught.value)
    assert "threshold=0.5" not in str(caught.value)


def test_an_unknown_parameter_is_told_with_a_near_name() -> None:
    with pytest.raises(UsageError, match="Did you mean 'threshold'"):
        check_values(Spec.parse("was"), parse_parameters(["treshold=0,1"]), ["en"])
