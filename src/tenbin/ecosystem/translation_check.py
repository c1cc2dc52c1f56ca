"""Whether translations keep to limits, and are no worse than a stored baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from tenbin.api.checking import DEFAULT_LEVEL, check, write_baseline
from tenbin.api.scoring import score
from tenbin.api.shapes import DEFAULT_SYSTEM, build_test_set
from tenbin.core.errors import InputError, UsageError
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.ecosystem.collected import corpus_scores
from tenbin.reports.render import render

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class TranslationLimits:
    """What is asked of translations.

    Attributes:
        at_least: The lowest score that passes, by spec.
        at_most: The highest, for metrics of errors.
        max_drop: By how much a score may be worse than that of the baseline.
        p: At which p-value such a drop is significant; None for the usual one.
    """

    at_least: Mapping[str, float]
    at_most: Mapping[str, float]
    max_drop: Mapping[str, float]
    p: float | None = None

    @property
    def metrics(self) -> list[str]:
        """All metrics that are named, each once."""
        named = (*self.at_least, *self.at_most, *self.max_drop)
        return list(dict.fromkeys(str(Spec.parse(spec)) for spec in named))


@dataclass(frozen=True, slots=True)
class CheckedTranslations:
    """What was found: corpus scores by spec, and what is wrong, if anything."""

    scores: dict[str, float]
    failures: tuple[str, ...]


def check_translations(
    hypotheses: Any,  # noqa: ANN401 - as `tenbin.score` takes them
    references: Any = None,  # noqa: ANN401
    source: Any = None,  # noqa: ANN401
    *,
    language: str,
    limits: TranslationLimits,
    baseline: str | PathLike[str] | None = None,
    write: bool = False,
) -> CheckedTranslations:
    """Score translations of one system and compare the scores with limits and a baseline.

    Args:
        hypotheses: One text per segment.
        references: As `tenbin.score` takes them.
        source: One source text per segment.
        language: The target language.
        limits: What is asked.
        baseline: The file of the baseline; None for none.
        write: Whether to write the baseline in the place of comparing with it.

    >>> limits = TranslationLimits({"chrf": 90}, {}, {})
    >>> found = check_translations(["a dog"], ["a cat"], language="en", limits=limits)
    >>> found.failures[0]
    'chrf is 6.25, expected at least 90.'
    """
    if not limits.metrics and baseline is None:
        raise UsageError(
            'nothing is asked of the translations: give `at_least={"chrf": 60}`, `at_most` or '
            "`baseline`."
        )
    texts = build_test_set({DEFAULT_SYSTEM: hypotheses}, references, source=source)
    scores: dict[str, float] = {}
    failures: list[str] = []
    if limits.metrics:
        table = score(texts, metrics=limits.metrics, language=language, worst=_SHOWN)
        scores = corpus_scores(table)
        failures = _outside(scores, limits)
        if failures:
            failures.append(render(table, "text"))
    if baseline is not None:
        failures += _against(fspath(baseline), texts, language, limits, scores, write=write)
    return CheckedTranslations(scores, tuple(failures))


def _outside(scores: Mapping[str, float], limits: TranslationLimits) -> list[str]:
    low = [
        f"{spec} is {scores[str(Spec.parse(spec))]:.2f}, expected at least {limit}."
        for spec, limit in limits.at_least.items()
        # 'not above' is also true of a score that is not defined.
        if not scores[str(Spec.parse(spec))] >= limit
    ]
    high = [
        f"{spec} is {scores[str(Spec.parse(spec))]:.2f}, expected at most {limit}."
        for spec, limit in limits.at_most.items()
        if not scores[str(Spec.parse(spec))] <= limit
    ]
    return low + high


def _against(
    file: str,
    texts: TestSet,
    language: str,
    limits: TranslationLimits,
    scores: dict[str, float],
    *,
    write: bool,
) -> list[str]:
    if write:
        if not limits.metrics:
            raise UsageError('a baseline needs metrics: name them, as in `max_drop={"chrf": 0.3}`.')
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        write_baseline(file, texts, limits.metrics, language)
        return []
    if not Path(file).exists():
        raise InputError(
            f"there is no baseline {file}. Store today's translations as the baseline: run pytest "
            "with --write-baselines."
        )
    level = DEFAULT_LEVEL if limits.p is None else limits.p
    found = check(file, texts, max_drops=limits.max_drop, p=level, language=language)
    scores.update({one.metric: one.new for one in found.metrics})
    return [] if found.passed else [render(found, "text")]
