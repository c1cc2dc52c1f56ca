"""Results as plain data, ready for JSON; undefined numbers are null."""

import json
from math import isfinite
from typing import Any

from tenbin.core.arrays import FloatArray
from tenbin.core.scores import Comparison, MetricScores, ScoreSet
from tenbin.version import __version__


def score_payload(score_set: ScoreSet) -> dict[str, Any]:
    """Return the scores of every system by every metric."""
    return {
        "tenbin": __version__,
        "language": score_set.language,
        "segment_count": score_set.segment_count,
        "results": [
            _result(scores, position)
            for scores in score_set.results
            for position in range(len(score_set.systems))
        ],
        "notes": list(score_set.notes),
    }


def comparison_payload(comparison: Comparison, pairs: list[tuple[int, int]]) -> dict[str, Any]:
    """Return scores, tested pairs and ranks."""
    payload = score_payload(comparison.score_set)
    notes = payload.pop("notes")
    systems = comparison.score_set.systems
    payload["test"] = {
        "name": comparison.test,
        "rounds": comparison.rounds,
        "seed": comparison.seed,
        "unit": comparison.unit,
        "baseline": comparison.baseline,
    }
    payload["pairs"] = [
        {
            "metric": part.scores.metric,
            "system_a": systems[a],
            "system_b": systems[b],
            "difference": _number(part.differences[a, b]),
            "p_value": _number(part.p_values[a, b]),
            "p_value_holm": _number(part.adjusted[a, b]),
        }
        for part in comparison.metrics
        for a, b in pairs
    ]
    payload["ranks"] = {
        part.scores.metric: dict(zip(systems, map(int, part.ranks), strict=True))
        for part in comparison.metrics
        if part.ranks is not None
    }
    payload["notes"] = notes
    return payload


def render_json(payload: dict[str, Any]) -> str:
    """Return the payload as JSON text, one line per field, numbers at full precision."""
    return json.dumps(payload, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _result(scores: MetricScores, position: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "system": scores.systems[position],
        "metric": scores.metric,
        "score": _number(scores.scores[position]),
        "signature": str(scores.signature),
        "ci": None if scores.intervals is None else _numbers(scores.intervals[position]),
    }
    if scores.segments is not None:
        result["segments"] = _numbers(scores.segments[position])
    return result


def _number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _numbers(values: FloatArray) -> list[float | None]:
    return [_number(value) for value in values]
