"""Every metric on one segment, a hundred and ten thousand."""

from functools import partial

import tenbin
from benchmarks.corpus import Corpus
from benchmarks.peers import forget_tokens
from benchmarks.tables import Row, Section
from benchmarks.timing import cpu_seconds, environment
from tenbin.metrics.registry import metric_names

SECTION = Section(
    "Sizes",
    "Processor time of one call of `load_metric(spec).score(texts, references)` in milliseconds by "
    "number of segments, median of up to five, kernels loaded, caches of tokenizers empty. The "
    "10,000 are seven systems over the same references, which are annotated once.",
    "compiled kernels; neither tokens nor scores",
)

_SIZES = (1, 100, 10_000)


def run_sizes(corpus: Corpus) -> list[Row]:
    """Return a row per metric."""
    return [_row(name, corpus) for name in (*metric_names(), "chrf++")]


def _row(name: str, corpus: Corpus) -> Row:
    metric = tenbin.load_metric(name, language=corpus.language)
    with environment(TENBIN_KERNELS="compiled"):
        metric.score(*corpus.pairs(1))
    times = {
        size: cpu_seconds(partial(metric.score, *corpus.pairs(size)), before=forget_tokens)
        for size in _SIZES
    }
    row: Row = {f"{size:,}, ms": 1000 * seconds for size, seconds in times.items()}
    return {"metric": name, **row, "segments/s": _SIZES[-1] / times[_SIZES[-1]]}
