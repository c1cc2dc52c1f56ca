"""What metrics declare about their numbers and the ends of their parameters."""

from math import inf

import pytest

from tenbin.core.errors import InvalidParameter
from tenbin.metrics import registry
from tenbin.metrics.catalogue import describe_metric

PERCENT = {"bleu", "chrf", "per", "sentbleu", "ter", "wer"}


@pytest.mark.parametrize("name", registry.metric_names())
def test_shares_have_four_decimals_and_percentages_two(name: str) -> None:
    info = registry.metric_class(name).info
    assert info.decimals == (2 if name in PERCENT else 4)
    assert info.minimum in ({0.0} if name in PERCENT else {0.0, -1.0, -2.0})
    assert info.maximum in ({100.0, inf} if name in PERCENT else {1.0, inf})


def test_short_names_are_listed_with_their_own_metric() -> None:
    assert describe_metric("chrf").aliases == (
        "chrf+ = chrf(word_order=1)",
        "chrf++ = chrf(word_order=2)",
    )
    assert describe_metric("bleu").aliases == ()
    assert [one.split(" = ")[0] for one in describe_metric("meteor").aliases] == [
        name for name in registry.ALIASES if name.startswith("meteor")
    ]


# The ends that belong to a range, and what lies just outside of it.
ENDS = [
    *(("impact", "alpha", end, ok) for end, ok in ((0, True), (-0.01, False), (1, False))),
    *(("impact", "beta", end, ok) for end, ok in ((1.2, True), (0, False))),
    *(("ribes", name, end, ok) for name in ("alpha", "beta") for end, ok in ((0, 1), (-0.01, 0))),
    *(
        ("tenbin", name, end, ok)
        for name in ("alpha", "position", "punctuation", "sentence", "letters")
        for end, ok in ((0, True), (1, True), (-0.01, False), (1.01, False))
    ),
    *(("mee", "alpha", end, ok) for end, ok in ((0, True), (1, True), (1.01, False))),
    *(("mee", "root", end, ok) for end, ok in ((1, True), (1.01, False), (0.39, False))),
    *(("mee", "synonym", end, ok) for end, ok in ((-1, True), (0.5, True), (0.51, False))),
    *(("meteor", "threshold", end, ok) for end, ok in ((0, True), (1, True), (1.01, False))),
    *(("meteor", "beam", end, ok) for end, ok in ((1, True), (0, False))),
    *((n, "threshold", end, ok) for n in ("was", "mas", "has") for end, ok in ((-1, 1), (1, 1))),
    *(("chrf", "char_order", end, ok) for end, ok in ((1, True), (12, True), (13, False))),
    *(("chrf", "word_order", end, ok) for end, ok in ((0, True), (12, True), (13, False))),
    *(("bleu", "max_order", end, ok) for end, ok in ((1, True), (10, True), (11, False))),
    *(("yisi1", "ngram", end, ok) for end, ok in ((1, True), (0, False))),
    *(("paraeval", "min_length", end, ok) for end, ok in ((1, True), (0, False))),
]


@pytest.mark.parametrize(("name", "parameter", "end", "accepted"), ENDS)
def test_the_ends_of_a_range(name: str, parameter: str, end: float, accepted: object) -> None:
    spec = f"{name}({parameter}={end})"
    if accepted:
        assert getattr(registry.load(spec), parameter) == end
    else:
        with pytest.raises(InvalidParameter):
            registry.load(spec)
