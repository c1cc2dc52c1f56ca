"""Which links of an alignment a reader can do without."""

from dataclasses import dataclass
from statistics import median

from tenbin.core.alignment import Alignment, Match, MatchKind

# A smaller mass would be shown as 0.00.
_LEAST_MASS = 0.005
# Vectors of frequent words are this similar by chance.
_LEAST_SIMILARITY = 0.5


@dataclass(frozen=True, slots=True)
class Folding:
    """The links that are shown, and how many are not.

    Attributes:
        threshold: The number below which links are left out.
        shown: The links that are left.
        folded: How many links were left out.
    """

    threshold: float
    shown: tuple[Match, ...]
    folded: int


def folded_links(alignment: Alignment, threshold: float | None = None) -> Folding:
    """Return the links of an alignment in which a word may have many, without the weak ones.

    The most similar link of each word always stays: it is what the word has. Without a threshold,
    other links must reach 0.5, and what the best link of an average word reaches that the other
    side does not have itself (the median over such words). Where mass is moved, only links stay
    that move at least 0.005 of it.

    Args:
        alignment: The links.
        threshold: The least number that is shown; 0 for all links.
    """
    matches = alignment.matches
    if any(match.mass is not None for match in matches):
        least = _LEAST_MASS if threshold is None else threshold
        shown = tuple(match for match in matches if (match.mass or 0.0) >= least)
        return Folding(least, shown, len(matches) - len(shown))
    if threshold is not None and threshold <= 0:
        return Folding(threshold, matches, 0)
    best = _best_links(matches)
    least = _usual_threshold(best) if threshold is None else threshold
    kept = set(map(id, best))
    shown = tuple(one for one in matches if one.similarity >= least or id(one) in kept)
    return Folding(least, shown, len(matches) - len(shown))


def _usual_threshold(best: list[Match]) -> float:
    numbers = [match.similarity for match in best if match.kind is not MatchKind.EXACT]
    return max(_LEAST_SIMILARITY, median(numbers)) if numbers else _LEAST_SIMILARITY


def _best_links(matches: tuple[Match, ...]) -> list[Match]:
    """Return the most similar link of each word of both sides."""
    own: dict[int, Match] = {}
    other: dict[int, Match] = {}
    for match in sorted(matches, key=lambda match: match.similarity):
        own[match.hypothesis.start] = other[match.reference.start] = match
    return [*own.values(), *other.values()]
