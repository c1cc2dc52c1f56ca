"""Folds of segments for cross-validation."""

from collections.abc import Sequence

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import UsageError
from tenbin.core.judgments import HumanScores
from tenbin.core.tuning import FoldUnit
from tenbin.stats.arrays import BoolArray

DEFAULT_FOLDS = 10
_FEWEST = 2


def judged_segments(human: HumanScores, count: int) -> BoolArray:
    """Return which segments were judged; all, where only whole systems were."""
    if human.pairs is not None:
        judged = np.zeros(count, dtype=np.bool_)
        judged[human.pairs.segments] = True
        return judged
    if human.segments is not None:
        there: BoolArray = np.any(~np.isnan(human.segments.scores), axis=0)
        return there
    return np.ones(count, dtype=np.bool_)


def chosen_unit(
    documents: tuple[str, ...] | None,
    judged: BoolArray,
    folds: int | None,
    unit: FoldUnit | None,
    label: str,
) -> tuple[FoldUnit, int]:
    """Return the unit of folds, and how many units were judged.

    Documents where they are known and there are enough of them: segments of one document are alike,
    so that a fold of segments would know something of those that were held out.

    Raises:
        UsageError: More folds than there are segments or documents.
    """
    known = 0
    if documents is not None:
        known = len({name for name, one in zip(documents, judged, strict=True) if one})
    wanted = folds or DEFAULT_FOLDS
    if unit is None:
        unit = FoldUnit.DOCUMENTS if known >= wanted else FoldUnit.SEGMENTS
    count = known if unit is FoldUnit.DOCUMENTS else int(judged.sum())
    if folds is not None and not _FEWEST <= folds <= count:
        possible = f"from {_FEWEST} to {count}, or 0" if count >= _FEWEST else "0"
        raise UsageError(
            f"{label}: {counted(folds, 'fold')} {agreeing(folds, 'is')} not possible with "
            f"{counted(count, f'judged {unit[:-1]}')}; give {possible} for no cross-validation."
        )
    return unit, count


def assigned_folds(
    judged: BoolArray,
    folds: int,
    rng: np.random.Generator,
    documents: tuple[str, ...] | None = None,
) -> IntArray:
    """Return the fold of each segment, from 0; every fold gets about as many that were judged.

    Args:
        judged: Which segments were judged.
        folds: How many folds.
        rng: Where the draws come from.
        documents: The document of each segment, to keep documents whole.

    >>> rng = np.random.default_rng(1)
    >>> np.bincount(assigned_folds(np.ones(7, dtype=np.bool_), 3, rng)).tolist()
    [3, 2, 2]
    """
    places = np.arange(len(judged))
    if documents is not None:
        places = np.unique(np.array(documents), return_inverse=True)[1]
    sizes = np.bincount(places)
    weights = np.bincount(places, weights=judged.astype(np.float64))
    shuffled = rng.permutation(len(sizes))
    # The largest first, each into the fold that has least.
    order = shuffled[np.lexsort((-sizes[shuffled], -weights[shuffled]))]
    loads = np.zeros((folds, 2))
    fold_of = np.zeros(len(sizes), dtype=np.int64)
    for unit in order.tolist():
        least = int(np.lexsort((loads[:, 1], loads[:, 0]))[0])
        if weights[unit] == 0:
            least = int(np.argmin(loads[:, 1]))
        fold_of[unit] = least
        loads[least] += weights[unit], sizes[unit]
    return fold_of[places].astype(np.int64)


def set_folds(sets: Sequence[str], folds: int | None) -> tuple[str, ...]:
    """Return the test set that each fold is.

    Args:
        sets: The test set of each language pair.
        folds: How many folds were asked for, if any.

    Raises:
        UsageError: There is one test set only, or another number of them than of folds.

    >>> set_folds(["wmt15", "wmt15", "wmt16"], None)
    ('wmt15', 'wmt16')
    """
    names = tuple(dict.fromkeys(sets))
    if len(names) < _FEWEST:
        raise UsageError(
            f"cross-validation over sets holds out one test set after the other, and there is only "
            f"{', '.join(names)}; name several test sets, or make folds of segments."
        )
    if folds is not None and folds != len(names):
        raise UsageError(
            f"{counted(folds, 'fold')} {agreeing(folds, 'is')} not possible: there are "
            f"{counted(len(names), 'test set')}, and each is a fold. Leave out the number of "
            "folds, or make folds of segments."
        )
    return names


def fold_counts(fold_of: IntArray, folds: int) -> FloatArray:
    """Return ``(2 * folds, segments)`` of 0 and 1: all but one fold, then that fold alone."""
    held_out = (fold_of[None, :] == np.arange(folds)[:, None]).astype(np.float64)
    return np.concatenate([1 - held_out, held_out])
