"""A metric by its spec, ready to score one system's texts again and again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tenbin.api.scoring import score
from tenbin.api.shapes import DEFAULT_SYSTEM
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UsageError
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.metrics import registry


@dataclass(frozen=True, slots=True, eq=False)
class MetricScore:
    """The score of one text: the corpus score, the segment scores, and what they mean."""

    score: float
    segments: FloatArray
    signature: Signature
    notes: tuple[str, ...]

    def __float__(self) -> float:
        return self.score


@dataclass(frozen=True, slots=True)
class LoadedMetric:
    """A metric by its spec, ready to score texts.

    >>> load_metric("chrf", language="en").score(["a cat"], ["a cat"]).score
    100.0
    """

    spec: Spec
    language: str | None = None

    @property
    def signature(self) -> Signature:
        """What the scores will mean, known before scoring."""
        metric = registry.load(self.spec)
        return (metric if self.language is None else metric.bind(self.language)).signature()

    @property
    def higher_is_better(self) -> bool:
        """The direction of the scores."""
        return registry.load(self.spec).info.higher_is_better

    def score(
        self,
        hypotheses: Any,  # noqa: ANN401
        references: Any = None,  # noqa: ANN401
        *,
        language: str | None = None,
        source: Any = None,  # noqa: ANN401
        reference_axis: str | None = None,
        cache: bool = True,
    ) -> MetricScore:
        """Score one system's texts; arguments as in `score`."""
        target = language or self.language
        if target is None:
            raise UsageError(
                'the target language decides how text is cut into words: give language="en".'
            )
        if isinstance(hypotheses, Mapping):  # of systems, and here is one
            hypotheses = {DEFAULT_SYSTEM: hypotheses}
        table = score(
            hypotheses,
            references,
            metrics=[str(self.spec)],
            language=target,
            source=source,
            reference_axis=reference_axis,
            segments=True,
            cache=cache,
        )
        result = table.results[0]
        segments = result.segments
        if len(result.systems) != 1 or segments is None:
            raise UsageError("LoadedMetric.score takes one system; use tenbin.score for many.")
        return MetricScore(float(result.scores[0]), segments[0], result.signature, table.notes)


def load_metric(spec: str | Spec, *, language: str | None = None) -> LoadedMetric:
    """Return a metric by its spec; a bad spec is refused here, not when scoring."""
    parsed = Spec.parse(spec) if isinstance(spec, str) else spec
    registry.load(parsed)
    return LoadedMetric(parsed, language)
