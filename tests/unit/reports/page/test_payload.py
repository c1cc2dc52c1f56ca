"""The page gets what it declares to read: every field, of the right type."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.reports.page.typescript import Schema

from tenbin.core.report import Report, ReportKind
from tenbin.reports.page.payload import payload

DECLARED = Path(__file__).resolve().parents[4] / "web" / "src" / "schema.ts"

needs_schema = pytest.mark.skipif(not DECLARED.is_file(), reason="needs web/src/schema.ts")


@pytest.fixture
def schema() -> Schema:
    return Schema(DECLARED.read_text("utf-8"))


def faults(schema: Schema, value: Any) -> list[str]:
    # As the page gets it: what JSON makes of it.
    return schema.faults(json.loads(json.dumps(value, allow_nan=False)), "Payload")


@needs_schema
def test_a_report_is_what_the_page_declares(schema: Schema, report: Report) -> None:
    assert faults(schema, payload(report)) == []


@needs_schema
@pytest.mark.parametrize("kind", [ReportKind.META, ReportKind.TUNE])
def test_a_report_without_systems(schema: Schema, kind: ReportKind) -> None:
    empty = Report(kind=kind, meta={"rows": []}, tune={"tunings": []})
    assert faults(schema, payload(empty)) == []


@needs_schema
def test_a_report_without_texts(schema: Schema, report: Report) -> None:
    bare = replace(report, texts=None, facts=None, labels=(), explanations=(), ngrams=(), human=())
    found = payload(bare)
    assert found["segments"] is None
    assert faults(schema, found) == []


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a field is missing": lambda found: found.pop("licences"),
    "a field is new": lambda found: found.update(more=1),
    "a list is a text": lambda found: found.update(systems="one"),
    "a number is a truth": lambda found: found["metrics"][0].update(decimals=True),
    "a kind is unknown": lambda found: found.update(kind="explain"),
    "a number is null": lambda found: found["explanations"][0].update(score=None),
    "an interval has one end": lambda found: found["metrics"][0].update(intervals=[[1.0]]),
    "a match is short": lambda found: found["explanations"][0]["matches"][0].pop(),
    "a match is of no kind": lambda found: found["explanations"][0]["matches"][0].__setitem__(
        4, "guess"
    ),
    "a text is a number": lambda found: found["segments"]["texts"][0].__setitem__(0, 1),
    "a width is wrong": lambda found: found["segments"]["lengths"].update(bytes=3),
    "a direction is wrong": lambda found: found["segments"]["columns"][0].update(direction="up"),
    "an n-gram lacks its segments": lambda found: found["ngrams"][0]["rows"][0].pop("segments"),
}


@needs_schema
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_the_check_sees_what_is_wrong(
    schema: Schema, report: Report, change: Callable[[dict[str, Any]], Any]
) -> None:
    found = deepcopy(payload(report))
    change(found)
    assert faults(schema, found) != []


def test_texts_stand_segment_by_segment(report: Report) -> None:
    segments = payload(report)["segments"]
    assert segments["texts"][0] == ["eine Katze", "a cat", "one cat", "a cat", "the cat"]
    assert segments["texts"][1] == ["B", "b", None, "b", "b b"]  # has one reference
    assert segments["documentNames"] == ["news / d1", "news / d2"]
    assert segments["documents"] == [0, 0, 1]
    assert segments["flags"] == [[1, 2, "number", "7", "8"]]
    assert segments["columns"][0]["direction"] == "rtl"


def test_undefined_numbers_are_null(report: Report) -> None:
    found = payload(report)
    assert found["metrics"][0]["scores"] == [28.97, None]
    assert found["metrics"][0]["intervals"] == [[27.0, 30.0], None]
    assert found["comparison"]["metrics"][0]["p"] == [[None, 0.04], [0.04, None]]
    assert found["comparison"]["metrics"][1]["people"] is None
    assert found["comparison"]["metrics"][0]["people"][0][1] == pytest.approx(0.8112, abs=1e-4)


def test_halves_of_characters_do_not_stop_the_page(report: Report) -> None:
    """A program may pass text that no file can hold."""
    assert report.texts is not None
    texts = replace(report.texts, source=("\ud800", "B", "C"))
    found = payload(replace(report, texts=texts, command="tenbin \udcff"))
    json.dumps(found, ensure_ascii=False).encode("utf-8")
    assert found["segments"]["texts"][0][0] == "?"
