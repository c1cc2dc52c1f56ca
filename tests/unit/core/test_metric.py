"""What every metric inherits: checked parameters, values in signatures, the mean of segments."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
import pytest

from tenbin.core.errors import InvalidParameter
from tenbin.core.metric import BaseMetric, signature_value, type_in_words


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class Example(BaseMetric):
    name: ClassVar[str] = "example"

    whole: int = 1
    number: float = 1.0
    maybe: float | None = None
    flag: bool = False
    text: str = "x"
    colour: Colour = Colour.RED


@pytest.mark.parametrize(
    ("parameter", "value", "kept"),
    [
        ("whole", 2, 2),
        ("number", 2, 2),
        ("number", 0.5, 0.5),
        ("maybe", None, None),
        ("maybe", 3, 3),
        ("flag", True, True),
        ("text", "", ""),
        ("colour", "blue", Colour.BLUE),
        ("colour", Colour.BLUE, Colour.BLUE),
    ],
)
def test_values_of_the_right_type_are_taken(parameter: str, value: object, kept: object) -> None:
    found = getattr(Example(**{parameter: value}), parameter)  # type: ignore[arg-type]
    assert (found, type(found)) == (kept, type(kept))


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("whole", 2.0, "a whole number"),
        ("whole", True, "a whole number"),
        ("whole", "2", "a whole number"),
        ("number", "2", "a number"),
        ("number", True, "a number"),
        ("number", float("nan"), "a number"),
        ("number", float("inf"), "a number"),
        ("number", None, "a number"),
        ("maybe", "no", "a number or None"),
        ("flag", 1, "True or False"),
        ("flag", "yes", "True or False"),
        ("text", 1, "a text"),
        ("colour", "green", "one of red, blue"),
        ("colour", 1, "one of red, blue"),
    ],
)
def test_values_of_another_type_are_refused(parameter: str, value: object, expected: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Example(**{parameter: value})  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"metric 'example': parameter {parameter}={value!r} is not possible; expected {expected}."
    )
    assert caught.value.exit_code == 2


def test_types_in_words() -> None:
    assert type_in_words(float | None) == "a number or None"
    assert type_in_words(Colour) == "one of red, blue"


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "yes"), (False, "no"), (2.0, "2"), (2, "2"), (0.1, "0.1"), (Colour.RED, "red")],
)
def test_values_in_signatures(value: object, text: str) -> None:
    assert signature_value(value) == text


def test_a_signature_has_a_field_for_each_parameter() -> None:
    fields = Example(maybe=0.5).signature().fields
    assert fields == (
        ("whole", "1"),
        ("number", "1"),
        ("maybe", "0.5"),
        ("flag", "no"),
        ("text", "x"),
        ("colour", "red"),
    )


def test_the_inherited_score_is_the_mean() -> None:
    statistics = np.array([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]])
    np.testing.assert_array_equal(Example().score(statistics), [0.75, 0.0, np.nan])
    np.testing.assert_array_equal(Example().segment_score(statistics[0]), 0.75)
