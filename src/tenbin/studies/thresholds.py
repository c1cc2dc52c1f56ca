"""Scores of a metric whose threshold was chosen on other segments than those it is used on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.core.agreement import SamplingUnit
from tenbin.core.errors import InputError
from tenbin.core.tuning import FoldUnit
from tenbin.meta.data import JudgedPair
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.measures.measurement import Settings
from tenbin.meta.measures.scores import MetricTables, segments_of
from tenbin.meta.planning import MetaTask
from tenbin.studies.agreement import AgreementOptions
from tenbin.tuning.folds import (
    DEFAULT_FOLDS,
    assigned_folds,
    chosen_unit,
    fold_counts,
    judged_segments,
)
from tenbin.tuning.settings import best_place

_FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutScores:
    """Scores by segment, each at the threshold that is best on all other folds.

    Attributes:
        tables: The scores.
        thresholds: The threshold of each fold.
    """

    tables: MetricTables
    thresholds: tuple[float, ...]


def held_out_scores(
    judged: JudgedPair,
    task: MetaTask,
    by_threshold: Sequence[MetricTables],
    options: AgreementOptions,
) -> HeldOutScores:
    """Return the scores of a metric with a threshold that was chosen by cross-validation.

    Every fold takes the threshold with the highest measure on all other folds, the lowest of
    equals. What is measured on the scores of all folds together was not tuned on its own segments.

    Args:
        judged: The language pair with its judgments.
        task: The measure and the kind of judgment.
        by_threshold: The scores at each threshold of ``options.grid``.
        options: How many folds, and of what.

    Raises:
        InputError: There is too little to make two folds of, or the measure is undefined on all
            but one of them.
        UsageError: More folds than there are segments or documents.
    """
    if task.human is None:
        raise InputError(f"there are no human {task.info.needs} to choose a threshold by.")
    human = judged.human[task.human]
    tables = [segments_of(one) for one in by_threshold]
    mask = judged_segments(human, len(tables[0].segments))
    asked = FoldUnit.SEGMENTS if options.unit is SamplingUnit.SEGMENTS else None
    label = f"{judged.test_set} {judged.pair}"
    unit, count = chosen_unit(judged.documents, mask, options.folds, asked, label)
    folds = options.folds or min(DEFAULT_FOLDS, count)
    if folds < _FEWEST_FOLDS:
        raise InputError("one judged segment cannot be divided into folds.")
    documents = judged.documents if unit is FoldUnit.DOCUMENTS else None
    fold_of = assigned_folds(mask, folds, np.random.default_rng(options.seed), documents)
    others = fold_counts(fold_of, folds)[:folds]
    settings = Settings(by_segment=True)
    values = np.stack(
        [prepare(task.measure, human, one, settings).resampled(others) for one in by_threshold]
    )
    chosen = [best_place(values[:, fold]) for fold in range(folds)]
    if None in chosen:
        raise InputError(f"{task.measure} is undefined on all but one of the folds.")
    places = np.array(chosen, dtype=np.int64)
    scores = np.stack([one.scores for one in tables])
    mixed = scores[places[fold_of], :, np.arange(len(fold_of))].T
    return HeldOutScores(
        MetricTables(name=by_threshold[0].name, segments=replace(tables[0], scores=mixed)),
        tuple(options.grid[place] for place in places),
    )
