"""The one call that takes any measure by its name.

>>> human = ScoreTable.by_segment("da", {"A": [90, 40, 70, 10], "B": [60, 45, 70, 35]})
>>> metric = ScoreTable.by_segment("m", {"A": [0.9, 0.4, 0.5, 0.3], "B": [0.7, 0.35, 0.56, 0.3]})
>>> measure("acc-eq", human, metric).value
0.5
"""

from difflib import get_close_matches

from tenbin.core.errors import UsageError
from tenbin.formats.human_pairs import HumanPairs
from tenbin.formats.score_table import ScoreTable
from tenbin.meta.measures.catalogue import MEASURES, Measure
from tenbin.meta.measures.measurement import Measurement, Prepared
from tenbin.meta.measures.scores import (
    HumanScores,
    MetricScores,
    Settings,
    human_scores,
    metric_scores,
)


def measure(
    name: str,
    human: HumanScores | ScoreTable | HumanPairs,
    metric: MetricScores | ScoreTable,
    settings: Settings | None = None,
) -> Measurement:
    """Return how far a metric agrees with people.

    Args:
        name: A name of `MEASURES`, such as ``segment-pearson-item``.
        human: Human scores, or preferences; a single table is taken for its level.
        metric: Scores of the metric, higher being better.
        settings: See `Settings`.

    Raises:
        UsageError: There is no measure of that name.
        InputError: Scores that the measure needs are missing.
    """
    return prepare(name, human, metric, settings).value()


def prepare(
    name: str,
    human: HumanScores | ScoreTable | HumanPairs,
    metric: MetricScores | ScoreTable,
    settings: Settings | None = None,
) -> Prepared:
    """Return a measure joined with its data, which can be resampled; arguments as in `measure`."""
    return find_measure(name).prepare(
        human_scores(human), metric_scores(metric), settings or Settings()
    )


def find_measure(name: str) -> Measure:
    """Return the measure of a name.

    Raises:
        UsageError: There is none; near names are told.
    """
    if name in MEASURES:
        return MEASURES[name]
    near = get_close_matches(name.lower(), MEASURES, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"unknown measure {name!r}.{hint} 'tenbin meta --list' lists all.")
