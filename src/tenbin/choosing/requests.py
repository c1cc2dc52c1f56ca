"""Loads the metrics of a choice, and refuses what cannot be chosen by them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray
from tenbin.core.candidates import CandidateLists
from tenbin.core.counting import counted
from tenbin.core.errors import ShapeError, UsageError
from tenbin.core.metric import Metric
from tenbin.core.selection import Feature
from tenbin.core.spec import Spec
from tenbin.evaluation.checks import check_needs, check_texts
from tenbin.evaluation.lengths import check_lengths
from tenbin.evaluation.readiness import told_at_once
from tenbin.evaluation.run import facts_of_run, title_of
from tenbin.evaluation.statistics import gather_statistics
from tenbin.metrics.registry import load_all

Advance = Callable[[int], None]


class Sized(Protocol):
    """A segment that knows how much work it is."""

    @property
    def size(self) -> int:
        """The number of pairs that are scored for it."""
        ...


_Sized = TypeVar("_Sized", bound=Sized)

# Pairs of a batch. Fixed, so that scores do not depend on the number of jobs.
_PAIRS_AT_ONCE = 60_000
_TEXTS_AT_ONCE = 8_000  # the same where all references are taken together
_MOST_PAIRS = 4_000_000  # of one segment, which is one batch
_SAMPLE = 2_000


def bound_metrics(
    specs: Sequence[str], language: str, *, has_references: bool, has_source: bool
) -> list[Metric]:
    """Return metrics that can score candidates, bound to the language.

    Raises:
        UsageError: A metric lacks texts, or learns weights from a whole test set.
    """
    tag = parse_language(language).tag
    with told_at_once(specs, tag, has_references=has_references, has_source=has_source):
        metrics = [metric.bind(tag) for metric in load_all(specs)]
        check_needs(metrics, specs, has_references=has_references, has_source=has_source)
    for metric, spec in zip(metrics, specs, strict=True):
        if metric.needs.collection or metric.needs.system_weights:
            way_out = " or weights that are not learned (idf=...)" if hasattr(metric, "idf") else ""
            raise UsageError(
                f"the weights of {spec} come from the texts of a whole test set, and candidates "
                "are none: their scores would depend on how many of them there are. Choose another "
                f"metric{way_out}."
            )
    return metrics


def text_notes(
    candidates: CandidateLists,
    metrics: Sequence[Metric],
    language: str,
    source: Sequence[str] | None,
) -> list[str]:
    """Return notes on candidates that hardly suit the language or a metric; raise if worse."""
    texts = candidates.as_systems(source)
    check_lengths(texts, metrics)
    sample = texts.part(0, min(texts.segment_count, _SAMPLE))
    return check_texts(sample, metrics, parse_language(language))


def statistics_of(
    candidates: CandidateLists,
    metrics: Sequence[Metric],
    *,
    source: Sequence[str] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    jobs: int = 1,
    advance: Advance | None = None,
) -> list[FloatArray]:
    """Return the statistics of all candidates by each metric, shape (candidates, K).

    Args:
        candidates: The candidates.
        metrics: The metrics, bound to the language.
        source: The source of each segment.
        references: The references of each segment.
        jobs: Worker processes.
        advance: Called with the number of candidates done, times metrics.
    """
    texts = candidates.as_test_set(source, references)
    found = gather_statistics(texts, metrics, keep_rows=True, jobs=jobs, advance=advance)
    return [part.rows[0] for part in found if part.rows is not None]


def feature_of(
    spec: str, metric: Metric, language: str, references: Sequence[int], *facts: tuple[str, str]
) -> Feature:
    """Return what is said about the scores of a metric.

    Args:
        spec: The metric as the user wrote it.
        metric: The metric, bound to the language.
        language: The target language.
        references: The distinct numbers of references per candidate.
        facts: What else the signature says of the run.
    """
    tag = parse_language(language).tag
    return Feature(
        name=Spec.parse(spec).label,
        title=title_of(spec, metric),
        higher_is_better=metric.info.higher_is_better,
        signature=metric.signature().of_run(*facts_of_run(metric, tag, references), *facts),
        decimals=metric.info.decimals,
    )


def chunks(segments: Sequence[_Sized], *, of_texts: bool = False) -> Iterator[list[_Sized]]:
    """Yield segments in order, as many at a time as one batch should hold.

    Args:
        segments: What is compared.
        of_texts: Whether their size is in texts, not in pairs.

    Raises:
        ShapeError: A single segment has more pairs than memory should hold.
    """
    most = _TEXTS_AT_ONCE if of_texts else _PAIRS_AT_ONCE
    some: list[_Sized] = []
    size = 0
    for number, segment in enumerate(segments, start=1):
        if segment.size > _MOST_PAIRS:
            raise ShapeError(
                f"segment {number:,} has {counted(segment.size, 'pair')} of distinct texts, "
                f"expected at most {_MOST_PAIRS:,}. Give fewer candidates, a smaller pool "
                "(`pool`), or compare with the aggregated reference (`aggregate`)."
            )
        if some and size + segment.size > most:
            yield some
            some, size = [], 0
        some.append(segment)
        size += segment.size
    if some:
        yield some
