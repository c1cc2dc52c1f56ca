"""The experiments of the study on ParaEval (Zhou, Lin and Hovy 2006), one call each."""

from collections.abc import Sequence

from tenbin.core.agreement import SamplingUnit
from tenbin.core.errors import InputError, UsageError
from tenbin.core.study import (
    CorrelationRow,
    CorrelationTable,
    Study,
    TranslationRow,
    TranslationTable,
)
from tenbin.evaluation.run import DEFAULT_RESAMPLES
from tenbin.metrics.paraeval.choices import NONE, ParaEvalMeasure
from tenbin.studies.correlations import correlation_row, correlations, without_choice
from tenbin.studies.humans import scored_translations
from tenbin.studies.lengths import correlations_by_length
from tenbin.studies.places import StudyPlace, reference_groups, study_places
from tenbin.studies.planning import (
    LENGTHS,
    RANKED,
    STEPS,
    StudyMetric,
    StudyOptions,
    distinct,
    other_metrics,
    paraeval_metrics,
)

__all__ = [
    "DEFAULT_RESAMPLES",
    "LENGTHS",
    "RANKED",
    "STEPS",
    "ParaEvalMeasure",
    "SamplingUnit",
    "Study",
    "StudyOptions",
    "study_decomposition",
    "study_humans",
    "study_lengths",
    "study_ranking",
    "study_references",
]

_BASELINE = "bleu"


def study_ranking(
    folders: Sequence[str], pairs: Sequence[str], options: StudyOptions
) -> CorrelationTable:
    """Correlate rankings of systems by ParaEval and other metrics with the human ranking.

    Tables 1 and 2 of the paper. Differences are from BLEU, where it is among the metrics.

    Args:
        folders: Test sets in the mt-metrics-eval layout.
        pairs: Language pairs; ``all`` for all that have human judgments.
        options: The paraphrases, the metrics, the references (all of them by default).

    Raises:
        UsageError: There are no paraphrases, or there is no such metric, reference or judgment.
        InputError: Files that cannot be read, or nothing that could be ranked.
    """
    metrics = distinct([*paraeval_metrics(options), *other_metrics(options, RANKED)])
    places, notes = study_places(folders, pairs, options.references, several=False, judged=True)
    rows: list[CorrelationRow] = []
    for place in places:
        found, more = correlations(
            place, metrics, place.references, options, is_alone=len(places) == 1
        )
        bases = {one.human: one for one in found if one.metric.spec == _BASELINE}
        rows += [correlation_row(one, baseline=bases.get(one.human)) for one in found]
        notes += _placed(place, more, places)
    return _correlation_table(Study.RANKING, rows, notes, options)


def study_references(
    folders: Sequence[str], pairs: Sequence[str], options: StudyOptions
) -> CorrelationTable:
    """Rank systems with each reference alone and with all together, as in table 3 of the paper.

    Differences are from all references together. Arguments and errors as in `study_ranking`; a
    language pair needs two references.
    """
    metrics = distinct([*paraeval_metrics(options), *other_metrics(options, RANKED)])
    return _by_references(Study.REFERENCES, metrics, folders, pairs, options)


def study_decomposition(
    folders: Sequence[str], pairs: Sequence[str], options: StudyOptions
) -> CorrelationTable:
    """Take BLEU apart with each reference alone and with all together: tables 5 and 6 of the paper.

    Arguments and errors as in `study_references`; no paraphrases are needed.
    """
    metrics = distinct(other_metrics(options, STEPS))
    return _by_references(Study.DECOMPOSITION, metrics, folders, pairs, options)


def study_lengths(
    folders: Sequence[str], pairs: Sequence[str], options: StudyOptions
) -> CorrelationTable:
    """Allow paraphrases of at least so many words only, as section 4.2 of the paper does.

    Differences are from ParaEval without any paraphrase. Arguments and errors as in
    `study_ranking`.
    """
    # Before any text is read: the paraphrases must be there.
    if options.table == NONE:
        raise UsageError(
            "without paraphrases there are no lengths to compare: name a table of 'tenbin build "
            "paraphrases'."
        )
    paraeval_metrics(options)
    places, notes = study_places(folders, pairs, options.references, several=False, judged=True)
    rows: list[CorrelationRow] = []
    for place in places:
        found, more = correlations_by_length(place, options, is_alone=len(places) == 1)
        rows += found
        notes += _placed(place, more, places)
    return _correlation_table(Study.LENGTHS, rows, notes, options)


def study_humans(
    folders: Sequence[str], pairs: Sequence[str], options: StudyOptions
) -> TranslationTable:
    """Score each reference against the others, beside the machines: table 4, figure 5 of the paper.

    Arguments and errors as in `study_references`; human judgments are not needed, and shown where
    there are some.
    """
    chosen = paraeval_metrics(options, default=(ParaEvalMeasure.PRECISION,))
    metrics = distinct([*chosen, *other_metrics(options, ())])
    places, notes = study_places(folders, pairs, options.references, several=True, judged=False)
    rows: list[TranslationRow] = []
    for place in places:
        found, more = scored_translations(place, metrics, options)
        rows += found
        notes += _placed(place, more, places)
    return TranslationTable(
        rows=tuple(rows), notes=tuple(notes), resamples=options.resamples, seed=options.seed
    )


def _by_references(
    study: Study,
    metrics: Sequence[StudyMetric],
    folders: Sequence[str],
    pairs: Sequence[str],
    options: StudyOptions,
) -> CorrelationTable:
    """Return the correlations with groups of references, and the differences from the largest."""
    places, notes = study_places(folders, pairs, options.references, several=True, judged=True)
    rows: list[CorrelationRow] = []
    for place in places:
        groups = reference_groups(place.references, subsets=options.subsets)
        by_group = {}
        more: list[str] = []
        for group in groups:
            by_group[group], group_notes = correlations(
                place, metrics, group, options, is_alone=len(places) == 1
            )
            more += without_choice(group_notes)
        # All groups have the same metrics and kinds of judgment, in the same order.
        for together, *others in zip(by_group[groups[-1]], *by_group.values(), strict=True):
            rows += [correlation_row(one, baseline=together) for one in others]
        notes += _placed(place, list(dict.fromkeys(more)), places)
    return _correlation_table(study, rows, notes, options)


def _correlation_table(
    study: Study, rows: Sequence[CorrelationRow], notes: Sequence[str], options: StudyOptions
) -> CorrelationTable:
    if not rows:
        raise InputError(f"nothing could be ranked. {' '.join(notes)}")
    return CorrelationTable(
        study=study,
        rows=tuple(rows),
        notes=tuple(notes),
        resamples=options.resamples,
        seed=options.seed,
    )


def _placed(place: StudyPlace, notes: Sequence[str], places: Sequence[StudyPlace]) -> list[str]:
    return [note if len(places) == 1 else f"{place.label}: {note}" for note in notes]
