"""Judgments of test sets in the layout of mt-metrics-eval.

Scores by segment (``human-scores``), preferences (``human-pairs``) and, as the labels of a teacher,
scores that other metrics gave (``metric-scores``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

import numpy as np

from tenbin.building.metric.judged_texts import JudgedBlock, JudgedPairs, JudgedRows, TextPool
from tenbin.building.metric.weights import TEACHER, usual_weight
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, LengthMismatch, UnreadableFile, UsageError
from tenbin.core.judgments import Level, ScoreMatrix, listed
from tenbin.formats.human_pairs import read_human_pairs
from tenbin.formats.lines import TextFile
from tenbin.formats.mt_metrics_eval import (
    human_score_files,
    metric_and_reference,
    metric_score_files,
    read_score_file,
)
from tenbin.formats.wmt_layout import find_wmt_files, human_translations

METRIC_SCORES = "metric-scores"
"""As a teacher: the best published metrics of each set, else all that read the reference."""

_BEST_TEACHERS = ("MetricX", "XCOMET", "BLEURT")
_RAW, _STANDARDIZED, _EDITS = "da-raw", "da-z", "hter"
_POST_EDITED = "pe"
_SCORE_ENDING = ".seg.score"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChoice:
    """Which judgments of which sets are read.

    Attributes:
        folders: Test sets.
        pairs: Language pairs, or patterns of them such as ``*-en``; none: all that are judged.
        exclude: Beginnings of names of sets that are left out.
        teachers: Names of metrics, a file of scores, or `METRIC_SCORES`.
    """

    folders: tuple[str, ...]
    pairs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    teachers: tuple[str, ...] = ()


class SetTexts:
    """The texts of one language pair of a test set.

    Attributes:
        name: The test set.
        folder: Where it is.
        pair: The language pair.
        reference: The name of the reference.
        references: The reference of each segment.
    """

    def __init__(self, folder: str, pair: str, pool: TextPool) -> None:
        """Read the reference and the source.

        Raises:
            InputError: There are no texts, or files differ in their number of segments.
        """
        files = find_wmt_files(folder, pair)
        if not files.references:
            problem = f"there is no reference of {pair}"
            raise UnreadableFile(folder, problem, "A learned metric compares with a reference.")
        self.name, self.folder, self.pair = Path(folder).resolve().name, folder, pair
        self._files, self._pool = files, pool
        self.reference, path = next(iter(files.references.items()))
        lines = list(TextFile(path).lines())
        self._has_text = np.array([bool(line.strip()) for line in lines], dtype=np.bool_)
        self.references = pool.numbers(lines)
        self._path = path
        if files.source is not None:
            sources = pool.numbers(TextFile(files.source).lines())
            self._check_length(files.source, len(sources))
            pool.sources.update(zip(self.references.tolist(), sources.tolist(), strict=True))
        self._outputs: dict[str, IntArray] = {}

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Systems that are no human translations."""
        human = {*human_translations(self._files.systems), *self._files.references}
        return tuple(name for name in self._files.systems if name not in human)

    @property
    def usable(self) -> IntArray:
        """Segments whose reference is not empty."""
        return np.flatnonzero(self._has_text)

    def outputs(self, system: str) -> IntArray:
        """Return the numbers of the texts of a system."""
        if system not in self._outputs:
            path = self._files.systems[system]
            found = self._pool.numbers(TextFile(path).lines())
            self._check_length(path, len(found))
            self._outputs[system] = found
        return self._outputs[system]

    def rows(self, table: ScoreMatrix, notes: list[str]) -> JudgedRows:
        """Return the scored translations of a table, unstandardized; notes get what is left out.

        Raises:
            InputError: None of the systems has an output, or the number of segments differs.
        """
        if len(table.segments) != len(self.references):
            counts = {self._path: len(self.references), table.name: len(table.segments)}
            raise LengthMismatch(counts)
        known = [name for name in table.systems if name in self.systems]
        unknown = [
            name
            for name in table.systems
            if name not in known and name not in self._human(table.systems)
        ]
        place = f"{self.name}/{self.pair} {table.name}"
        if unknown:
            if not known:
                raise InputError(
                    f"{place}: scores of {listed(unknown)}, which have no output in "
                    f"system-outputs/{self.pair}; there are: {listed(self.systems)}."
                )
            notes.append(f"{place}: without output, left out: {listed(unknown)}.")
        parts = [self._scored(name, table.scores[table.systems.index(name)]) for name in known]
        return JudgedRows.joined(parts)

    def pairs(self, path: str, kind: str, notes: list[str]) -> JudgedPairs:
        """Return human preferences between systems that have outputs.

        Raises:
            InputError: The file breaks its format, or names segments that do not exist.
        """
        found = read_human_pairs(path, name=kind)
        if len(found) and int(found.segments.max()) >= len(self.references):
            raise InputError(
                f"{path}: segment {int(found.segments.max()) + 1} is judged, the reference has "
                f"{counted(len(self.references), 'segment')}. Check that both are of the same set."
            )
        human = self._human(found.systems)
        unknown = [name for name in found.systems if name not in {*self.systems, *human}]
        if unknown:
            notes.append(
                f"{self.name}/{self.pair} {kind}: without output, left out: {listed(unknown)}."
            )
        kept = found.without([*unknown, *human])
        texts = np.zeros((len(kept.systems), len(self.references)), dtype=np.int64)
        for place, name in enumerate(kept.systems):
            if name in self.systems:
                texts[place] = self.outputs(name)
        better, worse = (texts[side, kept.segments] for side in (kept.better, kept.worse))
        apart = (better != worse) & self._has_text[kept.segments]
        return JudgedPairs(
            references=self.references[kept.segments],
            better=better,
            worse=worse,
            segments=kept.segments,
        ).chosen(apart)

    def _human(self, names: Sequence[str]) -> set[str]:
        return {*human_translations(names), *self._files.references}

    def _scored(self, system: str, scores: FloatArray) -> JudgedRows:
        segments = np.flatnonzero(~np.isnan(scores) & self._has_text)
        return JudgedRows(
            references=self.references[segments],
            hypotheses=self.outputs(system)[segments],
            segments=segments,
            labels=scores[segments],
        )

    def _check_length(self, path: str, count: int) -> None:
        if count != len(self.references):
            raise LengthMismatch({self._path: len(self.references), path: count})


def read_sets(
    choice: SetChoice, pool: TextPool, *, least_difference: float
) -> tuple[list[JudgedBlock], list[str]]:
    """Return all judgments of the sets, and notes on what was left out.

    Args:
        choice: The sets and language pairs.
        pool: Gets their texts.
        least_difference: How far two z-scores must be apart to make a pair.

    Raises:
        UsageError: A language pair or a teacher that no set has.
        InputError: A file breaks its format, or a set has no text.
    """
    blocks: list[JudgedBlock] = []
    notes: list[str] = []
    teachers_found: set[str] = set()
    for texts in open_sets(choice, pool, notes):
        blocks += _human_blocks(texts, least_difference, notes)
        taught = _teacher_block(texts, choice, least_difference, notes, teachers_found)
        blocks += [] if taught is None else [taught]
    missing = [name for name in choice.teachers if name not in teachers_found]
    if missing:
        raise UsageError(
            f"`teachers` {', '.join(missing)}: no set has such scores in {METRIC_SCORES}/PAIR/"
            f"NAME-REFERENCE{_SCORE_ENDING}."
        )
    return blocks, notes


def open_sets(
    choice: SetChoice, pool: TextPool, notes: list[str], *, judged: bool = True
) -> Iterator[SetTexts]:
    """Yield the texts of each language pair that is chosen.

    Args:
        choice: The sets and language pairs.
        pool: Gets their texts.
        notes: Gets what is left out.
        judged: Whether pairs without any judgment or metric scores are left out.

    Raises:
        UsageError: A language pair that no set has.
        InputError: A set has no text.
    """
    unmatched = set(choice.pairs)
    for folder in dict.fromkeys(choice.folders):
        name = Path(folder).resolve().name
        if not Path(folder).is_dir():
            problem = "there is no such folder"
            raise UnreadableFile(folder, problem, "Check the path of the test set.")
        if any(name.startswith(left_out) for left_out in choice.exclude):
            notes.append(f"{name}: left out (`exclude`).")
            for pair in _known_pairs(folder, judged=judged):
                unmatched -= {wanted for wanted in unmatched if fnmatchcase(pair, wanted)}
            continue
        for pair in _known_pairs(folder, judged=judged):
            fits = [wanted for wanted in choice.pairs if fnmatchcase(pair, wanted)]
            if choice.pairs and not fits:
                continue
            unmatched -= set(fits)
            try:
                yield SetTexts(folder, pair, pool)
            except UnreadableFile as error:
                if pair in choice.pairs and len(choice.folders) == 1:
                    raise
                notes.append(f"{name}/{pair}: left out ({error}).")
    if unmatched:
        raise UsageError(
            f"`pairs` {', '.join(sorted(unmatched))}: no judgments of it in "
            f"{', '.join(choice.folders)}."
        )


def _known_pairs(folder: str, *, judged: bool) -> list[str]:
    root = Path(folder)
    if not judged:
        return sorted(path.name for path in root.glob("system-outputs/*") if path.is_dir())
    files = [*root.glob("human-scores/*.seg.score"), *root.glob("human-pairs/*.tsv*")]
    found = {path.name.partition(".")[0] for path in files}
    return sorted(found | {path.name for path in root.glob("metric-scores/*") if path.is_dir()})


def _human_blocks(
    texts: SetTexts, least_difference: float, notes: list[str]
) -> Iterator[JudgedBlock]:
    files = human_score_files(texts.folder, texts.pair)
    scores = {kind: paths[Level.SEGMENT] for kind, paths in files.items() if Level.SEGMENT in paths}
    if _STANDARDIZED in scores:
        scores.pop(_RAW, None)
    if scores.pop(_EDITS, None):
        notes.append(f"{texts.name}/{texts.pair}: {_EDITS} counts edits, left out.")
    crowd = False
    preferences = sorted((Path(texts.folder) / "human-pairs").glob(f"{texts.pair}.*.tsv*"))
    for kind, path in scores.items():
        table = read_score_file(path, name=kind)
        rows = texts.rows(table, notes)
        place = f"{texts.name}/{texts.pair} {kind}"
        if not len(rows):
            notes.append(f"{place}: no segment score at all, left out.")
            continue
        rows = rows.standardized(place)
        judged = sum(name in texts.systems for name in table.systems)
        crowd |= kind.startswith("da") and judged > 1
        yield JudgedBlock(
            name=texts.name,
            pair=texts.pair,
            kind=kind,
            rows=rows,
            # Direct assessments may have their own pairs: DARR.
            pairs=JudgedPairs.none()
            if kind.startswith("da") and preferences
            else rows.pairs(least_difference),
            usual_weight=usual_weight(
                kind, systems=judged, post_edited=texts.reference == _POST_EDITED
            ),
        )
    for found in preferences:
        kind = found.name.removeprefix(f"{texts.pair}.").partition(".tsv")[0]
        yield JudgedBlock(
            name=texts.name,
            pair=texts.pair,
            kind=kind,
            rows=JudgedRows.none(),
            pairs=texts.pairs(str(found), kind, notes),
            usual_weight=usual_weight(kind, systems=len(texts.systems), has_crowd=crowd),
        )


def _teacher_block(
    texts: SetTexts,
    choice: SetChoice,
    least_difference: float,
    notes: list[str],
    found: set[str],
) -> JudgedBlock | None:
    """Return the mean z-score of the teachers that a set has; None where it has none.

    A translation that only some of them judged has the mean of these.
    """
    files = _teacher_files(texts, choice, found)
    if not files:
        return None
    labels: dict[tuple[int, int, int], list[float]] = {}
    for name, path in files.items():
        rows = texts.rows(read_score_file(path, name=name), notes)
        rows = rows.standardized(f"{texts.name}/{texts.pair} {name}")
        for key, label in zip(rows.keys(), rows.labels.tolist(), strict=True):
            labels.setdefault(key, []).append(label)
    means = JudgedRows.of_means(labels).standardized(f"{texts.name}/{texts.pair} {TEACHER}")
    return JudgedBlock(
        name=texts.name,
        pair=texts.pair,
        kind=TEACHER,
        rows=means,
        pairs=means.pairs(least_difference),
        usual_weight=usual_weight(TEACHER, systems=len(texts.systems)),
        facts={"teachers": sorted(files)},
    )


def _teacher_files(texts: SetTexts, choice: SetChoice, found: set[str]) -> Mapping[str, str]:
    """Return the score files of the teachers by name; ``found`` gets the wishes they answer."""
    published = {
        metric_and_reference(name)[0]: paths[Level.SEGMENT]
        for name, paths in metric_score_files(texts.folder, texts.pair).items()
        if Level.SEGMENT in paths and metric_and_reference(name)[1] == texts.reference
    }
    files: dict[str, str] = {}
    for wanted in choice.teachers:
        if wanted.endswith(_SCORE_ENDING):
            if wanted in found:
                raise UsageError(
                    f"`teachers` {wanted}: a file has the scores of one language pair of one set. "
                    f"Choose it (`pairs`), or put the files of several into {METRIC_SCORES}/PAIR/."
                )
            found.add(wanted)
            files[Path(wanted).name.removesuffix(_SCORE_ENDING)] = wanted
        elif wanted == METRIC_SCORES:
            best = {n: p for n, p in published.items() if n.startswith(_BEST_TEACHERS)}
            files |= best or published
            found |= {wanted} if published else set()
        elif wanted in published:
            found.add(wanted)
            files[wanted] = published[wanted]
    return files
