"""Texts and judgments of one's own, from a table."""

from pathlib import Path

import numpy as np

from tenbin.building.metric.judged_texts import (
    JudgedBlock,
    JudgedPairs,
    JudgedRows,
    TextPool,
    standard_scores,
)
from tenbin.building.metric.weights import TABLE, usual_weight
from tenbin.core.arrays import Numbering
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import InputError
from tenbin.core.judgments import listed
from tenbin.formats.judgment_table import JudgmentRow, read_judgment_table


def read_own_table(
    path: str, pool: TextPool, *, least_difference: float
) -> tuple[JudgedBlock, list[str]]:
    """Return the judgments of a table, and notes on what was left out.

    The scores of each annotator become z-scores; the label of a translation is the mean over its
    annotators. Without a column of segments, rows with the same source and reference are a segment.

    Args:
        path: The table.
        pool: Gets its texts.
        least_difference: How far two z-scores must be apart to make a pair.

    Raises:
        InputError: The table cannot be read, or nothing can be learned from its scores.
    """
    name = Path(path).name
    rows = read_judgment_table(path)
    notes: list[str] = []
    known = [row for row in rows if not np.isnan(row.score) and row.reference.strip()]
    if len(known) < len(rows):
        lost = len(rows) - len(known)
        notes.append(
            f"{name}: {counted(lost, 'row')} without score or reference "
            f"{agreeing(lost, 'is')} left out."
        )
    labels: dict[tuple[int, int, int], list[float]] = {}
    segments = Numbering()
    silent: list[str] = []
    annotators = dict.fromkeys(row.annotator for row in known)
    for annotator in annotators:
        own = [row for row in known if row.annotator == annotator]
        z_scores = standard_scores(np.array([row.score for row in own]))
        if z_scores is None:
            silent.append(annotator or "(no name)")
            continue
        for row, label in zip(own, z_scores.tolist(), strict=True):
            labels.setdefault(_key(row, pool, segments), []).append(label)
    if silent and labels:
        notes.append(f"{name}: one score only, or always the same, left out: {listed(silent)}.")
    if not labels:
        raise InputError(
            f"{path}: all scores are the same, for each annotator, so that there is nothing to "
            "learn from them. Give judgments that differ."
        )
    judged = JudgedRows.of_means(labels).standardized(name)
    block = JudgedBlock(
        name=name,
        pair="",
        kind=TABLE,
        rows=judged,
        pairs=judged.pairs(least_difference),
        usual_weight=usual_weight(TABLE, systems=1),
        facts={"annotators": len(annotators) - len(silent), "judgments": len(known)},
    )
    return block, notes


def read_unjudged_table(path: str, pool: TextPool) -> tuple[JudgedBlock, list[str]]:
    """Return the translations of a table, which a teacher is to judge, and notes.

    Scores that it may have are not read. A reference may be any text: what a student learns from
    need not be a translation.

    Args:
        path: The table.
        pool: Gets its texts.

    Raises:
        InputError: The table cannot be read, or has no reference.
    """
    name = Path(path).name
    rows = read_judgment_table(path, scored=False)
    known = [row for row in rows if row.reference.strip()]
    if not known:
        raise InputError(f"{path}: all references are empty. Give pairs of texts.")
    notes = []
    if lost := len(rows) - len(known):
        notes.append(
            f"{name}: {counted(lost, 'row')} without reference {agreeing(lost, 'is')} left out."
        )
    segments = Numbering()
    keys = np.array(list(dict.fromkeys(_key(row, pool, segments) for row in known)), dtype=np.int64)
    block = JudgedBlock(
        name=name,
        pair="",
        kind=TABLE,
        rows=JudgedRows(
            references=keys[:, 0],
            hypotheses=keys[:, 1],
            segments=keys[:, 2],
            labels=np.zeros(len(keys)),
        ),
        pairs=JudgedPairs.none(),
        usual_weight=usual_weight(TABLE, systems=1),
    )
    return block, notes


def _key(row: JudgmentRow, pool: TextPool, segments: Numbering) -> tuple[int, int, int]:
    reference, hypothesis = pool.numbers([row.reference, row.hypothesis]).tolist()
    if row.source.strip():
        pool.sources[reference] = int(pool.numbers([row.source])[0])
    segment = row.segment or f"{row.source.strip()}\t{row.reference.strip()}"
    return reference, hypothesis, segments[segment]
