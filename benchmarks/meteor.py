"""METEOR beside the program METEOR 1.5: python -m benchmarks.meteor --jar meteor-1.5.jar."""

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.corpus import write_lines
from benchmarks.machine import describe_machine
from benchmarks.report import render_results
from benchmarks.tables import Row, Section
from benchmarks.timing import Command, run_command

SPEED = Section(
    "METEOR and METEOR 1.5",
    "Segments per second of processor time in fresh processes that read two files and print all "
    "segment scores, net of the same on one segment (interpreter, kernels, tables); both on one "
    "core where the system allows it. Tenbin by `load_metric(spec).score(texts, references)`, "
    "nothing remembered from another run. Median of the runs.",
    "compiled kernels and converted tables, on disk; no scores",
)
START = Section(
    "METEOR: start and memory",
    "Wall time of `tenbin score` on one segment, tables in the cache of the system, and the most "
    "memory that a process holds which scores all segments.",
    "compiled kernels and converted tables, on disk; no scores",
)

_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_SET, _PAIR = "wmt14", "fr-en"
_MEGABYTE = 1_000_000
_PROGRAM = """
import sys, tenbin
texts = []
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as lines:
        texts.append(lines.read().removesuffix("\\n").split("\\n"))
found = tenbin.load_metric(sys.argv[1], language="en").score(*texts)
print(*found.segments.tolist(), found.score, sep="\\n")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The same stages for both programs, and the ratio that Tenbin promises."""

    spec: str
    options: tuple[str, ...]
    target: float


CONFIGURATIONS = (
    Configuration(spec="meteor", options=(), target=10),
    Configuration(spec='meteor(stages=("exact", "stem"))', options=("-m", "exact stem"), target=20),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A command on one segment and on all."""

    one: Command
    all: Command

    def rate(self, segments: int) -> float:
        """Return segments per second of processor time, net of start-up."""
        return (segments - 1) / (self.all.cpu - self.one.cpu)


def main() -> None:
    """Measure and print."""
    options = _parse()
    speed: list[Row] = []
    start: list[Row] = []
    with TemporaryDirectory() as name:
        files, count = _write_texts(Path(name), options.data)
        for configuration in CONFIGURATIONS:
            own = [_measured(_library(configuration), files) for _ in range(options.repeats)]
            rate = median(run.rate(count) for run in own)
            first = median(
                run_command(_command(configuration, *files["one"])).wall
                for _ in range(options.repeats)
            )
            start.append(
                {
                    "metric": configuration.spec,
                    "to the first score, s": first,
                    "target, s": "< 1.5",
                    "peak, MB": max(run.all.peak for run in own) / _MEGABYTE,
                    "target, MB": "< 500",
                }
            )
            row: dict[str, str | float | None] = {
                "metric": configuration.spec,
                "segments": count,
                "Tenbin, seg/s": rate,
                "METEOR 1.5, seg/s": None,
                "ratio": None,
                "target": configuration.target,
            }
            if options.jar is None or shutil.which("java") is None:
                row["METEOR 1.5, seg/s"] = "peer not installed"
            else:
                command = _jar(options.jar, configuration)
                theirs = [_measured(command, files) for _ in range(options.repeats)]
                peer = median(run.rate(count) for run in theirs)
                row |= {"METEOR 1.5, seg/s": peer, "ratio": rate / peer}
            speed.append(row)
    texts = f"{_SET} {_PAIR}, all systems ({count:,} segments)"
    print(render_results(describe_machine(), texts, {SPEED: speed, START: start}))


def _measured(command: list[str], files: dict[str, tuple[str, str]]) -> Measured:
    """Run a command with HYPOTHESES and REFERENCES replaced by files, on one segment and on all."""
    runs = []
    for hypotheses, references in files.values():
        places = {"HYPOTHESES": hypotheses, "REFERENCES": references}
        filled = [places.get(word, word) for word in command]
        # Small inputs do without the compiled kernels, whose loading belongs to the start.
        runs.append(run_command([*_one_core(), *filled], TENBIN_KERNELS="compiled"))
    return Measured(*runs)


def _one_core() -> list[str]:
    return ["taskset", "-c", "0"] if shutil.which("taskset") else []


def _library(configuration: Configuration) -> list[str]:
    return [sys.executable, "-c", _PROGRAM, configuration.spec, "HYPOTHESES", "REFERENCES"]


def _command(configuration: Configuration, hypotheses: str, references: str) -> list[str]:
    command = [sys.executable, "-m", "tenbin", "score", "-l", "en", "-q"]
    return [*command, "-m", configuration.spec, "-r", references, "-t", hypotheses]


def _jar(jar: Path, configuration: Configuration) -> list[str]:
    command = ["java", "-Xmx2G", "-jar", str(jar), "HYPOTHESES", "REFERENCES"]
    return [*command, "-l", "en", "-norm", "-vOut", *configuration.options]


def _write_texts(folder: Path, data: Path) -> tuple[dict[str, tuple[str, str]], int]:
    """Write one segment and all segments of all systems; return the files and the count."""
    reference = _lines(data / _SET / "references" / f"{_PAIR}.refA.txt")
    systems = sorted((data / _SET / "system-outputs" / _PAIR).glob("*.txt"))
    hypotheses = [text for path in systems for text in _lines(path)]
    references = reference * len(systems)
    files: dict[str, tuple[str, str]] = {}
    for name, count in (("one", 1), ("all", len(references))):
        paths = (folder / f"{name}.hypotheses.txt", folder / f"{name}.references.txt")
        write_lines(paths[0], hypotheses[:count])
        write_lines(paths[1], references[:count])
        files[name] = (str(paths[0]), str(paths[1]))
    return files, len(references)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.meteor", description=__doc__)
    parser.add_argument(
        "--jar", type=Path, metavar="FILE", help="meteor-1.5.jar, its tables in 'data' beside it"
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=_DATA,
        metavar="DIR",
        help="folder of test sets in the mt-metrics-eval layout (default: %(default)s)",
    )
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="runs of each command")
    return parser.parse_args()


if __name__ == "__main__":
    main()
