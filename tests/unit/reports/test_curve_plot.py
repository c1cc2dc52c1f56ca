"""Curves as SVG: well-formed, every point in its place, marks where they belong."""

import re
from dataclasses import replace
from itertools import pairwise
from math import nan
from xml.etree import ElementTree

import pytest

from tenbin.core.spec import SpecValue
from tenbin.core.tuning import TriedSetting, Tuning
from tenbin.reports.axes import axis_around, ticks
from tenbin.reports.curve_plot import render_curves

SVG = "{http://www.w3.org/2000/svg}"
LEFT, RIGHT = 76.0, 656.0


def tuned(
    metric: str, points: list[tuple[SpecValue, float]], *, default: int = 0, pairs: int = 1
) -> Tuning:
    settings = tuple(
        TriedSetting(
            values=value if isinstance(value, tuple) else (value,),
            spec=None,
            value=height,
            by_pair=tuple(height + 0.1 * place for place in range(pairs)),
        )
        for value, height in points
    )
    known = [one for one in settings if one.value == one.value]
    names = ("threshold", "alpha")[: len(settings[0].values)]
    return Tuning(
        metric=metric,
        signature="",
        parameters=names,
        measure="segment-kendall",
        human=("da",) * pairs,
        places=tuple(("wmt", f"l{place}-en") for place in range(pairs)),
        n=(1,) * pairs,
        counted="translations",
        settings=settings,
        default=settings[default],
        oracle=max(known, key=lambda one: one.value),
        validation=None,
    )


def drawn(*tunings: Tuning) -> ElementTree.Element:
    return ElementTree.fromstring(render_curves(tunings))  # noqa: S314 - our own drawing


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def curves(picture: ElementTree.Element, kind: str) -> list[list[tuple[float, float]]]:
    """Return the points of each line of a colour, the sample in the key left out."""
    paths = [p.get("d", "") for p in picture.iter(f"{SVG}path") if p.get("class") == kind]
    return [
        [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]
        for path in paths
        if "h26" not in path
    ]


def test_points_stand_where_their_numbers_say() -> None:
    ((first, second, third),) = curves(
        drawn(tuned("was", [(0.0, 0.1), (0.25, 0.3), (1.0, 0.2)])), "s0"
    )
    assert (first[0], second[0], third[0]) == (LEFT, LEFT + (RIGHT - LEFT) / 4, RIGHT)
    assert second[1] < third[1] < first[1]
    assert (first[1] - third[1]) == pytest.approx(third[1] - second[1], abs=0.2)


def test_marks_stand_on_the_default_and_the_oracle() -> None:
    picture = drawn(tuned("was", [(0.0, 0.1), (0.5, 0.3), (1.0, 0.2)], default=2))
    ((_, top, last),) = curves(picture, "s0")
    circles = [c for c in picture.iter(f"{SVG}circle") if c.get("class") == "paper s0"]
    assert (float(circles[-1].get("cx", "")), float(circles[-1].get("cy", ""))) == last
    diamonds = [p.get("d", "") for p in picture.iter(f"{SVG}path") if p.get("class") == "f0"]
    assert diamonds[-1].startswith(f"M{top[0]} {top[1] - 7}")
    assert "oracle (tuned on the test data)" in texts(picture)
    assert "was: default 0.2000, oracle 0.3000" in texts(picture)


def test_an_undefined_value_breaks_the_line() -> None:
    picture = drawn(tuned("was", [(0.0, 0.1), (0.5, nan), (0.75, 0.2), (1.0, 0.3)]))
    (path,) = [
        p.get("d", "")
        for p in picture.iter(f"{SVG}path")
        if p.get("class") == "s0" and "h26" not in p.get("d", "")
    ]
    assert path.count("M") == 2
    assert path.count("L") == 1


def test_text_is_escaped() -> None:
    name = 'was(vectors="<a & b>")'
    assert f"{name}: default 0.1000, oracle 0.1000" in texts(drawn(tuned(name, [(0.0, 0.1)])))


def test_each_metric_has_a_line_of_its_own_look() -> None:
    one, other = tuned("was", [(0.0, 0.1), (1.0, 0.2)]), tuned("mas", [(0.0, 0.3), (1.0, 0.4)])
    picture = drawn(one, other)
    assert len(curves(picture, "s0")) == len(curves(picture, "s1")) == 1
    dashed = {p.get("class"): p.get("stroke-dasharray") for p in picture.iter(f"{SVG}path")}
    assert dashed["s0"] is None
    assert dashed["s1"]


def test_language_pairs_are_thin_lines() -> None:
    picture = drawn(tuned("was", [(0.0, 0.1), (1.0, 0.2)], pairs=3))
    assert len(curves(picture, "s0")) == 4
    assert {"l0-en", "l1-en", "l2-en"} <= set(texts(picture))
    assert "thin lines: language pairs" in texts(picture)


def test_values_that_are_no_numbers_stand_side_by_side() -> None:
    picture = drawn(tuned("was", [("zero", 0.1), ("survivors", 0.2), (True, 0.3)]))
    ((first, second, third),) = curves(picture, "s0")
    assert second[0] - first[0] == pytest.approx(third[0] - second[0], abs=0.2)
    assert {"zero", "survivors", "True"} <= set(texts(picture))


def test_each_parameter_has_a_panel_with_the_best_of_each_value() -> None:
    points: list[tuple[SpecValue, float]] = [
        ((0.0, 0.0), 0.1),
        ((0.0, 1.0), 0.4),
        ((1.0, 0.0), 0.2),
        ((1.0, 1.0), 0.3),
    ]
    picture = drawn(tuned("meteor", points))
    by_threshold, by_alpha = curves(picture, "s0")
    assert len(by_threshold) == len(by_alpha) == 2
    assert by_threshold[0][1] < by_threshold[1][1]  # 0.4 above 0.3
    assert by_alpha[0][1] > by_alpha[1][1]  # 0.2 below 0.4
    dots = [c for c in picture.iter(f"{SVG}circle") if c.get("r") == "2"]
    assert len(dots) == 8
    assert {"threshold", "alpha"} <= set(texts(picture))


def test_an_undefined_setting_does_not_hide_others_of_the_same_value() -> None:
    points: list[tuple[SpecValue, float]] = [
        ((0.0, 0.0), 0.1),
        ((1.0, 0.0), 0.2),
        ((1.0, 1.0), nan),
    ]
    by_threshold, by_alpha = curves(drawn(tuned("meteor", points)), "s0")
    assert len(by_threshold) == 2
    assert len(by_alpha) == 1


def test_names_of_lines_that_end_together_stand_below_each_other() -> None:
    flat = tuned("was", [(0.0, 0.1), (1.0, 0.2)], pairs=3)
    same = replace(flat, settings=tuple(replace(s, by_pair=(s.value,) * 3) for s in flat.settings))
    names = [e for e in drawn(same).iter(f"{SVG}text") if (e.text or "").endswith("-en")]
    heights = sorted(float(element.get("y", "")) for element in names[-3:])
    assert min(after - before for before, after in pairwise(heights)) >= 12


def test_it_can_be_read_on_a_dark_page() -> None:
    picture = render_curves([tuned("was", [(0.0, 0.1)])])
    light, _, dark = picture.partition("@media (prefers-color-scheme:dark)")
    for kind in ("paper", "ink", "axis", "grid"):
        (one,) = re.findall(rf"\.{kind}{{\w+:(#\w+)}}", light)
        (other,) = re.findall(rf"\.{kind}{{\w+:(#\w+)}}", dark)
        assert one != other


def test_one_single_value_has_a_place() -> None:
    flat = tuned("was", [(0.5, 0.1)])
    assert curves(drawn(flat), "s0")
    assert curves(drawn(replace(flat, settings=flat.settings * 2)), "s0")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.05, 0.11, [-0.05, 0, 0.05, 0.1]),
        (0, 7, [0, 2, 4, 6]),
        (0.301, 0.319, [0.305, 0.31, 0.315]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high, 6) == pytest.approx(expected, abs=1e-12)


def test_an_axis_has_room_for_all() -> None:
    axis = axis_around([1.0, 3.0], 0, 100, room=0.5)
    assert (axis.at(1.0), axis.at(3.0), axis.at(2.0)) == (25.0, 75.0, 50.0)
    assert axis_around([2.0, 2.0], 0, 100).at(2.0) == 50.0
