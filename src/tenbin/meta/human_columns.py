"""Human scores of the systems of a report."""

from collections.abc import Sequence

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import UnreadableFile
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.core.report import HumanColumn
from tenbin.meta.judgments import find_judgments


def human_columns(
    folder: str, pair: str, systems: Sequence[str], segment_count: int
) -> tuple[HumanColumn, ...]:
    """Return the human scores of some systems of a test set, one column per kind of judgment.

    Preferences are no scores; kinds without any score of these systems are left out. There are none
    where the test set has no human judgments.

    Raises:
        InputError: A file of judgments breaks its format.
    """
    try:
        files = find_judgments(folder, pair)
    except UnreadableFile:
        return ()
    columns = [
        _column(files.read(kind, segments=True), systems, segment_count) for kind in files.scores
    ]
    return tuple(one for one in columns if np.isfinite(one.scores).any())


def _column(human: HumanScores, systems: Sequence[str], segment_count: int) -> HumanColumn:
    segments = None
    if human.segments is not None and human.segments.scores.shape[1] == segment_count:
        segments = _of_systems(human.segments, systems)
    if human.systems is not None:
        scores = _of_systems(human.systems, systems)
    elif segments is not None:
        scores = np.array([_mean(row) for row in segments])
    else:
        scores = np.full(len(systems), np.nan)
    if segments is not None and not np.isfinite(segments).any():
        segments = None
    return HumanColumn(kind=human.name, scores=scores, segments=segments)


def _of_systems(table: ScoreMatrix, systems: Sequence[str]) -> FloatArray:
    places = {name: place for place, name in enumerate(table.systems)}
    found: FloatArray = np.full((len(systems), *table.scores.shape[1:]), np.nan)
    for row, name in enumerate(systems):
        if name in places:
            found[row] = table.scores[places[name]]
    return found


def _mean(row: FloatArray) -> float:
    known = row[np.isfinite(row)]
    return float(known.mean()) if known.size else float("nan")
