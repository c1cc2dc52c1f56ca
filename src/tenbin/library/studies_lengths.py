"""ParaEval with paraphrases of at least so many words, on one language pair."""

from dataclasses import replace

from tenbin.core.spec import Spec
from tenbin.library.meta_scoring import read_texts
from tenbin.library.studies_correlations import correlation_row, correlations
from tenbin.library.studies_metrics import StudyMetric, paraeval
from tenbin.library.studies_options import StudyOptions
from tenbin.library.studies_places import StudyPlace
from tenbin.library.studies_shares import bound_paraeval, matched_shares
from tenbin.metrics.paraeval.choices import NONE, ParaEvalMeasure
from tenbin.reports.study_rows import CorrelationRow


def correlations_by_length(
    place: StudyPlace, options: StudyOptions, *, is_alone: bool
) -> tuple[list[CorrelationRow], list[str]]:
    """Return the correlation at each least length, without paraphrases first, and notes.

    Every row says how many words of the translations are matched in phrases, and how many alone.

    Args:
        place: The language pair.
        options: The paraphrases, the lengths and the measures of ParaEval.
        is_alone: As in `correlations`.
    """
    measures = tuple(dict.fromkeys(options.measures)) or (ParaEvalMeasure.PRECISION,)
    lengths = (0, *sorted(set(options.lengths)))
    bound = bound_paraeval(paraeval(options, ParaEvalMeasure.PRECISION, 1).spec, place.pair)
    metrics = [
        _of_length(options, measure, length, bound.tokenizer)
        for measure in measures
        for length in lengths
    ]
    found, notes = correlations(place, metrics, place.references, options, is_alone=is_alone)
    if not found:
        return [], notes
    texts = read_texts(place.folder, place.pair, place.references, found[0].systems)
    shares = dict(zip(lengths, matched_shares(texts, bound, lengths), strict=True))
    bases = {(one.human, one.metric.label): one for one in found if one.metric.min_length == 0}
    rows = [
        correlation_row(
            one,
            baseline=bases[one.human, one.metric.label],
            shares=shares[one.metric.min_length or 0],
        )
        for one in found
    ]
    return rows, notes


def _of_length(
    options: StudyOptions, measure: ParaEvalMeasure, length: int, tokenizer: str
) -> StudyMetric:
    if length:
        return replace(paraeval(options, measure, length), min_length=length)
    parsed = Spec.parse(paraeval(replace(options, table=NONE), measure, 1).spec)
    # The tokeniser of the table, whatever is usual for the language.
    cut = Spec(parsed.name, (*parsed.parameters, ("tokenizer", tokenizer)))
    return StudyMetric(str(cut), f"ParaEval {measure}", min_length=0)
