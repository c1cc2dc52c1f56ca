"""How often damaged texts score below good ones."""

from typing import NamedTuple

import tenbin
from benchmarks.robustness.cases import Case


class Share(NamedTuple):
    """How many of some cases a metric gets right.

    Attributes:
        below: The share of damaged texts that score below the good one.
        cases: How many cases there were.
        wrong: The cases in which they do not.
    """

    below: float
    cases: int
    wrong: list[Case]


def share_below(metric: str, cases: list[Case], language: str) -> Share:
    """Return how often a metric scores the damaged text below the good one."""
    references = [case.reference for case in cases]
    table = tenbin.score(
        {"good": [case.good for case in cases], "damaged": [case.damaged for case in cases]},
        references,
        metrics=[metric],
        language=language,
        segments=True,
    )
    scores = table.results[0]
    if scores.segments is None:
        raise ValueError("segment scores were asked for")
    good, damaged = scores.segments
    right = damaged < good if scores.higher_is_better else damaged > good
    wrong = [case for case, one in zip(cases, right.tolist(), strict=True) if not one]
    return Share(1 - len(wrong) / max(len(cases), 1), len(cases), wrong)
