"""Systems and human translators as a metric ranks them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSystem:
    """A system or human translator.

    Attributes:
        name: Its name.
        score: Score by the metric; higher is better.
        interval: 95 % interval of the score, where it is known.
        human_score: Score by people, where it is known.
        is_human: Whether it is a translation by people.
    """

    name: str
    score: float
    interval: tuple[float, float] | None
    human_score: float | None
    is_human: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRanking:
    """Systems by one metric on one language pair."""

    title: str
    systems: tuple[RankedSystem, ...]
