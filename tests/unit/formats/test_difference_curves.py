"""Files of difference curves, whole and damaged."""

import json
from dataclasses import replace
from math import nan
from pathlib import Path

import pytest

from tenbin.core.difference_curve import BandPoint, CurveTable, DifferenceCurve, TargetGroup
from tenbin.core.errors import UnreadableFile
from tenbin.formats.difference_curves import curves_text, parse_curves, read_curves, write_curves

CURVE = DifferenceCurve(
    metric="chrf",
    target=TargetGroup.SPACED,
    slope=0.75,
    ceiling=0.96,
    band=(BandPoint(0.0, 0.5, 0.5), BandPoint(2.0, 0.75, 0.875)),
    pairs=123,
    places=("wmt20 en-de", "wmt21 de-en"),
    agreement=0.8125,
    largest=2.0,
    settings=("0123456789ab",),
    data="ba9876543210",
)
TABLE = CurveTable(curves=(CURVE,), resamples=100, seed=7, source="WMT")


def test_curves_read_back(tmp_path: Path) -> None:
    path = str(tmp_path / "curves.json")
    write_curves(path, TABLE)
    found = read_curves(path)
    assert found.curves == (CURVE,)
    assert (found.resamples, found.seed, found.source) == (100, 7, "WMT")


def test_a_curve_that_was_not_fitted_is_left_out() -> None:
    table = replace(TABLE, curves=(CURVE, replace(CURVE, slope=nan)))
    assert parse_curves(curves_text(table), "x").curves == (CURVE,)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"metric": None}, None),
        ({"slope": -1}, "no curve that rises"),
        ({"ceiling": 1.5}, "no curve that rises"),
        ({"slope": "NaN"}, "expected 2 numbers"),
        ({"target": "de"}, "'de'"),
        ({"band": [[0, 0.5]]}, "expected 3 numbers"),
        ({"band": [[1, 0.5, 0.5], [0, 0.5, 0.5]]}, "do not rise"),
        ({"pairs": "many"}, "many"),
        ({"places": 7}, "7"),
    ],
)
def test_a_damaged_curve_is_refused(change: dict[str, object], problem: str | None) -> None:
    content = json.loads(curves_text(TABLE))
    content["curves"][0].update(change)
    if problem is None:
        del content["curves"][0]["metric"]
        problem = "no field 'metric'"
    if problem == "7":
        problem = "not a file of difference curves"
    with pytest.raises(UnreadableFile, match=problem) as caught:
        parse_curves(json.dumps(content), "mine.json")
    assert str(caught.value).startswith("mine.json: not a file of difference curves")
    assert "Fit them again" in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"7", b"\xff", b'{"format": "tenbin-curves-1"}', b'{"format": 1}'],
)
def test_another_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "curves.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a file of difference curves"):
        read_curves(str(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"none\.json"):
        read_curves(str(tmp_path / "none.json"))
