"""``make fuzz``: ``python -m tests.fuzz [TARGET ...] [--rounds N] [--seed N]``.

Runs every target, or those named (``readers``, ``readers/lines``), and adds what it found to
``results.tsv``. A defect is reproduced by its target, seed and round:

    python -m tests.fuzz readers/idf --seed 3 --show 117 > tests/fuzz/seeds/idf/what-is-wrong
"""

import argparse
import sys
from pathlib import Path

from tests.fuzz.isolation import child, counts
from tests.fuzz.loop import Count
from tests.fuzz.readers import made
from tests.fuzz.results import add_results, publish
from tests.fuzz.tables import made_table
from tests.fuzz.targets import chosen_targets, generator


def main() -> int:
    """Run; return 1 if there is a defect."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--rounds", type=int, default=100, help="inputs per target")
    parser.add_argument("--seed", type=int, default=0, help="other inputs than last time")
    parser.add_argument("--show", type=int, metavar="ROUND", help="print the input of a reader")
    parser.add_argument("--keep", action="store_true", help="add the counts to results.tsv")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.targets, options.seed, options.rounds, options.child)
        return 0
    targets = chosen_targets(options.targets)
    if options.show is not None:
        name = targets[0].name
        rng = generator("readers", name, options.seed, options.show)
        sys.stdout.buffer.write(made_table(rng) if name == "parquet" else made(name, rng))
        return 0
    found: list[Count] = []
    for count in counts(targets, options.seed, options.rounds):
        found.append(count)
        told = f"{count.group}/{count.name}: {count.accepted} accepted, {count.refused} refused"
        sys.stdout.write("\n  ".join([told, *count.defects[:5]]) + "\n")
        sys.stdout.flush()
    if options.keep:
        add_results(found)
        publish()
    defects = sum(len(count.defects) for count in found)
    total = sum(count.inputs for count in found)
    sys.stdout.write(f"{total:,} inputs, {defects:,} defects (seed {options.seed})\n")
    return int(defects > 0)


if __name__ == "__main__":
    sys.exit(main())
