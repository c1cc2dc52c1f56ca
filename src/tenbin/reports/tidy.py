"""Results as tidy rows: one row per system, metric and segment, or per tested pair."""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from tenbin.core.scores import Comparison, ScoreSet

SCORE_COLUMNS = (
    "system",
    "metric",
    "level",
    "segment",
    "score",
    "ci_low",
    "ci_high",
    "signature",
)
PAIR_COLUMNS = (
    "metric",
    "system_a",
    "system_b",
    "difference",
    "p_value",
    "p_value_holm",
    "rank_a",
    "rank_b",
    "signature",
)
Row = tuple[str | int | float | None, ...]


def score_rows(score_set: ScoreSet) -> Iterator[Row]:
    """Yield a corpus row for each system and metric, then its segments where asked for."""
    for scores in score_set.results:
        for position, system in enumerate(score_set.systems):
            low, high = (None, None) if scores.intervals is None else scores.intervals[position]
            own = (system, scores.metric)
            signature = str(scores.signature)
            value = float(scores.scores[position])
            yield (*own, "corpus", None, value, _plain(low), _plain(high), signature)
            if scores.segments is not None:
                for segment, value in enumerate(scores.segments[position], start=1):
                    yield (*own, "segment", segment, float(value), None, None, signature)


def pair_rows(comparison: Comparison, pairs: Sequence[tuple[int, int]]) -> Iterator[Row]:
    """Yield a row for each metric and tested pair."""
    systems = comparison.score_set.systems
    for part in comparison.metrics:
        for a, b in pairs:
            ranks = (None, None) if part.ranks is None else (int(part.ranks[a]), int(part.ranks[b]))
            yield (
                part.scores.metric,
                systems[a],
                systems[b],
                float(part.differences[a, b]),
                float(part.p_values[a, b]),
                float(part.adjusted[a, b]),
                *ranks,
                str(part.scores.signature),
            )


def render_tsv(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as tab-separated text; undefined values are empty, numbers at full precision."""
    lines = ["\t".join(columns)]
    lines += ["\t".join(_field(value) for value in row) for row in rows]
    return "\n".join(lines) + "\n"


def _plain(value: float | None) -> float | None:
    return None if value is None else float(value)


def _field(value: str | float | None) -> str:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, float):
        return repr(value)
    # A name may hold anything a file system allows; a tab in it would shift the columns.
    return re.sub(r"[\t\r\n]", " ", str(value))
