"""Score files of mt-metrics-eval: ``SYSTEM<TAB>SCORE``, by segment or by system.

    SET/human-scores/PAIR.KIND.{seg,sys}.score
    SET/metric-scores/PAIR/METRIC-REF.{seg,sys}.score

A file by segment has one block of lines per system, in the order of segments; ``None`` is a
missing score.
"""

from collections.abc import Mapping
from glob import escape
from pathlib import Path

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.core.judgments import Level, ScoreMatrix
from tenbin.formats.lines import TextFile
from tenbin.formats.score_table import number, spelled

_FIELDS = 2
NO_REFERENCE = "src"
"""What stands for the reference in the names of files of metrics that read none."""


def read_score_file(path: str, *, name: str = "", level: Level | None = None) -> ScoreMatrix:
    """Read ``*.seg.score`` or ``*.sys.score``.

    Args:
        path: The file.
        name: What the scores are called; by default the name of the file without its endings.
        level: By segment or by system; by default what the name of the file says.

    Raises:
        MalformedLine: A line of another form, blocks of different length, a system in two blocks.
    """
    level = level or (Level.SYSTEM if ".sys." in Path(path).name else Level.SEGMENT)
    name = name or Path(path).name.removesuffix(".score").removesuffix(f".{level}")
    scores: dict[str, list[float | None]] = {}
    current = None
    line = 0
    for line, text in enumerate(TextFile(path).lines(), start=1):
        fields = text.split("\t") if "\t" in text else text.split()
        if len(fields) != _FIELDS:
            problem = f"found {text[:40]!r}, expected SYSTEM<TAB>SCORE"
            raise MalformedLine(path, line, problem, "Correct the line.")
        system = fields[0]
        if system in scores and (system != current or level is Level.SYSTEM):
            problem = f"the system {system!r} comes a second time"
            advice = "Group the scores by system: one per segment, or one in all."
            raise MalformedLine(path, line, problem, advice)
        if current is not None and system != current:
            _refuse_other_length(scores, current, path, line)
        current = system
        scores.setdefault(system, []).append(number(fields[1], path, line))
    if current is None:
        raise UnreadableFile(path, "the file is empty", "Give lines SYSTEM<TAB>SCORE.")
    _refuse_other_length(scores, current, path, line + 1)
    if level is Level.SYSTEM:
        return ScoreMatrix.by_system(name, {system: row[0] for system, row in scores.items()})
    return ScoreMatrix.by_segment(name, scores)


def write_score_file(table: ScoreMatrix) -> str:
    """Return a table as the text of a score file, of the level the table has."""
    rows = table.scores if table.level is Level.SEGMENT else table.scores[:, None]
    return "".join(
        f"{system}\t{spelled(value)}\n"
        for system, row in zip(table.systems, rows, strict=True)
        for value in row
    )


def human_score_files(folder: str, pair: str) -> Mapping[str, Mapping[Level, str]]:
    """Return the files of human scores of a test set: by kind of judgment, then by level."""
    return _score_files(Path(folder) / "human-scores", f"{pair}.")


def metric_score_files(folder: str, pair: str) -> Mapping[str, Mapping[Level, str]]:
    """Return the files of metric scores of a test set: by metric with reference, then by level.

    The names are those of the files, such as ``COMET-refA`` or ``YiSi-2-src``.
    """
    return _score_files(Path(folder) / "metric-scores" / pair, "")


def metric_and_reference(name: str) -> tuple[str, str | None]:
    """Return the metric and the reference it read; None where it read the source alone.

    >>> metric_and_reference("BERT-base-L2-refA"), metric_and_reference("YiSi-2-src")
    (('BERT-base-L2', 'refA'), ('YiSi-2', None))
    """
    metric, _, reference = name.rpartition("-")
    if not metric:
        return name, None
    return metric, None if reference == NO_REFERENCE else reference


def _score_files(folder: Path, prefix: str) -> dict[str, dict[Level, str]]:
    files: dict[str, dict[Level, str]] = {}
    for path in sorted(folder.glob(f"{escape(prefix)}*.score")):
        stem, _, level = path.name.removeprefix(prefix).removesuffix(".score").rpartition(".")
        if stem and level in set(Level):
            files.setdefault(stem, {})[Level(level)] = str(path)
    return files


def _refuse_other_length(
    scores: dict[str, list[float | None]], system: str, path: str, line: int
) -> None:
    first = next(iter(scores))
    if len(scores[first]) != len(scores[system]):
        problem = (
            f"the system {system!r} ends here with {counted(len(scores[system]), 'score')}, "
            f"{first!r} has {len(scores[first])}"
        )
        raise MalformedLine(path, line, problem, "Every system needs a score per segment, or None.")
