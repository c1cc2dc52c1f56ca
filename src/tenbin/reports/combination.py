"""Renders combinations that were built: weights, agreement on what was left out, what is gained."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tenbin.core.combination_report import COMBINATION, BuiltCombination, FoldAgreement
from tenbin.reports.data import Row
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import TitledGrid
from tenbin.reports.titled import (
    draw_titled,
    interval_text,
    labeled_grid,
    number_text,
    signed_text,
)
from tenbin.version import __version__

_WEIGHT_DIGITS = 4
_OWN_SCALE = "*"


def payload(built: BuiltCombination) -> dict[str, Any]:
    """Return the card of the file, and its weights."""
    model = built.model
    return {
        "tenbin": __version__,
        "file": built.file,
        "kind": str(model.kind),
        "members": list(model.members),
        "weights": list(model.weights),
        "languages": sorted(model.languages),
        "by": str(built.held_out),
        "card": dict(model.card),
        "notes": list(built.notes),
    }


def tidy(built: BuiltCombination) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric on each part that was left out."""
    columns = ("fold", "set", "pair", "human", "measure", "metric", "value", "n")
    names = _names(built)
    return columns, (
        (row.fold, row.test_set, row.pair, row.human, row.measure, name, value, row.n)
        for row in built.folds
        for name, value in zip(names, row.values, strict=True)
    )


def draw(built: BuiltCombination, form: Format, page: Page) -> str:
    """Return a table for each measure, the weights, and what is gained in a sentence each."""
    grids = [_agreement(built, gain.measure) for gain in built.gains]
    if built.model.weights:
        grids.append(_weights(built))
    caption = [str(gain) for gain in built.gains]
    if any(row.own_scale for row in built.folds):
        caption.append(
            f"{_OWN_SCALE} The target language is new to what was learned: means and deviations "
            "of the members are those of the left-out translations, without their judgments."
        )
    return draw_titled(grids, caption, (), form, page)


def _names(built: BuiltCombination) -> list[str]:
    return [*built.model.members, COMBINATION]


def _agreement(built: BuiltCombination, measure: str) -> TitledGrid:
    gain = next(one for one in built.gains if one.measure == measure)
    names = _names(built)
    best = names.index(gain.best)
    rows = [row for row in built.folds if row.measure == measure]
    lines = [
        [
            f"{row.fold}{_OWN_SCALE if row.own_scale else ''}",
            f"{row.test_set} {row.pair}",
            *(number_text(value) for value in row.values),
            signed_text(row.values[-1] - row.values[best]),
            interval_text(row.ci or (np.nan, np.nan), signed=True),
        ]
        for row in rows
    ]
    means = np.mean([row.values for row in rows], axis=0)
    lines.append(
        [
            "mean",
            "",
            *(number_text(float(value)) for value in means),
            signed_text(gain.difference),
            interval_text(gain.ci, signed=True),
        ]
    )
    headings = ("Left out", "Pair", *names, f"over {gain.best}", "95 %")
    title = f"{measure} on what was left out ({built.held_out}), {_kinds(rows)}"
    return TitledGrid(title, labeled_grid(headings, lines, labels=2))


def _kinds(rows: Sequence[FoldAgreement]) -> str:
    return "against " + ", ".join(dict.fromkeys(row.human for row in rows))


def _weights(built: BuiltCombination) -> TitledGrid:
    model = built.model
    lines = [
        [spec, f"{weight:.{_WEIGHT_DIGITS}f}", f"{share:.0%}"]
        for spec, weight, share in zip(
            model.members, model.weights, np.array(model.weights) / sum(model.weights), strict=True
        )
    ]
    grid = labeled_grid(("Member", "Weight", "Share"), lines, labels=1)
    return TitledGrid("Weights of members, per standard deviation", grid)
