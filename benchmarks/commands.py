"""Whole commands: BLEU and chrF with confidence intervals for all systems, as a user types them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section
from benchmarks.timing import Command, run_command

SECTION = Section(
    "Commands",
    "BLEU and chrF of all systems with confidence intervals from 1,000 resamples, each command in "
    "fresh processes, start included; the kernels are in their cache. sacrebleu gives intervals "
    "for many systems with `--paired-bs` (one process, which tests each against the first as well) "
    "or with `--confidence` (one process per system). The ratio is that of the processor times.",
    "compiled kernels, on disk; no scores",
)


def run_commands(corpus: Corpus) -> list[Row]:
    """Return a row for each way to get the intervals."""
    with TemporaryDirectory() as name:
        reference, systems = (_words(paths) for paths in corpus.write(Path(name)))
        own = [sys.executable, "-m", "tenbin", "score", "-r", *reference, "-l", corpus.language]
        own += ["-m", "bleu", "chrf", "--ci", "-t", *systems]
        peer = [sys.executable, "-m", "sacrebleu", *reference, "-m", "bleu", "chrf"]
        run_command(own)  # so that compiled kernels are in their cache
        tenbin = run_command(own)
        paired = run_command([*peer, "--paired-bs", "-f", "text", "-i", *systems])
        single = [run_command([*peer, "--confidence", "-i", system]) for system in systems]
    looped = Command(
        sum(command.wall for command in single),
        sum(command.cpu for command in single),
        max(command.peak for command in single),
    )
    return [
        _row("tenbin score --ci", tenbin, tenbin, None),
        _row("sacrebleu --paired-bs", paired, tenbin, "not faster than Tenbin"),
        _row(f"sacrebleu --confidence, {len(systems)} times", looped, tenbin, None),
    ]


def _words(paths: Path | Sequence[Path]) -> list[str]:
    return [str(path) for path in ([paths] if isinstance(paths, Path) else paths)]


def _row(name: str, command: Command, tenbin: Command, target: str | None) -> Row:
    return {
        "command": name,
        "wall, s": command.wall,
        "processor, s": command.cpu,
        "peak memory, MB": round(command.peak / 1e6),
        "ratio to Tenbin": command.cpu / tenbin.cpu,
        "target": target,
    }
