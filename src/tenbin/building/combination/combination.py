"""Builds a combination of metrics: reads, learns, measures, writes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from tenbin.annotation.languages import parse_language, target_language
from tenbin.building.combination.data import (
    JudgedScores,
    MemberFacts,
    chosen_places,
    member_facts,
    read_judged,
    with_texts,
)
from tenbin.building.combination.learning import TrainingPart, learned
from tenbin.building.combination.recipe import MOST_MEMBERS, CombinationRecipe
from tenbin.building.combination.validation import Validation, cross_validated
from tenbin.building.corpus import Phase, check_free, no_progress
from tenbin.core.combination import CombinationKind, CombinationModel
from tenbin.core.combination_report import COMBINATION, BuiltCombination
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.spec import Spec
from tenbin.formats.combination_file import write_combination
from tenbin.formats.output import check_target
from tenbin.metrics.combination.members import loaded_members
from tenbin.version import __version__

_FEWEST_MEMBERS = 2


def build_combination(  # noqa: PLR0913 - every option has a name
    metrics: Sequence[str],
    test_sets: Sequence[str],
    output: str,
    recipe: CombinationRecipe,
    *,
    pairs: Sequence[str] = (),
    languages: Sequence[str] = (),
    targets: Sequence[str] = (),
    human: str | None = None,
    references: Sequence[str] | None = None,
    jobs: int = 1,
    force: bool = False,
    phase: Phase = no_progress,
) -> BuiltCombination:
    """Learn a combination from human judgments, measure it on what was left out, and write it.

    Args:
        metrics: Specs of the members.
        test_sets: Folders in the mt-metrics-eval layout.
        output: The file to write, whole or not at all.
        recipe: How to learn and to measure.
        pairs: Language pairs; ``all`` for all that were judged.
        languages: Target languages: the pairs into these.
        targets: Target languages that the file is for; all that it is learned from, if none is
            named.
        human: Kind of judgment; None for the most reliable one of each pair.
        references: Names of references; None for the first.
        jobs: Worker processes.
        force: Whether a file that is there is replaced.
        phase: Shows progress.

    Raises:
        UsageError: Members, sets or options that do not go together.
        InputError: Judgments or texts that cannot be learned from.
        ResourceError: Members lack something that must be installed.
        OutputError: The file cannot be written.
    """
    check_target(output)
    check_free(output, force=force)
    specs = _checked_members(metrics, recipe.kind)
    kept = {parse_language(target).code for target in targets}
    places, lost = with_texts(chosen_places(test_sets, pairs, languages), specs)
    facts: dict[str, MemberFacts] = {}
    for _, pair in places:
        language = parse_language(target_language(pair))
        if language.code not in facts:
            facts[language.code] = member_facts(specs, language.tag)
    if unknown := sorted(kept - facts.keys()):
        raise UsageError(
            f"the file cannot be for {', '.join(unknown)}, as nothing is learned from: there "
            f"are {', '.join(sorted(facts))}."
        )
    judged = []
    for folder, pair in places:
        with phase(f"scoring {pair}", None) as advance:
            judged.append(
                read_judged(
                    folder,
                    pair,
                    specs,
                    facts[parse_language(target_language(pair)).code],
                    human=human,
                    references=references,
                    jobs=jobs,
                    advance=advance,
                )
            )
    with phase("cross-validation", None) as advance:
        validation = cross_validated(judged, specs, facts, recipe, advance)
    parts = [
        TrainingPart(language=one.language, scores=scores, labels=labels)
        for one in judged
        for scores, labels in [one.rows(one.judged)]
    ]
    model = learned(parts, specs, facts, recipe)
    chosen = {code: one for code, one in model.languages.items() if not kept or code in kept}
    model = replace(model, languages=chosen, card=_card(judged, validation, recipe, specs))
    write_combination(output, model)
    notes = [*lost, *(note for one in judged for note in one.notes)]
    return BuiltCombination(
        file=output,
        model=model,
        held_out=validation.held_out,
        folds=validation.folds,
        gains=validation.gains,
        notes=tuple(dict.fromkeys([*notes, *validation.notes, *_weight_notes(model)])),
    )


def _checked_members(metrics: Sequence[str], kind: CombinationKind) -> list[str]:
    specs = [str(Spec.parse(spec)) for spec in metrics]
    if len(specs) < _FEWEST_MEMBERS:
        raise UsageError(
            f"a combination has two members or more, and there "
            f"{'is one' if specs else 'is none'}; name them (`metrics`)."
        )
    if len(specs) > MOST_MEMBERS[kind]:
        raise UsageError(
            f"{counted(len(specs), 'member')} are too many for {kind}, which takes up to "
            f"{MOST_MEMBERS[kind]}; leave some out."
        )
    loaded_members(specs)
    return specs


def _weight_notes(model: CombinationModel) -> list[str]:
    idle = [spec for spec, weight in zip(model.members, model.weights, strict=False) if weight == 0]
    if not idle:
        return []
    effect = "it would have to lower the score where it is better"
    return [f"{', '.join(idle)}: of weight 0, as {effect}; leave it out for the same scores."]


def _card(
    judged: Sequence[JudgedScores],
    validation: Validation,
    recipe: CombinationRecipe,
    specs: Sequence[str],
) -> dict[str, Any]:
    """Return where a combination comes from; the same for the same data and recipe."""
    chosen = asdict(replace(recipe, held_out=validation.held_out))
    if recipe.kind is CombinationKind.RIDGE:
        chosen = {k: v for k, v in chosen.items() if k not in _OF_TREES}
    names = [*specs, COMBINATION]
    return {
        "tenbin": __version__,
        "recipe": {key: str(value) if key in _NAMED else value for key, value in chosen.items()},
        "judgments": sum(len(one.rows(one.judged)[1]) for one in judged),
        "sets": [_set_facts(one) for one in judged],
        "left_out": [
            {
                "fold": row.fold,
                "set": row.test_set,
                "pair": row.pair,
                "measure": row.measure,
                "human": row.human,
                "n": row.n,
                "values": dict(zip(names, _rounded(row.values), strict=True)),
            }
            for row in validation.folds
        ],
        "gains": [
            {
                "measure": gain.measure,
                "best_member": gain.best,
                "difference": round(gain.difference, _DIGITS),
                "interval": _rounded(gain.ci),
                "sentence": str(gain),
            }
            for gain in validation.gains
        ],
    }


_OF_TREES = ("trees", "rate", "leaves", "leaf_size")
_NAMED = ("kind", "held_out")
_DIGITS = 6


def _set_facts(one: JudgedScores) -> Mapping[str, Any]:
    return {
        "set": one.test_set,
        "pair": one.pair,
        "human": one.kind,
        "judgments": len(one.rows(one.judged)[1]),
        "systems": len(one.systems),
        "segments": int(one.judged.sum()),
        "sha256": one.sha256,
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, _DIGITS) for value in values]
