"""Shares by difference, differences by share, and which curve a metric gets."""

from dataclasses import replace
from math import inf, isnan, nan

import pytest

from tenbin.core.difference_curve import (
    FEWEST_PAIRS,
    FEWEST_PLACES,
    BandPoint,
    DifferenceCurve,
    TargetGroup,
    fitting_curve,
    settings_digest,
)
from tenbin.core.signature import Signature

SIGNATURE = Signature.parse("chrf|lang:en|nrefs:1|nc:6|resource:a=1|version:tenbin=0.1.0")
CURVE = DifferenceCurve(
    metric="chrf",
    target=TargetGroup.ANY,
    slope=0.8,
    ceiling=0.96,
    band=(BandPoint(0.0, 0.5, 0.5), BandPoint(2.0, 0.7, 0.9), BandPoint(10.0, 0.9, 1.0)),
    pairs=FEWEST_PAIRS,
    places=tuple("abcde"),
    agreement=0.8,
    largest=10.0,
    settings=(settings_digest(SIGNATURE),),
)


def test_the_share_rises_from_half_to_the_ceiling() -> None:
    assert CURVE.share(0.0).value == 0.5
    values = [CURVE.share(float(size)).value for size in range(10)]
    assert values == sorted(values)
    assert CURVE.share(1e6).value == pytest.approx(0.96)


def test_the_sign_of_a_difference_does_not_matter() -> None:
    assert CURVE.share(-1.5) == CURVE.share(1.5)


@pytest.mark.parametrize("share", [0.6, 0.7, 0.8, 0.9, 0.95])
def test_the_needed_difference_gives_the_share(share: float) -> None:
    assert CURVE.share(CURVE.needed(share).value).value == pytest.approx(share)


def test_no_difference_is_enough_above_the_ceiling() -> None:
    assert CURVE.needed(0.97).value == inf
    assert replace(CURVE, slope=0.0).needed(0.6).value == inf


def test_intervals_are_read_off_the_band() -> None:
    share = CURVE.share(1.0)
    assert (share.low, share.high) == pytest.approx((0.6, 0.7))
    needed = CURVE.needed(0.8)
    assert (needed.low, needed.high) == pytest.approx((1.5, 6.0))
    assert CURVE.needed(0.95).high == inf  # the lower end of the band never gets there


def test_a_difference_larger_than_any_seen_says_so() -> None:
    assert not CURVE.share(10.0).is_beyond
    beyond = CURVE.share(10.1)
    assert beyond.is_beyond
    assert (beyond.low, beyond.high) == (0.9, 1.0)


def test_an_undefined_difference_has_no_share() -> None:
    assert isnan(CURVE.share(nan).value)
    assert isnan(replace(CURVE, slope=nan).share(1.0).value)


@pytest.mark.parametrize(
    "few",
    [
        {"pairs": FEWEST_PAIRS - 1},
        {"places": tuple("abcde")[: FEWEST_PLACES - 1]},
        {"slope": nan},
    ],
)
def test_too_few_pairs_are_not_shown(few: dict[str, object]) -> None:
    assert fitting_curve([CURVE], SIGNATURE, spaced=True) is CURVE
    weak = replace(CURVE, **few)  # type: ignore[arg-type]
    assert not weak.is_reliable
    assert fitting_curve([weak], SIGNATURE, spaced=True) is None


@pytest.mark.parametrize(
    "same",
    [
        "chrf|ar:99|unit:segments|seed:7|lang:de|nrefs:1|nc:6|resource:a=1|version:tenbin=9",
        "chrf|bs:99|lang:en|nrefs:1|nc:6|language:en|device:cuda|resource:a=1",
    ],
)
def test_runs_and_versions_do_not_change_the_settings(same: str) -> None:
    assert fitting_curve([CURVE], Signature.parse(same), spaced=True) is CURVE


@pytest.mark.parametrize(
    "other",
    [
        "chrf|lang:en|nrefs:2|nc:6|resource:a=1",
        "chrf|lang:en|nrefs:1|nc:5|resource:a=1",
        "chrf|lang:en|nrefs:1|nc:6|resource:a=2",
        "chrf|lang:en|nrefs:1|nc:6",
        "bleu|lang:en|nrefs:1|nc:6|resource:a=1",
    ],
)
def test_other_settings_have_no_curve(other: str) -> None:
    assert fitting_curve([CURVE], Signature.parse(other), spaced=True) is None


def test_a_curve_of_languages_with_spaces_is_for_no_other() -> None:
    spaced = replace(CURVE, target=TargetGroup.SPACED)
    assert fitting_curve([spaced], SIGNATURE, spaced=True) is spaced
    assert fitting_curve([spaced], SIGNATURE, spaced=False) is None
