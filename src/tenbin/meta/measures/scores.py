"""What is known about one set of translations: what people said, and what a metric gave."""

from dataclasses import dataclass

from tenbin.core.errors import InputError
from tenbin.formats.human_pairs import HumanPairs
from tenbin.formats.score_table import Level, ScoreTable
from tenbin.meta.measures.measurement import Resampler, Undefined
from tenbin.meta.measures.soft_accuracy import PARITY_SEED, PERMUTATIONS


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HumanScores:
    """What people said about the same translations, as far as it is known.

    Attributes:
        name: The kind of judgment, such as ``mqm`` or ``da-z``.
        segments: Scores by segment.
        systems: Scores of whole systems; without them, means of ``segments``.
        pairs: Preferences; without them DARR is made of ``segments`` (raw scores, 0-100).
    """

    name: str
    segments: ScoreTable | None = None
    systems: ScoreTable | None = None
    pairs: HumanPairs | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MetricScores:
    """The scores of one metric, as far as they are known.

    Attributes:
        name: The metric.
        segments: Scores by segment.
        systems: Scores of whole systems; without them, means of ``segments``.
        resampler: From how often each segment was drawn ``(samples, segments)`` the scores of the
            systems ``(samples, systems)``, for a metric whose system score is no mean, such as
            BLEU: ``metric.score(counts @ statistics)``. Systems are those of ``systems``.
    """

    name: str
    segments: ScoreTable | None = None
    systems: ScoreTable | None = None
    resampler: Resampler | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What can be chosen about measures.

    Attributes:
        undefined: What becomes of groups without a coefficient.
        epsilon: Differences of metric scores that are ties, for the measures called ``-fixed``.
        permutations: Random sign vectors of soft pairwise accuracy.
        seed: Where these come from; 4 gives the numbers of mt-metrics-eval.
        by_segment: Whether a bootstrap of relative rankings draws whole segments; by default DARR
            does, and RR draws judgments.
        outliers: Systems that the measures called ``-without-outliers`` leave out; by default those
            that `judgments.outliers` finds.
        human_fixed: Whether human system scores stay as they are in every bootstrap sample.
    """

    undefined: Undefined = Undefined.LEFT_OUT
    epsilon: float = 0.0
    permutations: int = PERMUTATIONS
    seed: int = PARITY_SEED
    by_segment: bool | None = None
    outliers: tuple[str, ...] | None = None
    human_fixed: bool = False


def human_scores(human: HumanScores | ScoreTable | HumanPairs) -> HumanScores:
    """Return a single table or list of preferences as what people said."""
    if isinstance(human, HumanScores):
        return human
    if isinstance(human, HumanPairs):
        return HumanScores(name=human.name, pairs=human)
    if human.level is Level.SEGMENT:
        return HumanScores(name=human.name, segments=human)
    return HumanScores(name=human.name, systems=human)


def metric_scores(metric: MetricScores | ScoreTable) -> MetricScores:
    """Return a single table as the scores of a metric."""
    if isinstance(metric, MetricScores):
        return metric
    if metric.level is Level.SEGMENT:
        return MetricScores(name=metric.name, segments=metric)
    return MetricScores(name=metric.name, systems=metric)


def segments_of(scores: HumanScores | MetricScores) -> ScoreTable:
    """Return the scores by segment, or say that there are none."""
    if scores.segments is None:
        raise InputError(f"{scores.name}: there are no scores by segment, which are needed here.")
    return scores.segments


def systems_of(scores: HumanScores | MetricScores) -> ScoreTable:
    """Return the scores of systems; those by segment where there are no others."""
    table = scores.systems or scores.segments
    if table is None:
        raise InputError(f"{scores.name}: there are no scores of systems, nor of segments.")
    return table
