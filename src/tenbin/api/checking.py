"""Baselines: a stored system that a new one must not be significantly worse than."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike

from tenbin.api.glossaries import glossary_of_run
from tenbin.api.page import metric_looks
from tenbin.api.scoring import DEFAULT_SEED, score_test_set
from tenbin.core.baseline_check import BaselineCheck
from tenbin.core.caching import caching
from tenbin.core.errors import UsageError
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import SegmentSource
from tenbin.evaluation.baseline_check import (
    DEFAULT_CHECK_ROUNDS,
    DEFAULT_LEVEL,
    CheckOptions,
    check_baseline,
)
from tenbin.formats.output import write_text
from tenbin.formats.score_json import read_score_json
from tenbin.reports.render import render

__all__ = [
    "DEFAULT_CHECK_ROUNDS",
    "DEFAULT_LEVEL",
    "check",
    "read_baseline",
    "write_baseline",
]


def check(  # noqa: PLR0913 - every option has a name
    baseline: str | ScoreTable,
    test_set: SegmentSource,
    *,
    max_drops: Mapping[str, float] | None = None,
    p: float = DEFAULT_LEVEL,
    language: str | None = None,
    baseline_system: str | None = None,
    rescore: bool = False,
    rounds: int = DEFAULT_CHECK_ROUNDS,
    seed: int = DEFAULT_SEED,
    by_document: bool = True,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    file: str = "the baseline",
) -> BaselineCheck:
    """Say whether a new system is significantly worse than a stored one.

    Args:
        baseline: What `write_baseline` wrote, or scores of segments as JSON, or its path.
        test_set: The new system, one, with its references.
        max_drops: By how much the score of each metric may get worse, by spec; None or empty for
            all metrics of the baseline, none of which may get worse.
        p: At which p-value of the paired test a drop is significant.
        language: Target language; None for that of the baseline.
        baseline_system: The system of the baseline, where it has several.
        rescore: Whether the stored texts are scored anew where signatures differ.
        rounds: Rounds of the paired test.
        seed: Its seed.
        by_document: Whether whole documents are exchanged where they are known.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names; scores depend on it by its content alone.
        file: What messages call a baseline in memory.
    """
    stored = read_baseline(baseline) if isinstance(baseline, str) else baseline
    options = CheckOptions(
        max_drops=dict(max_drops or {}),
        level=p,
        system=baseline_system,
        rescore=rescore,
        rounds=rounds,
        seed=seed,
        by_document=by_document,
        jobs=jobs,
    )
    named = baseline if isinstance(baseline, str) else file
    with caching(enabled=cache), glossary_of_run(glossary):
        return check_baseline(stored, test_set, options, file=named, language=language)


def read_baseline(path: str) -> ScoreTable:
    """Read the scores of a stored system."""
    found = read_score_json(path, metric_looks)
    if isinstance(found, Comparison):
        raise UsageError(
            f"{path} is a comparison of systems; a baseline is one system: write one "
            "(`write_baseline`)."
        )
    return found


def write_baseline(
    path: str,
    test_set: SegmentSource,
    metrics: Sequence[str],
    language: str,
    *,
    jobs: int = 1,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    advance: Callable[[int], None] | None = None,
) -> ScoreTable:
    """Score a system and write its scores, segment scores and texts to a file.

    Args:
        path: The file, written whole or not at all.
        test_set: The system, with its references.
        metrics: Specs.
        language: Target language.
        jobs: Worker processes.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names.
        advance: Called with the number of segments done, times metrics.
    """
    table = score_test_set(
        test_set,
        metrics,
        language,
        segments=True,
        jobs=jobs,
        cache=cache,
        glossary=glossary,
        advance=advance,
    )
    whole = next(iter(test_set.chunks(test_set.segment_count)))
    table = replace(table, texts=whole)
    write_text(path, render(table, "json"))
    return table
