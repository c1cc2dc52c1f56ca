"""The experiment of Tanahashi et al. (2020) as one call: models, idf dictionaries, penalties."""

from collections.abc import Sequence

from tenbin.core.agreement import SamplingUnit
from tenbin.core.errors import InputError
from tenbin.core.model_grid import ModelGrid, PlaceGrid
from tenbin.penalty.choices import NameSource
from tenbin.studies.model_grid import BASELINES, IDFS, MEASURES, NAMES, GridOptions, place_grid
from tenbin.studies.places import study_places

__all__ = [
    "BASELINES",
    "IDFS",
    "MEASURES",
    "NAMES",
    "GridOptions",
    "NameSource",
    "SamplingUnit",
    "study_grid",
]


def study_grid(folders: Sequence[str], pairs: Sequence[str], options: GridOptions) -> ModelGrid:
    """Score translations by BERTScore with every model, idf dictionary and penalty.

    The two tables of section 4.3 of the paper, and that of section 5 with the metrics beside the
    grid. A setting whose model or dictionary is missing has a row that says so.

    Args:
        folders: Test sets in the mt-metrics-eval layout.
        pairs: Language pairs; ``all`` for all that have human judgments.
        options: The models, dictionaries and penalties, and how they are measured.

    Raises:
        UsageError: There is no such measure, reference or judgment.
        InputError: Files that cannot be read, or nothing that could be scored.
    """
    places, notes = study_places(folders, pairs, options.references, several=False, judged=True)
    grids: list[PlaceGrid] = []
    for place in places:
        grid, more = place_grid(place, options, is_alone=len(places) == 1)
        grids += [] if grid is None else [grid]
        notes += [note if len(places) == 1 else f"{place.label}: {note}" for note in more]
    if not grids:
        raise InputError(f"nothing could be measured. {' '.join(notes)}")
    return ModelGrid(
        grids=tuple(grids),
        notes=tuple(dict.fromkeys(notes)),
        resamples=options.resamples,
        seed=options.seed,
    )
