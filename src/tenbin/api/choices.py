"""The metrics that a person can pick for a language: what each is good for, and what it lacks."""

from collections.abc import Iterator
from dataclasses import dataclass

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import ResourceError, TenbinError
from tenbin.core.metric import MetricInfo, Needs
from tenbin.core.missing import flattened, install_command, missing_parts
from tenbin.metrics import registry
from tenbin.metrics.probing import lacks_of
from tenbin.metrics.recommended import language_metrics

__all__ = ["MetricChoice", "metric_choices"]

_NOT_FOR_IT = TenbinError("the metric is not for the language")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChoice:
    """A metric that a person can pick.

    Attributes:
        metric: Its spec.
        title: What tables call it.
        info: What it measures, and what it is blind to.
        needs: What it reads.
        agreement: What was measured of its agreement with people for the language; empty if
            nothing was.
        recommended: Whether it is one of the metrics to take for the language.
        preselected: Whether it is taken by default.
        lacking: Why it cannot run as things are; empty if it can.
        command: What installs what is lacking, where that can be installed.
    """

    metric: str
    title: str
    info: MetricInfo
    needs: Needs
    agreement: str = ""
    recommended: bool = False
    preselected: bool = False
    lacking: str = ""
    command: str = ""


def metric_choices(language: str) -> tuple[MetricChoice, ...]:
    """Return the metrics for a target language, those to take for it first.

    Metrics that need a parameter, and those that are not for the language, are left out.

    Args:
        language: Tag of the language.
    """
    target = parse_language(language).tag
    best = language_metrics(target)
    agreements = {one.metric: one for one in best.meaning}
    first = [best.surface, *agreements]
    found = []
    for name in dict.fromkeys([*first, *_pickable()]):
        missing = _missing(name, target)
        if missing is _NOT_FOR_IT:
            continue
        recommendation = agreements.get(name)
        command = " && ".join(() if recommendation is None else recommendation.commands)
        found.append(
            MetricChoice(
                metric=name,
                title=registry.ALIAS_TITLES.get(name) or registry.load(name).info.title,
                info=registry.load(name).info,
                needs=registry.load(name).needs,
                agreement="" if recommendation is None else recommendation.agreement,
                recommended=name in first,
                preselected=name in best.chosen,
                lacking=command if missing is None else str(missing),
                command=command or _command(missing),
            )
        )
    return tuple(found)


def _pickable() -> Iterator[str]:
    """Yield the names that stand for a metric without further parameters."""
    for name in sorted({*registry.metric_names(), *registry.ALIASES}):
        if not registry.load(name).needs.parameters:
            yield name


def _missing(name: str, language: str) -> TenbinError | None:
    """Return why a metric cannot run, None if it can."""
    try:
        lacks = lacks_of(registry.load(name), language)
    except TenbinError:
        return _NOT_FOR_IT
    if not all(isinstance(one, ResourceError) for one in lacks):
        return _NOT_FOR_IT
    return missing_parts([("", one) for one in lacks]) if lacks else None


def _command(missing: TenbinError | None) -> str:
    if missing is None:
        return ""
    return install_command(one for _, one in flattened([("", missing)]))
