"""The metrics of a study, each with the name that a table shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.core.errors import UsageError
from tenbin.core.spec import Spec, SpecValue
from tenbin.evaluation.run import title_of
from tenbin.library.studies_options import StudyOptions
from tenbin.metrics.paraeval.choices import ParaEvalMeasure
from tenbin.metrics.registry import load_all

_NO_TABLE = (
    "ParaEval needs paraphrases of the target language: give --table FILE. 'tenbin build "
    "paraphrases BITEXT -l LANG --pivot LANG -o FILE' makes such a file from translated text; "
    "--table none compares single words."
)


@dataclass(frozen=True, slots=True)
class StudyMetric:
    """A metric.

    Attributes:
        spec: Its spec, as `Spec` writes it.
        label: What a table calls it.
        min_length: Least number of words of a phrase, where that is what is compared; 0 for no
            paraphrases at all.
    """

    spec: str
    label: str
    min_length: int | None = None


def paraeval_metrics(
    options: StudyOptions, default: Sequence[ParaEvalMeasure] = tuple(ParaEvalMeasure)
) -> list[StudyMetric]:
    """Return ParaEval with the chosen table by each measure.

    Raises:
        UsageError: There is no table.
    """
    measures = dict.fromkeys(options.measures or default)
    return [paraeval(options, measure, options.min_length) for measure in measures]


def paraeval(options: StudyOptions, measure: ParaEvalMeasure, min_length: int) -> StudyMetric:
    """Return ParaEval with the chosen table."""
    if not options.table:
        raise UsageError(_NO_TABLE)
    parameters: dict[str, SpecValue] = {"table": options.table, "measure": str(measure)}
    if min_length > 1:
        parameters["min_length"] = min_length
    return StudyMetric(str(Spec("paraeval", tuple(parameters.items()))), f"ParaEval {measure}")


def other_metrics(options: StudyOptions, default: Sequence[str]) -> list[StudyMetric]:
    """Return the other metrics of a study; all bad specs are told at once."""
    specs = default if options.metrics is None else options.metrics
    loaded = load_all(specs)
    return [
        StudyMetric(str(Spec.parse(spec)), title_of(spec, metric))
        for spec, metric in zip(specs, loaded, strict=True)
    ]


def distinct(metrics: Sequence[StudyMetric]) -> list[StudyMetric]:
    """Return every metric once."""
    return list({metric.spec: metric for metric in reversed(metrics)}.values())[::-1]
