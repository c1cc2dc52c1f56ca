"""From the scores of the members to the score of a combination, and what each member adds.

score = (f(z) - f(z_worst)) / (f(z_best) - f(z_worst))

z are the scores of the members in standard deviations from their means, better being higher, and f
is what was learned: a weighted sum, or trees. f never falls as a member gets better. z_worst and
z_best have every member at its worst and at its best score.
"""

from collections.abc import Iterator
from itertools import combinations
from math import factorial

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.combination import CombinationModel, LanguageScale
from tenbin.kernels.trees import tree_sums


def standardized(
    scores: FloatArray, scale: LanguageScale, higher_is_better: tuple[bool, ...]
) -> FloatArray:
    """Return scores in standard deviations from the mean, better being higher.

    What is worse than the worst score counts as the worst, and so does a score that is undefined.

    Args:
        scores: The scores of the members, shape (items, members).
        scale: Their scale in the target language.
        higher_is_better: The direction of each member.
    """
    worst, best = np.array(scale.worst), np.array(scale.best)
    within = np.clip(
        np.where(np.isnan(scores), worst, scores), np.minimum(worst, best), np.maximum(worst, best)
    )
    signs = np.where(higher_is_better, 1.0, -1.0)
    result: FloatArray = signs * (within - np.array(scale.mean)) / np.array(scale.sd)
    return result


def predicted(model: CombinationModel, rows: FloatArray) -> FloatArray:
    """Return what was learned to be said about rows of standardized scores."""
    if model.trees is not None:
        trees = model.trees
        return tree_sums(
            rows,
            trees.roots,
            trees.features,
            trees.thresholds,
            trees.left,
            trees.right,
            trees.values,
            baseline=trees.baseline,
        )
    # Member by member: a product of matrices may round a row otherwise in another batch.
    totals = np.full(len(rows), model.intercept)
    for place, weight in enumerate(model.weights):
        totals += weight * rows[:, place]
    return totals


def ends_of_scale(model: CombinationModel, scale: LanguageScale) -> tuple[float, float]:
    """Return the prediction where every member is at its worst, and at its best."""
    ends = standardized(np.array([scale.worst, scale.best]), scale, model.higher_is_better)
    low, high = predicted(model, ends).tolist()
    return low, high


def combined(model: CombinationModel, scale: LanguageScale, scores: FloatArray) -> FloatArray:
    """Return the scores of a combination, from 0 to 1.

    Args:
        model: What was learned.
        scale: The scale of the members in the target language.
        scores: The scores of the members, shape (items, members).
    """
    low, high = ends_of_scale(model, scale)
    rows = standardized(scores, scale, model.higher_is_better)
    return np.clip((predicted(model, rows) - low) / (high - low), 0.0, 1.0)


def contributions(
    model: CombinationModel, scale: LanguageScale, scores: FloatArray
) -> tuple[float, FloatArray]:
    """Return the score of a mean translation, and what each member adds to it.

    All of them together give the score. What a member adds is its Shapley value: the mean, over all
    orders in which members could go from their means to their scores, of how the combination
    changes. For a weighted sum that is weight times standardized score. A member that is better
    than its mean never adds less than 0.

    Args:
        model: What was learned.
        scale: The scale of the members in the target language.
        scores: The scores of the members for one translation, shape (members,).
    """
    low, high = ends_of_scale(model, scale)
    row = standardized(scores[None, :], scale, model.higher_is_better)[0]
    origin = float(predicted(model, np.zeros((1, len(row))))[0])
    is_sum = model.trees is None
    added = np.array(model.weights) * row if is_sum else _shapley_values(model, row)
    # A member of weight 0 adds 0, and not -0.
    return (origin - low) / (high - low), added / (high - low) + 0.0


def _shapley_values(model: CombinationModel, row: FloatArray) -> FloatArray:
    """Return the exact values, from the predictions for every subset of members at their scores."""
    count = len(row)
    subsets = list(_subsets(count))
    places = {subset: place for place, subset in enumerate(subsets)}
    chosen = np.array([[member in subset for member in range(count)] for subset in subsets])
    values = predicted(model, np.where(chosen, row, 0.0))
    added = np.zeros(count)
    for subset in subsets[:-1]:  # the last one is all of them
        share = factorial(len(subset)) * factorial(count - len(subset) - 1)
        for member in range(count):
            if member not in subset:
                gain = values[places[subset | {member}]] - values[places[subset]]
                added[member] += share / factorial(count) * gain
    return added


def _subsets(count: int) -> Iterator[frozenset[int]]:
    for size in range(count + 1):
        for members in combinations(range(count), size):
            yield frozenset(members)
