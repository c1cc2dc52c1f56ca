"""What a report page takes: python -m benchmarks.report_page [--data DIR].

Seconds beside scoring and bytes of the file, for 10 systems, 2,000 segments and 8 metrics, and for
1.3 million cells (10 x 16,000 x 8). Scores are drawn at random, so that only the page is timed; the
texts are those of WMT22 German-English, or of the bundled example, with a number in each segment.
"""

import argparse
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from tenbin.api.files import open_set
from tenbin.api.page import metric_looks, write_page
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet

METRICS = ("bleu", "chrf", "ter", "ribes", "meteor", "yisi0", "eed", "wer")
SIZES = ((10, 2_000), (10, 16_000))
_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    """Write both pages, and print what they took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report_page", description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA, help="the folder of test sets")
    data = parser.parse_args().data
    for systems, segments in SIZES:
        texts = benchmark_texts(systems, segments, data)
        table = drawn_scores(texts, METRICS)
        with TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            start, spent = perf_counter(), process_time()
            write_page(table, str(page), test_set=texts, pair="de-en")
            seconds, spent = perf_counter() - start, process_time() - spent
            size = page.stat().st_size
        cells = systems * segments * len(METRICS)
        print(
            f"{systems} x {segments:,} x {len(METRICS)} = {cells:,} cells: "
            f"{seconds:.2f} s ({spent:.2f} s of processor time), {size:,} B"
        )


def benchmark_texts(systems: int, segments: int, data: Path = _DATA) -> TestSet:
    """Return texts of so many systems and segments; each segment is there once."""
    if (data / "wmt22" / "system-outputs" / "de-en").is_dir():
        opened = open_set(str(data / "wmt22"), "de-en")
    else:
        opened = open_set("bundled:example", "ja-en")
    found = next(opened.chunks(opened.segment_count))
    rounds = range(segments)
    names = list(islice(cycle(found.systems), systems))
    source = found.source or ("",) * found.segment_count

    def varied(texts: Sequence[str], shift: int = 0) -> tuple[str, ...]:
        return tuple(
            f"{texts[(number + shift) % len(texts)]}"
            + (f" ({number})" if number >= len(texts) else "")
            for number in rounds
        )

    return TestSet(
        hypotheses={
            f"{name}-{place}": varied(found.hypotheses[name]) for place, name in enumerate(names)
        },
        references=tuple((text,) for text in varied([some[0] for some in found.references])),
        source=varied(source),
    )


def drawn_scores(texts: TestSet, metrics: Sequence[str]) -> ScoreTable:
    """Return scores drawn at random, of the size that those of the metrics have."""
    rng = np.random.default_rng(0)
    results = []
    for spec, look in zip(metrics, metric_looks(metrics), strict=True):
        largest = 100.0 if look.decimals < 3 else 1.0
        segments = rng.beta(4, 3, (len(texts.systems), texts.segment_count)) * largest
        results.append(
            MetricScores(
                metric=spec,
                title=look.title,
                signature=Signature(metric=spec),
                higher_is_better=look.higher_is_better,
                decimals=look.decimals,
                systems=texts.systems,
                scores=segments.mean(axis=1),
                segments=segments,
            )
        )
    return ScoreTable(
        language="en",
        segment_count=texts.segment_count,
        systems=texts.systems,
        results=tuple(results),
    )


if __name__ == "__main__":
    main()
