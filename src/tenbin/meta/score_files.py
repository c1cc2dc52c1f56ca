"""Metric scores in files: imported ones, tables of the user's own, and exports of Tenbin's."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.judgments import HumanScores, Level, listed
from tenbin.formats.human_pairs import read_human_pairs
from tenbin.formats.mt_metrics_eval import NO_REFERENCE, read_score_file, write_score_file
from tenbin.formats.output import write_errors, write_text
from tenbin.formats.score_table import ScoreColumns, read_score_table
from tenbin.meta.measures.scores import MetricTables, human_scores, metric_tables

_LEVELS = {f".{level}.score": level for level in Level}
_PAIR_ENDINGS = (".rr.tsv", ".darr.tsv")
# Characters of specs such as chrf(word_order=2); a path in a spec may hold others.
_FOREIGN = re.compile(r"[^\w.+=,()\"'-]+")


def imported_scores(
    folder: str,
    pair: str,
    *,
    patterns: Sequence[str] = (),
    segments: bool,
    is_alone: bool = True,
) -> dict[str, MetricTables]:
    """Return scores by the names of their files, such as ``COMET-refA``.

    Args:
        folder: A test set with ``metric-scores/PAIR``, or a folder of ``PAIR/*.score``, or of
            ``*.score``.
        pair: The language pair.
        patterns: Names to import, with ``*`` for anything; none imports all.
        segments: Whether segment scores are needed, which take far longer to read.
        is_alone: Whether this is the only language pair: what it lacks is then an error.

    Raises:
        UnreadableFile: There is no such folder, or no scores of this language pair.
        UsageError: A pattern fits none of the names.
    """
    files = _score_files(folder, pair)
    if not files and is_alone:
        problem = f"no metric scores of {pair} in it"
        raise UnreadableFile(folder, problem, "Expected metric-scores/PAIR/METRIC-REF.seg.score.")
    idle = [p for p in patterns if not any(fnmatchcase(name, p) for name in files)]
    if idle and is_alone:
        raise UsageError(
            f"{folder} has no scores of {', '.join(idle)} for {pair}. There are: "
            f"{listed(list(files))}."
        )
    wanted = [n for n in files if not patterns or any(fnmatchcase(n, p) for p in patterns)]
    return {name: _read(name, files[name], segments=segments) for name in wanted}


def export_scores(
    metrics: Mapping[str, MetricTables],
    folder: str,
    pair: str,
    references: Sequence[str],
    reference_free: Container[str] = (),
) -> None:
    """Write ``metric-scores/PAIR/METRIC-REF.{seg,sys}.score`` for each metric, higher being better.

    Args:
        metrics: Scores by name.
        folder: Where ``metric-scores`` is, or is made.
        pair: The language pair.
        references: The references that were read.
        reference_free: The metrics that read none of them, for which REF is ``src``.

    Raises:
        OutputError: A file cannot be written.
    """
    place = Path(folder) / "metric-scores" / pair
    with write_errors(str(place)):
        place.mkdir(parents=True, exist_ok=True)
    for name, metric in metrics.items():
        for table in (metric.segments, metric.systems):
            if table is not None:
                read = NO_REFERENCE if name in reference_free else ".".join(references)
                stem = f"{_FOREIGN.sub('_', name)}-{read}"
                write_text(str(place / f"{stem}.{table.level}.score"), write_score_file(table))


def read_own_scores(paths: Iterable[str], columns: ScoreColumns) -> dict[str, MetricTables]:
    """Return tables of metric scores, each named like its file."""
    found: dict[str, MetricTables] = {}
    for path in paths:
        scores = metric_tables(read_score_table(path, columns))
        if scores.name in found:
            raise UsageError(f"two files of scores are called {scores.name!r}; rename one of them.")
        found[scores.name] = scores
    return found


def read_own_judgments(path: str, columns: ScoreColumns) -> HumanScores:
    """Return a table of human scores, or preferences (``*.rr.tsv``, ``*.darr.tsv``)."""
    if path.endswith(_PAIR_ENDINGS):
        return human_scores(read_human_pairs(path))
    return human_scores(read_score_table(path, columns))


def numbered(
    human: HumanScores, metrics: Mapping[str, MetricTables]
) -> tuple[HumanScores, dict[str, MetricTables]]:
    """Return the tables with segments called 1, 2, ... in the order of the human scores.

    Preferences built from human scores know segments by their number alone.
    """
    if human.segments is None:
        return human, dict(metrics)
    order = {name: str(place + 1) for place, name in enumerate(human.segments.segments)}
    renamed = {}
    for name, one in metrics.items():
        table = one.segments
        if table is not None:
            table = table.chosen(table.systems, [s for s in table.segments if s in order])
            table = replace(table, segments=tuple(order[s] for s in table.segments))
        renamed[name] = replace(one, segments=table)
    segments = replace(human.segments, segments=tuple(order.values()))
    return replace(human, segments=segments), renamed


def scored_systems(metrics: Iterable[MetricTables]) -> list[str]:
    """Return every system that some metric has scores for."""
    tables = [table for one in metrics for table in (one.systems, one.segments)]
    return list(dict.fromkeys(name for t in tables if t is not None for name in t.systems))


def with_negated(
    metrics: Mapping[str, MetricTables], names: Sequence[str], *, is_alone: bool = True
) -> dict[str, MetricTables]:
    """Return the metrics, those for which lower is better negated.

    Raises:
        UsageError: There is no metric of such a name.
    """
    unknown = [name for name in names if name not in metrics]
    if unknown and is_alone:
        raise UsageError(
            f"cannot negate {', '.join(unknown)}: no such scores were read. There are: "
            f"{', '.join(metrics) or 'none'}."
        )
    return {n: _negated(one) if n in names else one for n, one in metrics.items()}


def _negated(metric: MetricTables) -> MetricTables:
    return replace(
        metric,
        segments=None if metric.segments is None else metric.segments.negated(),
        systems=None if metric.systems is None else metric.systems.negated(),
    )


def _score_files(folder: str, pair: str) -> dict[str, dict[Level, str]]:
    root = Path(folder)
    if not root.is_dir():
        advice = "Check the path of the scores to import (`import_scores`)."
        raise UnreadableFile(folder, "there is no such folder", advice)
    for place in (root / "metric-scores" / pair, root / pair, root):
        files: dict[str, dict[Level, str]] = {}
        for path in sorted(place.glob("*.score")):
            for ending, level in _LEVELS.items():
                if path.name.endswith(ending):
                    files.setdefault(path.name.removesuffix(ending), {})[level] = str(path)
        if files:
            return files
    return {}


def _read(name: str, paths: Mapping[Level, str], *, segments: bool) -> MetricTables:
    tables = {
        level: read_score_file(path, name=name, level=level)
        for level, path in paths.items()
        if level is Level.SYSTEM or segments or Level.SYSTEM not in paths
    }
    return MetricTables(
        name=name, segments=tables.get(Level.SEGMENT), systems=tables.get(Level.SYSTEM)
    )
