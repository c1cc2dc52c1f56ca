"""What confidence intervals add to the time of scoring."""

import time
from statistics import median

import tenbin
from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section

SECTION = Section(
    "Confidence intervals",
    "1,000 bootstrap resamples of segments for every system and metric of a row; processor time of "
    "scoring without and with them, kernels loaded, medians of five pairs of runs.",
    "compiled kernels and tokens of a first run; no scores",
)

_REPEATS = 5
_TARGET = 20.0
_CHOICES = (
    # The six quickest but PER, which gives the intervals the least to hide behind.
    ("bleu", "chrf", "chrf++", "nist", "ribes", "impact"),
    ("bleu", "chrf++", "ter", "ribes", "character", "eed"),
)


def run_intervals(corpus: Corpus) -> list[Row]:
    """Return a row for each choice of metrics."""
    return [_row(corpus, metrics) for metrics in _CHOICES]


def _row(corpus: Corpus, metrics: tuple[str, ...]) -> Row:
    def seconds(*, ci: bool) -> float:
        start = time.process_time()
        tenbin.score(
            corpus.systems, corpus.reference, metrics=metrics, language=corpus.language, ci=ci
        )
        return time.process_time() - start

    seconds(ci=True)
    # One after the other in turn, so that a change of the machine's mood meets both.
    pairs = [(seconds(ci=False), seconds(ci=True)) for _ in range(_REPEATS)]
    without, with_intervals = (median(times) for times in zip(*pairs, strict=True))
    return {
        "metrics": " ".join(metrics),
        "systems": len(corpus.systems),
        "segments": len(corpus.reference),
        "without, s": without,
        "with, s": with_intervals,
        "added, %": 100 * (with_intervals / without - 1),
        "target, %": f"< {_TARGET:.0f}",
    }
