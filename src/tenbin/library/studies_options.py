"""What can be chosen about the experiments of the study on ParaEval."""

from collections.abc import Callable
from dataclasses import dataclass

from tenbin.core.errors import UsageError
from tenbin.library.calls import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.library.meta_options import Unit
from tenbin.metrics.paraeval.choices import ParaEvalMeasure

# Beside precision, recall and F of ParaEval. Lower case, as ParaEval: what paraphrases add is then
# the difference of the two.
RANKED = ("mup(lowercase=True)", "bleu", "meteor")
# The steps of Zhou, Lin and Hovy (2006, table 6) after BLEU itself (table 5).
STEPS = ("bleu", "mup", "gm", "bp-bleu")
LENGTHS = (1, 2, 3, 4)


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
        human: Kinds of judgement; none takes the best one there is.
        unit: What a bootstrap draws: documents where they are known, or segments.
        resamples: Bootstrap samples.
        seed: Seed of every random draw.
        cached: Whether scores are kept on disk and taken from there, where that is possible.
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
    unit: Unit = Unit.DOCUMENTS
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    cached: bool = True
    jobs: int = 1
    advance: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        if self.unit is Unit.JUDGEMENTS:
            raise UsageError("a study draws documents or segments, not judgements.")
        if self.resamples < 1:
            raise UsageError(f"{self.resamples} samples: give a number of at least 1.")
        if not self.lengths or min((*self.lengths, self.min_length)) < 1:
            raise UsageError("a least number of words is at least 1.")
