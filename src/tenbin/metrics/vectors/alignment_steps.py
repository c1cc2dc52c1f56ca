"""WAS, MAS and HAS explained: the links that are kept, and how they make the score."""

import numpy as np

from tenbin.core.explanation import Step
from tenbin.metrics.vectors.block_metric import Reasons
from tenbin.metrics.vectors.blocks import Float32Array
from tenbin.metrics.vectors.choices import Rejected
from tenbin.metrics.vectors.links import Mask, Sides, added, divided, linked, n


def whole(
    sides: Sides, similarities: Float32Array, kept: Mask, threshold: float, rejected: Rejected
) -> Reasons:
    """Return all pairs of words that are kept and not quite unlike, and their mean."""
    height, width = similarities.shape
    total, count = added(similarities[kept]), int(kept.sum())
    pairs = Step(
        "pairs",
        "words of the translation × of the reference",
        f"{height} × {width}",
        height * width,
    )
    divisor = count if rejected is Rejected.SURVIVORS else height * width
    formula, score = divided(total, divisor)
    return linked(sides, similarities, kept & (similarities != 0)), (
        pairs,
        _kept_step("pairs kept", count, threshold),
        Step("sum", "their cosines, added up", "", total),
        Step("score", _mean_of("pairs", rejected), formula, score),
    )


def maximum(
    sides: Sides, similarities: Float32Array, kept: Mask, threshold: float, rejected: Rejected
) -> Reasons:
    """Return the best link of each word, and the mean of both directions."""
    by_row, by_column = _maxima(similarities, kept), _maxima(similarities.T, kept.T).T
    both = (
        (by_row, "translation", similarities.shape[0]),
        (by_column, "reference", similarities.shape[1]),
    )
    steps: list[Step] = []
    means: list[float] = []
    for best, name, words in both:
        total, count = added(similarities[best]), int(best.sum())
        formula, value = divided(total, count if rejected is Rejected.SURVIVORS else words)
        steps += [
            Step(f"{name} words", f"those of the {name}", "", words),
            _kept_step(f"{name} linked", count, threshold),
            Step(
                f"{name} mean",
                f"largest cosine of each word, {_mean_of('words', rejected)}",
                formula,
                value,
            ),
        ]
        means.append(value)
    written = f"({n(means[0])} + {n(means[1])}) / 2"
    steps.append(Step("score", "mean of both directions", written, (means[0] + means[1]) / 2))

    def reason(own: int, other: int) -> str:
        ways = [name for best, name, _ in both if best[own, other]]
        return "best for both" if len(ways) > 1 else f"best for the {ways[0]}"

    return linked(sides, similarities, by_row | by_column, reason=reason), tuple(steps)


def one_to_one(
    sides: Sides, similarities: Float32Array, kept: Mask, threshold: float, rejected: Rejected
) -> Reasons:
    """Return the links of a matching, and their mean."""
    shorter = min(similarities.shape)
    total, count = added(similarities[kept]), int(kept.sum())
    lengths = f"min({similarities.shape[0]}, {similarities.shape[1]})"
    formula, score = divided(total, count if rejected is Rejected.SURVIVORS else shorter)
    return linked(sides, similarities, kept, exclusive=True), (
        Step("links", "words of the shorter side, matched one to one", lengths, shorter),
        _kept_step("links kept", count, threshold),
        Step("sum", "their cosines, added up", "", total),
        Step("score", _mean_of("links", rejected), formula, score),
    )


def _maxima(similarities: Float32Array, kept: Mask) -> Mask:
    """Return for each row the first largest entry that is kept."""
    chosen = np.zeros(kept.shape, dtype=np.bool_)
    if kept.size:
        rows = np.flatnonzero(kept.any(axis=1))
        columns = np.where(kept, similarities, -np.inf).argmax(axis=1)
        chosen[rows, columns[rows]] = True
    return chosen


def _kept_step(label: str, count: int, threshold: float) -> Step:
    return Step(label, f"those with a cosine of at least {n(threshold)}", "", count)


def _mean_of(things: str, rejected: Rejected) -> str:
    kept = " kept" if rejected is Rejected.SURVIVORS else ""
    return f"mean over all {things}{kept}"
