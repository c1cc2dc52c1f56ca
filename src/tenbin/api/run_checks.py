"""What can be said about the metrics of a run before any text is read."""

from collections.abc import Sequence

from tenbin.core.spec import Spec, spec_list
from tenbin.evaluation import explanation
from tenbin.evaluation.readiness import check_ready
from tenbin.evaluation.worst_segments import check_count, not_among
from tenbin.metrics import registry


def main_metric(metrics: Sequence[str], chosen: str | None, *, given: bool) -> str:
    """Return the metric that chooses segments to read.

    Args:
        metrics: The metrics of the run.
        chosen: The one that the user named; None for none.
        given: Whether the user named the metrics of the run; if not, the last of them is that of
            meaning, and chooses.

    >>> main_metric(["bleu", "chrf"], None, given=True)
    'bleu'
    """
    if chosen is not None:
        return chosen
    listed = spec_list(metrics)
    return listed[0] if given else listed[-1]


def check_chosen(metrics: Sequence[str], count: int, by: str | None, parameter: str) -> None:
    """Raise `UsageError` if segments to read cannot be chosen, before anything is scored.

    Args:
        metrics: The metrics of the run.
        count: How many segments.
        by: The metric that chooses them; None for the first.
        parameter: ``worst`` or ``differences``, for the message.
    """
    check_count(count, parameter)
    specs = [Spec.parse(spec) for spec in spec_list(metrics)]
    if by is None or by in [spec.alias for spec in specs]:
        return
    if str(Spec.parse(by)) not in map(str, specs):
        raise not_among(f"{parameter}_by", by, [spec.label for spec in specs])


def check_explainable(metric: str) -> None:
    """Raise `UsageError` if a metric does not match words with words."""
    explanation.explainable(metric)


def read_references(metrics: Sequence[str]) -> bool:
    """Return whether any of some metrics reads references.

    >>> read_references(["yisi2", "bleu"]), read_references(["yisi2"])
    (True, False)
    """
    return any(metric.needs.references for metric in registry.load_all(spec_list(metrics)))


def check_given_texts(
    metrics: Sequence[str],
    *,
    language: str | None = None,
    references: bool = True,
    source: bool = True,
) -> None:
    """Raise one error for all that metrics lack: texts, extras, resources, the language.

    Args:
        metrics: Specs.
        language: The target language; None: nothing but texts is looked for.
        references: Whether references are given, or it is not known yet.
        source: The same of the source text.

    Raises:
        UsageError: A metric does not exist, is not for the language, or reads texts that are not
            given.
        ResourceError: Something must be installed; the message has one command for all of it.
    """
    languages = [] if language is None else [language]
    check_ready(spec_list(metrics), languages, has_references=references, has_source=source)
