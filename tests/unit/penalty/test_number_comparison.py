"""Numbers of two texts compared: other notations are equal, other values are not."""

import pytest

from tenbin.penalty.numbers.comparison import compared_numbers
from tenbin.penalty.numbers.recognition import numbers


def left_over(own: str, other: str, language: str) -> tuple[list[str], list[str]]:
    compared = compared_numbers(numbers(own, language), numbers(other, language))
    return [one.text for one in compared.extra], [one.text for one in compared.missing]


@pytest.mark.parametrize(
    ("own", "other", "language"),
    [
        ("On 3 March 2020 at 3:30 p.m.", "2020-03-03, 15:30", "en"),
        ("Three hundred and twenty people", "320 people", "en"),
        ("$15", "15 dollars", "en"),
        ("1.2 million euros", "€1,200,000", "en"),
        ("5 km", "5000 metres", "en"),
        ("5 miles", "8 km", "en"),  # converted and rounded
        ("5 cats", "5 kilos of cats", "en"),  # a bare number fits any quantity
        ("90 minutes", "1.5 hours", "en"),
        ("one of the first", "some of those", "en"),
        ("the one", "the 1", "en"),  # what may be a number may answer one
        ("9:30", "21:30", "en"),  # morning or evening is not said
        ("the 1970s", "the seventies", "en"),
        ("150 lbs", "150 pounds", "en"),
        ("£150", "150 pounds", "en"),
        ("72 °F", "72 degrees", "en"),
        ("72 °C", "72 degrees", "en"),
        ("7pm", "7 in the evening", "en"),
        ("at noon", "at 12 p.m.", "en"),
        ("twice, by half", "2 times, by 50%", "en"),
        ("World War II", "the Second World War", "en"),
        ("5キロ", "5km", "ja"),
        ("5キロ", "5kg", "ja"),
        ("90分", "1時間半", "ja"),
        ("ふたり", "二人", "ja"),
        ("90年代", "1990年代", "ja"),
        ("三年", "3年間", "ja"),
        ("+44 7624 800 100", "+44 7624 800100", "en"),
        ("令和5年3月3日", "2023年三月三日", "ja"),
        ("三日", "3日間", "ja"),
        ("午後3時半", "15時30分", "ja"),
        ("二割", "20％", "ja"),  # noqa: RUF001 - full width is the point
        ("drei Hunde", "3 Hunde", "de"),
        ("10.000 €", "10 000 €", "de"),
    ],
)
def test_other_notations(own: str, other: str, language: str) -> None:
    assert left_over(own, other, language) == ([], [])
    assert left_over(other, own, language) == ([], [])


@pytest.mark.parametrize(
    ("own", "other", "language", "expected"),
    [
        ("5 March", "3 May", "en", (["5", "March"], ["3", "May"])),  # not swapped either
        ("5月3日", "3月5日", "ja", (["5月", "3日"], ["3月", "5日"])),
        ("5 km", "5 kg", "en", (["5 km"], ["5 kg"])),
        ("100 yen", "100 dollars", "en", (["100 yen"], ["100 dollars"])),
        ("3 p.m.", "3 a.m.", "en", (["3 p.m."], ["3 a.m."])),
        ("-5 °C", "5 °C", "en", (["-5 °C"], ["5 °C"])),
        ("3 and 3", "3", "en", (["3"], [])),  # a multiset
        ("nothing", "7 dogs", "en", ([], ["7"])),
        ("1 in 5", "one in 5", "en", ([], [])),
        ("1, one-time", "1", "en", ([], [])),  # the sure number is answered first
        ("1.2 billion", "1.2 million", "en", (["1.2 billion"], ["1.2 million"])),
        ("Monday", "Thursday", "en", (["Monday"], ["Thursday"])),
        ("3 days", "3 weeks", "en", (["3 days"], ["3 weeks"])),
        ("the 1970s", "the 1960s", "en", (["1970s"], ["1960s"])),
        ("5 pounds", "5 kg", "en", (["5 pounds"], ["5 kg"])),
        ("25 MB", "25 GB", "en", (["25 MB"], ["25 GB"])),
        ("60 mph", "60 km/h", "en", (["60 mph"], ["60 km"])),
        ("5キロ", "5メートル", "ja", (["5キロ"], ["5メートル"])),
        ("20分", "20秒", "ja", (["20分"], ["20秒"])),
        ("3日", "3年間", "ja", (["3日"], ["3年間"])),
    ],
)
def test_other_values(
    own: str, other: str, language: str, expected: tuple[list[str], list[str]]
) -> None:
    assert left_over(own, other, language) == expected


def test_coefficients() -> None:
    compared = compared_numbers(numbers("3 dogs, 4 cats", "en"), numbers("3 dogs", "en"))
    assert compared.coefficients == ([1.0, 0.0], [1.0])
    assert compared_numbers((), ()).coefficients == ([], [])
