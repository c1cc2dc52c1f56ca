"""Agreement of metrics with human judgments: python -m benchmarks.agreement [--write-docs].

Every metric of Tenbin on every language pair of the test sets that has texts, at the level of
segments and of systems, beside the metrics whose scores come with the test sets. Scores are cached
on disk, so that a second run is quick.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.agreement.bitext_vectors import bitext_vectors
from benchmarks.agreement.columns import main_columns, measure_columns, target
from benchmarks.agreement.measuring import PairResults, measure_pair
from benchmarks.agreement.meteor import SET as METEOR_SET
from benchmarks.agreement.meteor import meteor_entries, render_meteor
from benchmarks.agreement.page import (
    render_columns,
    render_pairs,
    render_vectors,
    write_blocks,
    write_data,
)
from benchmarks.agreement.sets import OVER_VECTORS, Entry, Plan, chosen_plans, entries, scored_pairs
from benchmarks.agreement.variants import FAMILIES, VARIANT_SETS, render_family

BASE = "chrf"

_ROOT = Path(__file__).resolve().parents[2]
_PAGES = sorted((_ROOT / "docs" / "agreement").glob("*.md"))
_RESULTS = _ROOT / "benchmarks" / "results"
_DATA = _RESULTS / "agreement.tsv"
_VARIANTS = _RESULTS / "agreement-variants.tsv"
_MARKED = (
    f"▲ and ▼: above or below `{BASE}` by more than chance (95 % interval of the difference over "
    "bootstrap samples). Bold: the best of Tenbin's in a column."
)


def main() -> None:
    """Measure, then print the tables or write them into the pages."""
    options = _parse()
    if options.write_docs and (options.sets or options.metrics):
        raise SystemExit("pages and data have everything: --write-docs takes no --sets, --metrics")
    # Small test sets would do without the compiled kernels, which pay for themselves over all sets.
    os.environ.setdefault("TENBIN_KERNELS", "compiled")
    plans = chosen_plans(options.sets)
    blocks: dict[str, str] = {}
    if options.only != "variants":
        results = _measured(plans, options)
        blocks |= _tables(results, plans)
        if options.write_docs:
            write_data(_DATA, results, BASE)
    if options.only != "tables":
        chosen = [plan for plan in plans if plan.name in VARIANT_SETS]
        found, drawn = _variants(chosen, options)
        blocks |= drawn
        if options.write_docs:
            write_data(_VARIANTS, found)
    if options.write_docs:
        write_blocks(_PAGES, blocks)
    else:
        print("\n\n".join(blocks.values()))


def _measured(plans: Sequence[Plan], options: argparse.Namespace) -> list[PairResults]:
    """Measure all metrics, or those asked for."""
    lexicons = options.shared / "lexicons" / "dbnary"

    def chosen(language: str) -> list[Entry]:
        known = entries(language, lexicons, options.paraphrases)
        wanted = set(options.metrics) | {BASE}
        return [one for one in known if not options.metrics or one.label in wanted]

    results = []
    for plan, pair in _places(plans, options.shared):
        folder = options.shared / "data" / plan.name
        start = time.process_time()
        results.append(measure_pair(folder, pair, plan, chosen(target(pair))))
        _tell(f"{plan.name} {pair}", start)
    return results


def _tables(results: Sequence[PairResults], plans: Sequence[Plan]) -> dict[str, str]:
    own = list(dict.fromkeys(name for one in results for name in one.own))
    segments, systems = main_columns(results), measure_columns(results, "system-pearson")
    details = []
    for plan in plans:
        found = [one for one in results if one.test_set == plan.name]
        if found:
            details.append(f"### {plan.name}\n\n{_judged(found)}\n\n{render_pairs(found)}")
    return {
        "segment level": f"{render_columns(segments, own, BASE)}\n\n{_MARKED}",
        "system level": render_columns(systems, own, BASE),
        "embedded and installed": render_vectors(results, OVER_VECTORS),
        "every pair": "\n\n".join(details),
    }


def _judged(found: Sequence[PairResults]) -> str:
    kinds: dict[str, dict[str, None]] = {}
    for one in found:
        for measure, human in one.human.items():
            kinds.setdefault(human, {})[measure] = None
    said = [f"{', '.join(measures)} against `{kind}`" for kind, measures in kinds.items()]
    return f"{'; '.join(said)}. Metrics of others, whose scores come with the set, are last."


def _variants(
    plans: Sequence[Plan], options: argparse.Namespace
) -> tuple[list[PairResults], dict[str, str]]:
    """Measure all variants; return what was found, and the tables."""
    found, blocks = [], {}
    for family in FAMILIES:
        places = [
            (plan, pair, chosen)
            for plan, pair in _places(plans, options.shared)
            if (chosen := family.entries(target(pair)))
        ]
        results = _measured_variants(family.metric, places, options.shared)
        blocks[f"variants of {family.metric}"] = render_family(family, results)
        found += results
    judged = [(p, pair) for p, pair in _places(plans, options.shared) if p.name == METEOR_SET]
    if judged:
        trained = bitext_vectors(options.shared)
        chosen = meteor_entries(options.shared / "lexicons" / "dbnary", trained)
        results = _measured_variants(
            "meteor", [(*place, chosen) for place in judged], options.shared
        )
        blocks["meteor with vectors"] = render_meteor(results)
        found += results
    return found, blocks


def _measured_variants(
    what: str, places: Sequence[tuple[Plan, str, Sequence[Entry]]], shared: Path
) -> list[PairResults]:
    results = []
    for plan, pair, chosen in places:
        start = time.process_time()
        folder = shared / "data" / plan.name
        results.append(measure_pair(folder, pair, plan, chosen, imported=False))
        _tell(f"variants of {what}, {plan.name} {pair}", start)
    return results


def _places(plans: Sequence[Plan], shared: Path) -> list[tuple[Plan, str]]:
    places = [(plan, pair) for plan in plans for pair in scored_pairs(shared / "data" / plan.name)]
    if not places:
        raise SystemExit(f"no test set with texts in {shared / 'data'}; name another with --shared")
    return places


def _tell(what: str, start: float) -> None:
    print(f"{what}: {time.process_time() - start:.1f} s of processor time", file=sys.stderr)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument(
        "--shared",
        type=Path,
        default=_ROOT.parent / "shared",
        metavar="DIR",
        help="folder with data/SET in the mt-metrics-eval layout and lexicons/dbnary",
    )
    parser.add_argument(
        "--paraphrases",
        type=Path,
        metavar="FILE",
        help="English table of 'tenbin build paraphrases', for the rows of paraeval",
    )
    parser.add_argument("--sets", nargs="*", default=[], metavar="SET", help="some test sets only")
    parser.add_argument("--metrics", nargs="*", default=[], metavar="ROW", help="some rows only")
    parser.add_argument("--only", choices=("tables", "variants"), help="one half of the page only")
    parser.add_argument("--write-docs", action="store_true", help="into docs/agreement")
    return parser.parse_args()


if __name__ == "__main__":
    main()
