"""BERTScore with encoders of one's own beside chrF and the best metric over static vectors.

    python -m benchmarks.encoder_agreement build/encoder --layers 4
    python -m benchmarks.encoder_agreement a b --layers 3 4 5 6 --pairs wmt24:en-ja wmt20:en-de
    python -m benchmarks.encoder_agreement build/encoder --vectors de=vectors.de.bin es=vectors.es

Each test set is measured as in docs/agreement, through the functions of ``tenbin meta``. The best
metric over static vectors is that of results/agreement.tsv, where vectors can be installed for the
target language, or yisi1 and mas over the table of ``--vectors``. chrF is computed here.
"""

import argparse
import csv
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.agreement.measuring import measure_pair
from benchmarks.agreement.sets import PLANS, Entry
from benchmarks.tables import Cell, Row, Section, render_section

RESULTS = Path(__file__).parent / "results" / "agreement.tsv"
# Left out of any choice: issue of the encoder, and all pairs of 2023 and 2024.
PAIRS = (
    "wmt20:en-de",
    "wmt24:en-ja",
    "wmt24:en-es",
    "wmt24:en-ru",
    "wmt24:en-cs",
    "wmt24:en-is",
    "wmt23:he-en",
)
_BASE = "chrf"
_STATIC = (", installed", ", static", ", embedded")
_OVER_VECTORS = ("yisi1", "mas")


@dataclass(frozen=True, slots=True)
class Best:
    """The best of several metrics."""

    label: str
    value: float


def best_static(
    rows: Sequence[Mapping[str, str]], test_set: str, pair: str, measure: str
) -> Best | None:
    """Return the best metric over static vectors among stored rows; None if there is none."""
    found = [
        Best(row["metric"], float(row[measure]))
        for row in rows
        if (row["set"], row["pair"]) == (test_set, pair)
        and row["metric"].endswith(_STATIC)
        and row.get(measure)
    ]
    return max(found, key=lambda one: one.value, default=None)


def summary(rows: Sequence[Row], labels: Sequence[str]) -> str:
    """Return, for each encoder, in how many pairs it is above both others."""
    lines = []
    for label in labels:
        scored = [row for row in rows if isinstance(row.get(label), float)]
        won = sum(_above(row, label) for row in scored)
        verdict = "a majority" if 2 * won > len(scored) else "no majority"
        alone = sum(not isinstance(row.get("static"), float) for row in scored)
        beside = f" (without static vectors: {alone}, beside chrF alone)" if alone else ""
        lines.append(
            f"{label}: above chrF and static vectors on {won} of {len(scored)}{beside}, {verdict}"
        )
    return "\n".join(lines)


def _above(row: Row, label: str) -> bool:
    own = row[label]
    others = [row.get(_BASE), row.get("static")]
    return isinstance(own, float) and all(
        own > other for other in others if isinstance(other, float)
    )


def main() -> None:
    """Measure, and print a table."""
    options = _parse()
    with RESULTS.open(encoding="utf-8", newline="") as stream:
        stored = list(csv.DictReader(stream, delimiter="\t"))
    vectors = dict(one.split("=", 1) for one in options.vectors)
    labels = [f"{Path(model).name} {layer}" for model in options.models for layer in options.layers]
    rows = []
    for place in options.pairs:
        test_set, _, pair = place.partition(":")
        if not (options.data / test_set / "references").is_dir():
            sys.exit(f"{options.data / test_set}: no such test set; name its folder with --data")
        rows.append(_measured(options, test_set, pair, vectors.get(pair.partition("-")[2])))
        static = best_static(stored, test_set, pair, str(rows[-1]["measure"]))
        known = rows[-1].get("static")
        if static is not None and not (isinstance(known, float) and known > static.value):
            rows[-1] = {**rows[-1], "static": static.value, "which": static.label}
        print(rows[-1], file=sys.stderr, flush=True)
    section = Section(
        "Encoders", "BERTScore F by encoder and layer; the main measure of each set.", "nothing"
    )
    print(render_section(section, [_shown(row) for row in rows]))
    print(summary(rows, labels))


def _shown(row: Row) -> Row:
    shown: dict[str, Cell] = {}
    for name, cell in row.items():
        shown[name] = f"{cell:.3f}" if isinstance(cell, float) else cell
    return shown


def _measured(options: argparse.Namespace, test_set: str, pair: str, table: str | None) -> Row:
    """Return the main measure of each metric on one language pair."""
    plan = next(plan for plan in PLANS if plan.name == test_set)
    chosen = [
        Entry(
            f"{Path(model).name} {layer}",
            f'bertscore(model="{model}", layer={layer}, device="{options.device}")',
        )
        for model in options.models
        for layer in options.layers
    ]
    chosen.append(Entry(_BASE, _BASE))
    over = [Entry(name, f'{name}(vectors="{table}")') for name in _OVER_VECTORS] if table else []
    found = measure_pair(
        options.data / test_set, pair, plan, [*chosen, *over], imported=False, sampled=False
    )
    values = {label: one[plan.main] for label, one in found.values.items() if plan.main in one}
    row: dict[str, Cell] = {"set": test_set, "pair": pair, "measure": plan.main}
    row |= {_BASE: values[_BASE]}
    best = max((one.label for one in over), key=lambda label: values[label], default=None)
    if best is not None:
        row |= {"static": values[best], "which": best}
    return row | {entry.label: values[entry.label] for entry in chosen if entry.label != _BASE}


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", nargs="+", metavar="FOLDER", help="encoders")
    parser.add_argument("--layers", type=int, nargs="+", default=[4], metavar="N")
    parser.add_argument("--pairs", nargs="+", default=list(PAIRS), metavar="SET:PAIR")
    parser.add_argument("--vectors", nargs="+", default=[], metavar="LANG=FILE")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    default = Path(os.environ.get("TENBIN_DATA", "../shared/data"))
    parser.add_argument("--data", type=Path, default=default, metavar="DIR")
    return parser.parse_args()


if __name__ == "__main__":
    main()
