"""How long it takes before anything is scored."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section
from benchmarks.timing import best_of, run_command

SECTION = Section(
    "Start",
    "Wall time of fresh processes, best and median of seven, with the interpreter's own start and "
    "(net) without.",
    "compiled bytecode of Python; no text is scored",
)
KERNELS_SECTION = Section(
    "First use of compiled kernels",
    "Processor time of the whole command in a fresh process: before anything was compiled on the "
    "machine, with the kernels in their cache, and in plain Python. Small inputs never load the "
    "compiler.",
    "nothing, then the kernels, then nothing, in the order of the columns",
)

_REPEATS = 7


def run_startup(corpus: Corpus) -> list[Row]:  # noqa: ARG001 - no text is read
    """Return a row per way to start."""
    python = sys.executable
    interpreter = _times([python, "-c", "pass"])
    programs = (
        ("python -c 'import tenbin'", [python, "-c", "import tenbin"], 0.3),
        ("tenbin --help", [python, "-m", "tenbin", "--help"], 0.5),
        ("tenbin score --help", [python, "-m", "tenbin", "score", "--help"], None),
        ("python -c 'from tenbin import score'", [python, "-c", "from tenbin import score"], None),
    )
    rows: list[Row] = [_row("python -c pass", interpreter, None, None)]
    rows += [_row(name, _times(command), interpreter, target) for name, command, target in programs]
    return rows


def run_kernels(corpus: Corpus) -> list[Row]:
    """Return a row for each choice of metrics: compiling, loading, doing without."""
    rows: list[Row] = []
    for metrics in (["bleu", "chrf"], ["ribes", "impact"], ["ter"], ["character", "eed"]):
        with TemporaryDirectory() as name, TemporaryDirectory() as cache:
            reference, systems = corpus.write(Path(name))
            command = [sys.executable, "-m", "tenbin", "score", "-l", corpus.language, "-q"]
            command += ["-r", str(reference), "-t", str(systems[0]), "-m", *metrics]
            fresh = {"NUMBA_CACHE_DIR": cache, "TENBIN_KERNELS": "compiled"}
            cold, warm = (run_command(command, **fresh) for _ in range(2))
            plain = run_command(command, TENBIN_KERNELS="plain")
        rows.append(
            {
                "tenbin score -m": " ".join(metrics),
                "segments": len(corpus.reference),
                "first time, s": cold.cpu,
                "cached, s": warm.cpu,
                "plain Python, s": plain.cpu,
            }
        )
    return rows


def _times(command: list[str]) -> tuple[float, float]:
    return best_of([run_command(command).wall for _ in range(_REPEATS)])


def _row(
    name: str,
    times: tuple[float, float],
    interpreter: tuple[float, float] | None,
    target: float | None,
) -> Row:
    net = None if interpreter is None else max(0.0, times[1] - interpreter[1])
    return {
        "command": name,
        "best, s": times[0],
        "median, s": times[1],
        "net median, s": net,
        "target, s": None if target is None else f"< {target}",
    }
