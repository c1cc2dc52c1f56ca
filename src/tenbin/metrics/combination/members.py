"""The members of a combination: loaded, bound to the language, and those that were learned with."""

from collections.abc import Sequence
from dataclasses import dataclass

from tenbin.core.combination import CombinationModel, LanguageScale
from tenbin.core.errors import ResourceError, UsageError
from tenbin.core.metric import CombinedMetric, Metric
from tenbin.core.missing import Lack, missing_parts
from tenbin.core.run_glossary import NO_GLOSSARY, using_glossary
from tenbin.core.signature import Signature
from tenbin.metrics.combination.arithmetic import ends_of_scale
from tenbin.metrics.probing import lacks_of
from tenbin.metrics.registry import load

# Parameters that change where a score is computed, and not what it means.
_OF_THE_MACHINE = {"device"}


@dataclass(frozen=True, slots=True, eq=False)
class BoundMembers:
    """Metrics that can score.

    Attributes:
        metrics: The members, in their order.
        notes: Programs that have another version than those that the combination was learned with.
    """

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...]


def loaded_members(specs: Sequence[str]) -> list[Metric]:
    """Return metrics that are to be combined.

    Raises:
        UsageError: One of them is a combination itself, or named twice.
    """
    loaded = [load(spec) for spec in specs]
    nested = [
        spec for spec, one in zip(specs, loaded, strict=True) if isinstance(one, CombinedMetric)
    ]
    if nested:
        raise UsageError(
            f"{', '.join(nested)} is a combination itself, and a combination cannot be a member of "
            "one: name its members instead."
        )
    for place, one in enumerate(loaded):
        if one in loaded[:place]:
            first = specs[loaded.index(one)]
            raise UsageError(
                f"the member {specs[place]!r} is the same metric as {first!r}: name it once."
            )
    return loaded


def bound_to(specs: Sequence[str], language: str) -> tuple[Metric, ...]:
    """Return members bound to a language.

    Raises:
        ResourceError: Something must be installed; all that is missing is listed at once.
        UsageError: See `loaded_members`.
    """
    loaded = loaded_members(specs)
    # Members score as they did when the combination was learned.
    with using_glossary(NO_GLOSSARY):
        try:
            return tuple(metric.bind(language) for metric in loaded)
        except ResourceError as first:
            raise _all_missing(specs, loaded, language) or first from first


def _all_missing(
    specs: Sequence[str], loaded: Sequence[Metric], language: str
) -> ResourceError | None:
    """Return the one error for all that members lack."""
    lacks: list[Lack] = [
        (spec, error)
        for spec, metric in zip(specs, loaded, strict=True)
        for error in lacks_of(metric, language)
        if isinstance(error, ResourceError)
    ]
    return missing_parts(lacks) if lacks else None


def checked_members(
    model: CombinationModel, scale: LanguageScale, language: str, file: str
) -> BoundMembers:
    """Return the members of a combination, if they are what it was learned with.

    Args:
        model: The combination.
        scale: What it knows of the language.
        language: The target language.
        file: The name of its file, for messages.

    Raises:
        UsageError: A member has other parameters or resources now, so that its scores would mean
            something else.
    """
    low, high = ends_of_scale(model, scale)
    if not low < high:
        raise UsageError(
            f"the combination {file!r} gives every translation the same score. Build it again with "
            "'tenbin build combination'."
        )
    members = bound_to(model.members, language)
    notes: dict[str, None] = {}
    differences = []
    try:
        signatures = [member.signature() for member in members]
    except ResourceError as first:
        loaded = loaded_members(model.members)
        raise _all_missing(model.members, loaded, language) or first from first
    for spec, now, written in zip(model.members, signatures, scale.signatures, strict=True):
        learned = Signature.parse(written)
        problem = _difference(learned, now)
        if problem:
            differences.append(f"  {spec}: {problem}")
        notes |= dict.fromkeys(_version_notes(spec, learned, now))
    if differences:
        raise UsageError(
            f"the combination {file!r} was learned from other scores than its members give here:\n"
            + "\n".join(differences)
            + "\nInstall what it was learned with, or build it again with 'tenbin build "
            "combination'."
        )
    return BoundMembers(members, tuple(notes))


def _difference(learned: Signature, now: Signature) -> str:
    """Return how two signatures differ in what changes the meaning of a score; versions do not."""
    if learned.metric != now.metric:
        return f"it was the metric {learned.metric!r}, and is {now.metric!r}"
    for what, before, after in (
        ("parameter", dict(learned.fields), dict(now.fields)),
        ("resource", dict(learned.resources), dict(now.resources)),
    ):
        for key in dict.fromkeys([*before, *after]):
            if key not in _OF_THE_MACHINE and before.get(key) != after.get(key):
                was, found = before.get(key, "none"), after.get(key, "none")
                return f"the {what} {key} was {was!r}, and is {found!r}"
    return ""


def _version_notes(spec: str, learned: Signature, now: Signature) -> list[str]:
    before, after = dict(learned.versions), dict(now.versions)
    return [
        f"{spec}: learned with {program} {before[program]}, scored with {version}; scores may "
        "differ a little."
        for program, version in after.items()
        if program != "tenbin" and before.get(program, version) != version
    ]
