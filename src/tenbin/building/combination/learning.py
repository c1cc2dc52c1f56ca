"""Learns a combination from rows of scores and judgments; better members never lower it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tenbin.building.combination.data import MemberFacts
from tenbin.building.combination.recipe import CombinationRecipe
from tenbin.core.arrays import FloatArray
from tenbin.core.combination import (
    CombinationKind,
    CombinationModel,
    LanguageScale,
    RegressionTrees,
)
from tenbin.core.errors import InputError, MissingExtra, ResourceError
from tenbin.metrics.combination.arithmetic import ends_of_scale, predicted, standardized

_PARITY = 1e-9
# Two members that always give the same score share their weight.
_SMALLEST = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingPart:
    """Judged translations of one language pair.

    Attributes:
        language: Code of the target language.
        scores: Scores of the members, shape (items, members).
        labels: Judgments, shape (items,).
    """

    language: str
    scores: FloatArray
    labels: FloatArray


def learned(
    parts: Sequence[TrainingPart],
    specs: Sequence[str],
    facts: Mapping[str, MemberFacts],
    recipe: CombinationRecipe,
) -> CombinationModel:
    """Return what follows from judgments.

    Judgments of each language pair are standardized, so that pairs with other scales of judgment
    can be joined, and each pair counts the same. Scores are standardized in each target language.

    Args:
        parts: The judged translations, pair by pair.
        specs: The members.
        facts: What they are in each target language.
        recipe: How to learn.

    Raises:
        InputError: No member agrees with people at all.
        MissingExtra: scikit-learn is needed and not installed.
    """
    directions = next(iter(facts.values())).higher_is_better
    languages = {
        code: language_scale(code, [p.scores for p in parts if p.language == code], facts[code])
        for code in dict.fromkeys(part.language for part in parts)
    }
    rows = np.concatenate(
        [standardized(part.scores, languages[part.language], directions) for part in parts]
    )
    labels = np.concatenate([_standard(part.labels) for part in parts])
    sizes = [len(part.labels) for part in parts]
    counts = np.repeat([len(labels) / len(parts) / size for size in sizes], sizes)
    common: dict[str, Any] = {
        "kind": recipe.kind,
        "members": tuple(specs),
        "higher_is_better": directions,
        "languages": languages,
    }
    if recipe.kind is CombinationKind.BOOSTING:
        model = CombinationModel(**common, trees=boosted_trees(rows, labels, counts, recipe))
    else:
        intercept, weights = ridge_weights(rows, labels, counts, recipe.regularization)
        model = CombinationModel(
            **common, weights=tuple(weights.tolist()), intercept=float(intercept)
        )
    for scale in languages.values():
        low, high = ends_of_scale(model, scale)
        if not high > low:
            raise InputError(
                "no member agrees with the judgments: every weight is 0. Are scores or judgments "
                "in another order, or is lower better in the judgments?"
            )
    return model


def language_scale(code: str, scores: Sequence[FloatArray], facts: MemberFacts) -> LanguageScale:
    """Return the scale of the members over the judged translations of a target language."""
    rows = np.concatenate(list(scores))
    lowest, highest = rows.min(axis=0), rows.max(axis=0)
    up = np.array(facts.higher_is_better)
    worst, best = np.array(facts.worst), np.array(facts.best)
    worst = np.where(np.isfinite(worst), worst, np.where(up, lowest, highest))
    best = np.where(np.isfinite(best), best, np.where(up, highest, lowest))
    if not np.all(lowest < highest):
        raise InputError(
            f"{code}: a member gives all translations that are learned from the same score; leave "
            "it out, or make fewer folds."
        )
    return LanguageScale(
        language=code,
        signatures=facts.signatures,
        mean=tuple(rows.mean(axis=0).tolist()),
        sd=tuple(rows.std(axis=0).tolist()),
        worst=tuple(worst.tolist()),
        best=tuple(best.tolist()),
    )


def ridge_weights(
    rows: FloatArray, labels: FloatArray, counts: FloatArray, regularization: float
) -> tuple[float, FloatArray]:
    """Return the intercept and the weights of a ridge regression none of whose weights is negative.

    It minimizes ``sum_i c_i (y_i - b - x_i w)^2 + r sum_i c_i |w|^2`` over ``w >= 0``: a member
    that would have a negative weight is left out, so that a better member never lowers the score.

    Args:
        rows: Standardized scores, better being higher, shape (items, members).
        labels: Standardized judgments.
        counts: How much each item counts.
        regularization: r.
    """
    from scipy.optimize import nnls  # noqa: PLC0415 - slow to load

    total = float(counts.sum())
    means = counts @ rows / total
    mean = float(counts @ labels / total)
    root = np.sqrt(counts)[:, None]
    centered = root * (rows - means)
    products = centered.T @ centered / total
    products += (regularization + _SMALLEST) * np.eye(rows.shape[1])
    aims = centered.T @ (root[:, 0] * (labels - mean)) / total
    # |L'w - L^-1 a|^2 differs from the loss by a constant, and has a row for each member only.
    factor = np.linalg.cholesky(products)
    weights: FloatArray = nnls(factor.T, np.linalg.solve(factor, aims))[0]
    return mean - float(means @ weights), weights


def boosted_trees(
    rows: FloatArray, labels: FloatArray, counts: FloatArray, recipe: CombinationRecipe
) -> RegressionTrees:
    """Return the trees of scikit-learn's monotone gradient boosting.

    Raises:
        MissingExtra: scikit-learn is not installed.
        ResourceError: Its trees cannot be read as those of the versions that are known.
    """
    try:
        from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra(
            "a combination by boosting", "combine", 'Or learn a weighted sum (`kind="ridge"`).'
        ) from error
    model = HistGradientBoostingRegressor(
        max_iter=recipe.trees,
        learning_rate=recipe.rate,
        max_leaf_nodes=recipe.leaves,
        min_samples_leaf=min(recipe.leaf_size, max(1, len(rows) // 10)),
        l2_regularization=recipe.regularization,
        monotonic_cst=[1] * rows.shape[1],
        early_stopping=False,
        random_state=recipe.seed % 2**32,
    )
    model.fit(rows, labels, sample_weight=counts)
    try:
        trees = exported_trees(model)
        gap = float(np.abs(_sums(trees, rows) - model.predict(rows)).max())
    except (AttributeError, KeyError, ValueError, IndexError) as error:
        raise _unknown_version() from error
    if not gap <= _PARITY:
        raise _unknown_version()
    return trees


def exported_trees(model: Any) -> RegressionTrees:  # noqa: ANN401 - scikit-learn ships no types
    """Return the trees of a fitted `HistGradientBoostingRegressor` as plain arrays."""
    columns: dict[str, list[FloatArray]] = {}
    roots, start = [], 0
    for (predictor,) in model._predictors:  # noqa: SLF001 - there is no public way to the trees
        nodes = predictor.nodes
        count = len(nodes)
        is_leaf = nodes["is_leaf"].astype(bool)
        own = np.arange(count)
        found = {
            "features": np.where(is_leaf, -1, nodes["feature_idx"]),
            "thresholds": np.where(is_leaf, 0.0, nodes["num_threshold"]),
            "left": np.where(is_leaf, own, nodes["left"]) + start,
            "right": np.where(is_leaf, own, nodes["right"]) + start,
            "values": np.where(is_leaf, nodes["value"], 0.0),
        }
        for key, values in found.items():
            columns.setdefault(key, []).append(values)
        roots.append(start)
        start += count
    joined = {key: np.concatenate(parts) for key, parts in columns.items()}
    return RegressionTrees(
        baseline=float(np.ravel(model._baseline_prediction)[0]),  # noqa: SLF001
        roots=np.array(roots, dtype=np.int64),
        features=joined["features"].astype(np.int64),
        thresholds=joined["thresholds"].astype(np.float64),
        left=joined["left"].astype(np.int64),
        right=joined["right"].astype(np.int64),
        values=joined["values"].astype(np.float64),
    )


def _sums(trees: RegressionTrees, rows: FloatArray) -> FloatArray:
    empty = CombinationModel(
        kind=CombinationKind.BOOSTING,
        members=(),
        higher_is_better=(),
        languages={},
        trees=trees,
    )
    return predicted(empty, rows)


def _unknown_version() -> ResourceError:
    return ResourceError(
        "the trees of the installed scikit-learn cannot be read as those of the versions that "
        "Tenbin knows (1.5 to 1.9). Install one of these, or learn a weighted sum "
        '(`kind="ridge"`).'
    )


def _standard(labels: FloatArray) -> FloatArray:
    spread = float(labels.std())
    if spread == 0:
        raise InputError(
            "a part of the judgments that is learned from is constant; make fewer folds."
        )
    standard: FloatArray = (labels - labels.mean()) / spread
    return standard
