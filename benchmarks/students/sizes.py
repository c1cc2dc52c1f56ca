"""How much is computed at once, and how much there is of it. Needs nothing but Python."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes that fit one GPU of 140 GB.

    Attributes:
        segments: Segments of plain text that are made at a time in the first stage.
        first_subwords: Subwords of a step of the first stage.
        second_subwords: Those of a step of the second stage.
        compared_subwords: Those that are compared at once for labels.
        judged_subwords: Those that teachers judge at once.
        direct: Most pairs of systems and references that are judged: all there are.
        peers: Most pairs of two systems that are judged.
        damaged: Most pairs with damaged texts.
        trips: Most pairs with round trips of texts of test sets.
        plain_segments: Segments of plain text that are judged; each gives four pairs.
        drawn: Most judged translations that a step of a teacher reads, and most pairs of each kind.
        every: Steps between two lines of a log.
    """

    segments: int = 16_384
    first_subwords: int = 40_960
    second_subwords: int = 36_864
    compared_subwords: int = 65_536
    judged_subwords: int = 98_304
    direct: int = 10_000_000
    peers: int = 280_000
    damaged: int = 90_000
    trips: int = 200_000
    plain_segments: int = 125_000
    drawn: int = 10_000
    every: int = 500


USUAL = Sizes()
TRIAL = Sizes(
    segments=32,
    first_subwords=2_048,
    second_subwords=1_024,
    compared_subwords=2_048,
    judged_subwords=2_048,
    direct=60,
    peers=40,
    damaged=20,
    trips=20,
    plain_segments=8,
    drawn=4,
    every=5,
)
"""For a look at whether everything runs, on a processor: what comes of it is worth nothing."""
