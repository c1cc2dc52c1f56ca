"""Metrics over an encoder of several languages beside chrF: python -m benchmarks.several_languages.

On judged test sets into other languages than English, each with the measure of its campaign, a part
of the judged translations of each. Metrics that weigh words by the test set are left out: batches
are small.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.agreement.columns import target
from benchmarks.agreement.page import render_table
from benchmarks.agreement.sets import PLANS, chosen_plans, scored_pairs
from benchmarks.preset_search.features import paired
from benchmarks.preset_search.report import mean_interval
from benchmarks.preset_search.sets import JudgedSet, judged_set
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.core.errors import UsageError
from tenbin.meta.significance.bootstrap import bootstrap
from tenbin.metrics import registry
from tenbin.metrics.similarity_metric import SimilarityMetric

_ROOT = Path(__file__).resolve().parents[1]
_PLAIN = "chrf"
_SUM = f"{_PLAIN} + sentence"
_METRICS = (
    'bertscore(model="use-multilingual")',
    'bertscore(model="use-multilingual", layer=0)',
    'tenbin(model="use-multilingual")',
    "sentence",
)
_PAIRS_AT_ONCE = 500
_RESAMPLES, _SLOW, _SLOW_RESAMPLES = 1_000, "acc-eq", 100
_SEED = 12345


def main() -> None:
    """Measure and print."""
    options = _parse()
    os.environ.setdefault("TENBIN_KERNELS", "compiled")
    rows = []
    for plan in chosen_plans(options.sets):
        for pair in scored_pairs(options.data / plan.name):
            if target(pair) in options.languages:
                start = time.process_time()
                judged = judged_set(options.data / plan.name, pair, plan, options.translations)
                rows += [] if judged is None else [_row(judged, target(pair))]
                spent = time.process_time() - start
                print(f"{plan.name} {pair}: {spent:.1f} s", file=sys.stderr, flush=True)
    shown = [name for metric in (*_METRICS, _SUM) for name in (metric, "gain")]
    print(render_table(["test set", "measure", "translations", _PLAIN, *shown], rows))


def _row(judged: JudgedSet, language: str) -> list[str]:
    """Return what each metric comes to on a set, with the interval of its gain over chrF."""
    scores = {name: pair_scores(name, judged, language) for name in (_PLAIN, *_METRICS)}
    scores[_SUM] = _standard(scores[_PLAIN]) + _standard(scores["sentence"])
    values = judged.agreement.values(np.stack(list(scores.values())))
    resamples = _SLOW_RESAMPLES if judged.measure == _SLOW else _RESAMPLES
    drawn = bootstrap(
        [judged.prepared(row) for row in scores.values()],
        rng=np.random.default_rng(_SEED),
        resamples=resamples,
    )
    cells = [str(judged.name), judged.measure, f"{len(judged.hypotheses):,}", f"{values[0]:.3f}"]
    for place in range(1, len(values)):
        low, high = mean_interval(drawn[place] - drawn[0])
        cells += [f"{values[place]:.3f}", f"{low:+.3f} to {high:+.3f}"]
    return cells


def pair_scores(spec: str, judged: JudgedSet, language: str) -> FloatArray:
    """Return the score of each pair of texts by itself."""
    metric = registry.load(spec).bind(language)
    parts = []
    for start in range(0, len(judged.hypotheses), _PAIRS_AT_ONCE):
        some = slice(start, start + _PAIRS_AT_ONCE)
        texts = judged.hypotheses[some], judged.references[some]
        if isinstance(metric, SimilarityMetric):
            with caching(enabled=False):
                parts.append(metric.pair_scores(paired(*texts)))
        else:
            parts.append(_surface(spec, *texts, language=language))
    return np.concatenate(parts)


def _surface(
    spec: str, hypotheses: Sequence[str], references: Sequence[str], *, language: str
) -> FloatArray:
    from tenbin import score  # noqa: PLC0415 - what the other metrics do not need

    table = score(
        list(hypotheses), list(references), metrics=[spec], language=language, segments=True
    )
    segments = table.results[0].segments
    if segments is None:
        raise UsageError(f"{spec} has no segment scores.")
    found: FloatArray = segments[0]
    return found


def _standard(scores: FloatArray) -> FloatArray:
    found: FloatArray = (scores - scores.mean()) / scores.std()
    return found


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.several_languages", description=__doc__
    )
    parser.add_argument(
        "--data", type=Path, default=_ROOT.parent / "shared" / "data", metavar="DIR"
    )
    parser.add_argument(
        "--sets", nargs="*", default=[], metavar="SET", help=", ".join(one.name for one in PLANS)
    )
    parser.add_argument("--languages", nargs="*", default=["de", "es", "ja", "ru"])
    parser.add_argument(
        "--translations", type=int, default=3_000, metavar="N", help="judged ones of each set"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
