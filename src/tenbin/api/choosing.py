"""Choosing among candidates: minimum Bayes risk, reranking, and the oracle of a list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tenbin.api.files import ReadingOptions, open_tables, open_without_systems
from tenbin.api.shapes import build_test_set, column
from tenbin.choosing.mbr import PoolOptions, choose_by_risk
from tenbin.choosing.oracle import oracle_of
from tenbin.choosing.reranking import order_candidates
from tenbin.core.caching import caching
from tenbin.core.candidates import CandidateLists
from tenbin.core.errors import ShapeError, UsageError
from tenbin.core.selection import Oracle, Selection
from tenbin.formats.candidates import CandidateForm, read_candidates

__all__ = [
    "CandidateForm",
    "GivenTexts",
    "candidates_of_tables",
    "mbr",
    "open_texts",
    "oracle",
    "read_candidates",
    "rerank",
]

Advance = Callable[[int], None]


def mbr(  # noqa: PLR0913 - every option has a name
    candidates: Any,  # noqa: ANN401 - lists of lists of texts
    *,
    metric: str,
    language: str,
    source: Any = None,  # noqa: ANN401
    pool: Any = None,  # noqa: ANN401
    with_self: bool = False,
    aggregate: bool = False,
    jobs: int = 1,
    cache: bool = True,
    advance: Advance | None = None,
) -> Selection:
    """Choose the candidate of each segment that is on average most like the others.

    Args:
        candidates: A list of candidates for each segment, or `CandidateLists`.
        metric: The spec of the utility, any metric that reads references.
        language: The target language.
        source: One source text per segment, for metrics that read it.
        pool: Other pseudo-references, a list for each segment; None for the candidates themselves.
        with_self: Whether a candidate is also its own reference, as in mbrs; the default is to
            compare it with the others alone, as comet-mbr does.
        aggregate: Whether to compare with the mean of the pool at once (chrF, BLEU, sentBLEU):
            linear instead of quadratic time, and an approximation.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        advance: Called with the number of segments done.

    >>> lists = [["a dog sat", "the cat sat", "the cat sat down"]]
    >>> mbr(lists, metric="chrf", language="en").texts
    ('the cat sat down',)
    """
    options = PoolOptions(
        pool=None if pool is None else candidate_lists(pool, "pool"),
        with_self=with_self,
        aggregate=aggregate,
    )
    with caching(enabled=cache):
        return choose_by_risk(
            candidate_lists(candidates),
            metric,
            language,
            source=None if source is None else column(source, "source"),
            options=options,
            jobs=jobs,
            advance=advance,
        )


def rerank(  # noqa: PLR0913 - every option has a name
    candidates: Any,  # noqa: ANN401
    *,
    language: str,
    metrics: Sequence[str] = (),
    given: bool = False,
    weights: Sequence[float] | None = None,
    source: Any = None,  # noqa: ANN401
    jobs: int = 1,
    cache: bool = True,
    advance: Advance | None = None,
) -> Selection:
    """Order candidates by metrics that read no reference, or by the scores that they came with.

    Args:
        candidates: A list of candidates for each segment, or `CandidateLists` with scores.
        language: The target language.
        metrics: Specs of metrics that read no reference.
        given: Whether the scores of the candidates are a feature too, the last.
        weights: A factor for each feature; needed for more than one.
        source: One source text per segment.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        advance: Called with the number of candidates done, times metrics.
    """
    if isinstance(metrics, str):
        raise UsageError(f"metrics must be a list of specs: [{metrics!r}]")
    with caching(enabled=cache):
        return order_candidates(
            candidate_lists(candidates),
            language,
            specs=metrics,
            given=given,
            weights=weights,
            source=None if source is None else column(source, "source"),
            jobs=jobs,
            advance=advance,
        )


def oracle(
    candidates: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    *,
    metric: str,
    language: str,
    source: Any = None,  # noqa: ANN401
    jobs: int = 1,
    cache: bool = True,
    advance: Advance | None = None,
) -> Oracle:
    """Find the best candidate of each segment by the reference, and how far the first one is.

    Args:
        candidates: A list of candidates for each segment, or `CandidateLists`.
        references: One text per segment, or one list of one or more texts per segment.
        metric: The spec of a metric that reads references.
        language: The target language.
        source: One source text per segment, for metrics that read it.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        advance: Called with the number of candidates done.

    >>> found = oracle([["a dog", "a cat"]], ["a cat"], metric="chrf", language="en")
    >>> found.best.corpus, found.selection.texts
    (100.0, ('a cat',))
    """
    lists = candidate_lists(candidates)
    first = [some[0] for some in lists.texts]
    texts = build_test_set(first, references, source=source, reference_axis="segment")
    if not texts.has_references:
        raise ShapeError("an oracle needs references: give one text or list of texts per segment.")
    with caching(enabled=cache):
        return oracle_of(
            lists,
            texts.references,
            metric,
            language,
            source=texts.source,
            jobs=jobs,
            advance=advance,
        )


def candidate_lists(values: Any, name: str = "candidates") -> CandidateLists:  # noqa: ANN401
    """Return candidates from lists of lists of texts; refuse other shapes."""
    if isinstance(values, CandidateLists):
        return values
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise ShapeError(f"{name} must be a list with a list of texts for each segment.")
    rows = [column(some, f"{name}[{place}]", unit="candidate") for place, some in enumerate(values)]
    return CandidateLists(texts=tuple(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTexts:
    """What is chosen among, and by.

    Attributes:
        candidates: The candidates of each segment.
        references: The references of each segment; none where there are none.
        source: The source text of each segment.
        notes: What a reader should know about the files.
    """

    candidates: CandidateLists
    references: tuple[tuple[str, ...], ...]
    source: tuple[str, ...] | None
    notes: tuple[str, ...] = ()


def candidates_of_tables(paths: Sequence[str], reading: ReadingOptions) -> GivenTexts:
    """Return the systems of tables as candidates, with the references and the source beside them.

    Args:
        paths: The files; see `open_tables`.
        reading: How they are read.
    """
    opened = open_tables(paths, reading=reading)
    texts = next(iter(opened.chunks(opened.segment_count)))
    return GivenTexts(
        candidates=CandidateLists(
            texts=tuple(zip(*texts.hypotheses.values(), strict=True)), files=opened.systems
        ),
        references=texts.references if opened.has_references else (),
        source=texts.source,
        notes=opened.notes,
    )


def open_texts(
    references: Sequence[str], source: str | None, reading: ReadingOptions | None = None
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None]:
    """Read references and source: one segment per line, or what the ending names.

    Args:
        references: Paths of reference texts; may be none.
        source: Path of the source text.
        reading: How they are read.
    """
    if not references and source is None:
        return (), None
    opened = open_without_systems(references, source, reading=reading)
    texts = next(iter(opened.chunks(opened.segment_count)))
    return (texts.references if references else ()), texts.source
