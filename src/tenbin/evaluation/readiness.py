"""Metrics that are ready to score; what any of them lacks is told at once, before any work."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import ResourceError, SpecError, UsageError
from tenbin.core.metric import Metric
from tenbin.core.missing import Lack, flattened, unready_metrics
from tenbin.core.text import SegmentSource
from tenbin.evaluation.checks import check_request, text_problems
from tenbin.metrics.probing import lacks_of
from tenbin.metrics.registry import load, load_all


def ready_metrics(source: SegmentSource, specs: Sequence[str], language: str) -> list[Metric]:
    """Return metrics bound to a language, for which a test set has all texts.

    Args:
        source: The test set.
        specs: The metrics.
        language: The target language.

    Raises:
        UsageError: A metric does not exist, is not for the language, or lacks texts.
        ResourceError: Something must be installed.
    """
    with told_at_once(
        specs, language, has_references=source.has_references, has_source=source.has_source
    ):
        metrics = [metric.bind(language) for metric in load_all(specs)]
        check_request(source, metrics, specs)
    return metrics


def check_ready(
    specs: Sequence[str],
    languages: Sequence[str],
    *,
    has_references: bool = True,
    has_source: bool = True,
) -> None:
    """Raise one error for all that metrics lack in some languages; see `ready_metrics`.

    Args:
        specs: The metrics.
        languages: The target languages.
        has_references: Whether there are references, or it is not known yet.
        has_source: The same of source texts.
    """
    known = [parse_language(one).tag for one in languages]
    lacks = found_lacks(specs, known, has_references=has_references, has_source=has_source)
    if not lacks:
        return
    first = lacks[0][1]
    if len(lacks) == 1 and (len(specs) == 1 or not isinstance(first, ResourceError)):
        raise first
    if all(isinstance(error, SpecError) for _, error in lacks):
        raise SpecError("\n".join(str(error) for _, error in lacks))
    if not any(name for name, _ in lacks):
        raise UsageError("\n".join(str(error) for _, error in lacks))
    raise unready_metrics(lacks, len(specs))


@contextmanager
def told_at_once(
    specs: Sequence[str], language: str, *, has_references: bool = True, has_source: bool = True
) -> Iterator[None]:
    """Let an error of the block that says what a metric lacks say so of all metrics.

    Where nothing is lacking nothing is looked for, which would take time.
    """
    try:
        yield
    except (ResourceError, UsageError):
        check_ready(specs, [language], has_references=has_references, has_source=has_source)
        raise


def found_lacks(
    specs: Sequence[str], languages: Sequence[str], *, has_references: bool, has_source: bool
) -> tuple[Lack, ...]:
    """Return what metrics lack, in their order; texts, which several lack, at the end."""
    lacks: list[Lack] = []
    loaded: list[tuple[str, Metric]] = []
    for spec in dict.fromkeys(specs):
        try:
            metric = load(spec)
        except SpecError as error:
            lacks.append((spec, error))
            continue
        loaded.append((spec, metric))
        for language in dict.fromkeys(languages):
            name = f"{spec} ({language})" if len(set(languages)) > 1 else spec
            lacks += [(name, error) for error in lacks_of(metric, language)]
    texts = text_problems(
        [metric for _, metric in loaded],
        [spec for spec, _ in loaded],
        has_references=has_references,
        has_source=has_source,
    )
    return (*flattened(lacks), *(("", UsageError(one)) for one in texts))
