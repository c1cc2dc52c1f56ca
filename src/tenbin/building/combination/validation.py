"""Cross-validation: what a combination is worth on judgments that it was not learned from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tenbin.building.combination.data import JudgedScores, MeasuredBy, MemberFacts
from tenbin.building.combination.learning import TrainingPart, language_scale, learned
from tenbin.building.combination.recipe import DEFAULT_FOLDS, CombinationRecipe
from tenbin.core.arrays import FloatArray
from tenbin.core.combination import CombinationModel
from tenbin.core.combination_report import (
    COMBINATION,
    CombinationGain,
    FoldAgreement,
    HeldOutUnit,
)
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UsageError
from tenbin.core.judgments import HumanPairs, HumanScores, ScoreMatrix
from tenbin.meta.measures.catalog import prepare
from tenbin.meta.significance.bootstrap import bootstrap
from tenbin.metrics.combination.arithmetic import combined
from tenbin.stats.arrays import BoolArray
from tenbin.stats.resampling import percentile_interval
from tenbin.tuning.folds import assigned_folds

_FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """What is left out: its name, and the segments of each language pair."""

    name: str
    segments: tuple[BoolArray, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Validation:
    """The agreement of all metrics on what was left out.

    Attributes:
        held_out: What was left out in turn.
        folds: One for each language pair, measure and fold.
        gains: By measure.
        notes: Measures that are undefined somewhere.
    """

    held_out: HeldOutUnit
    folds: tuple[FoldAgreement, ...]
    gains: tuple[CombinationGain, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """One measure on one language pair of a fold, with bootstrap samples (metrics, samples)."""

    row: FoldAgreement
    samples: FloatArray


def cross_validated(
    judged: Sequence[JudgedScores],
    specs: Sequence[str],
    facts: Mapping[str, MemberFacts],
    recipe: CombinationRecipe,
    advance: Callable[[int], None] | None = None,
) -> Validation:
    """Measure combinations on what was left out, and their members on the same data.

    Raises:
        UsageError: More folds than there is something to leave out.
    """
    unit, folds = made_folds(judged, recipe)
    found: list[_Measured] = []
    notes: list[str] = []
    rng = np.random.default_rng(recipe.seed)
    for fold in folds:
        parts = [
            TrainingPart(language=one.language, scores=scores, labels=labels)
            for one, out in zip(judged, fold.segments, strict=True)
            for scores, labels in [one.rows(~out)]
            if len(labels)
        ]
        model = learned(parts, specs, facts, recipe)
        for one, out in zip(judged, fold.segments, strict=True):
            if not (out & one.judged).any():
                continue
            for measured in one.measures:
                try:
                    found.append(_measured(fold, one, out, measured, model, facts, recipe, rng))
                except InputError as error:
                    notes.append(f"{one.name}, {measured.measure}: {error}")
        if advance is not None:
            advance(1)
    gains, rows = _gains(found, specs)
    return Validation(held_out=unit, folds=rows, gains=gains, notes=tuple(dict.fromkeys(notes)))


def made_folds(
    judged: Sequence[JudgedScores], recipe: CombinationRecipe
) -> tuple[HeldOutUnit, list[Fold]]:
    """Return what is left out in turn.

    Test sets where there are several; else documents where there are enough of them, as segments of
    one document are alike; else segments. All translations of a segment are left out together.

    Raises:
        UsageError: There is too little to leave out.
    """
    unit = recipe.held_out or _usual_unit(judged, recipe.folds or DEFAULT_FOLDS)
    if unit in {HeldOutUnit.SETS, HeldOutUnit.PAIRS}:
        names = [one.test_set if unit is HeldOutUnit.SETS else one.name for one in judged]
        distinct = list(dict.fromkeys(names))
        if len(distinct) < _FEWEST_FOLDS:
            raise UsageError(
                f"there is nothing left to learn from where {distinct[0]} is left out: name more "
                f'test sets, or leave out segments (`by="{HeldOutUnit.SEGMENTS}"`).'
            )
        if recipe.folds is not None and recipe.folds != len(distinct):
            raise UsageError(
                f"{counted(recipe.folds, 'fold')} asked for, and there are {len(distinct)} "
                f"{unit}, each of which is one; leave out the number of folds."
            )
        return unit, [
            Fold(
                out,
                tuple(one.judged & (name == out) for one, name in zip(judged, names, strict=True)),
            )
            for out in distinct
        ]
    count = recipe.folds or DEFAULT_FOLDS
    rng = np.random.default_rng(recipe.seed)
    assigned = []
    for one in judged:
        documents = one.documents if unit is HeldOutUnit.DOCUMENTS else None
        units = _document_count(one) if unit is HeldOutUnit.DOCUMENTS else int(one.judged.sum())
        if not _FEWEST_FOLDS <= count <= units:
            raise UsageError(
                f"{one.name}: {counted(count, 'fold')} of {counted(units, unit.removesuffix('s'))} "
                f"cannot be made; give a number from {_FEWEST_FOLDS} to {units}."
            )
        assigned.append(assigned_folds(one.judged, count, rng, documents))
    return unit, [
        Fold(
            f"{number + 1} of {count}",
            tuple(one.judged & (own == number) for one, own in zip(judged, assigned, strict=True)),
        )
        for number in range(count)
    ]


def _usual_unit(judged: Sequence[JudgedScores], folds: int) -> HeldOutUnit:
    if len({one.test_set for one in judged}) >= _FEWEST_FOLDS:
        return HeldOutUnit.SETS
    enough = all(_document_count(one) >= folds for one in judged)
    return HeldOutUnit.DOCUMENTS if enough else HeldOutUnit.SEGMENTS


def _document_count(one: JudgedScores) -> int:
    if one.documents is None:
        return 0
    return len({name for name, there in zip(one.documents, one.judged, strict=True) if there})


def _measured(
    fold: Fold,
    one: JudgedScores,
    out: BoolArray,
    measured: MeasuredBy,
    model: CombinationModel,
    facts: Mapping[str, MemberFacts],
    recipe: CombinationRecipe,
    rng: np.random.Generator,
) -> _Measured:
    own = facts[one.language]
    known = model.languages.get(one.language)
    # Scores alone, without their judgments, where the target language is new.
    scale = known or language_scale(one.language, [one.rows(out)[0]], own)
    chosen = one.scores[:, :, out]
    flat = chosen.reshape(len(chosen), -1).T
    together = combined(model, scale, flat).reshape(chosen.shape[1:])
    signs = np.where(own.higher_is_better, 1.0, -1.0)
    segments = tuple(name for name, there in zip(one.segments, out, strict=True) if there)
    names = [*model.members, COMBINATION]
    tables = [*(signs[:, None, None] * chosen), together]
    human = _left_out(one.human[measured.human], one.segments, out)
    prepared = [
        prepare(
            measured.measure,
            human,
            ScoreMatrix(name=name, systems=one.systems, segments=segments, scores=table),
        )
        for name, table in zip(names, tables, strict=True)
    ]
    values = [ready.value() for ready in prepared]
    samples = bootstrap(prepared, rng=rng, resamples=recipe.resamples)
    row = FoldAgreement(
        fold=fold.name,
        test_set=one.test_set,
        pair=one.pair,
        measure=measured.measure,
        human=measured.human,
        n=values[-1].n,
        values=tuple(value.value for value in values),
        own_scale=known is None,
    )
    if any(np.isnan(value) for value in row.values):
        raise InputError("it is undefined on what was left out.")
    return _Measured(row, samples)


def _left_out(human: HumanScores, segments: Sequence[str], out: BoolArray) -> HumanScores:
    """Return the judgments of some segments."""
    if human.pairs is not None:
        return HumanScores(name=human.name, pairs=_left_out_pairs(human.pairs, out))
    if human.segments is None:
        raise InputError("there are no judgments by segment.")
    names = [name for name, there in zip(segments, out, strict=True) if there]
    return HumanScores(
        name=human.name, segments=human.segments.chosen(human.segments.systems, names)
    )


def _left_out_pairs(pairs: HumanPairs, out: BoolArray) -> HumanPairs:
    kept = out[pairs.segments]
    places = np.cumsum(out) - 1
    names = pairs.segment_names
    if names is not None:
        names = tuple(name for name, there in zip(names, out, strict=True) if there)
    return replace(
        pairs,
        segments=places[pairs.segments[kept]].astype(np.int64),
        better=pairs.better[kept],
        worse=pairs.worse[kept],
        segment_names=names,
    )


def _gains(
    found: Sequence[_Measured], specs: Sequence[str]
) -> tuple[tuple[CombinationGain, ...], tuple[FoldAgreement, ...]]:
    """Return what is gained by each measure, and the folds with their intervals."""
    gains = []
    rows: list[FoldAgreement] = []
    for measure in dict.fromkeys(one.row.measure for one in found):
        own = [one for one in found if one.row.measure == measure]
        means = np.mean([one.row.values for one in own], axis=0)
        best = int(np.argmax(means[:-1]))
        gaps = [one.samples[-1] - one.samples[best] for one in own]
        gains.append(
            CombinationGain(
                measure=measure,
                best=specs[best],
                best_value=float(means[best]),
                value=float(means[-1]),
                ci=_interval(np.mean(gaps, axis=0)),
                folds=len(own),
            )
        )
        rows += [replace(one.row, ci=_interval(gap)) for one, gap in zip(own, gaps, strict=True)]
    return tuple(gains), tuple(rows)


def _interval(samples: FloatArray) -> tuple[float, float]:
    low, high = percentile_interval(samples)
    return float(low), float(high)
