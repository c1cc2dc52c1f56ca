"""BERTScore explained: which piece is the most similar one of which, and the way to the score."""

from dataclasses import replace

import numpy as np

from tenbin.core.alignment import Alignment, MatchKind
from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.contextual.baseline import Baseline
from tenbin.metrics.contextual.greedy_metric import PairFacts
from tenbin.metrics.penalty_steps import side_steps
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Float32Array
from tenbin.metrics.vectors.links import Mask, Sides, added, divided, linked, n

_MEASURES = ("precision", "recall", "F")


def reasons(
    sides: Sides,
    similarities: Float32Array,
    facts: PairFacts,
    measure: int,
    levels: Baseline | None,
) -> Reasons:
    """Return the most similar pieces as links, and the steps to the score.

    Args:
        sides: The pieces.
        similarities: Of each piece with each piece.
        facts: Their weights, and what is punished.
        measure: Which of precision, recall and F is the score.
        levels: What becomes 0.
    """
    links, steps, (precision, recall) = both_sides(sides, similarities, facts)
    positive = precision > 0 and recall > 0
    whole = 2 * precision * recall / (precision + recall) if positive else 0.0
    written = f"2 × {n(precision)} × {n(recall)} / ({n(precision)} + {n(recall)})"
    by_both = Step("F", "harmonic mean of both", written if positive else "0", whole)
    label, score = _MEASURES[measure], (precision, recall, whole)[measure]
    if levels is not None:
        level = levels[measure]
        steps += [by_both] if label == "F" else []
        formula = f"({n(score)} - {n(level)}) / (1 - {n(level)})"
        meaning = f"the {label}, with what unrelated texts score at 0"
        steps.append(Step("score", meaning, formula, (score - level) / (1 - level)))
    elif label == "F":
        steps.append(replace(by_both, label="score"))
    else:
        steps.append(Step("score", f"the {label} alone", "", score))
    return links, tuple(steps)


def both_sides(
    sides: Sides, similarities: Float32Array, facts: PairFacts
) -> tuple[Alignment, list[Step], tuple[float, float]]:
    """Return the most similar pieces as links, the steps to precision and recall, and these.

    Args:
        sides: The pieces.
        similarities: Of each piece with each piece.
        facts: Their weights, and what is punished.
    """
    weights = facts.weights
    forth = np.zeros(similarities.shape, dtype=np.bool_)
    back = np.zeros(similarities.shape, dtype=np.bool_)
    steps = []
    values = []
    directions = (
        ("precision", "translation", similarities, weights[0], forth),
        ("recall", "reference", similarities.T, weights[1], back.T),
    )
    for label, name, block, own, mark in directions:
        total = added(own)
        found = _covered(block, own, mark) if facts.scored else 0.0
        formula, value = divided(found, total if facts.scored else 0.0)
        meaning = f"pieces of the {name}: weight × similarity of the most similar / weight"
        steps.append(Step(label, meaning, formula, value))
        values.append(value)
    for place, label in enumerate(_MEASURES[:2]):
        if facts.kept[place] < 1 and values[place] > 0:
            steps += side_steps(label, values[place], facts.kept[place], facts.punished[place])
            values[place] *= facts.kept[place]

    def reason(own: int, other: int) -> str:
        side = "the translation" if forth[own, other] else "the reference"
        side = "both" if forth[own, other] and back[own, other] else side
        return f"best for {side}, weights {n(weights[0][own])} and {n(weights[1][other])}"

    links = in_context(linked(sides, similarities, forth | back, reason=reason))
    return links, steps, (values[0], values[1])


def in_context(links: Alignment) -> Alignment:
    """Return links by vectors as links by vectors in context."""
    matches = tuple(
        replace(match, kind=MatchKind.CONTEXT) if match.kind is MatchKind.VECTOR else match
        for match in links.matches
    )
    return replace(links, matches=matches)


def _covered(block: Float32Array, weights: FloatArray, mark: Mask) -> float:
    """Return the weighted similarities of the best of each row; mark the links that weigh."""
    if not block.size:
        return 0.0
    best = block.argmax(axis=1)
    rows = np.arange(len(block))
    mark[rows[weights > 0], best[weights > 0]] = True
    return added(weights * block[rows, best])
