"""Links between words as explanations show them, and numbers as their steps write them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray

Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of the translation and of the reference."""

Mask = npt.NDArray[np.bool_]

_MEASURES = {MatchKind.VECTOR: "cosine", MatchKind.SPELLING: "common piece"}


def linked(
    sides: Sides,
    similarities: npt.NDArray[np.floating],
    chosen: Mask,
    *,
    exclusive: bool = False,
    kind: MatchKind = MatchKind.VECTOR,
    reason: Callable[[int, int], str] | None = None,
) -> Alignment:
    """Return an alignment of the word pairs that are chosen, in the order of the translation.

    Args:
        sides: The words.
        similarities: Of each word with each word.
        chosen: Which pairs are links.
        exclusive: Whether no word has two links.
        kind: What makes words that are not equal similar.
        reason: What to say about a link, besides its similarity.
    """
    matches = []
    for own, other in np.argwhere(chosen).tolist():
        similarity = float(similarities[own, other])
        equal = sides[0][own] == sides[1][other]
        said = [] if equal and similarity == 1 else [f"{_MEASURES[kind]} {similarity:.3f}"]
        if reason is not None:
            said.append(reason(own, other))
        matches.append(
            Match(
                hypothesis=Span(own, own + 1),
                reference=Span(other, other + 1),
                kind=MatchKind.EXACT if equal else kind,
                similarity=similarity,
                evidence=", ".join(said) or sides[0][own],
            )
        )
    return Alignment(
        hypothesis=sides[0], reference=sides[1], matches=tuple(matches), exclusive=exclusive
    )


def flowing(
    sides: Sides, similarities: FloatArray, flow: FloatArray, cost: FloatArray
) -> Alignment:
    """Return an alignment of the word pairs between which weight is moved.

    Args:
        sides: The words.
        similarities: Of each word with each word.
        flow: How much weight moves from each word to each word.
        cost: What moving one unit costs.
    """
    plain = linked(sides, similarities, flow > 0)
    matches = []
    for match in plain.matches:
        place = match.hypothesis.start, match.reference.start
        mass, price = float(flow[place]), float(cost[place])
        moved = f"moves {n(mass)} at a cost of {n(price)}, together {n(mass * price)}"
        said = f"{match.evidence}, {moved}" if match.kind is not MatchKind.EXACT else moved
        matches.append(replace(match, evidence=said, mass=mass, cost=price))
    return replace(plain, matches=tuple(matches))


def added(values: npt.NDArray[np.floating]) -> float:
    """Return a sum in 64 bits, one number after the other."""
    return float(sum(values.astype(np.float64).tolist()))


def n(number: float) -> str:
    """Return a number with up to four decimals."""
    return f"{number:.4f}".rstrip("0").rstrip(".") if number else "0"


def divided(numerator: float, denominator: float) -> tuple[str, float]:
    """Return a quotient in writing, and its value; 0 where there is nothing to count."""
    if not denominator:
        return "0, for there is nothing to count", 0.0
    return f"{n(numerator)} / {n(denominator)}", numerator / denominator
