"""What is asked of the experiments of the ParaEval paper: options, and the metrics that follow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tenbin.core.agreement import SamplingUnit
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.spec import Spec, SpecValue
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED, title_of
from tenbin.metrics.paraeval.choices import ParaEvalMeasure
from tenbin.metrics.registry import load_all

# Beside precision, recall and F of ParaEval. Lower case, as ParaEval: what paraphrases add is then
# the difference of the two.
RANKED = ("mup(lowercase=True)", "bleu", "meteor")
# The steps of Zhou, Lin and Hovy (2006, table 6) after BLEU itself (table 5).
STEPS = ("bleu", "mup", "gm", "bp-bleu")
LENGTHS = (1, 2, 3, 4)
_NO_TABLE = (
    "ParaEval needs paraphrases of the target language: name a table (`table`). 'tenbin build "
    "paraphrases' makes one from translated text; the table 'none' compares single words."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """How an experiment is run.

    Attributes:
        table: Paraphrases: a resource or a file of ``tenbin build paraphrases``; ``none`` compares
            single words.
        measures: What of ParaEval is taken; none takes what the experiment of the paper took.
        min_length: Least number of words of a phrase of the hypothesis.
        lengths: Those to compare, for the experiment on them.
        metrics: Specs of other metrics; None for those of the paper.
        references: Names of references; None for all.
        subsets: Whether every combination of references is tried, not only single ones and all.
        human: Kinds of judgment; none takes the most reliable one.
        unit: What a bootstrap draws: documents where they are known, or segments.
        resamples: Bootstrap samples.
        seed: Seed of every random draw.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    table: str | None = None
    measures: tuple[ParaEvalMeasure, ...] = ()
    min_length: int = 1
    lengths: tuple[int, ...] = LENGTHS
    metrics: tuple[str, ...] | None = None
    references: tuple[str, ...] | None = None
    subsets: bool = False
    human: tuple[str, ...] = ()
    unit: SamplingUnit = SamplingUnit.DOCUMENTS
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    cache: bool = True
    jobs: int = 1
    advance: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        if self.unit is SamplingUnit.JUDGMENTS:
            raise UsageError("a study draws documents or segments, not judgments.")
        if self.resamples < 1:
            raise UsageError(f"{counted(self.resamples, 'sample')}: give a number of at least 1.")
        if not self.lengths or min((*self.lengths, self.min_length)) < 1:
            raise UsageError("a least number of words is at least 1.")


@dataclass(frozen=True, slots=True)
class StudyMetric:
    """A metric.

    Attributes:
        spec: Its spec, as `Spec` writes it.
        label: Its name in tables.
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
    """Return the other metrics of a study; all bad specs are listed at once."""
    specs = default if options.metrics is None else options.metrics
    loaded = load_all(specs)
    return [
        StudyMetric(str(Spec.parse(spec)), title_of(spec, metric))
        for spec, metric in zip(specs, loaded, strict=True)
    ]


def distinct(metrics: Sequence[StudyMetric]) -> list[StudyMetric]:
    """Return every metric once."""
    return list({metric.spec: metric for metric in reversed(metrics)}.values())[::-1]
