"""The drawing of systems and human translators."""

import re
from xml.etree import ElementTree as ET

from tenbin.core.agreement import RankedSystem, SystemRanking
from tenbin.reports.ranking_plot import render_rankings

SVG = "{http://www.w3.org/2000/svg}"


def system(name: str, score: float, **changes: object) -> RankedSystem:
    fields: dict[str, object] = {
        "name": name,
        "score": score,
        "interval": (score - 1, score + 1),
        "human_score": None,
        "is_human": False,
    }
    return RankedSystem(**(fields | changes))  # type: ignore[arg-type]


def drawn(*systems: RankedSystem) -> ET.Element:
    ranking = SystemRanking(title="a set", systems=systems)
    return ET.fromstring(render_rankings([ranking]))  # noqa: S314 - our own drawing


def texts(drawing: ET.Element) -> list[str]:
    return [one.text or "" for one in drawing.iter(f"{SVG}text")]


def test_the_best_system_stands_left_and_high() -> None:
    drawing = drawn(system("low", 10), system("high", 20), system("middle", 12))
    circles = list(drawing.iter(f"{SVG}circle"))[1:]  # the first is in the key
    places = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in circles]
    assert places == sorted(places)
    assert [name for name in texts(drawing) if name in {"low", "middle", "high"}] == [
        "high",
        "middle",
        "low",
    ]


def test_humans_have_another_mark_and_colour() -> None:
    plain = render_rankings([SystemRanking(title="", systems=(system("refB", 3),))])
    human = render_rankings([SystemRanking(title="", systems=(system("refB", 3, is_human=True),))])
    # One of each stands in the key.
    assert (plain.count("<circle"), human.count("<circle")) == (2, 1)
    assert human.count("#D55E00") > plain.count("#D55E00")


def test_ranks_by_people_are_those_among_the_judged() -> None:
    drawing = drawn(
        system("a", 9, human_score=0.1),
        system("b", 8, human_score=0.7),
        system("c", 7),
        system("d", 6, human_score=0.7),
    )
    shown = texts(drawing)
    ranks = [shown[shown.index(name) - 1] for name in "abcd"]
    assert ranks == ["3", "1", "–", "1"]


def test_names_are_escaped() -> None:
    drawing = drawn(system("<script>&\x1b", 1))
    assert "<script>&\ufffd" in texts(drawing)


def test_one_system_and_none_can_be_drawn() -> None:
    assert "only" in texts(drawn(system("only", 5, interval=None)))
    assert texts(drawn())[0] == "a set"


def test_nothing_is_drawn_outside() -> None:
    drawing = drawn(*(system(f"a-system-with-a-long-name-{n}", n) for n in range(12)))
    width, height = float(drawing.attrib["width"]), float(drawing.attrib["height"])
    for circle in drawing.iter(f"{SVG}circle"):
        assert 0 < float(circle.attrib["cx"]) < width
        assert 0 < float(circle.attrib["cy"]) < height
    paths = " ".join(one.attrib["d"] for one in drawing.iter(f"{SVG}path"))
    assert all(0 <= float(x) <= width for x in re.findall(r"M(-?[\d.]+) ", paths))
