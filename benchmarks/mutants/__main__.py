"""Mutation testing of the rooms whose numbers matter: ``make mutants``.

python -m benchmarks.mutants --sample 300 --seed 1        some changes, equally from each room
python -m benchmarks.mutants --only kernels/ngrams        all changes of some modules
python -m benchmarks.mutants --again                      those that survived, once more
python -m benchmarks.mutants --report                     what is known so far

Results are kept in .mutants/results.jsonl as they come: a run that was ended goes on where it was.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.mutants.children import be_considerate, preload
from benchmarks.mutants.line_map import ROOMS, TEST_FOLDERS, load_map, source_files
from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.report import Row, read_rows, render
from benchmarks.mutants.trial import Outcome, Trial, tried

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".mutants"
RESULTS = FOLDER / "results.jsonl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try changes and print what became of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--only", default="", help="a room, folder or module: kernels/ngrams")
    parser.add_argument("--sample", type=int, default=0, help="changes to draw (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument(
        "--tests",
        nargs="+",
        default=TEST_FOLDERS,
        metavar="PATH",
        help="folders or files of tests that may notice a change (default: those of all rooms)",
    )
    parser.add_argument(
        "--part",
        default="1/1",
        metavar="K/N",
        help="every Nth of them, from the Kth: for several processes (default: 1/1)",
    )
    parser.add_argument("--again", action="store_true", help="try again what survived")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    options = parser.parse_args(arguments)
    files = source_files(ROOT, options.only)
    if not files:
        parser.error(f"no module of {', '.join(ROOMS)} is called {options.only!r}")
    every = {mutant.key: mutant for path in files for mutant in mutants_of(path, ROOT)}
    known = {key: row for key, row in read_rows(RESULTS).items() if key in every}
    if not options.report:
        chosen = drawn(list(every.values()), options.sample, options.seed)
        if options.again:
            chosen = [every[key] for key, row in known.items() if row.outcome != Outcome.KILLED]
        first, _, step = options.part.partition("/")
        chosen = chosen[int(first) - 1 :: int(step)]
        _try_all(chosen, {} if options.again else known, options.tests)
        drawn_keys = {mutant.key for mutant in chosen}
        known = {key: row for key, row in read_rows(RESULTS).items() if key in every}
        if options.sample and not options.again:
            known = {key: row for key, row in known.items() if key in drawn_keys}
    print(render(list(known.values()), len(every)))
    return 0


def drawn(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return some changes, as many of each room as there are; all if the count is 0."""
    if not count:
        return mutants
    chance = random.Random(seed)  # noqa: S311 - a sample, no secret
    rooms: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        rooms.setdefault(mutant.path.split("/")[2], []).append(mutant)
    left, found = count, []
    for number, room in enumerate(sorted(rooms, key=lambda name: len(rooms[name]))):
        share = min(left // (len(rooms) - number), len(rooms[room]))
        found += chance.sample(rooms[room], share)
        left -= share
    chance.shuffle(found)  # an ended run has seen all rooms
    return found


def _try_all(chosen: list[Mutant], known: dict[str, Row], folders: Sequence[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    be_considerate()
    preload()
    table = load_map(ROOT, FOLDER / "lines", folders)
    for number, mutant in enumerate(chosen, 1):
        if mutant.key in known:
            continue
        result = tried(mutant, ROOT, table, FOLDER)
        _remember(result)
        what = f"{mutant.path}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}"
        print(f"{number}/{len(chosen)} {result.outcome} {what} {result.by}", flush=True)


def _remember(result: Trial) -> None:
    row = {"key": result.mutant.key, **asdict(result)}
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
