"""A combination of metrics: what was learned from human judgments, as its file has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tenbin.core.arrays import FloatArray, IntArray


class CombinationKind(StrEnum):
    """How the scores of members become one.

    RIDGE: a weighted sum of standardized scores. BOOSTING: a sum of small decision trees.
    """

    RIDGE = "ridge"
    BOOSTING = "boosting"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageScale:
    """What the scores of the members are like in one target language; one entry for each member.

    Attributes:
        language: The target language, a code such as ``ja``.
        signatures: What each score means: parameters, resources, versions.
        mean: Mean over the judged translations.
        sd: Standard deviation over them.
        worst: The worst score that is possible; the worst one seen where there is no bound.
        best: The best score, likewise.
    """

    language: str
    signatures: tuple[str, ...]
    mean: tuple[float, ...]
    sd: tuple[float, ...]
    worst: tuple[float, ...]
    best: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegressionTrees:
    """Decision trees over standardized scores; their values are added to the baseline.

    Nodes of all trees stand one after the other. A row goes left where its feature is at most the
    threshold.

    Attributes:
        baseline: What is predicted without any tree.
        roots: The first node of each tree.
        features: The member that a node looks at; -1 for a leaf.
        thresholds: Up to what score a row goes left.
        left: The node to the left; the node itself for a leaf.
        right: The node to the right, likewise.
        values: What a leaf adds; 0 for other nodes.
    """

    baseline: float
    roots: IntArray
    features: IntArray
    thresholds: FloatArray
    left: IntArray
    right: IntArray
    values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinationModel:
    """Members, how their scores are read in each language, and what was learned.

    Attributes:
        kind: How the members' scores become one.
        members: Specs of the metrics.
        higher_is_better: The direction of each.
        languages: The scale of each target language, by its code.
        intercept: What a ridge regression predicts where every member is at its mean.
        weights: What a member at one standard deviation above its mean adds, in the direction that
            is better; none is negative. Empty for trees.
        trees: The trees of boosting.
        card: Where it comes from, for people: sets, judgments, seed, agreement on what was left
            out.
    """

    kind: CombinationKind
    members: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    languages: Mapping[str, LanguageScale]
    intercept: float = 0.0
    weights: tuple[float, ...] = ()
    trees: RegressionTrees | None = None
    card: Mapping[str, Any] = field(default_factory=dict)
