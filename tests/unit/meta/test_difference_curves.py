"""Curves fitted on judged systems."""

import json
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.api.meta import fit_curves
from tenbin.core.difference_curve import FEWEST_PAIRS, FEWEST_PLACES, TargetGroup
from tenbin.core.errors import InputError
from tenbin.meta.curves import JudgedSystems, curve_points, fit_curve
from tenbin.stats.preference_curve import agreement_chance

TEXT = "the old house by the river was sold to a man from the north last week"
WORDS = tuple(TEXT.split(" "))


def places(count: int, systems: int = 9, noise: float = 1.0) -> list[JudgedSystems]:
    rng = np.random.default_rng(3)
    found = []
    for number in range(count):
        quality = rng.normal(0, 2, systems)
        found.append(
            JudgedSystems(
                place=f"set{number} de-en",
                human="da-z",
                scores=quality,
                judgments=quality + rng.normal(0, noise, systems),
                settings=f"{number % 2}",
            )
        )
    return found


def test_a_curve_says_what_it_was_fitted_on() -> None:
    data = places(6)
    curve = fit_curve("m", data, resamples=50, seed=1, target=TargetGroup.SPACED)
    assert curve.pairs == 6 * 36 >= FEWEST_PAIRS
    assert curve.places == tuple(one.place for one in data)
    assert curve.settings == ("0", "1")
    assert curve.target is TargetGroup.SPACED
    assert curve.is_reliable
    points = list(curve_points("m", data))
    assert sum(point.pairs for point in points) == curve.pairs
    mean = sum(point.pairs * point.agreement for point in points) / curve.pairs
    assert mean == pytest.approx(curve.agreement)


def test_small_differences_agree_less_often() -> None:
    curve = fit_curve("m", places(20), resamples=0, seed=1)
    assert 0.5 < curve.share(0.3).value < 0.7 < curve.share(2.0).value < curve.share(6.0).value


def test_the_same_seed_gives_the_same_curve() -> None:
    one, two = (fit_curve("m", places(6), resamples=40, seed=5) for _ in range(2))
    assert one == two
    assert one.band != fit_curve("m", places(6), resamples=40, seed=6).band


def test_the_band_holds_the_curve_and_narrows_with_more_places() -> None:
    few, many = (fit_curve("m", places(n), resamples=200, seed=5) for n in (5, 60))
    for curve in (few, many):
        share = curve.share(1.5)
        assert share.low <= share.value <= share.high
    assert many.share(1.5).high - many.share(1.5).low < few.share(1.5).high - few.share(1.5).low


def test_whole_places_are_drawn() -> None:
    """Pairs of one place are dependent: ten copies of every system are no further evidence."""
    alone = places(8)
    copied = [
        JudgedSystems(
            place=one.place,
            human=one.human,
            scores=np.repeat(one.scores, 3) + 1e-9 * np.arange(27),
            judgments=np.repeat(one.judgments, 3) + 1e-9 * np.arange(27),
        )
        for one in alone
    ]
    widths = []
    for data in (alone, copied):
        share = fit_curve("m", data, resamples=200, seed=5).share(1.5)
        widths.append(share.high - share.low)
    assert widths[1] > 0.7 * widths[0]


def test_pairs_that_people_tie_are_left_out_and_ties_of_the_metric_are_half_right() -> None:
    tied = JudgedSystems(
        place="a b",
        human="esa",
        scores=np.array([1.0, 1.0, 2.0]),
        judgments=np.array([5.0, 6.0, 6.0]),
    )
    (point,) = curve_points("m", [tied])
    assert point.pairs == 2
    assert point.agreement == 0.75


def test_one_place_draws_its_systems() -> None:
    curve = fit_curve("m", places(1, systems=30), resamples=100, seed=5)
    share = curve.share(1.5)
    assert share.low < share.value < share.high
    assert not curve.is_reliable
    assert len(curve.places) < FEWEST_PLACES


def test_people_who_always_agree_give_no_curve() -> None:
    curve = fit_curve("m", places(6, noise=0.0), resamples=10, seed=5)
    assert np.isnan(curve.slope)
    assert curve.agreement == 1.0
    assert not curve.is_reliable


def write_set(folder: Path, pair: str, seed: int, *, systems: int = 8) -> None:
    """Write a test set whose systems lose more and more words, and judgments that mostly agree."""
    rng = np.random.default_rng(seed)
    outputs, judged = {}, {}
    for number in range(systems):
        name = f"system{number}"
        kept = 0.95 - 0.08 * number
        outputs[name] = [
            " ".join(word for word in WORDS if rng.random() < kept) or WORDS[0] for _ in range(12)
        ]
        judged[name] = kept + rng.normal(0, 0.15)
    for part in ("references", f"system-outputs/{pair}", "human-scores", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    reference = "\n".join([" ".join(WORDS)] * 12) + "\n"
    (folder / "references" / f"{pair}.refA.txt").write_text(reference)
    (folder / "sources" / f"{pair}.txt").write_text(reference)
    for name, lines in outputs.items():
        path = folder / "system-outputs" / pair / f"{name}.txt"
        path.write_text("\n".join(lines) + "\n")
    rows = "".join(f"{name}\t{score:.4f}\n" for name, score in judged.items())
    (folder / "human-scores" / f"{pair}.esa.sys.score").write_text(rows)


@pytest.fixture(scope="module")
def judged_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "ours"
    for seed, pair in enumerate(("cs-en", "de-en", "fr-en", "ja-en", "ru-en")):
        write_set(folder, pair, seed)
    return folder


def test_curves_of_a_set_serve_a_comparison(judged_set: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "ours.json")
    table = fit_curves(
        str(judged_set), metrics=["chrf", "ter"], resamples=50, output=output, cache=False
    )
    assert [curve.metric for curve in table.curves] == ["chrf", "ter"]
    assert all(curve.pairs == 5 * 28 and curve.is_reliable for curve in table.curves)
    assert table.source == "ours"
    text = str(table)
    assert "60 %" in text
    assert "95 %" in text
    data = table.to_dict()
    assert [one["share"] for one in data["curves"][0]["needed"]] == [0.6, 0.7, 0.8, 0.9, 0.95]
    for curves in (output, table):
        compared = tenbin.compare(
            {"a": ["the old house"], "b": ["the house"]},
            ["the old houses"],
            metrics=["ter", "chrf(beta=1)"],
            language="de",
            curves=curves,
            rounds=9,
        )
        own, other = compared.metrics
        share = own.share(0, 1)
        assert other.curve is None
        assert own.curve is not None
        assert share is not None
        expected = agreement_chance(
            np.abs(own.differences[0, 1]), own.curve.slope, own.curve.ceiling
        )
        assert share.value == pytest.approx(float(expected), rel=1e-4)
        printed = " ".join(str(compared).split())
        assert "people: share of ours system pairs" in printed
        assert "140 pairs (5 language pairs of ours)" in printed
        assert "not known for chrf(beta=1)" in printed


def test_files_of_scores_give_a_curve_with_a_note(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    quality = rng.normal(0, 1, 12)
    human = quality + rng.normal(0, 0.7, 12)
    for name, values in (("mine", quality), ("people", human)):
        lines = [f"s{number}\t{value}" for number, value in enumerate(values)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["system\tscore", *lines]) + "\n")
    table = fit_curves(
        scores=str(tmp_path / "mine.tsv"),
        human_scores=str(tmp_path / "people.tsv"),
        columns={"segment": None},
        resamples=20,
    )
    assert table.curves[0].pairs == 66
    assert "fewer than 100 system pairs from 5 language pairs" in " ".join(table.notes)
    assert json.loads(table.to_json())["curves"][0]["reliable"] is False


def test_one_system_is_not_enough(tmp_path: Path) -> None:
    write_set(tmp_path / "small", "de-en", 1, systems=1)
    with pytest.raises(InputError, match="at least two systems"):
        fit_curves(str(tmp_path / "small"), "de-en", metrics=["chrf"], resamples=5, cache=False)
