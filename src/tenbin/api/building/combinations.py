"""Combinations of metrics, learned from human judgments."""

from collections.abc import Sequence
from contextlib import ExitStack

from tenbin.api import files
from tenbin.api.building.steps import Phase
from tenbin.core.caching import caching
from tenbin.core.combination import CombinationKind
from tenbin.core.combination_report import BuiltCombination, HeldOutUnit
from tenbin.core.parameters import one_of

DEFAULT_SEED = 12345


def build_combination(  # noqa: PLR0913 - every option has a name
    metrics: Sequence[str],
    test_sets: Sequence[str],
    output: str,
    *,
    pairs: Sequence[str] = (),
    languages: Sequence[str] = (),
    targets: Sequence[str] = (),
    human: str | None = None,
    references: Sequence[str] | None = None,
    kind: str = "ridge",
    regularization: float = 0.1,
    trees: int = 100,
    by: str | None = None,
    folds: int | None = None,
    resamples: int = 1_000,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    cache: bool = True,
    force: bool = False,
    phase: Phase | None = None,
) -> BuiltCombination:
    """Learn a combination of metrics from human judgments, and write it to a file.

    Args:
        metrics: Specs of the members, two or more.
        test_sets: Folders in the mt-metrics-eval layout, or ``bundled:example``.
        output: The file to write, whole or not at all.
        pairs: Language pairs to learn from; ``all`` for all that were judged.
        languages: Target languages, to learn from all pairs into these.
        targets: Target languages that the file is for; by default all that it is learned from.
        human: Kind of judgment, such as ``esa``; by default the most reliable one of each pair.
        references: Names of references, such as ``refA``; by default the first.
        kind: ``ridge``, a weighted sum, or ``boosting``, trees (needs the extra ``combine``).
        regularization: How much weights are drawn to 0.
        trees: Number of trees of boosting.
        by: What is left out in turn to measure the combination: ``sets``, ``pairs``, ``documents``
            or ``segments``; by default sets where there are several, else documents, else segments.
        folds: Parts of documents or segments; 5 by default.
        resamples: Bootstrap samples of each interval.
        seed: Seed of every random draw.
        jobs: Worker processes.
        cache: Whether scores are read from the caches on disk and written there.
        force: Whether a file that is there is replaced.
        phase: Shows progress.

    Returns:
        The agreement of all members and of the combination on what was left out.

    Raises:
        UsageError: Members, sets or options that do not go together.
        InputError: Judgments or texts that cannot be learned from.
        ResourceError: Members lack something that must be installed.
        OutputError: The file cannot be written.
    """
    from tenbin.building.combination import combination, recipe  # noqa: PLC0415 - slow
    from tenbin.building.corpus import no_progress  # noqa: PLC0415 - slow

    chosen = recipe.CombinationRecipe(
        kind=one_of(CombinationKind, kind, "kind"),
        regularization=regularization,
        trees=trees,
        held_out=None if by is None else one_of(HeldOutUnit, by, "by"),
        folds=folds,
        resamples=resamples,
        seed=seed,
    )
    with ExitStack() as opened:
        opened.enter_context(caching(enabled=cache))
        folders = [opened.enter_context(files.named_folder(name)) for name in test_sets]
        return combination.build_combination(
            list(metrics),
            folders,
            output,
            chosen,
            pairs=list(pairs),
            languages=list(languages),
            targets=list(targets),
            human=human,
            references=references,
            jobs=jobs,
            force=force,
            phase=no_progress if phase is None else phase,
        )
