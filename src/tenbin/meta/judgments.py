"""Human judgments of a test set: what there is, and what of it takes part."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

import numpy as np

from tenbin.core.agreement import JudgmentForm
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.judgments import HumanScores, Level, ScoreMatrix, listed
from tenbin.formats.human_pairs import read_human_pairs
from tenbin.formats.mt_metrics_eval import human_score_files, read_score_file
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.measures.scores import (
    DARR,
    build_darr,
    outliers,
    system_means,
    systems_of,
)
from tenbin.meta.planning import AvailableForms, HumanSystems

ALL_PAIRS = "all"
RAW = "da-raw"
_FORMS = {Level.SEGMENT: JudgmentForm.SEGMENT_SCORES, Level.SYSTEM: JudgmentForm.SYSTEM_SCORES}
_FEWEST_SYSTEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentFiles:
    """The files of human judgments of one language pair.

    Attributes:
        scores: Paths of scores by kind and level.
        pairs: Path of preferences by kind.
        several_systems: Whether outputs of more than one system are there.
    """

    scores: Mapping[str, Mapping[Level, str]]
    pairs: Mapping[str, str]
    several_systems: bool = True

    @property
    def forms(self) -> AvailableForms:
        """What is known of each kind; DARR can be built from raw scores of several systems."""
        forms = {
            kind: frozenset(_FORMS[level] for level in files) for kind, files in self.scores.items()
        }
        raw = self.scores.get(RAW, {})
        if Level.SEGMENT in raw and (Level.SYSTEM in raw or self.several_systems):
            forms[DARR] = frozenset({JudgmentForm.PREFERENCES})
        return forms | {kind: frozenset({JudgmentForm.PREFERENCES}) for kind in self.pairs}

    def read(self, kind: str, *, segments: bool) -> HumanScores:
        """Return the judgments of one kind; those by segment if wanted or if there are no others.

        Raises:
            InputError: A file breaks its format.
        """
        if kind in self.pairs:
            return HumanScores(name=kind, pairs=read_human_pairs(self.pairs[kind], name=kind))
        if kind == DARR:
            direct = read_score_file(self.scores[RAW][Level.SEGMENT], name=RAW)
            return HumanScores(name=kind, segments=direct)
        tables = {
            level: read_score_file(path, name=kind, level=level)
            for level, path in self.scores[kind].items()
            if level is Level.SYSTEM or segments or Level.SYSTEM not in self.scores[kind]
        }
        return HumanScores(
            name=kind, segments=tables.get(Level.SEGMENT), systems=tables.get(Level.SYSTEM)
        )


def find_judgments(folder: str, pair: str) -> JudgmentFiles:
    """Return the files of one language pair, unread.

    Raises:
        UnreadableFile: There are none; the pairs that have some are listed.
    """
    paths = sorted((Path(folder) / "human-pairs").glob(f"{escape(pair)}.*.tsv*"))
    pairs = {path.name.removeprefix(f"{pair}.").partition(".tsv")[0]: str(path) for path in paths}
    outputs = list((Path(folder) / "system-outputs" / pair).glob("*.txt"))
    found = JudgmentFiles(
        scores=human_score_files(folder, pair), pairs=pairs, several_systems=len(outputs) > 1
    )
    if not found.scores and not found.pairs:
        known = ", ".join(judged_pairs(folder)) or "none"
        problem = f"no human judgments of {pair} in human-scores/ or human-pairs/"
        raise UnreadableFile(folder, problem, f"Language pairs that have some: {known}.")
    return found


def judged_pairs(folder: str) -> list[str]:
    """Return the language pairs of a test set that have human judgments."""
    root = Path(folder)
    if not root.is_dir():
        raise UnreadableFile(folder, "there is no such folder", "Check the path of the test set.")
    paths = [*root.glob("human-scores/*.score"), *root.glob("human-pairs/*.tsv*")]
    return sorted({path.name.partition(".")[0] for path in paths})


def wanted_pairs(folder: str, pairs: Sequence[str]) -> list[str]:
    """Return the language pairs asked for, or all that have human judgments."""
    if ALL_PAIRS not in pairs:
        return list(dict.fromkeys(pairs))
    known = judged_pairs(folder)
    if not known:
        raise UsageError(f"{folder}: there are no human judgments in it.")
    return known


def reference_names(folder: str, pair: str) -> list[str]:
    """Return the names of the references of a language pair."""
    paths = sorted((Path(folder) / "references").glob(f"{escape(pair)}.*.txt"))
    return [path.name.removeprefix(f"{pair}.").removesuffix(".txt") for path in paths]


def judged_systems(human: Iterable[HumanScores]) -> list[str]:
    """Return every system with at least one judgment, in the order of the files."""
    found: dict[str, None] = {}
    for scores in human:
        for table in (scores.segments, scores.systems):
            if table is not None:
                silent = set(_never_judged(table))
                found |= dict.fromkeys(name for name in table.systems if name not in silent)
        if scores.pairs is not None:
            found |= dict.fromkeys(scores.pairs.systems)
    return list(found)


def left_out_translations(
    systems: Sequence[str],
    references: Sequence[str],
    used: Iterable[str],
    choice: HumanSystems,
) -> tuple[list[str], list[str]]:
    """Return the human translations that do not take part as systems, and a note on them.

    WMT20 leaves all of them out. To include them takes several references, and those that a metric
    was scored against never take part (WMT21 and later).

    Args:
        systems: What was judged.
        references: The references of the language pair.
        used: Those that some metric was scored against.
        choice: Whether the others take part.
    """
    found = [name for name in systems if name in {*references, *human_translations(systems)}]
    if not found:
        return [], []
    if choice is HumanSystems.EXCLUDE:
        names, way_in = ", ".join(found), '`human_systems="include"`'
        return found, [f"human translations left out as systems: {names} ({way_in})."]
    several = len({*references, *found}) > 1
    dropped = [name for name in found if name in set(used) or not several]
    notes = []
    if dropped:
        notes.append(f"left out as systems, being references: {', '.join(dropped)}.")
    return dropped, notes


def known_forms(human: HumanScores) -> frozenset[JudgmentForm]:
    """Return the forms in which judgments that were read are known."""
    if human.pairs is not None:
        return frozenset({JudgmentForm.PREFERENCES})
    if human.segments is None:
        return frozenset({JudgmentForm.SYSTEM_SCORES})
    # DARR can be built from them, if somebody asks for it.
    known = {JudgmentForm.SEGMENT_SCORES, JudgmentForm.PREFERENCES}
    several = len(human.segments.systems) >= _FEWEST_SYSTEMS
    return frozenset(known | {JudgmentForm.SYSTEM_SCORES} if several else known)


def human_system_scores(judgments: Iterable[HumanScores]) -> dict[str, float]:
    """Return human system scores by the first kind of judgment that has any."""
    for human in judgments:
        if human.systems is not None or human.segments is not None:
            table = system_means(systems_of(human))
            pairs = zip(table.systems, table.scores, strict=True)
            return {name: float(score) for name, score in pairs if not np.isnan(score)}
    return {}


def without_systems(human: HumanScores, dropped: Sequence[str]) -> HumanScores:
    """Return the judgments without some systems; DARR is built here where there is no file."""
    segments = None if human.segments is None else human.segments.without(dropped)
    if human.name == DARR and human.pairs is None and segments is not None:
        # Of machine systems only, even where human translations take part.
        return HumanScores(name=DARR, pairs=build_darr(segments))
    return replace(
        human,
        segments=segments,
        systems=None if human.systems is None else human.systems.without(dropped),
        pairs=None if human.pairs is None else human.pairs.without(list(dropped)),
    )


def missing_notes(human: HumanScores) -> list[str]:
    """Return what a reader should know about judgments that are not there."""
    notes = []
    for table in (human.segments, human.systems):
        if table is not None and (missing := int(np.isnan(table.scores).sum())):
            what = "segment" if table.level is Level.SEGMENT else "system"
            notes.append(
                f"{human.name}: {missing:,} of {counted(table.scores.size, f'{what} score')} "
                f"{agreeing(missing, 'is')} missing (None) and left out."
            )
            if silent := _never_judged(table):
                notes.append(f"{human.name}: no score at all for {listed(silent)}.")
    return notes


def commonly_judged(human: HumanScores, measure: str) -> tuple[HumanScores, list[str]]:
    """Return judgments of the segments that were judged for all systems, and a note on the others.

    For a measure that compares systems on the same segments, as soft pairwise accuracy does.
    Systems without any score at all are left out first.
    """
    table = human.segments
    if table is None:
        return human, []
    table = table.without(_never_judged(table))
    missing = np.isnan(table.scores)
    some = np.any(missing, axis=0) & ~np.all(missing, axis=0)
    if not some.any():
        return replace(human, segments=table), []
    kept = replace(table, scores=np.where(some, np.nan, table.scores))
    count = f"{int(some.sum()):,} of {counted(len(some), 'segment')}"
    note = f"{human.name}, {measure}: {count} were not judged for all systems and left out."
    return replace(human, segments=kept), [note]


def outlier_notes(human: HumanScores, named: Sequence[str] | None) -> list[str]:
    """Return which systems measures without outliers leave out: those named, or by the rule."""
    table = systems_of(human)
    found = outliers(table) if named is None else [n for n in table.systems if n in set(named)]
    return [f"outliers by {human.name}, left out: {', '.join(found) or 'none'}."]


def lost_notes(before: HumanScores, after: HumanScores) -> list[str]:
    """Return a note on preferences that went with the systems left out."""
    if before.pairs is None or after.pairs is None or len(before.pairs) == len(after.pairs):
        return []
    lost = len(before.pairs) - len(after.pairs)
    all_of_them = counted(len(before.pairs), "judgment")
    return [f"{before.name}: {lost:,} of {all_of_them} left out with systems."]


def _never_judged(table: ScoreMatrix) -> list[str]:
    by_system = table.scores.reshape(len(table.systems), -1)
    silent: list[bool] = np.all(np.isnan(by_system), axis=1).tolist()
    return [name for name, alone in zip(table.systems, silent, strict=True) if alone]
