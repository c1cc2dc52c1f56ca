"""Finds all that a metric lacks to run in a language, and not just the first thing."""

from collections.abc import Iterator
from dataclasses import MISSING, fields

from tenbin.core.errors import ResourceError, TenbinError, UsageError
from tenbin.core.metric import AUTO, BaseMetric, Metric
from tenbin.core.part import Part, part_of


def lacks_of(metric: Metric, language: str) -> tuple[TenbinError, ...]:
    """Return the errors that stand in the way of a metric; none if it can run.

    Args:
        metric: The metric, not bound to a language.
        language: The target language.
    """
    try:
        # The signature names the versions of programs, which must be there for that.
        metric.bind(language).signature()
    except (ResourceError, UsageError) as first:
        found = [first, *_lacks_of_parts(metric, language)]
        return tuple({str(one): one for one in found}.values())
    return ()


def _lacks_of_parts(metric: Metric, language: str) -> Iterator[TenbinError]:
    """Yield what the parts of a metric lack, each looked at by itself."""
    if not isinstance(metric, BaseMetric):
        return
    own = getattr(metric, "language", AUTO)
    for part in metric.all_parts():
        yield from _lacks_of_part(part, language if own == AUTO else own, metric.name)


def _lacks_of_part(part: Part, language: str, metric: str) -> Iterator[TenbinError]:
    bound = part
    try:
        bound = part.bind(language, metric)
    except ResourceError as error:
        yield error
    except TenbinError:
        pass  # a part that stands alone may lack what another one settles
    # Data and programs, which may both be missing.
    for named in (bound.identities, bound.versions):
        try:
            named()
        except ResourceError as error:
            yield error
        except TenbinError:
            continue
    for kind in part.composed_of:
        if _can_be_made(kind, part):
            yield from _lacks_of_part(part_of(kind, part), language, metric)


def _can_be_made(kind: type[Part], part: Part) -> bool:
    """Return whether a larger part has all that a part of it is made of; some settle it later."""
    needed = [one for one in fields(kind) if one.default is MISSING]  # type: ignore[arg-type]
    return all(hasattr(part, one.name) for one in needed)
