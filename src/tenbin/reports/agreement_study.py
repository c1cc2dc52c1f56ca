"""Renders experiments on agreement with human judgment, beside what a paper prints."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

from tenbin.core.agreement_study import MEAN, AgreementRow, AgreementStudy, ScoreOrigin, SystemScore
from tenbin.core.counting import counted
from tenbin.core.study import Study
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Grid, TitledGrid
from tenbin.reports.titled import (
    draw_titled,
    interval_text,
    labeled_grid,
    number_text,
    signed_text,
)
from tenbin.version import __version__

_COLUMNS = (
    "set",
    "pair",
    "measure",
    "human",
    "metric",
    "setting",
    "origin",
    "value",
    "ci_low",
    "ci_high",
    "difference",
    "difference_low",
    "difference_high",
    "thresholds",
    "published",
    "published_threshold",
    "n",
    "counted",
    "signature",
)
_SCORE_DIGITS = 2
_TITLES = {
    Study.VECTORS: "METEOR Vector by kind of vectors",
    Study.LEXICONS: "METEOR with lexicons and vectors",
    Study.ATTENTION: "Metrics",
}
_HELD_OUT = (
    "cross-validated: every fold is scored at the threshold that is best on the other folds, so "
    "that no threshold was chosen on the segments it is measured on. What the paper prints beside "
    "it is an oracle: the best threshold on the same data."
)


def payload(study: AgreementStudy) -> dict[str, Any]:
    """Return the rows as plain data."""
    return {
        "tenbin": __version__,
        "study": str(study.study),
        "paper": study.paper,
        "baseline": study.baseline,
        "resamples": study.resamples,
        "unit": study.unit,
        "folds": study.folds,
        "seed": study.seed,
        "rows": [_plain(row) for row in (*study.rows, *study.averages)],
        "scores": [
            {
                "set": one.test_set,
                "pair": one.pair,
                "system": one.system,
                "metric": one.metric,
                "value": defined(one.value),
                "published": one.published,
            }
            for one in study.scores
        ],
        "missing": [
            {"metric": one.metric, "where": one.where, "reason": one.reason}
            for one in study.missing
        ],
        "notes": list(study.notes),
    }


def tidy(study: AgreementStudy) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric, setting, language pair and measure, then the means."""
    return _COLUMNS, map(_fields, (*study.rows, *study.averages))


def draw(study: AgreementStudy, form: Format, page: Page) -> str:
    """Return a summary, a grid for each language pair, what is missing, and the signatures."""
    signatures = [row.signature for row in study.rows if row.signature is not None]
    grids = [*summary_grids(study), *place_grids(study), *score_grids(study.scores)]
    return draw_titled(grids, _caption(study), list(dict.fromkeys(signatures)), form, page)


def summary_grids(study: AgreementStudy) -> list[TitledGrid]:
    """Return a grid per measure, language pairs as columns; none for a single language pair."""
    if not study.averages:
        return []
    found = []
    for measure in dict.fromkeys(row.measure for row in study.averages):
        own = [row for row in study.rows if row.measure == measure]
        places = list(dict.fromkeys((row.test_set, row.pair) for row in own))
        cells = {(*_label(row), row.test_set, row.pair): row for row in own}
        means = {_label(row): row for row in study.averages if row.measure == measure}
        printed = any(row.published is not None for row in means.values())
        headings = [*_label_headings(study), *_place_names(places), MEAN, "95 %", "Δ", "Δ 95 %"]
        headings += ["paper"] if printed else []
        lines = []
        for label in dict.fromkeys(_label(row) for row in own):
            values = [cells.get((*label, *place)) for place in places]
            line = [*_shown(study, label)]
            line += [number_text(None if one is None else one.value) for one in values]
            mean = means.get(label)
            line += _spread(mean)
            line += [_published(mean)] if printed else []
            lines.append(line)
        title = f"{_TITLES[study.study]}: {measure}, {counted(len(places), 'language pair')}"
        labels = len(_label_headings(study))
        found.append(TitledGrid(title, labeled_grid(headings, lines, labels=labels)))
    return found


def place_grids(study: AgreementStudy) -> list[TitledGrid]:
    """Return a grid for each language pair and measure, with intervals and the paper's values."""
    groups: dict[tuple[str, str, str], list[AgreementRow]] = {}
    for row in study.rows:
        groups.setdefault((row.test_set, row.pair, row.measure), []).append(row)
    found = []
    for (test_set, pair, measure), rows in groups.items():
        first = rows[0]
        title = f"{test_set} {pair}: {measure} against {first.human}, n = {first.n:,} "
        found.append(TitledGrid(f"{title}{first.counted}", _place_grid(study, rows)))
    return found


def score_grids(scores: Sequence[SystemScore]) -> list[TitledGrid]:
    """Return the scores of systems, a grid for each language pair that the paper has."""
    groups: dict[tuple[str, str], list[SystemScore]] = {}
    for one in scores:
        groups.setdefault((one.test_set, one.pair), []).append(one)
    found = []
    for (test_set, pair), own in groups.items():
        if all(one.published is None for one in own):
            continue
        systems = list(dict.fromkeys(one.system for one in own if one.published is not None))
        cells = {(one.metric, one.system): one for one in own}
        lines = []
        for metric in dict.fromkeys(one.metric for one in own):
            line = [metric]
            for system in systems:
                one = cells[metric, system]
                line += [number_text(one.value, _SCORE_DIGITS)]
                line += [number_text(one.published, _SCORE_DIGITS)]
            lines.append(line)
        headings = ["Metric", *(name for system in systems for name in (system, "paper"))]
        title = f"{test_set} {pair}: scores of systems, times 100"
        found.append(TitledGrid(title, labeled_grid(headings, lines, labels=1)))
    return found


def _place_grid(study: AgreementStudy, rows: Sequence[AgreementRow]) -> Grid:
    printed = any(row.published is not None for row in rows)
    thresholds = any(row.published_threshold is not None for row in rows)
    chosen = any(len(row.thresholds) > 1 for row in rows)
    headings = [*_label_headings(study), "value", "95 %", "Δ", "Δ 95 %"]
    headings += ["chosen"] if chosen else []
    headings += ["paper"] if printed else []
    headings += ["paper's threshold"] if printed and thresholds else []
    lines = []
    for row in rows:
        line = [*_shown(study, _label(row)), *_spread(row)]
        line += [_thresholds(row.thresholds)] if chosen else []
        line += [_published(row)] if printed else []
        if printed and thresholds:
            line.append("" if row.published_threshold is None else f"{row.published_threshold:.2f}")
        lines.append(line)
    return labeled_grid(headings, lines, labels=len(_label_headings(study)))


def _caption(study: AgreementStudy) -> list[str]:
    samples = f"{counted(study.resamples, 'bootstrap sample')} of {study.unit}"
    known = ", where these are known" if study.unit == "documents" else ""
    drawn = f"Brackets: 95 % percentile interval of {samples}{known}, seed {study.seed}."
    lines = [f"{drawn} Δ: difference from {study.baseline} on the same samples."]
    if any(row.published is not None for row in study.rows):
        lines.append(f"paper: {study.paper}.")
    if any(row.published is not None for row in study.averages):
        lines[-1] += " Its mean is over fr, de and ru."
    if study.folds:
        lines.append(f"{_HELD_OUT} {counted(study.folds, 'fold')}.")
    for one in study.missing:
        where = f" ({one.where})" if one.where else ""
        lines.append(f"Missing: {one.metric}{where}: {one.reason}")
    return lines


def _label_headings(study: AgreementStudy) -> list[str]:
    return ["Metric", "Scores" if study.study is Study.ATTENTION else "Threshold"]


def _label(row: AgreementRow) -> tuple[str, str, ScoreOrigin]:
    return row.metric, row.setting, row.origin


def _shown(study: AgreementStudy, label: tuple[str, str, ScoreOrigin]) -> tuple[str, str]:
    metric, setting, origin = label
    return metric, str(origin) if study.study is Study.ATTENTION else setting


def _place_names(places: Sequence[tuple[str, str]]) -> list[str]:
    several = len({test_set for test_set, _ in places}) > 1
    return [f"{test_set} {pair}" if several else pair for test_set, pair in places]


def _spread(row: AgreementRow | None) -> list[str]:
    """Return value, interval, difference and its interval."""
    if row is None or isnan(row.value):
        return ["", "", "", ""]
    gap = row.difference
    shown = (
        ["", ""] if gap is None else [signed_text(gap.value), interval_text(gap.ci, signed=True)]
    )
    return [number_text(row.value), interval_text(row.ci), *shown]


def _thresholds(thresholds: Sequence[float]) -> str:
    """Return the thresholds of folds, each with how often it was chosen.

    >>> _thresholds([0.8, 0.85, 0.8])
    '0.80 (2), 0.85 (1)'
    """
    if len(thresholds) <= 1:
        return ""
    found = sorted(Counter(thresholds).items())
    return ", ".join(f"{threshold:.2f} ({times})" for threshold, times in found)


def _published(row: AgreementRow | None) -> str:
    return "" if row is None or row.published is None else number_text(row.published)


def _fields(row: AgreementRow) -> Row:
    gap = row.difference
    return (
        *(row.test_set, row.pair, row.measure, row.human, row.metric, row.setting),
        *(str(row.origin), row.value, *row.ci),
        *((None, None, None) if gap is None else (gap.value, *gap.ci)),
        " ".join(f"{threshold:g}" for threshold in row.thresholds),
        *(row.published, row.published_threshold, row.n, row.counted, row.signature),
    )


def _plain(row: AgreementRow) -> dict[str, Any]:
    values = dict(zip(_COLUMNS, _fields(row), strict=True))
    plain = {
        name: defined(value) if isinstance(value, float) else value
        for name, value in values.items()
    }
    return {**plain, "thresholds": list(row.thresholds)}
