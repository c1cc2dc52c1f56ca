"""Judged translations with the scores of all members: what a combination is learned from."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tenbin.annotation.languages import parse_language, target_language
from tenbin.core.agreement import JudgmentForm
from tenbin.core.arrays import FloatArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanScores, Level, ScoreMatrix
from tenbin.core.metric import bounds_of
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.judgments import (
    ALL_PAIRS,
    find_judgments,
    judged_pairs,
    reference_names,
)
from tenbin.meta.measures.catalog import find_measure
from tenbin.meta.planning import AvailableForms, MetaOptions, default_measures
from tenbin.meta.scoring import reading_references
from tenbin.metrics.combination.members import bound_to
from tenbin.stats.arrays import BoolArray

LEARNED_BY = "segment-pearson"
"""The measure that every set has; its kind of judgment is what is learned."""

_FEWEST_SEGMENTS = 20
# What meta-evaluation offers, and learning does not: human translations are no examples of errors.
_NO_CHOICE = ' (`human_systems="include"`)'


@dataclass(frozen=True, slots=True)
class MeasuredBy:
    """A measure of agreement, and the kind of judgment that it reads."""

    measure: str
    human: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemberFacts:
    """What is known of the members in one target language before any text is scored.

    Attributes:
        signatures: What their scores mean.
        worst: The worst score that is possible; infinite where there is no bound.
        best: The best one.
        higher_is_better: The directions.
    """

    signatures: tuple[str, ...]
    worst: tuple[float, ...]
    best: tuple[float, ...]
    higher_is_better: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedScores:
    """One language pair: judgments, and the scores of the members for the same translations.

    Attributes:
        folder: The test set.
        test_set: Its name.
        pair: The language pair.
        language: Code of the target language.
        kind: The kind of judgment that is learned.
        systems: Names of the systems.
        segments: Names of the segments.
        scores: As the members give them, shape (members, systems, segments).
        labels: Judgments, shape (systems, segments); NaN where there is none.
        human: Judgments by kind, for measures.
        measures: The measures of agreement.
        documents: The document of each segment, where known.
        sha256: Hash of the judgments and texts.
        notes: What a reader should know about them.
    """

    folder: str
    test_set: str
    pair: str
    language: str
    kind: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: FloatArray
    labels: FloatArray
    human: dict[str, HumanScores]
    measures: tuple[MeasuredBy, ...]
    documents: tuple[str, ...] | None
    sha256: str
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"{self.test_set} {self.pair}"

    @property
    def judged(self) -> BoolArray:
        """Which segments were judged, for any system."""
        there: BoolArray = np.any(~np.isnan(self.labels), axis=0)
        return there

    def rows(self, segments: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return scores (items, members) and labels of the judged translations of some segments."""
        chosen = ~np.isnan(self.labels) & segments[None, :]
        return self.scores[:, chosen].T, self.labels[chosen]


def member_facts(specs: Sequence[str], language: str) -> MemberFacts:
    """Return what the members are in a target language.

    Raises:
        ResourceError: Members lack something that must be installed.
        UsageError: A member is a combination, or named twice.
    """
    members = bound_to(specs, language)
    higher = tuple(member.info.higher_is_better for member in members)
    bounds = [bounds_of(member) for member in members]
    return MemberFacts(
        signatures=tuple(str(member.signature()) for member in members),
        worst=tuple(b.minimum if up else b.maximum for b, up in zip(bounds, higher, strict=True)),
        best=tuple(b.maximum if up else b.minimum for b, up in zip(bounds, higher, strict=True)),
        higher_is_better=higher,
    )


def chosen_places(
    folders: Sequence[str], pairs: Sequence[str], languages: Sequence[str]
) -> list[tuple[str, str]]:
    """Return test sets with their language pairs: those named, or those with a target language.

    Raises:
        UsageError: Neither pairs nor languages were named, or nothing is there that they name.
    """
    if not folders:
        raise UsageError("there are no test sets to learn from; name some (`test_sets`).")
    if not pairs and not languages:
        raise UsageError(
            "say what to learn from: language pairs (`pairs`, or all), or target languages "
            "(`languages`)."
        )
    codes = {parse_language(language).code for language in languages}
    known = {folder: judged_pairs(folder) for folder in dict.fromkeys(folders)}
    places = [
        (folder, pair)
        for folder, judged in known.items()
        for pair in judged
        if (pair in pairs or not pairs or ALL_PAIRS in pairs)
        and (not codes or parse_language(target_language(pair)).code in codes)
    ]
    found = {pair for _, pair in places}
    absent = [pair for pair in pairs if pair not in found and pair != ALL_PAIRS]
    if absent or not places:
        wanted = ", ".join(absent or [f"translations into {', '.join(languages)}"])
        there = "; ".join(f"{name}: {', '.join(own) or 'none'}" for name, own in known.items())
        raise UsageError(f"no test set has judgments of {wanted}. There are: {there}.")
    return places


def with_texts(
    places: Sequence[tuple[str, str]], specs: Sequence[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the language pairs whose texts are there, and notes on the others.

    Raises:
        InputError: There is none.
    """
    compares = reading_references(specs)
    kept, notes = [], []
    for folder, pair in places:
        outputs = next((Path(folder) / "system-outputs" / pair).glob("*.txt"), None)
        where = f"{Path(folder).resolve().name} {pair}"
        if outputs is None:
            notes.append(f"{where}: judged, but there are no outputs; left out.")
        elif compares and not reference_names(folder, pair):
            notes.append(f"{where}: no reference, which {', '.join(compares)} read; left out.")
        else:
            kept.append((folder, pair))
    if not kept:
        raise InputError("\n".join(["there is no text to learn from:", *notes]))
    return kept, notes


def read_judged(
    folder: str,
    pair: str,
    specs: Sequence[str],
    facts: MemberFacts,
    *,
    human: str | None,
    references: Sequence[str] | None,
    jobs: int,
    advance: Callable[[int], None] | None,
) -> JudgedScores:
    """Score the judged translations of a language pair with all members.

    Raises:
        InputError: Files that cannot be read, judgments that cannot be learned from.
        UsageError: There is no judgment by segment, or a member needs texts that are not there.
    """
    where = f"{Path(folder).resolve().name} {pair}"
    forms = find_judgments(folder, pair).forms
    wanted = _segment_measures(where, forms, human)
    found = judged_pair(
        folder,
        pair,
        MetricSources(
            specs=tuple(specs),
            references=None if references is None else tuple(references),
            jobs=jobs,
            advance=advance,
        ),
        MetaOptions(measures=tuple(wanted), human=() if human is None else (human,)),
        is_alone=True,
    )
    kind = next((t.human for t in found.tasks if t.measure == LEARNED_BY), None)
    table = None if kind is None else found.human[kind].segments
    if kind is None or table is None:
        raise _no_scores(where, forms)
    if not found.metrics:
        raise InputError(
            f"{where}: none of the judged systems ({kind}) has both a judgment and an output, so "
            "that there is nothing to learn from. Are systems named alike in human-scores/ and "
            "system-outputs/?"
        )
    tables = [
        _own_scores(found, spec, up)
        for spec, up in zip(found.metrics, facts.higher_is_better, strict=True)
    ]
    systems, segments = tables[0].systems, tables[0].segments
    missing = [name for name in systems if name not in table.systems]
    labels = np.full((len(systems), len(segments)), np.nan)
    rows = [place for place, name in enumerate(systems) if name not in missing]
    labels[rows] = table.chosen([systems[row] for row in rows], segments).scores
    scores = np.stack([one.scores for one in tables])
    _check_labels(where, kind, labels)
    _check_scores(where, specs, scores, labels)
    return JudgedScores(
        folder=folder,
        test_set=found.test_set,
        pair=pair,
        language=parse_language(target_language(pair)).code,
        kind=kind,
        systems=systems,
        segments=segments,
        scores=scores,
        labels=labels,
        human=dict(found.human),
        measures=tuple(MeasuredBy(t.measure, t.human) for t in found.tasks if t.human is not None),
        documents=found.documents,
        sha256=_hash(folder, pair, systems, labels),
        notes=tuple(f"{where}: {note.replace(_NO_CHOICE, '')}" for note in found.notes),
    )


def _segment_measures(where: str, forms: AvailableForms, human: str | None) -> list[str]:
    if human is not None and human not in forms:
        raise UsageError(
            f"{where}: there is no human judgment {human}; there are: {', '.join(sorted(forms))}."
        )
    by_segment = [kind for kind, own in forms.items() if JudgmentForm.SEGMENT_SCORES in own]
    if not by_segment or (human is not None and human not in by_segment):
        raise _no_scores(where, forms)
    usual = default_measures(forms, () if human is None else (human,))
    at_segments = [name for name in usual if find_measure(name).info.level is Level.SEGMENT]
    return list(dict.fromkeys([LEARNED_BY, *at_segments]))


def _no_scores(where: str, forms: AvailableForms) -> UsageError:
    return UsageError(
        f"{where}: a combination is learned from judgments by segment that are scores, such as "
        f"da-z, mqm or esa; there are: {', '.join(sorted(forms))}. Preferences (rr, darr) and "
        "scores of whole systems are not learned from."
    )


def _own_scores(found: JudgedPair, name: str, higher_is_better: bool) -> ScoreMatrix:  # noqa: FBT001
    table = found.metrics[name].segments
    if table is None:
        raise InputError(f"{name}: there are no scores by segment.")
    # For measures error metrics are negated; members are combined as they are.
    return table if higher_is_better else table.negated()


def _check_labels(where: str, kind: str, labels: FloatArray) -> None:
    known = labels[~np.isnan(labels)]
    segments = int(np.any(~np.isnan(labels), axis=0).sum())
    if segments < _FEWEST_SEGMENTS:
        raise InputError(
            f"{where}: {counted(len(known), 'judgment')} ({kind}) of "
            f"{counted(segments, 'segment')}, expected at least {_FEWEST_SEGMENTS} segments: too "
            "few to learn from."
        )
    if not np.isfinite(known).all():
        raise InputError(f"{where}: judgments ({kind}) that are not finite numbers; mend the file.")
    if np.ptp(known) == 0:
        raise InputError(
            f"{where}: all {counted(len(known), 'judgment')} ({kind}) are {known[0]:g}: there is "
            "nothing to learn from them. Choose another kind (`human`), or leave the set out."
        )


def _check_scores(where: str, specs: Sequence[str], scores: FloatArray, labels: FloatArray) -> None:
    chosen = ~np.isnan(labels)
    for spec, table in zip(specs, scores, strict=True):
        values = table[chosen]
        lost = int((~np.isfinite(values)).sum())
        if lost:
            raise InputError(
                f"{where}: the member {spec} gives no score to {counted(lost, 'translation')} of "
                f"{len(values):,} that were judged; leave it out."
            )
        if np.ptp(values) == 0:
            raise InputError(
                f"{where}: the member {spec} gives every judged translation the score "
                f"{values[0]:g}, so that nothing can be learned from it; leave it out."
            )


def _hash(folder: str, pair: str, systems: Sequence[str], labels: FloatArray) -> str:
    """Return a hash of the judgments and of the texts that were scored."""
    digest = hashlib.sha256(np.ascontiguousarray(labels).tobytes())
    root = Path(folder)
    paths = [*root.glob(f"sources/{pair}.txt"), *sorted(root.glob(f"references/{pair}.*.txt"))]
    paths += [root / "system-outputs" / pair / f"{name}.txt" for name in systems]
    for path in paths:
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
