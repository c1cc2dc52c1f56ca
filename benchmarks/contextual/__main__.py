"""BERTScore beside the package bert-score: python -m benchmarks.contextual [--write-docs]."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page
from benchmarks.tables import Row, Section
from benchmarks.timing import Command, run_command
from tenbin.core.arrays import FloatArray
from tenbin.resources.checkpoints import find_checkpoint

SECTION = Section(
    "BERTScore of ten systems over one reference",
    "Processor time of whole programs on one core, start of torch and loading included. Model "
    "(minilm-en) and layer are the same; bert-score has one scorer for all systems. The last "
    "columns compare segment scores with those of bert-score.",
    "no scores; the encodings of the first run in the row of the second, else none",
)
_HERE = Path(__file__).resolve().parent
_DATA = _HERE.parents[2] / "shared" / "data"
_PAGE = _HERE.parents[1] / "docs" / "performance.md"
_MARKER = "<!-- benchmarks: contextual -->"
_PEERS = ("bert-score", "torch", "transformers")
_SET, _PAIR, _SYSTEMS = "wmt21", "de-en", 10
_MODEL, _LAYER = "minilm-en", 4


@dataclass(frozen=True, slots=True)
class Run:
    """What a program took, and the scores it gave: systems by segments."""

    command: Command
    scores: FloatArray


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contextual", description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA, metavar="DIR")
    parser.add_argument("--segments", type=int, default=500, help="of each system")
    parser.add_argument("--write-docs", action="store_true", help="put the table into the docs")
    options = parser.parse_args()
    machine = describe_machine(_PEERS)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with TemporaryDirectory() as name:
        folder = Path(name)
        files, distinct = _write_texts(options.data, options.segments, folder)
        rows = _rows(folder, files)
    texts = (
        f"{_SET} {_PAIR}, {_SYSTEMS} systems, {options.segments:,} segments, {distinct:,} distinct"
    )
    report = render_results(machine, texts, {SECTION: rows})
    print(report)
    if options.write_docs:
        write_page(_PAGE, report, _MARKER)


def _write_texts(data: Path, count: int, folder: Path) -> tuple[list[str], int]:
    """Write the reference and the systems; return the files, and how many texts differ."""
    source = data / _SET
    reference = source / "references" / f"{_PAIR}.refA.txt"
    systems = sorted((source / "system-outputs" / _PAIR).glob("*.txt"))
    machines = [path for path in systems if not path.stem.startswith("ref")][:_SYSTEMS]
    files: list[str] = []
    texts: set[str] = set()
    for path in (reference, *machines):
        lines = path.read_text(encoding="utf-8").split("\n")[:count]
        texts.update(lines)
        files.append(str(folder / path.name))
        Path(files[-1]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return files, len(texts)


def _rows(folder: Path, files: Sequence[str]) -> list[Row]:
    model = str(find_checkpoint(_MODEL, "en").folder)
    peer = _run(["peer", model, str(_LAYER)], folder, files)
    plain, exact = f"bertscore(layer={_LAYER})", folder / "exact"
    rounded = f'bertscore(layer={_LAYER}, dtype="int8")'
    first = _run(["own", plain], folder, files, exact)
    again = _run(["own", plain], folder, files, exact)
    int8 = _run(["own", rounded], folder, files, folder / "int8")
    return [
        _row("bert-score", peer, peer, peer, None),
        _row("bertscore", first, peer, peer, ">= 1.5 bert-score"),
        _row("bertscore, int8", int8, first, peer, ">= 1.5 bertscore"),
        _row("bertscore, second run", again, first, peer, ">= 20 bertscore"),
    ]


def _run(
    arguments: Sequence[str], folder: Path, files: Sequence[str], encodings: Path | None = None
) -> Run:
    module, *rest = arguments
    out = folder / "scores.json"
    command = run_command(
        [sys.executable, "-m", f"benchmarks.contextual.{module}", *rest, str(out), *files],
        OMP_NUM_THREADS="1",
        HF_HUB_OFFLINE="1",
        TENBIN_ENCODINGS=str(encodings or folder / "none"),
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    return Run(command, np.array([found[name] for name in sorted(found)]))


def _row(name: str, run: Run, beside: Run, peer: Run, target: str | None) -> Row:
    apart = np.abs(run.scores - peer.scores)
    same = run is peer
    return {
        "program": name,
        "processor, s": run.command.cpu,
        "peak memory, MB": round(run.command.peak / 1e6),
        "times as fast": None if same else beside.command.cpu / run.command.cpu,
        "target": target,
        "mean difference": None if same else f"{apart.mean():.1e}",
        "largest": None if same else f"{apart.max():.1e}",
    }


if __name__ == "__main__":
    main()
