"""What a long segment costs: every metric on one segment of n, 2n and 4n words.

``python -m benchmarks.long_segments HYPOTHESES REFERENCES [SOURCES]`` joins the lines of real texts
to one segment and writes ``docs/measurements/long-segments.tsv`` and ``long-segments.svg``. Times
are processor time, so that other work on the machine shows little; kernels are loaded, and models
are replaced by word vectors, as encoding grows with the text and not faster.
"""

import math
import resource
import sys
import time
from pathlib import Path

import tenbin
from benchmarks.line_plot import render_lines
from benchmarks.timing import environment
from tenbin.core.spec import Spec
from tenbin.metrics.registry import load, metric_class, metric_names

SIZES = (750, 1_500, 3_000)
_FOLDER = Path(__file__).parents[1] / "docs" / "measurements"
_DATA = {"vectors": "glove-en-small", "model": "static:glove-en-small"}
_DRAWN = 8  # lines of the plot: the dearest


def specs() -> list[str]:
    """Return all metrics that need no data of the user, with data that come with Tenbin."""
    found = []
    for name in metric_names():
        known = metric_class(name).__dataclass_fields__  # type: ignore[attr-defined]
        given = {key: value for key, value in _DATA.items() if key in known and name != "meteor"}
        if not load(name).needs.parameters:
            found.append(str(Spec(name, tuple(given.items()))))
    return found


def growth(times: list[float]) -> float:
    """Return the exponent of the growth from the first size to the last."""
    return math.log(times[-1] / times[0]) / math.log(SIZES[-1] / SIZES[0])


def measured(spec: str, hypothesis: list[str], reference: list[str]) -> list[float]:
    """Return the seconds that one segment of each size takes, after a short one."""

    def seconds(size: int) -> float:
        one, other = (" ".join(words[:size]) for words in (hypothesis, reference))
        start = time.process_time()
        tenbin.score([one], [other], metrics=[spec], language="en")
        return time.process_time() - start

    with environment(TENBIN_KERNELS="compiled"):
        seconds(100)
        return [seconds(size) for size in SIZES]


def main(arguments: list[str]) -> None:
    """Measure and write the results."""
    hypothesis, reference = (Path(one).read_text(encoding="utf-8").split() for one in arguments[:2])
    rows = {}
    lines = ["metric\t" + "\t".join(f"{size} words, s" for size in SIZES) + "\tgrowth\tlimit"]
    for spec in specs():
        times = measured(spec, hypothesis, reference)
        name = Spec.parse(spec).name
        rows[name] = times
        limit = load(spec).info.longest
        cells = [name, *(f"{one:.2f}" for one in times), f"{growth(times):.1f}"]
        lines.append("\t".join([*cells, "any length" if limit is None else str(limit)]))
        print(lines[-1], flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    lines.append(f"# largest resident memory of all together: {peak:,} MB")
    (_FOLDER / "long-segments.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    dearest = sorted(rows, key=lambda name: -rows[name][-1])[:_DRAWN]
    points = {name: list(zip(SIZES, rows[name], strict=True)) for name in dearest}
    plot = render_lines("The dearest metrics on one segment", "words", "seconds", points)
    (_FOLDER / "long-segments.svg").write_text(plot, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
