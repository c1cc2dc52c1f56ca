"""Orders candidates by metrics that read no reference, and by the scores that they came with."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.choosing.requests import (
    Advance,
    bound_metrics,
    feature_of,
    statistics_of,
    text_notes,
)
from tenbin.core.arrays import FloatArray
from tenbin.core.candidates import CandidateLists
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.selection import Feature, Selection, SelectionKind

GIVEN = "given"
"""What the scores are called that candidates came with."""


def order_candidates(
    candidates: CandidateLists,
    language: str,
    *,
    specs: Sequence[str] = (),
    given: bool = False,
    weights: Sequence[float] | None = None,
    source: Sequence[str] | None = None,
    jobs: int = 1,
    advance: Advance | None = None,
) -> Selection:
    """Return candidates in the order of one score, or of a weighted sum of several.

    The sum is of scores as they are, each in its own unit; those of error metrics are subtracted.
    So weights must be given for several features: what they should be depends on the units.

    Args:
        candidates: What is ordered.
        language: The target language.
        specs: Metrics that read no reference.
        given: Whether the scores that candidates came with are a feature too, the last; higher is
            better.
        weights: The factor of each feature, which must not be negative.
        source: The source of each segment, for metrics that read it.
        jobs: Worker processes.
        advance: Called with the number of candidates done, times metrics.
    """
    candidates.check_parallel(source, "source")
    if given and candidates.scores is None:
        raise UsageError(
            "the candidates came without scores (`given`): scores are the last column of the Moses "
            'form, or "score" in JSONL.'
        )
    if not specs and not given:
        raise UsageError(
            "nothing to order the candidates by: name metrics that read no reference (`metrics`), "
            "or take the scores that they came with (`given`)."
        )
    metrics = bound_metrics(specs, language, has_references=True, has_source=source is not None)
    reading = [spec for spec, one in zip(specs, metrics, strict=True) if one.needs.references]
    if reading:
        raise UsageError(
            f"{', '.join(reading)}: compares with references, and reranking has none. Choose "
            "metrics that read no reference; to compare candidates with each other there is tenbin "
            "mbr, with a reference tenbin oracle."
        )
    names = [*specs, *([GIVEN] if given else [])]
    factors = checked_weights(names, weights)
    notes = text_notes(candidates, metrics, language, source) if metrics else []
    rows = (
        statistics_of(candidates, metrics, source=source, jobs=jobs, advance=advance)
        if metrics
        else []
    )
    columns = [metric.segment_score(part) for metric, part in zip(metrics, rows, strict=True)]
    features = [
        feature_of(spec, metric, language, (0,))
        for spec, metric in zip(specs, metrics, strict=True)
    ]
    if given and candidates.scores is not None:
        columns.append(np.concatenate([np.array(some) for some in candidates.scores]))
        features.append(Feature(name=GIVEN, title=GIVEN, higher_is_better=True))
    weighted = tuple(
        _with_weight(feature, factor) for feature, factor in zip(features, factors, strict=True)
    )
    alone = len(weighted) == 1
    scores = columns[0] if alone else _sum(columns, weighted)
    return Selection(
        kind=SelectionKind.RERANKING,
        language=parse_language(language).tag,
        features=weighted,
        candidates=candidates,
        scores=candidates.by_segment(scores),
        values=None if alone else candidates.by_segment(np.column_stack(columns)),
        higher_is_better=weighted[0].higher_is_better if alone else True,
        method=" + ".join(_term(one) for one in weighted).replace("+ -", "- "),
        notes=tuple(notes),
    )


def checked_weights(names: Sequence[str], weights: Sequence[float] | None) -> list[float]:
    """Return the weight of each feature; 1 for a single one.

    Raises:
        UsageError: There are several features without weights, or not as many weights, or one of
            them is negative or no number.
    """
    if weights is None:
        if len(names) > 1:
            raise UsageError(
                f"{len(names)} features ({', '.join(names)}) need weights (`weights`), one for "
                "each: their scores are in different units."
            )
        return [1.0]
    if len(weights) != len(names):
        raise UsageError(
            f"{counted(len(weights), 'weight')} for {counted(len(names), 'feature')} "
            f"({', '.join(names)}): give one for each (`weights`)."
        )
    if not all(isfinite(one) and one >= 0 for one in weights) or not any(weights):
        raise UsageError(
            "`weights`: give numbers of at least 0, and one above. Scores of error metrics are "
            "subtracted without a sign."
        )
    return [float(one) for one in weights]


def _with_weight(feature: Feature, weight: float) -> Feature:
    return Feature(
        name=feature.name,
        title=feature.title,
        higher_is_better=feature.higher_is_better,
        weight=weight,
        signature=feature.signature,
        decimals=feature.decimals,
    )


def _sum(columns: Sequence[FloatArray], features: Sequence[Feature]) -> FloatArray:
    total = np.zeros(len(columns[0]))
    for column, feature in zip(columns, features, strict=True):
        if feature.weight:
            total += column * (feature.weight if feature.higher_is_better else -feature.weight)
    return total


def _term(feature: Feature) -> str:
    sign = "" if feature.higher_is_better else "-"
    return f"{sign}{feature.weight:g} × {feature.name}"
