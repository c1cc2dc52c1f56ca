"""Links between tokens as explanations show them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.kernels.similarity.blocks import MOST_OF_DIFFERENT_WORDS
from tenbin.metrics.representations.compared import Compared
from tenbin.metrics.representations.vector_tokens import VectorTokens
from tenbin.metrics.written_numbers import n

Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of the translation and of the reference."""

MOST_LINKS = 100_000
"""Links of an explanation; long texts of which every word is linked with every word have more."""

Mask = npt.NDArray[np.bool_]

_MEASURES = {
    MatchKind.VECTOR: "cosine",
    MatchKind.CONTEXT: "cosine",
    MatchKind.SPELLING: "common substring",
}


def link(own: int, other: int, kind: MatchKind, similarity: float, evidence: str) -> Match:
    """Return the link of one token with one token."""
    return Match(
        hypothesis=Span(own, own + 1),
        reference=Span(other, other + 1),
        kind=kind,
        similarity=similarity,
        evidence=evidence,
    )


def linked(
    compared: Compared,
    similarities: npt.NDArray[np.floating],
    chosen: Mask,
    *,
    exclusive: bool = False,
    reason: Callable[[int, int], str] | None = None,
) -> Alignment:
    """Return an alignment of the word pairs that are chosen, in the order of the translation.

    Args:
        compared: The pair of texts.
        similarities: Of each word with each word.
        chosen: Which pairs are links; of more than `MOST_LINKS` those that are most similar.
        exclusive: Whether no word has two links.
        reason: What to say about a link, besides its similarity.
    """
    sides, usual = compared.words(), compared.representation.match_kind
    sharing = compared.same_vectors()
    matches = []
    for own, other in _strongest(chosen, similarities).tolist():
        similarity = float(similarities[own, other])
        equal = sides[0][own] == sides[1][other]
        kind, measure = usual, f"{_MEASURES[usual]} {similarity:.3f}"
        if sharing is not None and sharing[own, other] and similarity < MOST_OF_DIFFERENT_WORDS:
            kind, measure = MatchKind.SPELLING, f"one vector for both, spelling {similarity:.3f}"
        said = [] if equal and similarity == 1 else [measure]
        if reason is not None:
            said.append(reason(own, other))
        evidence = ", ".join(said) or sides[0][own]
        matches.append(link(own, other, MatchKind.EXACT if equal else kind, similarity, evidence))
    return Alignment(
        hypothesis=sides[0], reference=sides[1], matches=tuple(matches), exclusive=exclusive
    )


def without_special_tokens(alignment: Alignment, compared: Compared) -> Alignment:
    """Return an alignment without the special tokens that are part of no link.

    They stand in no text, so that nobody can miss them there.

    Args:
        alignment: Links of single tokens.
        compared: The pair of texts.
    """
    tokens = compared.tokens
    if not isinstance(tokens, VectorTokens) or tokens.is_special is None:
        return alignment
    matches = alignment.matches
    kept = []
    for side, used in zip(
        compared.rows,
        ([one.hypothesis.start for one in matches], [one.reference.start for one in matches]),
        strict=True,
    ):
        shown = ~tokens.is_special[tokens.rows.row(int(side[0]))]
        shown[used] = True
        kept.append(shown)
    own, other = (np.cumsum(shown) - 1 for shown in kept)
    return replace(
        alignment,
        hypothesis=tuple(compress(alignment.hypothesis, kept[0])),
        reference=tuple(compress(alignment.reference, kept[1])),
        matches=tuple(
            replace(
                one,
                hypothesis=_moved(one.hypothesis, own),
                reference=_moved(one.reference, other),
            )
            for one in matches
        ),
    )


def _moved(span: Span, places: IntArray) -> Span:
    start = int(places[span.start])
    return Span(start, start + 1)


def _strongest(chosen: Mask, similarities: npt.NDArray[np.floating]) -> IntArray:
    """Return the pairs that are shown, in the order of the translation."""
    pairs: IntArray = np.argwhere(chosen)
    if len(pairs) <= MOST_LINKS:
        return pairs
    # The first wins a tie.
    order = np.argsort(-similarities[chosen], kind="stable")[:MOST_LINKS]
    return pairs[np.sort(order)]


def flowing(
    compared: Compared, similarities: FloatArray, flow: FloatArray, cost: FloatArray
) -> Alignment:
    """Return an alignment of the word pairs between which weight is moved.

    Args:
        compared: The pair of texts.
        similarities: Of each word with each word.
        flow: How much weight moves from each word to each word.
        cost: What moving one unit costs.
    """
    plain = linked(compared, similarities, flow > 0)
    matches = []
    for match in plain.matches:
        place = match.hypothesis.start, match.reference.start
        mass, price = float(flow[place]), float(cost[place])
        moved = f"moves {n(mass)} at a cost of {n(price)}, together {n(mass * price)}"
        said = f"{match.evidence}, {moved}" if match.kind is not MatchKind.EXACT else moved
        matches.append(replace(match, evidence=said, mass=mass, cost=price))
    return replace(plain, matches=tuple(matches))
