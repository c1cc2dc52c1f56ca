"""Writes scores of Tenbin's metrics into the layout of mt-metrics-eval."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenbin.formats.mt_metrics_eval import write_score_file
from tenbin.formats.output import write_errors, write_text
from tenbin.meta.measures.scores import MetricScores

# What a spec such as chrf(word_order=2) is made of; a path in it may hold anything else.
_FOREIGN = re.compile(r"[^\w.+=,()\"'-]+")


def export_scores(
    metrics: Mapping[str, MetricScores], folder: str, pair: str, references: Sequence[str]
) -> None:
    """Write ``metric-scores/PAIR/METRIC-REF.{seg,sys}.score`` for each metric, higher being better.

    Raises:
        OutputError: A file cannot be written.
    """
    place = Path(folder) / "metric-scores" / pair
    with write_errors(str(place)):
        place.mkdir(parents=True, exist_ok=True)
    for name, metric in metrics.items():
        for table in (metric.segments, metric.systems):
            if table is not None:
                stem = f"{_FOREIGN.sub('_', name)}-{'.'.join(references)}"
                write_text(str(place / f"{stem}.{table.level}.score"), write_score_file(table))
