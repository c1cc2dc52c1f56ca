"""Explanations of the segments of a report, by every metric that matches words with words."""

from collections.abc import Sequence
from math import isfinite

from tenbin.annotation.languages import parse_language
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation
from tenbin.core.metric import ExplainableMetric
from tenbin.core.progress import step
from tenbin.core.report import ExplainedSegment
from tenbin.core.resource import ResourceKind
from tenbin.core.run_glossary import run_glossary
from tenbin.core.shared_statistics import with_members
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.metrics import registry

_MOST_CELLS, _MOST_CELLS_OF_FEW = 360, 1_000
_FEW_TEXTS = 1_000
# Of metrics that run a model, and of those that explain what a model learned, which take seconds.
_MOST_ENCODED, _MOST_LEARNED = 90, 9
# Characters: what texts and explanations may have together, and explanations at least.
# Five of them take about a byte of the page.
_MOST_IN_ALL, _LEAST_ROOM = 3_000_000, 900_000
_LINK_CHARACTERS, _STEP_CHARACTERS, _TOKEN_CHARACTERS = 50, 20, 3
# Texts that are read anew where weights come from all of them, and those that a model reads anew.
_MOST_COLLECTED, _MOST_ENCODED_ANEW = 10_000, 500


def explained_count(texts: TestSet, metrics: int) -> int:
    """Return how many segments of a test set are explained by so many metrics.

    A small test set is explained wholly.
    """
    few = len(texts.systems) * texts.segment_count <= _FEW_TEXTS
    cells = (_MOST_CELLS_OF_FEW if few else _MOST_CELLS) // (metrics * len(texts.systems))
    return min(max(cells, 1), texts.segment_count)


def explained_segments(
    texts: TestSet, specs: Sequence[str | None], language: str, segments: Sequence[int]
) -> tuple[ExplainedSegment, ...]:
    """Return the explanations of some segments, by all explainable metrics and of all systems.

    Segments are taken in the order given, and as many of them as the size of a page allows; the
    first one always. Metrics that run a model explain fewer of them.

    Args:
        texts: The texts that were scored.
        specs: The metrics of the report, None for scores of another program; those that do not
            align are left out.
        language: The target language.
        segments: Positions of segments, the most important ones first.
    """
    explainers = _explainers(texts, specs, parse_language(language).tag)
    chosen: list[ExplainedSegment] = []
    room = _room(texts)
    with step("explaining segments", len(segments)) as advance:
        for number, segment in enumerate(segments):
            own = [
                ExplainedSegment(
                    system=system, segment=segment, metric=place, explanation=explanation
                )
                for place, explainer in explainers.items()
                if number < explainer.most
                for system, explanation in enumerate(explainer.explain(texts, segment))
                if isfinite(explanation.score)  # a segment without terms has nothing to explain
            ]
            room -= sum(_characters(one.explanation) for one in own)
            if chosen and room < 0:
                break
            chosen += own
            advance(1)
    return tuple(sorted(chosen, key=lambda one: (one.segment, one.metric, one.system)))


def explainable_metrics(specs: Sequence[str]) -> list[bool]:
    """Return which metrics match words with words."""
    return [isinstance(registry.load(spec), ExplainableMetric) for spec in specs]


class _Explainer:
    """A metric and, where its weights come from all texts, a batch of all of them.

    Attributes:
        most: How many segments it explains.
    """

    def __init__(self, metric: ExplainableMetric, collection: Batch | None, most: int) -> None:
        self._metric = metric
        self._collection = collection
        self.most = most

    def explain(self, texts: TestSet, segment: int) -> list[Explanation]:
        """Return the explanations of one segment, system by system."""
        count = len(texts.systems)
        if self._collection is not None:
            items = [system * texts.segment_count + segment for system in range(count)]
            return [self._metric.explain(self._collection, item) for item in items]
        # Explaining takes longer with more words in a batch, so each segment is one of its own.
        batch = batch_for([self._metric], texts.part(segment, segment + 1))
        return [self._metric.explain(batch, item) for item in range(count)]


def _explainers(
    texts: TestSet, specs: Sequence[str | None], language: str
) -> dict[int, _Explainer]:
    """Return what explains by each metric; a large collection would take too long."""
    found = {}
    for place, spec in enumerate(specs):
        if spec is None:
            continue
        metric = registry.load(spec)
        if not isinstance(metric, ExplainableMetric):
            continue
        if "glossary" in metric.needs.parameters and not run_glossary().file:
            continue  # scores of a file, which names its glossary without a path
        bound = metric.bind(language)
        if not bound.needs.collection:
            found[place] = _Explainer(bound, None, _most(bound, texts))
        elif texts.segment_count * len(texts.systems) <= _most_collected(bound):
            found[place] = _Explainer(bound, batch_for([bound], texts), _most(bound, texts))
    return found


def _most_collected(metric: ExplainableMetric) -> int:
    """Return how many texts a metric may read anew to explain some of them."""
    encodes = ResourceKind.ENCODER in metric.needs.resources
    return _MOST_ENCODED_ANEW if encodes else _MOST_COLLECTED


def _most(metric: ExplainableMetric, texts: TestSet) -> int:
    """Return how many segments a metric explains in reasonable time."""
    parts = {kind for one in with_members([metric]) for kind in one.needs.resources}
    if parts & {ResourceKind.ADAPTER, ResourceKind.COMBINATION}:
        return max(1, _MOST_LEARNED // len(texts.systems))
    if ResourceKind.ENCODER in parts:
        return max(1, _MOST_ENCODED // len(texts.systems))
    return texts.segment_count


def _room(texts: TestSet) -> int:
    """Return the characters that explanations may have: less, the more the texts have."""
    taken = sum(len(text) for own in texts.hypotheses.values() for text in own)
    return max(_MOST_IN_ALL - taken, _LEAST_ROOM)


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
