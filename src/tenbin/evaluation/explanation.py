"""Explains the scores of single segments."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tenbin.annotation.languages import parse_language
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import UsageError
from tenbin.core.explanation import Explanation
from tenbin.core.glossary import TermFinding
from tenbin.core.metric import ExplainableMetric
from tenbin.core.progress import step
from tenbin.core.shared_statistics import with_members
from tenbin.core.text import SegmentSource
from tenbin.evaluation.batching import batch_for
from tenbin.evaluation.checks import check_request, check_texts
from tenbin.evaluation.lengths import check_batch_lengths, check_lengths
from tenbin.evaluation.run import Options, evaluate, facts_of_run
from tenbin.evaluation.segment_lookup import CHUNK, single_segments, texts_of
from tenbin.evaluation.worst_segments import check_count, segment_scores, worst_places
from tenbin.matching.glossary_terms import GlossaryMatcher
from tenbin.matching.run_terms import matcher_of_run
from tenbin.metrics import registry


def explain(
    source: SegmentSource,
    spec: str,
    language: str,
    segments: Sequence[int],
    systems: Sequence[str] | None = None,
) -> list[Explanation]:
    """Explain some segments of some systems: segment by segment, system after system.

    Args:
        source: The texts.
        spec: A metric that aligns.
        language: The target language.
        segments: Numbers of segments, counted from 1.
        systems: Names of systems; None for all.

    Raises:
        UsageError: There is no such segment or system, or the metric does not align.
    """
    target = parse_language(language)
    metric = explainable(spec).bind(target.tag)
    check_request(source, [metric], [spec])
    # What score would refuse is not explained either.
    check_texts(next(iter(source.chunks(CHUNK))), [metric], target)
    chosen = _chosen_systems(source, systems)
    terms = matcher_of_run(target.tag, metric)
    for number in segments:
        if not 1 <= number <= source.segment_count:
            count = source.segment_count
            has = f"{agreeing(count, 'is')} {counted(count, 'segment')}"
            raise UsageError(f"there is no segment {number}: there {has}, counted from 1.")
    # The statistics of one segment do not depend on the others, unless the metric says so.
    found = single_segments(source, segments)
    whole = next(source.chunks(source.segment_count)) if metric.needs.collection else None
    explanations = []
    with step("explaining segments", len(segments)) as advance:
        for number in segments:
            single = found[number]
            part = single if whole is None else whole
            texts = replace(part, hypotheses={name: part.hypotheses[name] for name in chosen})
            check_lengths(texts, [metric])
            batch = batch_for([metric], texts)
            for one in with_members([metric]):
                check_batch_lengths(texts, batch, one)
            facts = facts_of_run(metric, target.tag, [len(part.references[0])])
            for position, name in enumerate(chosen):
                item = position * texts.segment_count + (0 if whole is None else number - 1)
                plain = metric.explain(batch, item)
                explanations.append(
                    replace(
                        plain,
                        system=name,
                        segment=number,
                        signature=plain.signature.of_run(*facts),
                        texts=texts_of(single, number),
                        translation=single.hypotheses[name][0],
                        terms=found_terms(terms, single.source, single.hypotheses[name][0]),
                    )
                )
            advance(1)
    return explanations


def found_terms(
    matcher: GlossaryMatcher | None, source: Sequence[str] | None, translation: str
) -> tuple[TermFinding, ...]:
    """Return what became of the terms of a source; nothing without a glossary or a source.

    Args:
        matcher: What compares them.
        source: The source, alone in a list.
        translation: The translation.
    """
    if matcher is None or not source:
        return ()
    return tuple(matcher.findings(source[0], translation))


def explain_worst(
    source: SegmentSource,
    spec: str,
    language: str,
    count: int,
    systems: Sequence[str] | None = None,
    *,
    advance: Callable[[int], None] | None = None,
) -> list[Explanation]:
    """Explain the segments with the worst scores: system after system, the worst first.

    Args:
        source: The texts.
        spec: A metric that aligns.
        language: The target language.
        count: How many segments of each system.
        systems: Names of systems; None for all.
        advance: Called with the number of segments that were scored.

    Raises:
        UsageError: There is no such system, the metric does not align, or the count is below 1.
    """
    check_count(count, "worst")
    explainable(spec)
    chosen = _chosen_systems(source, systems)
    table = evaluate(source, [spec], language, Options(segments=True, advance=advance))
    (result,) = table.results
    scores = segment_scores(result)
    explanations: list[Explanation] = []
    for name in chosen:
        own = scores[table.systems.index(name)]
        places = worst_places(own, count, higher_is_better=result.higher_is_better)
        numbers = [int(place) + 1 for place in places]
        explanations += explain(source, spec, language, numbers, [name])
    return explanations


def explainable(spec: str) -> ExplainableMetric:
    """Return a metric by its spec; raise `UsageError` if it does not align."""
    metric = registry.load(spec)
    if isinstance(metric, ExplainableMetric):
        return metric
    able = [name for name in registry.metric_names() if _aligns(name)]
    raise UsageError(
        f"{spec} does not match words with words, so there is no alignment to show. Metrics that "
        f"do: {', '.join(able)}."
    )


def _aligns(name: str) -> bool:
    return hasattr(registry.metric_class(name), "explain")


def _chosen_systems(source: SegmentSource, systems: Sequence[str] | None) -> Sequence[str]:
    unknown = [name for name in systems or () if name not in source.systems]
    if unknown:
        listed = ", ".join(source.systems)
        raise UsageError(f"there is no system {', '.join(unknown)}; there are: {listed}.")
    return source.systems if systems is None else systems
