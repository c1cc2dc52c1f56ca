"""Explanations of the segments of a report, by every metric that matches words with words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tenbin.annotation.languages import parse_language
from tenbin.core.explanation import Explanation
from tenbin.core.metric import ExplainableMetric
from tenbin.core.report import ExplainedSegment
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.metrics import registry

MOST_CELLS = 800
"""Explanations of a report: segments by systems by metrics."""
_MOST_WEIGHT = 60_000
_MOST_COLLECTED = 50_000


def explained_segments(
    texts: TestSet, specs: Sequence[str], language: str, segments: Sequence[int]
) -> tuple[ExplainedSegment, ...]:
    """Return the explanations of some segments, by all explainable metrics and of all systems.

    Segments come in the order given, and as many of them as the size of a report allows.

    Args:
        texts: The texts that were scored.
        specs: The metrics of the report; those that do not align are left out.
        language: The target language.
        segments: Positions of segments, the most important ones first.
    """
    tag = parse_language(language).tag
    found: dict[tuple[int, int, int], Explanation] = {}
    for place, spec in enumerate(specs):
        metric = registry.load(spec)
        if isinstance(metric, ExplainableMetric):
            bound = metric.bind(tag)
            for segment, system, explanation in _by_metric(texts, bound, segments):
                found[segment, system, place] = explanation
    chosen: list[ExplainedSegment] = []
    weight = 0
    for segment in segments:
        own = [
            ExplainedSegment(system=system, segment=segment, metric=metric, explanation=explanation)
            for (at, system, metric), explanation in found.items()
            if at == segment
        ]
        weight += sum(_weight(one.explanation) for one in own)
        if chosen and weight > _MOST_WEIGHT:
            break
        chosen += own
    return tuple(sorted(chosen, key=lambda one: (one.segment, one.metric, one.system)))


def explainable_metrics(specs: Sequence[str]) -> list[bool]:
    """Return which metrics match words with words."""
    return [isinstance(registry.load(spec), ExplainableMetric) for spec in specs]


def _by_metric(
    texts: TestSet, metric: ExplainableMetric, segments: Sequence[int]
) -> Iterator[tuple[int, int, Explanation]]:
    """Yield segments, systems and explanations by one metric."""
    if metric.needs.collection:
        # Weights come from all texts; a collection that takes long to read is not explained.
        if texts.segment_count * len(texts.systems) > _MOST_COLLECTED:
            return
        part, places = texts, {segment: segment for segment in segments}
    else:
        part = _picked(texts, segments)
        places = {segment: place for place, segment in enumerate(segments)}
    batch = batch_for([metric], part)
    for segment in segments:
        for system in range(len(texts.systems)):
            item = system * part.segment_count + places[segment]
            yield segment, system, metric.explain(batch, item)


def _picked(texts: TestSet, segments: Sequence[int]) -> TestSet:
    return replace(
        texts,
        hypotheses={
            name: tuple(own[segment] for segment in segments)
            for name, own in texts.hypotheses.items()
        },
        references=tuple(texts.references[segment] for segment in segments),
        source=None
        if texts.source is None
        else tuple(texts.source[segment] for segment in segments),
        documents=None,
        places=None,
    )


def _weight(explanation: Explanation) -> int:
    """Return how much room an explanation takes: its tokens, links and steps."""
    alignment = explanation.alignment
    tokens = len(alignment.hypothesis) + len(alignment.reference)
    return tokens + 2 * len(alignment.matches) + 4 * len(explanation.steps)
