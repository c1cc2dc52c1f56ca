"""What the command line does, as one call each.

>>> import tenbin
>>> table = tenbin.score(["the cat sat"], ["the cat sat down"], metrics=["chrf"], language="en")
>>> round(table["hypotheses", "chrf"], 2)
66.02
"""

from tenbin.api.scoring import (
    LoadedMetric,
    MetricScore,
    compare,
    explain,
    list_metrics,
    load_metric,
    score,
)

__all__ = [
    "LoadedMetric",
    "MetricScore",
    "compare",
    "explain",
    "list_metrics",
    "load_metric",
    "score",
]
