"""Searches the settings of the preset `tenbin`: python -m benchmarks.preset_search.

Every setting of a grid is set beside plain BERTScore on every test set into English that has texts
and judgements, each with the measure of its campaign. What a search finds on the sets that it saw
flatters it, so that the choice is made again with each set, each language pair and each year left
out, and what is chosen without them is measured on them.

The encoder runs once; what is needed of its vectors is kept in a folder, so that a second run takes
minutes.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.agreement_columns import target
from benchmarks.agreement_sets import PLANS, Plan, chosen_plans, scored_pairs
from benchmarks.preset_search_features import Features, load_features
from benchmarks.preset_search_report import (
    Found,
    Interval,
    closing_lines,
    mean_interval,
    render_parts,
    render_sets,
    write_settings,
)
from benchmarks.preset_search_sets import JudgedSet, SetName, judged_set
from benchmarks.preset_search_settings import (
    PLAIN,
    FoldKind,
    Rule,
    Setting,
    folds,
    grid,
    held_out,
    preset,
)
from tenbin.core.arrays import FloatArray
from tenbin.meta.significance.bootstrap import bootstrap

_ROOT = Path(__file__).resolve().parents[1]
_LANGUAGE = "en"
_ROWS_AT_ONCE = 25
_RESAMPLES = 1_000
# Ties are calibrated anew for every sample, which takes a thousand times longer than a tau.
_SLOW, _SLOW_RESAMPLES = "acc-eq", 200
_SEED = 12345


class Measured(NamedTuple):
    """What was found on one language pair of a test set.

    Attributes:
        name: Which one it is.
        measure: The measure.
        judgements: Judgements, or judged translations.
        values: Of each setting.
        interval: 95 % interval of what the preset gains.
    """

    name: SetName
    measure: str
    judgements: int
    values: FloatArray
    interval: Interval


def main() -> None:
    """Search, print, and store every value where asked for."""
    options = _parse()
    places = [
        (options.data / plan.name, pair, plan, options.keep)
        for plan in chosen_plans(options.sets)
        for pair in scored_pairs(options.data / plan.name)
        if target(pair) == _LANGUAGE
    ]
    if options.jobs == 1:
        results = [measured(*place) for place in places]
    else:
        # A process of its own has a model of its own; forked ones may not use a GPU.
        with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(measured, *zip(*places, strict=True)))
    known = [one for one in results if one is not None]
    if not known:
        raise SystemExit(f"no judged test set into English in {options.data}; give --data.")
    found = _found(known, grid(), options.folds)
    print(render_sets(found), render_parts(found), "\n".join(closing_lines(found)), sep="\n\n")
    if options.output:
        write_settings(options.output, found)


def measured(folder: Path, pair: str, plan: Plan, keep: Path) -> Measured | None:
    """Return how every setting does on a language pair; None where its measure has no judgements.

    Args:
        folder: The test set.
        pair: The language pair.
        plan: The measure.
        keep: Where what is made of the vectors is kept.
    """
    # Small test sets would do without the compiled kernels, which pay for themselves over all sets.
    os.environ.setdefault("TENBIN_KERNELS", "compiled")
    start = time.process_time()
    judged = judged_set(folder, pair, plan)
    if judged is None:
        return None
    file = f"{plan.name}-{pair}"
    features = load_features(judged.hypotheses, judged.references, keep, file)
    values, interval = _values(judged, features, grid()), _interval(judged, features)
    spent = time.process_time() - start
    print(f"{judged.name}: {spent:.1f} s of processor time", file=sys.stderr, flush=True)
    return Measured(judged.name, judged.measure, judged.count, values, interval)


def _values(one: JudgedSet, features: Features, settings: Sequence[Setting]) -> FloatArray:
    """Return how far each setting agrees with people."""
    values = []
    for start in range(0, len(settings), _ROWS_AT_ONCE):
        some = settings[start : start + _ROWS_AT_ONCE]
        values.append(one.agreement.values(np.stack([features.scores(each) for each in some])))
    return np.concatenate(values)


def _interval(one: JudgedSet, features: Features) -> Interval:
    """Return the 95 % interval of what the preset gains, over draws of segments or judgements."""
    prepared = [one.prepared(features.scores(setting)) for setting in (PLAIN, preset())]
    resamples = _SLOW_RESAMPLES if one.measure == _SLOW else _RESAMPLES
    drawn = bootstrap(prepared, rng=np.random.default_rng(_SEED), resamples=resamples)
    return mean_interval(drawn[1] - drawn[0])


def _found(
    results: Sequence[Measured], settings: Sequence[Setting], kinds: Sequence[FoldKind]
) -> Found:
    values = np.stack([one.values for one in results], axis=1)
    plain = settings.index(PLAIN)
    gains = values - values[plain]
    names = [one.name for one in results]
    left_out = {
        (kind, rule): held_out(gains, folds(names, kind), rule) for rule in Rule for kind in kinds
    }
    return Found(
        sets=[(str(one.name), one.measure, one.judgements) for one in results],
        settings=settings,
        values=values,
        plain=plain,
        preset=settings.index(preset()),
        intervals=[one.interval for one in results],
        held_out={key: one for key, one in left_out.items() if one is not None},
    )


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.preset_search", description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=_ROOT.parent / "shared" / "data",
        metavar="DIR",
        help="folder of test sets in the mt-metrics-eval layout (default: %(default)s)",
    )
    parser.add_argument(
        "--sets",
        nargs="*",
        default=[],
        metavar="SET",
        help=f"some test sets only: {', '.join(plan.name for plan in PLANS)}",
    )
    parser.add_argument(
        "--folds",
        nargs="*",
        type=FoldKind,
        default=list(FoldKind),
        choices=list(FoldKind),
        help="what is left out of the choice together (default: one after the other)",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        default=_ROOT / "build" / "preset-search",
        metavar="DIR",
        help="where what is made of the vectors is kept (default: %(default)s)",
    )
    parser.add_argument(
        "-j", "--jobs", type=int, default=1, metavar="N", help="processes (default: %(default)s)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="every value of every setting"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
