"""The best of several candidates by a metric that sees the reference: how good a choice could be.

A system whose oracle is far better than its first candidates loses by its choice; one whose oracle
is hardly better has nothing better to choose.
"""

from collections.abc import Sequence

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.choosing.requests import (
    Advance,
    bound_metrics,
    feature_of,
    statistics_of,
    text_notes,
)
from tenbin.core.arrays import IntArray
from tenbin.core.candidates import CandidateLists
from tenbin.core.errors import UsageError
from tenbin.core.selection import ChoiceScores, Oracle, Selection, SelectionKind, ranked_places


def oracle_of(
    candidates: CandidateLists,
    references: Sequence[Sequence[str]],
    spec: str,
    language: str,
    *,
    source: Sequence[str] | None = None,
    jobs: int = 1,
    advance: Advance | None = None,
) -> Oracle:
    """Return the best candidates of all segments, and the scores of first, best and worst ones.

    Args:
        candidates: The candidates; the first of each segment is what the system would give out.
        references: The references of each segment.
        spec: The metric.
        language: The target language.
        source: The source of each segment, for metrics that read it.
        jobs: Worker processes.
        advance: Called with the number of candidates done.
    """
    candidates.check_parallel(source, "source")
    candidates.check_parallel(references, "references")
    (metric,) = bound_metrics([spec], language, has_references=True, has_source=source is not None)
    if not metric.needs.references:
        raise UsageError(
            f"{spec} reads no reference, so that what it calls best is no oracle. Choose a metric "
            "that reads references, or order candidates by this one: tenbin rerank."
        )
    notes = text_notes(candidates, [metric], language, source)
    (rows,) = statistics_of(
        candidates, [metric], source=source, references=references, jobs=jobs, advance=advance
    )
    scores = candidates.by_segment(metric.segment_score(rows))
    up = metric.info.higher_is_better
    best = np.array([ranked_places(own, higher_is_better=up)[0] for own in scores])
    worst = np.array([ranked_places(own, higher_is_better=not up)[0] for own in scores])
    starts = np.cumsum([0, *candidates.counts])[:-1]
    counts = tuple(sorted({len(some) for some in references}))
    selection = Selection(
        kind=SelectionKind.ORACLE,
        language=parse_language(language).tag,
        features=(feature_of(spec, metric, language, counts),),
        candidates=candidates,
        scores=scores,
        higher_is_better=up,
        method="score against the reference, segment by segment",
        notes=tuple(notes),
    )
    segments = np.concatenate(scores)

    def scored(places: IntArray) -> ChoiceScores:
        chosen = starts + places
        return ChoiceScores(
            float(metric.score(rows[chosen].sum(axis=0))), float(segments[chosen].mean())
        )

    return Oracle(
        selection=selection,
        first=scored(np.zeros_like(starts)),
        best=scored(best),
        worst=scored(worst),
        first_is_best=int((best == 0).sum()),
    )
