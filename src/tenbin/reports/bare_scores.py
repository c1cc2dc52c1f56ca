"""Scores as bare numbers, for scripts."""

from tenbin.core.errors import UsageError
from tenbin.core.scores import ScoreTable


def bare_scores(table: ScoreTable) -> str:
    """Return one number per line: the scores of each system by each metric, in their order.

    With segment scores, those, of one system by one metric.

    Raises:
        UsageError: There are segment scores of several systems or metrics.
    """
    segments = [scores.segments for scores in table.results if scores.segments is not None]
    if segments:
        check_bare_segments(len(table.systems), len(table.results))
        values = [(float(value), table.results[0].decimals) for value in segments[0][0]]
    else:
        values = [
            (float(scores.scores[place]), scores.decimals)
            for place in range(len(table.systems))
            for scores in table.results
        ]
    return "".join(f"{value:.{decimals}f}\n" for value, decimals in values)


def check_bare_segments(systems: int, metrics: int) -> None:
    """Raise `UsageError` if nobody could tell whose and which scores of segments numbers are."""
    if systems > 1 or metrics > 1:
        raise UsageError(
            "bare scores of segments do not say which is which: score one system by one metric, or "
            "take the format csv or tsv."
        )
