"""Texts with human scores in the user's own tables, ready to be measured."""

from dataclasses import replace

from tenbin.core.errors import UsageError
from tenbin.core.judged_texts import JudgedTexts
from tenbin.evaluation.checks import check_needs
from tenbin.evaluation.run import Options
from tenbin.meta.data import JudgedPair, MetricSources
from tenbin.meta.judgments import human_system_scores, known_forms, missing_notes
from tenbin.meta.planning import MetaOptions, draws_systems, planned_tasks
from tenbin.meta.scoring import score_texts, without_markers
from tenbin.metrics.registry import load_all


def pair_of_texts(
    judged: JudgedTexts, language: str, sources: MetricSources, options: MetaOptions
) -> JudgedPair:
    """Return the human scores of a table and the scores of metrics on its texts.

    Args:
        judged: Texts and human scores.
        language: The target language.
        sources: The metrics, of which only Tenbin's own can be computed here.
        options: What to measure.
    """
    if not sources.specs:
        raise UsageError("there are no metrics: name some (`metrics`).")
    tasks, notes = planned_tasks(
        {kind: known_forms(human) for kind, human in judged.human.items()}, options
    )
    texts = judged.texts
    check_needs(
        load_all(sources.specs),
        sources.specs,
        has_references=texts.has_references,
        has_source=texts.has_source,
    )
    whole = next(iter(texts.chunks(texts.segment_count)))
    whole = without_markers(replace(whole, notes=texts.notes))
    scored = score_texts(
        whole,
        sources.specs,
        language,
        options=Options(jobs=sources.jobs, advance=sources.advance),
        resampled=draws_systems(tasks, options),
    )
    used = {task.human for task in tasks}
    human = {kind: one for kind, one in judged.human.items() if kind in used}
    missing = [note for one in human.values() for note in missing_notes(one)]
    return JudgedPair(
        test_set="",
        pair="",
        tasks=tuple(tasks),
        human=human,
        metrics=scored.metrics,
        signatures=scored.signatures,
        documents=whole.documents,
        notes=(*scored.notes, *notes, *missing),
        human_ranking=human_system_scores(human.values()) if options.rankings else {},
    )
