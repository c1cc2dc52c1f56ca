"""Files that are larger than memory should be: a stream of segments through one command."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section
from benchmarks.timing import run_command

SECTION = Section(
    "Large files",
    "`tenbin score -m bleu ribes`, one process, start included. The lines are those of all "
    "systems, repeated; each ends in a number of its own, so that no line occurs twice. Peak "
    "memory is that of the whole process.",
    "compiled kernels, on disk; no scores",
)

_SIZES = (10_000, 100_000, 1_000_000)


def run_large(corpus: Corpus) -> list[Row]:
    """Return a row per size."""
    rows: list[Row] = []
    for size in _SIZES:
        with TemporaryDirectory() as name:
            hypothesis, reference = Path(name) / "system.txt", Path(name) / "reference.txt"
            _write(corpus, size, hypothesis, reference)
            megabytes = (hypothesis.stat().st_size + reference.stat().st_size) / 1e6
            command = [sys.executable, "-m", "tenbin", "score", "-r", str(reference)]
            command += ["-t", str(hypothesis), "-l", corpus.language, "-m", "bleu", "ribes"]
            found = run_command(command)
        rows.append(
            {
                "segment pairs": size,
                "text, MB": round(megabytes),
                "wall, s": found.wall,
                "processor, s": found.cpu,
                "pairs per processor second": size / found.cpu,
                "peak memory, MB": round(found.peak / 1e6),
            }
        )
    return rows


def _write(corpus: Corpus, size: int, hypothesis: Path, reference: Path) -> None:
    distinct = len(corpus.reference) * len(corpus.systems)
    own, others = corpus.pairs(distinct)
    for path, texts in ((hypothesis, own), (reference, others)):
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{texts[line % distinct]} [{line}]\n" for line in range(size))
