"""The benchmark that fits difference curves, as far as it chooses and writes."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.differences import scoring
from benchmarks.differences.forms import FORMS, held_out_losses
from benchmarks.differences.page import curve_rows, filled, published_rows
from benchmarks.differences.scoring import (
    Place,
    SystemScore,
    of_left_out_year,
    read_scores,
    score_places,
    write_scores,
)

from tenbin.core.errors import UsageError
from tenbin.meta.curves import JudgedSystems
from tenbin.resources.difference_curves import bundled_curves

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "howto" / "differences.md"


def test_the_page_shows_the_bundled_curves() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert curve_rows(bundled_curves()) in text
    assert published_rows(bundled_curves()) in text


def test_the_data_behind_the_curves_are_listed() -> None:
    table = ROOT / "docs" / "measurements" / "difference-curves.tsv"
    heading, *lines = [line.split("\t") for line in table.read_text().splitlines()]
    rows = [dict(zip(heading, line, strict=True)) for line in lines]
    for curve in bundled_curves().curves:
        own = [
            row
            for row in rows
            if row["metric"] == curve.metric and f"{row['set']} {row['pair']}" in curve.places
        ]
        assert len(own) == len(curve.places)
        assert sum(int(row["system_pairs"]) for row in own) == curve.pairs


def test_learned_metrics_are_scored_without_the_year(tmp_path: Path) -> None:
    place, unseen = Place("wmt14", "de-en"), Place("wmt22", "de-en")
    assert of_left_out_year("chrf", place, tmp_path) == "chrf"
    assert "tenbin-large(adapter='tenbin-large')" in of_left_out_year(
        "tenbin-large", unseen, tmp_path
    )
    for preset in ("tenbin-large", "tenbin-fast"):
        with pytest.raises(UsageError, match="saw wmt14"):
            of_left_out_year(preset, place, tmp_path)
        adapter = tmp_path / f"{preset.removeprefix('tenbin-')}-without-wmt14.safetensors"
        adapter.write_bytes(b"")
        assert str(adapter) in of_left_out_year(preset, place, tmp_path)


def test_stored_scores_are_replaced_one_by_one_where_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [Place("wmt14", "cs-en"), Place("wmt14", "de-en")]
    path = tmp_path / "scores.tsv"
    stored = [SystemScore(name, one, "a", 1.0) for name in ("chrf", "bleu") for one in places]
    write_scores(path, stored)

    def scored(_: Path, place: Place, specs: list[str], __: Path) -> list[SystemScore]:
        if place == places[1]:
            raise UsageError("no adapter")
        return [SystemScore(spec, place, "a", 2.0) for spec in specs]

    monkeypatch.setattr(scoring, "judged_places", lambda _: places)
    monkeypatch.setattr(scoring, "score_place", scored)
    wanted = tmp_path, path, ["bleu"], tmp_path, lambda _: None
    assert score_places(*wanted) == read_scores(path)
    assert {one.score for one in read_scores(path)} == {1.0}
    with pytest.raises(UsageError):
        score_places(*wanted, again=True)
    # What could not be scored again is still there.
    found = {(one.metric, one.place): one.score for one in read_scores(path)}
    assert found == {(one.metric, one.place): one.score for one in stored} | {
        ("bleu", places[0]): 2.0
    }


def test_blocks_of_a_page_are_replaced() -> None:
    page = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert filled(page, {"x": "new"}) == "a\n<!-- x -->\n\nnew\n<!-- end of x -->\nb\n"
    with pytest.raises(ValueError, match="'y'"):
        filled(page, {"y": "new"})


def test_scores_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv"
    assert read_scores(path) == []
    later = SystemScore("bleu", Place("wmt20", "en-de"), "a b", 1.25)
    first = SystemScore("chrf", Place("wmt20", "en-de"), "a", 50.0)
    write_scores(path, [later, first])
    assert read_scores(path) == [first, later]


def test_forms_are_judged_on_years_left_out() -> None:
    rng = np.random.default_rng(1)
    places = []
    for number in range(6):
        quality = rng.normal(0, 3, 12)
        noise = np.where(rng.random(12) < 0.2, 20.0, 0.5)  # some that no metric gets right
        places.append(
            JudgedSystems(
                place=f"wmt{number % 3} de-en",
                human="esa",
                scores=quality,
                judgments=quality + noise * rng.normal(0, 1, 12),
            )
        )
    losses = held_out_losses(places)
    assert list(losses) == [form.name for form in FORMS]
    assert losses["logistic with a ceiling"] < losses["logistic"] < 1
