"""Human judgements of a test set: what there is, and what of it takes part."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.formats.human_pairs import read_human_pairs
from tenbin.formats.mt_metrics_eval import human_score_files, read_score_file
from tenbin.formats.score_table import Level, ScoreTable, listed
from tenbin.meta.choice import Offers
from tenbin.meta.measures.judgments import build_darr, human_translations, outliers
from tenbin.meta.measures.scores import HumanScores, systems_of
from tenbin.meta.options import HumanSystems, Offer

ALL_PAIRS = "all"
DARR = "darr"
RAW = "da-raw"
# How people take part; studies, which have no such option, leave it out of the note.
INCLUDE_HINT = " (--human-systems include)"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFiles:
    """The files of human judgements of one language pair.

    Attributes:
        scores: Paths of scores by kind and level.
        pairs: Path of preferences by kind.
        several_systems: Whether outputs of more than one system are there.
    """

    scores: Mapping[str, Mapping[Level, str]]
    pairs: Mapping[str, str]
    several_systems: bool = True

    @property
    def offers(self) -> Offers:
        """What is known of each kind; DARR can be made of raw scores of several systems."""
        names = {Level.SEGMENT: Offer.SEGMENTS, Level.SYSTEM: Offer.SYSTEMS}
        offers = {k: frozenset(names[level] for level in files) for k, files in self.scores.items()}
        raw = self.scores.get(RAW, {})
        if Level.SEGMENT in raw and (Level.SYSTEM in raw or self.several_systems):
            offers[DARR] = frozenset({Offer.PAIRS})
        return offers | {kind: frozenset({Offer.PAIRS}) for kind in self.pairs}

    def read(self, kind: str, *, segments: bool) -> HumanScores:
        """Return the judgements of one kind; those by segment if wanted or if there are no others.

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


def find_judgements(folder: str, pair: str) -> JudgementFiles:
    """Return the files of one language pair, unread.

    Raises:
        UnreadableFile: There are none; the pairs that have some are told.
    """
    paths = sorted((Path(folder) / "human-pairs").glob(f"{pair}.*.tsv*"))
    pairs = {path.name.removeprefix(f"{pair}.").partition(".tsv")[0]: str(path) for path in paths}
    outputs = list((Path(folder) / "system-outputs" / pair).glob("*.txt"))
    found = JudgementFiles(
        scores=human_score_files(folder, pair), pairs=pairs, several_systems=len(outputs) > 1
    )
    if not found.scores and not found.pairs:
        known = ", ".join(judged_pairs(folder)) or "none"
        problem = f"no human judgements of {pair} in human-scores/ or human-pairs/"
        raise UnreadableFile(folder, problem, f"Language pairs that have some: {known}.")
    return found


def judged_pairs(folder: str) -> list[str]:
    """Return the language pairs of a test set that people judged."""
    root = Path(folder)
    if not root.is_dir():
        raise UnreadableFile(folder, "there is no such folder", "Check the path given to --set.")
    paths = [*root.glob("human-scores/*.score"), *root.glob("human-pairs/*.tsv*")]
    return sorted({path.name.partition(".")[0] for path in paths})


def wanted_pairs(folder: str, pairs: Sequence[str]) -> list[str]:
    """Return the language pairs asked for, or all that people judged."""
    if ALL_PAIRS not in pairs:
        return list(dict.fromkeys(pairs))
    known = judged_pairs(folder)
    if not known:
        raise UsageError(f"{folder}: there are no human judgements in it.")
    return known


def reference_names(folder: str, pair: str) -> list[str]:
    """Return the names of the references of a language pair."""
    paths = sorted((Path(folder) / "references").glob(f"{pair}.*.txt"))
    return [path.name.removeprefix(f"{pair}.").removesuffix(".txt") for path in paths]


def judged_systems(human: Iterable[HumanScores]) -> list[str]:
    """Return every system with at least one judgement, in the order of the files."""
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
    """Return the translations by people that do not take part as systems, and a note on them.

    WMT20 leaves all of them out. To include them takes several references, and those that a metric
    was scored against never take part (WMT21 and later).

    Args:
        systems: What was judged.
        references: The references of the language pair.
        used: Those that some metric was scored against.
        choice: Whether the others take part.
    """
    people = [name for name in systems if name in {*references, *human_translations(systems)}]
    if not people:
        return [], []
    if choice is HumanSystems.EXCLUDE:
        hint = INCLUDE_HINT if len({*references, *people}) > 1 else ""
        return people, [f"human translations left out as systems: {', '.join(people)}{hint}."]
    several = len({*references, *people}) > 1
    dropped = [name for name in people if name in set(used) or not several]
    notes = []
    if dropped:
        notes.append(f"left out as systems, being references: {', '.join(dropped)}.")
    return dropped, notes


def without_systems(human: HumanScores, dropped: Sequence[str]) -> HumanScores:
    """Return the judgements without some systems; DARR is made here where there is no file."""
    segments = None if human.segments is None else human.segments.without(dropped)
    if human.name == DARR and human.pairs is None and segments is not None:
        # Of machine systems only, whoever else takes part.
        return HumanScores(name=DARR, pairs=build_darr(segments))
    return replace(
        human,
        segments=segments,
        systems=None if human.systems is None else human.systems.without(dropped),
        pairs=None if human.pairs is None else human.pairs.without(list(dropped)),
    )


def missing_notes(human: HumanScores) -> list[str]:
    """Return what a reader should know about judgements that are not there."""
    notes = []
    for table in (human.segments, human.systems):
        if table is not None and (missing := int(np.isnan(table.scores).sum())):
            what = "segment" if table.level is Level.SEGMENT else "system"
            notes.append(
                f"{human.name}: {missing:,} of {table.scores.size:,} {what} scores are missing "
                "(None) and left out."
            )
            if silent := _never_judged(table):
                notes.append(f"{human.name}: no score at all for {listed(silent)}.")
    return notes


def commonly_judged(human: HumanScores) -> tuple[HumanScores, list[str]]:
    """Return judgements of the segments that were judged for all systems, and a note on the others.

    For soft pairwise accuracy, which compares systems on the same segments. Systems without any
    score at all are left out first.
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
    told = f"{int(some.sum()):,} of {len(some):,} segments were not judged for all systems"
    return replace(human, segments=kept), [f"{human.name}, spa: {told} and left out."]


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
    return [f"{before.name}: {lost:,} of {len(before.pairs):,} judgements left out with systems."]


def _never_judged(table: ScoreTable) -> list[str]:
    by_system = table.scores.reshape(len(table.systems), -1)
    silent: list[bool] = np.all(np.isnan(by_system), axis=1).tolist()
    return [name for name, alone in zip(table.systems, silent, strict=True) if alone]
