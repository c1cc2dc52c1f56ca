"""Plots: every point where its number says, in each format, the same bytes in every run."""

from dataclasses import replace
from math import nan
from xml.etree import ElementTree

import numpy as np
import pytest

from tenbin.core.agreement import RankedSystem, SystemRanking
from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.core.spec import SpecValue
from tenbin.core.tuning import TriedSetting, Tuning
from tenbin.reports import plots
from tenbin.reports.plots import check_plot, plot_bytes, plot_curves, plot_rankings

pytest.importorskip("matplotlib", reason="the extra 'plots' is not installed")

SVG = "{http://www.w3.org/2000/svg}"
Points = list[tuple[SpecValue | tuple[SpecValue, ...], float]]


def tuned(metric: str, points: Points, *, default: int = 0, pairs: int = 1) -> Tuning:
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
    return Tuning(
        metric=metric,
        signature="",
        parameters=("threshold", "alpha")[: len(settings[0].values)],
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


def system(name: str, score: float, **changes: object) -> RankedSystem:
    fields: dict[str, object] = {
        "name": name,
        "score": score,
        "interval": (score - 1, score + 1),
        "human_score": None,
        "is_human": False,
    }
    return RankedSystem(**(fields | changes))  # type: ignore[arg-type]


def ranked(*systems: RankedSystem) -> SystemRanking:
    return SystemRanking(title="a set", systems=systems)


def svg_texts(content: bytes) -> str:
    root = ElementTree.fromstring(content)  # noqa: S314 - our own drawing
    return "\n".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))


def test_a_curve_goes_through_its_points() -> None:
    figure = plot_curves([tuned("was", [(0.0, 0.1), (0.25, 0.3), (1.0, 0.2)])])
    line = figure.axes[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), [0, 0.25, 1])
    np.testing.assert_array_equal(line.get_ydata(), [0.1, 0.3, 0.2])


def test_markers_stand_on_the_default_and_the_oracle() -> None:
    figure = plot_curves([tuned("was", [(0.0, 0.1), (0.5, 0.3), (1.0, 0.2)], default=2)])
    default, oracle = figure.axes[0].lines[1:3]
    assert (default.get_xdata(), default.get_ydata()) == ([1.0], [0.2])
    assert (oracle.get_xdata(), oracle.get_ydata()) == ([0.5], [0.3])
    written = svg_texts(plot_bytes(figure, "a.svg"))
    assert "oracle (tuned on the test data)" in written
    assert "was: default 0.2000, oracle 0.3000" in written


def test_an_undefined_value_breaks_the_line() -> None:
    figure = plot_curves([tuned("was", [(0.0, 0.1), (0.5, nan), (1.0, 0.3)])])
    assert np.isnan(figure.axes[0].lines[0].get_ydata()).tolist() == [False, True, False]


def test_of_several_settings_with_one_value_the_line_takes_the_best() -> None:
    points: Points = [((0.0, 1.0), 0.1), ((0.0, 2.0), 0.4), ((1.0, 1.0), 0.3), ((1.0, 2.0), nan)]
    first, second = plot_curves([tuned("was", points)]).axes
    np.testing.assert_array_equal(first.lines[0].get_ydata(), [0.4, 0.3])
    np.testing.assert_array_equal(second.lines[0].get_ydata(), [0.3, 0.4])
    assert np.shape(first.collections[0].get_offsets()) == (4, 2)


def test_each_metric_has_a_line_of_its_own_look() -> None:
    one, other = tuned("was", [(0.0, 0.1), (1.0, 0.2)]), tuned("mas", [(0.0, 0.3), (1.0, 0.4)])
    lines = [
        line for line in plot_curves([one, other]).axes[0].lines if np.size(line.get_xdata()) > 1
    ]
    assert len({line.get_color() for line in lines}) == 2
    assert len({line.get_linestyle() for line in lines}) == 2


def test_language_pairs_have_lines_and_names() -> None:
    figure = plot_curves([tuned("was", [(0.0, 0.1), (1.0, 0.2)], pairs=3)])
    assert sum(np.size(line.get_xdata()) > 1 for line in figure.axes[0].lines) == 4
    assert {text.get_text() for text in figure.axes[0].texts} == {"l0-en", "l1-en", "l2-en"}


def test_values_that_are_not_numbers_stand_side_by_side() -> None:
    points: Points = [("zero", 0.1), ("survivors", 0.3), (True, 0.2)]
    panel = plot_curves([tuned("was", points)]).axes[0]
    np.testing.assert_array_equal(panel.lines[0].get_xdata(), [0, 1, 2])
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["zero", "survivors", "True"]


def test_a_setting_that_was_not_drawn_has_no_marker() -> None:
    tuning = tuned("was", [(0.0, 0.1), (1.0, 0.2)])
    other = replace(tuning.default, values=("auto",))
    figure = plot_curves([replace(tuning, default=other)])
    assert len(figure.axes[0].lines) == 2


def test_systems_are_ranked_from_left_to_right() -> None:
    panel = plot_rankings([ranked(system("low", 10), system("high", 20), system("mid", 12))]).axes[
        0
    ]
    assert [tick.get_text() for tick in panel.get_xticklabels()] == [
        "high  (–)",
        "mid  (–)",
        "low  (–)",
    ]
    np.testing.assert_array_equal(panel.lines[0].get_ydata(), [20, 12, 10])


def test_human_translations_have_another_marker_and_color() -> None:
    panel = plot_rankings([ranked(system("a", 3), system("refB", 2, is_human=True))]).axes[0]
    _, labels = panel.get_legend_handles_labels()
    assert labels == ["system", "human translation"]
    machine, human = panel.containers
    assert machine.lines[0].get_marker() != human.lines[0].get_marker()  # type: ignore[attr-defined]
    assert machine.lines[0].get_color() != human.lines[0].get_color()  # type: ignore[attr-defined]


def test_ranks_by_human_judgment_are_those_among_the_judged() -> None:
    panel = plot_rankings(
        [
            ranked(
                system("a", 9, human_score=0.1),
                system("b", 8, human_score=0.7),
                system("c", 7),
                system("d", 6, human_score=0.7),
            )
        ]
    ).axes[0]
    found = [tick.get_text() for tick in panel.get_xticklabels()]
    assert found == ["a  (3)", "b  (1)", "c  (–)", "d  (1)"]


def test_intervals_reach_as_far_as_they_do() -> None:
    panel = plot_rankings([ranked(system("a", 5, interval=(3, 9)), system("b", 4, interval=None))])
    bars = panel.axes[0].collections[0].get_segments()  # type: ignore[attr-defined]
    assert [tuple(bar[:, 1]) for bar in bars] == [(3, 9), (4, 4)]


def test_no_system_can_be_drawn() -> None:
    assert "a set" in svg_texts(plot_bytes(plot_rankings([ranked()]), "a.svg"))


@pytest.mark.parametrize("name", ["<script>&\x1b", "$x^2$", "天秤"])
def test_names_are_text_and_nothing_else(name: str) -> None:
    shown = name.replace("\x1b", "\ufffd")
    assert shown in svg_texts(plot_bytes(plot_rankings([ranked(system(name, 1))]), "a.svg"))
    tuning = tuned(name, [(0.0, 0.1), (1.0, 0.2)])
    assert shown in svg_texts(plot_bytes(plot_curves([tuning]), "a.svg"))


def test_a_character_without_a_glyph_is_reported_where_fonts_matter() -> None:
    figure = plot_rankings([ranked(system("\U000f0000", 1))])  # private use: no font has it
    assert "\U000f0000" in svg_texts(plot_bytes(figure, "a.svg"))
    with pytest.raises(ResourceError, match=r"no font .* characters"):
        plot_bytes(figure, "a.png")


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", b"<?xml"), ("a.PNG", b"\x89PNG"), ("a.pdf", b"%PDF")]
)
def test_each_format_is_the_same_in_every_run(name: str, start: bytes) -> None:
    tuning = tuned("was", [(0.0, 0.1), (1.0, 0.2)])
    first, second = (plot_bytes(plot_curves([tuning]), name) for _ in range(2))
    assert first == second
    assert first.startswith(start)


@pytest.mark.parametrize("name", ["a.jpg", "svg", "", "-"])
def test_other_formats_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        check_plot(name)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"tenbin\[plots\]"):
        check_plot("a.svg")
