"""Explanations of the segments of a report, by every metric that matches words with words."""

from collections.abc import Sequence

from tenbin.annotation.languages import parse_language
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation
from tenbin.core.metric import ExplainableMetric
from tenbin.core.report import ExplainedSegment
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.metrics import registry

MOST_CELLS = 360
"""Explanations of a report: segments by systems by metrics."""
# Characters: what texts and explanations may have together, and explanations at least and at most.
# Five of them take about a byte of the page.
_MOST_IN_ALL, _LEAST_ROOM, _MOST_ROOM = 3_000_000, 900_000, 2_000_000
_LINK_CHARACTERS, _STEP_CHARACTERS, _TOKEN_CHARACTERS = 50, 20, 3
_MOST_COLLECTED = 10_000


def explained_segments(
    texts: TestSet, specs: Sequence[str], language: str, segments: Sequence[int]
) -> tuple[ExplainedSegment, ...]:
    """Return the explanations of some segments, by all explainable metrics and of all systems.

    Segments are taken in the order given, and as many of them as the size of a page allows; the
    first one always.

    Args:
        texts: The texts that were scored.
        specs: The metrics of the report; those that do not align are left out.
        language: The target language.
        segments: Positions of segments, the most important ones first.
    """
    explainers = _explainers(texts, specs, parse_language(language).tag)
    chosen: list[ExplainedSegment] = []
    room = _room(texts)
    for segment in segments:
        own = [
            ExplainedSegment(system=system, segment=segment, metric=place, explanation=explanation)
            for place, explainer in explainers.items()
            for system, explanation in enumerate(explainer.explain(texts, segment))
        ]
        room -= sum(_characters(one.explanation) for one in own)
        if chosen and room < 0:
            break
        chosen += own
    return tuple(sorted(chosen, key=lambda one: (one.segment, one.metric, one.system)))


def explainable_metrics(specs: Sequence[str]) -> list[bool]:
    """Return which metrics match words with words."""
    return [isinstance(registry.load(spec), ExplainableMetric) for spec in specs]


class _Explainer:
    """A metric and, where its weights come from all texts, a batch of all of them."""

    def __init__(self, metric: ExplainableMetric, collection: Batch | None) -> None:
        self._metric = metric
        self._collection = collection

    def explain(self, texts: TestSet, segment: int) -> list[Explanation]:
        """Return the explanations of one segment, system by system."""
        count = len(texts.systems)
        if self._collection is not None:
            items = [system * texts.segment_count + segment for system in range(count)]
            return [self._metric.explain(self._collection, item) for item in items]
        # Explaining takes longer with more words in a batch, so each segment is one of its own.
        batch = batch_for([self._metric], texts.part(segment, segment + 1))
        return [self._metric.explain(batch, item) for item in range(count)]


def _explainers(texts: TestSet, specs: Sequence[str], language: str) -> dict[int, _Explainer]:
    """Return what explains by each metric; a large collection would take too long."""
    found = {}
    for place, spec in enumerate(specs):
        metric = registry.load(spec)
        if not isinstance(metric, ExplainableMetric):
            continue
        bound = metric.bind(language)
        if not bound.needs.collection:
            found[place] = _Explainer(bound, None)
        elif texts.segment_count * len(texts.systems) <= _MOST_COLLECTED:
            found[place] = _Explainer(bound, batch_for([bound], texts))
    return found


def _room(texts: TestSet) -> int:
    """Return the characters that explanations may have: less, the more the texts have."""
    taken = sum(len(text) for own in texts.hypotheses.values() for text in own)
    return min(max(_MOST_IN_ALL - taken, _LEAST_ROOM), _MOST_ROOM)


def _characters(explanation: Explanation) -> int:
    """Return about how many characters an explanation takes as plain data."""
    alignment = explanation.alignment
    tokens = (*alignment.hypothesis, *alignment.reference)
    texts = sum(len(token) + _TOKEN_CHARACTERS for token in tokens)
    links = sum(_LINK_CHARACTERS + len(match.evidence) for match in alignment.matches)
    steps = sum(
        _STEP_CHARACTERS + len(step.label) + len(step.meaning) + len(step.formula)
        for step in explanation.steps
    )
    return texts + links + steps
