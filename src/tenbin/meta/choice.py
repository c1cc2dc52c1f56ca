"""Which measure is set against which kind of judgement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tenbin.core.errors import UsageError
from tenbin.meta.options import TASKS, MetaOptions, Offer, needed

Offers = Mapping[str, frozenset[Offer]]

# From the surest: crowd-sourced direct assessment is noisier than marked errors, raw scores depend
# on who gave them.
_PREFERRED = ("mqm", "esa", "da-z", "da-raw", "rr", "darr")
_MARKED_ERRORS = {"mqm", "esa"}
_PAIR_MEASURES = {"rr": "wmt14-tau", "darr": "darr-tau"}


@dataclass(frozen=True, slots=True)
class Task:
    """One measure against one kind of judgement; None where nothing there suits the measure."""

    measure: str
    human: str | None


def chosen_tasks(
    offers: Offers, options: MetaOptions, *, is_alone: bool = True
) -> tuple[list[Task], list[str]]:
    """Return what to measure, and notes on what was chosen without being asked for.

    Args:
        offers: What is known of each kind of judgement.
        options: The measures and kinds asked for; without measures, what suits the judgements.
        is_alone: Whether there is no other language pair, which might have what is lacking here.

    Raises:
        UsageError: No judgement of a kind that was asked for.
    """
    unknown = [kind for kind in options.human if kind not in offers]
    if unknown and is_alone:
        raise UsageError(
            f"there is no human judgement {', '.join(unknown)}; there are: {_listed(offers)}."
        )
    tasks: list[Task] = []
    open_choice: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for measure in wanted_measures(offers, options):
        suited = suitable_kinds(measure, offers)
        if options.human:
            kinds = [kind for kind in options.human if kind in suited]
        else:
            kinds = [kind for kind in suited[:1] if (measure, kind) != ("darr-tau", "rr")]
            # A measure of preferences says by its name of which kind.
            if len(suited) > 1 and needed(measure) is not Offer.PAIRS:
                open_choice.setdefault((suited[0], tuple(suited[1:])), []).append(measure)
        tasks += [Task(measure, kind) for kind in kinds] or [Task(measure, None)]
    notes = [
        f"{', '.join(measures)}: against {kind}; also there: {', '.join(others)} (--human)."
        for (kind, others), measures in open_choice.items()
    ]
    return tasks, notes


def wanted_measures(offers: Offers, options: MetaOptions) -> list[str]:
    """Return the measures asked for by name and by task, or what suits the judgements."""
    named = [*options.measures, *(TASKS[options.task] if options.task else ())]
    return list(dict.fromkeys(named)) or default_measures(offers, options.human)


def suitable_kinds(measure: str, offers: Offers) -> list[str]:
    """Return the kinds of judgement that a measure can use, the best first."""
    need = needed(measure)
    wanted = {need} if need is not Offer.SYSTEMS else {Offer.SYSTEMS, Offer.SEGMENTS}
    kinds = [kind for kind, known in offers.items() if known & wanted]
    ordered = sorted(kinds, key=_preference)
    if measure == "darr-tau":
        # Relative rankings have no least difference: they stand in only if somebody asks for them.
        return sorted(ordered, key=lambda kind: (kind != "darr", kind == "rr"))
    return ordered


def default_measures(offers: Offers, kinds: Sequence[str] = ()) -> list[str]:
    """Return the measures that suit the judgements, as the WMT tasks with such judgements did."""
    known = {kind: offer for kind, offer in offers.items() if not kinds or kind in kinds}
    measures = [
        measure
        for kind, measure in _PAIR_MEASURES.items()
        if Offer.PAIRS in known.get(kind, frozenset())
    ]
    scored = sorted((k for k, offer in known.items() if Offer.SEGMENTS in offer), key=_preference)
    has_systems = any(Offer.SYSTEMS in offer for offer in known.values())
    if scored and scored[0] in _MARKED_ERRORS:
        measures += ["segment-pearson", "acc-eq"]
    elif scored and not measures:
        measures += ["segment-pearson", "segment-kendall"]
    return measures + (["system-pearson", "system-accuracy"] if has_systems else [])


def _preference(kind: str) -> tuple[int, str]:
    place = _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)
    return place, kind


def _listed(offers: Offers) -> str:
    return ", ".join(sorted(offers, key=_preference)) or "none"
