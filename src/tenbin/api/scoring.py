"""The calls a program makes: score, compare, explain, list metrics.

Each has a form for texts in memory, and one for any test set, in memory or in files.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from tenbin.api.glossaries import glossary_of_run
from tenbin.api.run_checks import (
    check_chosen,
    check_explainable,
    check_given_texts,
    main_metric,
    read_references,
)
from tenbin.api.score_columns import columns_beside
from tenbin.api.shapes import build_test_set
from tenbin.core.caching import caching
from tenbin.core.difference_curve import CurveTable
from tenbin.core.explanation import Explanations
from tenbin.core.parameters import one_of
from tenbin.core.scores import Comparison, MetricScores, ScoreTable
from tenbin.core.spec import spec_list
from tenbin.core.text import SegmentSource, TestSet
from tenbin.evaluation import explanation
from tenbin.evaluation.comparison import DEFAULT_ROUNDS, Test, compare_systems
from tenbin.evaluation.imported_scores import compared_with_imported, with_imported
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED, Options, evaluate
from tenbin.evaluation.segment_differences import check_between, segment_differences
from tenbin.evaluation.worst_segments import worst_segments
from tenbin.formats.difference_curves import read_curves
from tenbin.metrics import registry
from tenbin.metrics.recommended import language_metrics

__all__ = [
    "BASELINE_METRICS",
    "DEFAULT_EXPLAINED",
    "DEFAULT_RESAMPLES",
    "DEFAULT_ROUNDS",
    "DEFAULT_SEED",
    "Test",
    "check_chosen",
    "check_explainable",
    "check_given_texts",
    "compare",
    "compare_test_set",
    "explain",
    "explain_test_set",
    "explain_worst_of",
    "list_metrics",
    "main_metric",
    "read_references",
    "score",
    "score_test_set",
]

BASELINE_METRICS = ("bleu", "chrf")
"""What everybody reports: the default where scores must not depend on what is installed."""

DEFAULT_EXPLAINED = "meteor"


def score(  # noqa: PLR0913 - every option has a name
    hypotheses: Any,  # noqa: ANN401 - lists, tuples, arrays, pandas and polars columns
    references: Any = None,  # noqa: ANN401
    *,
    metrics: Sequence[str] | Mapping[str, str] | None = None,
    language: str,
    source: Any = None,  # noqa: ANN401
    documents: Any = None,  # noqa: ANN401
    scores: Sequence[str] | Mapping[str, Any] | None = None,
    reference_axis: str | None = None,
    ci: bool = False,
    resamples: int = DEFAULT_RESAMPLES,
    segments: bool = False,
    worst: int | None = None,
    worst_by: str | None = None,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
) -> ScoreTable:
    """Score one or many systems by one or many metrics.

    Args:
        hypotheses: One text per segment, a mapping from system names to such columns, or a
            `TestSet`.
        references: One text per segment, or one list of one or more texts per segment; None where
            no metric needs them.
        metrics: Specs such as ``"bleu"`` or ``"chrf(word_order=2)"``, or a mapping from names of
            your own to specs, which tables then show (``"words=chrf(word_order=2)"`` is the same);
            None for those of `language_metrics`: chrF++ or chrF, and the best metric of meaning
            that is installed.
        language: The target language, which settles tokenization.
        source: One source text per segment, for metrics that read it.
        documents: One document name per segment; intervals then draw whole documents.
        scores: Scores that other programs computed, as more columns: a mapping from names, such as
            ``"comet"`` or ``"metricx(lower)"``, to a file, to numbers, or to a mapping from systems
            to files or numbers; or texts such as ``"comet=out.json"``.
        reference_axis: ``"segment"`` or ``"stream"``, where nested references are ambiguous.
        ci: Whether to give 95 % bootstrap confidence intervals.
        resamples: How many resamples the intervals take.
        segments: Whether to give segment scores too.
        worst: How many of the worst segments of each system to give with their texts.
        worst_by: The metric that chooses them, one of ``metrics``; None for the first of them, or
            without ``metrics`` the metric of meaning.
        seed: Seed of the resampling.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names, for the metric ``terms`` and the penalty for wrong
            names.

    >>> table = score(["a cat"], [["a cat", "one cat"]], metrics=["chrf"], language="en")
    >>> table["hypotheses", "chrf"]
    100.0
    """
    chosen, notes = _chosen(metrics, language)
    test_set = _test_set(hypotheses, references, source, documents, reference_axis)
    table = score_test_set(
        test_set,
        chosen,
        language,
        imported=columns_beside(scores, test_set, chosen),
        segments=segments,
        worst=worst,
        worst_by=main_metric(chosen, worst_by, given=metrics is not None),
        resamples=resamples if ci else 0,
        seed=seed,
        jobs=jobs,
        cache=cache,
        glossary=glossary,
    )
    return replace(table, notes=(*table.notes, *notes))


def score_test_set(  # noqa: PLR0913 - every option has a name
    test_set: SegmentSource,
    metrics: Sequence[str],
    language: str,
    *,
    imported: Sequence[MetricScores] = (),
    segments: bool = False,
    worst: int | None = None,
    worst_by: str | None = None,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    by_document: bool = True,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    advance: Callable[[int], None] | None = None,
) -> ScoreTable:
    """Score the systems of a test set, such as that of `tenbin.api.files.open_files`.

    Args:
        test_set: The texts.
        metrics: Specs.
        language: The target language.
        imported: Columns of other programs, read by `tenbin.api.score_columns.read_columns`.
        segments: Whether to give segment scores too.
        worst: How many of the worst segments of each system to give with their texts.
        worst_by: The metric that chooses them, one of ``metrics`` or ``imported``; None for the
            first.
        resamples: Resamples of confidence intervals; 0 for none.
        seed: Seed of the resampling.
        by_document: Whether whole documents are drawn where documents are known.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names.
        advance: Called with the number of segments done, times metrics.
    """
    if worst is not None:
        check_chosen(
            [*spec_list(metrics), *(one.label for one in imported)], worst, worst_by, "worst"
        )
    options = Options(
        segments=segments or worst is not None,
        resamples=resamples,
        seed=seed,
        by_document=by_document,
        jobs=jobs,
        advance=advance,
    )
    with caching(enabled=cache), glossary_of_run(glossary):
        table = evaluate(test_set, spec_list(metrics), language, options)
    if imported:
        table = with_imported(
            table,
            imported,
            test_set.documents if by_document else None,
            segments=options.segments,
            resamples=resamples,
            seed=seed,
        )
    if worst is None:
        return table
    found = worst_segments(test_set, table, worst, worst_by)
    return replace(table if segments else table.without_segments(), worst=found)


def compare(  # noqa: PLR0913 - every option has a name
    hypotheses: Any,  # noqa: ANN401
    references: Any = None,  # noqa: ANN401
    *,
    metrics: Sequence[str] | Mapping[str, str] | None = None,
    language: str,
    source: Any = None,  # noqa: ANN401
    documents: Any = None,  # noqa: ANN401
    scores: Sequence[str] | Mapping[str, Any] | None = None,
    reference_axis: str | None = None,
    test: str = Test.RANDOMIZATION,
    rounds: int | None = None,
    baseline: str | None = None,
    curves: str | CurveTable | None = None,
    differences: int | None = None,
    differences_by: str | None = None,
    differences_between: Sequence[str] | None = None,
    segments: bool = False,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
) -> Comparison:
    """Compare systems pair by pair; arguments as in `score` and `compare_test_set`.

    Without ``metrics`` and ``differences_by``, the metric of meaning chooses the segments that
    ``differences`` asks for.
    """
    chosen, notes = _chosen(metrics, language)
    test_set = _test_set(hypotheses, references, source, documents, reference_axis)
    comparison = compare_test_set(
        test_set,
        chosen,
        language,
        imported=columns_beside(scores, test_set, chosen),
        test=test,
        rounds=rounds,
        baseline=baseline,
        curves=curves,
        differences=differences,
        differences_by=main_metric(chosen, differences_by, given=metrics is not None),
        differences_between=differences_between,
        segments=segments,
        seed=seed,
        jobs=jobs,
        cache=cache,
        glossary=glossary,
    )
    table = comparison.scores
    return replace(comparison, scores=replace(table, notes=(*table.notes, *notes)))


def compare_test_set(  # noqa: PLR0913 - every option has a name
    test_set: SegmentSource,
    metrics: Sequence[str],
    language: str,
    *,
    imported: Sequence[MetricScores] = (),
    test: str = Test.RANDOMIZATION,
    rounds: int | None = None,
    baseline: str | None = None,
    curves: str | CurveTable | None = None,
    differences: int | None = None,
    differences_by: str | None = None,
    differences_between: Sequence[str] | None = None,
    segments: bool = False,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    by_document: bool = True,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare the systems of a test set; other arguments as in `score_test_set`.

    Args:
        test_set: The texts, of at least two systems.
        metrics: Specs.
        language: The target language.
        imported: Columns of other programs, as in `score_test_set`.
        test: ``"ar"`` for approximate randomization, ``"bootstrap"`` for the paired bootstrap.
        rounds: Random rounds; by default 10,000 or 1,000.
        baseline: Compare the others with this system alone.
        curves: What differences mean to people: a table of `fit_curves` or a file that it was
            written to; None for the curves that Tenbin has.
        differences: How many of the segments that differ most to give with their texts, in each
            direction.
        differences_by: The metric that chooses them, one of ``metrics``; None for the first.
        differences_between: Two systems; None for the best and the second, or with a baseline
            for the baseline and each of the others.
        segments: Whether to give segment scores too.
        resamples: Resamples of confidence intervals of the scores; 0 for none.
        seed: Seed of the test.
        by_document: Whether whole documents are drawn where documents are known.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names.
        advance: Called with the number of segments done, times metrics.
    """
    chosen_test = one_of(Test, test, "test")
    wanted = differences is not None
    if differences is not None:
        chosen = [*spec_list(metrics), *(one.label for one in imported)]
        check_chosen(chosen, differences, differences_by, "differences")
        check_between(test_set.systems, differences_between)
    with caching(enabled=cache), glossary_of_run(glossary):
        comparison = compare_systems(
            test_set,
            spec_list(metrics),
            language,
            Options(
                segments=segments or wanted,
                resamples=resamples,
                seed=seed,
                by_document=by_document,
                jobs=jobs,
                advance=advance,
            ),
            test=chosen_test,
            rounds=rounds,
            baseline=baseline,
            curves=read_curves(curves) if isinstance(curves, str) else curves,
        )
    if imported:
        comparison = compared_with_imported(
            comparison,
            imported,
            test_set.documents if by_document else None,
            segments=segments or wanted,
        )
    if differences is None:
        return comparison
    found = segment_differences(
        test_set,
        comparison.scores,
        differences,
        differences_by,
        baseline=baseline,
        between=differences_between,
    )
    shown = comparison if segments else comparison.without_segments()
    return replace(shown, differences=found)


def explain(  # noqa: PLR0913 - every option has a name
    hypotheses: Any,  # noqa: ANN401
    references: Any = None,  # noqa: ANN401
    *,
    language: str,
    segments: int | Sequence[int] = 1,
    worst: int | None = None,
    metric: str = DEFAULT_EXPLAINED,
    systems: Sequence[str] | None = None,
    source: Any = None,  # noqa: ANN401
    documents: Any = None,  # noqa: ANN401
    reference_axis: str | None = None,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
) -> Explanations:
    """Explain why segments got their scores, by a metric that aligns.

    Args:
        hypotheses: As in `score`.
        references: As in `score`.
        language: The target language.
        segments: The number of a segment, counted from 1, or several.
        worst: Explain so many segments of each system instead, those with the worst scores.
        metric: Spec of a metric that matches words with words.
        systems: Names of systems; None for all.
        source: As in `score`.
        documents: As in `score`.
        reference_axis: As in `score`.
        cache: As in `score`.
        glossary: As in `score`; its terms are shown beside the explanation, with a source.

    >>> (one,) = explain(["a cat sat"], ["the cat sat"], language="en", metric="meteor")
    >>> [match.evidence for match in one.alignment.matches], one.steps[-1].value == one.score
    (['cat', 'sat'], True)
    """
    test_set = _test_set(hypotheses, references, source, documents, reference_axis)
    if worst is not None:
        return explain_worst_of(
            test_set, metric, language, worst, systems, cache=cache, glossary=glossary
        )
    numbers = [segments] if isinstance(segments, int) else list(segments)
    return explain_test_set(
        test_set, metric, language, numbers, systems, cache=cache, glossary=glossary
    )


def explain_test_set(
    test_set: SegmentSource,
    metric: str,
    language: str,
    segments: Sequence[int],
    systems: Sequence[str] | None = None,
    *,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
) -> Explanations:
    """Explain segments of a test set; arguments as in `explain`."""
    with caching(enabled=cache), glossary_of_run(glossary):
        found = explanation.explain(test_set, metric, language, segments, systems)
    return Explanations(tuple(found))


def explain_worst_of(
    test_set: SegmentSource,
    metric: str,
    language: str,
    worst: int,
    systems: Sequence[str] | None = None,
    *,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Explanations:
    """Explain the worst segments of each system of a test set; arguments as in `explain`."""
    with caching(enabled=cache), glossary_of_run(glossary):
        found = explanation.explain_worst(
            test_set, metric, language, worst, systems, advance=advance
        )
    return Explanations(tuple(found))


def list_metrics() -> tuple[str, ...]:
    """Return the names of all installed metrics, aliases included."""
    return tuple(sorted({*registry.metric_names(), *registry.ALIASES}))


def _chosen(
    metrics: Sequence[str] | Mapping[str, str] | None, language: str
) -> tuple[Sequence[str], tuple[str, ...]]:
    """Return the metrics asked for, or those of the language and a note on better ones."""
    if metrics is not None:
        return spec_list(metrics), ()
    found = language_metrics(language)
    return found.chosen, found.notes


def _test_set(
    hypotheses: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    source: Any,  # noqa: ANN401
    documents: Any,  # noqa: ANN401
    reference_axis: str | None,
) -> TestSet:
    if isinstance(hypotheses, TestSet):
        return hypotheses
    return build_test_set(
        hypotheses,
        references,
        source=source,
        documents=documents,
        reference_axis=reference_axis,
    )
