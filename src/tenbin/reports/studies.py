"""Renders the experiments of the ParaEval paper: correlations, and translations by score."""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.study import (
    CorrelationRow,
    CorrelationTable,
    Study,
    TranslationRow,
    TranslationTable,
)
from tenbin.reports.data import Row
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

_CORRELATION_COLUMNS = (
    "set",
    "pair",
    "human",
    "references",
    "metric",
    "min_length",
    "spearman",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "spearman_whole",
    "difference",
    "difference_low",
    "difference_high",
    "phrase_share",
    "word_share",
    "systems",
    "unit",
    "units",
    "signature",
)
_TRANSLATION_COLUMNS = (
    "set",
    "pair",
    "metric",
    "against",
    "translation",
    "kind",
    "score",
    "ci_percentile_low",
    "ci_percentile_high",
    "ci_mean_low",
    "ci_mean_high",
    "rank",
    "translations",
    "human",
    "human_score",
    "best_machine",
    "lead",
    "lead_low",
    "lead_high",
    "share_above",
    "unit",
    "units",
    "signature",
)
_DIFFERENCES = {
    Study.RANKING: "Δ: difference from BLEU on the same samples.",
    Study.REFERENCES: "Δ: difference from all references together, on the same samples.",
    Study.DECOMPOSITION: "Δ: difference from all references together, on the same samples.",
    Study.LENGTHS: "Δ: difference from no paraphrases, on the same samples. In phrases, alone: "
    "share of the words of all translations that is matched so; equal phrases of a set are "
    "phrases, too. More: share of words that is matched beyond what single words match.",
}
_INTERVALS = (
    "Brackets: 95 % of the samples; of the mean: interval of that mean by Student's t, which the "
    "paper gives and which says nothing about the data. whole: rho on all segments."
)
_TAKEN_OUT = "Each reference is taken out and scored against the others, as the machines are."
_LEADS = (
    "Lead: score less that of the best machine; its interval takes the best machine of each "
    "sample. Above all: share of samples in which the reference is above all machines."
)
_OF_MEAN_DIGITS = 4
_GROUPED = {Study.REFERENCES, Study.DECOMPOSITION}
_LEAD_LABELS = ("Metric", "Reference", "Against", "Best machine")


StudyTable = CorrelationTable | TranslationTable


def payload(table: StudyTable) -> dict[str, Any]:
    """Return the rows as plain data."""
    columns, rows = tidy(table)
    return {
        "tenbin": __version__,
        "study": str(table.study),
        "resamples": table.resamples,
        "seed": table.seed,
        "rows": [
            {name: _plain(value) for name, value in zip(columns, row, strict=True)} for row in rows
        ],
        "notes": list(table.notes),
    }


def tidy(table: StudyTable) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each correlation, or for each translation."""
    if isinstance(table, CorrelationTable):
        return _CORRELATION_COLUMNS, map(_correlation_fields, table.rows)
    return _TRANSLATION_COLUMNS, map(_translation_fields, table.rows)


def draw(table: StudyTable, form: Format, page: Page) -> str:
    """Return the grids, how to read them, and the signatures."""
    signatures = list(dict.fromkeys(row.signature for row in table.rows))
    grids, caption = _contents(table)
    return draw_titled(grids, caption, signatures, form, page)


def _contents(table: StudyTable) -> tuple[list[TitledGrid], list[str]]:
    """Return the grids, and the lines that explain them."""
    samples = f"{counted(table.resamples, 'bootstrap sample')}"
    if isinstance(table, TranslationTable):
        brackets = f"Brackets: 95 % percentile interval of {samples}, seed {table.seed}."
        grids = [lead_grid(table.rows), *score_grids(table.rows)]
        return grids, [f"{_TAKEN_OUT} {brackets}", _LEADS]
    means = mean_grids(table.study, table.rows)
    drawn = f"{samples}, the human ranking fixed, seed {table.seed}"
    lines = [f"rho: mean of Spearman's rho over {drawn}. {_INTERVALS}"]
    if any(row.difference is not None for row in table.rows):
        lines.append(_DIFFERENCES[table.study])
        if means:
            lines.append("Δ above 0, below 0: in how many cases all of its interval is.")
    return [*correlation_grids(table.study, table.rows), *means], lines


def _joined(references: Sequence[str]) -> str:
    """Return what a group of references is called."""
    return "+".join(references)


def _correlation_fields(row: CorrelationRow) -> Row:
    gap = row.difference
    return (
        *(row.test_set, row.pair, row.human, _joined(row.references), row.metric, row.min_length),
        *(row.value, *row.ci, *row.ci_mean, row.whole),
        *((None, None, None) if gap is None else (gap.value, *gap.ci)),
        *((None, None) if row.shares is None else (row.shares.phrases, row.shares.words)),
        *(row.systems, row.unit, row.units, row.signature),
    )


def _translation_fields(row: TranslationRow) -> Row:
    kind = "human" if row.is_human else "machine"
    lead: Row = (None,) * 5
    if row.lead is not None:
        lead = (row.lead.best, row.lead.gap.value, *row.lead.gap.ci, row.lead.above)
    return (
        *(row.test_set, row.pair, row.metric, _joined(row.against), row.translation, kind),
        *(row.score, *row.ci, *row.mean_ci, row.rank, row.translations),
        *(row.human, row.human_score, *lead, row.unit, row.units, row.signature),
    )


def _plain(value: str | float | None) -> str | float | None:
    return None if isinstance(value, float) and not isfinite(value) else value


def correlation_grids(study: Study, rows: Sequence[CorrelationRow]) -> list[TitledGrid]:
    """Return one grid per language pair and kind of judgment."""
    groups: dict[tuple[str, str, str], list[CorrelationRow]] = {}
    for row in rows:
        groups.setdefault((row.test_set, row.pair, row.human), []).append(row)
    return [
        TitledGrid(_title(study, group), _correlation_grid(study, group))
        for group in groups.values()
    ]


def mean_grids(study: Study, rows: Sequence[CorrelationRow]) -> list[TitledGrid]:
    """Return the means over language pairs, if there are several, with one kind of judgment each.

    References of different names are counted: one alone is one alone, whatever it is called.
    """
    places = {(row.test_set, row.pair) for row in rows}
    if len(places) == 1 or len({(row.test_set, row.pair, row.human) for row in rows}) > len(places):
        return []
    groups: dict[tuple[str, str], list[CorrelationRow]] = {}
    for row in rows:
        groups.setdefault((row.metric, _setting(study, row, counted=True)), []).append(row)
    compared = any(row.difference is not None for row in rows)
    headings = _headings(study)
    labels = len(headings)
    headings += ["rho", *(["Δ", "Δ above 0", "Δ below 0"] if compared else [])]
    cells = []
    for (metric, setting), group in groups.items():
        line = [metric, setting][:labels]
        line.append(number_text(_mean([row.value for row in group])))
        gaps = [row.difference for row in group if row.difference is not None]
        if compared and gaps:
            line.append(signed_text(_mean([gap.value for gap in gaps])))
            line.append(f"{sum(gap.ci[0] > 0 for gap in gaps)} of {len(gaps)}")
            line.append(f"{sum(gap.ci[1] < 0 for gap in gaps)} of {len(gaps)}")
        elif compared:
            line += ["", "", ""]
        cells.append(tuple(line))
    title = f"Mean over {counted(len(places), 'language pair')}"
    return [TitledGrid(title, labeled_grid(headings, cells, labels=labels))]


def lead_grid(rows: Sequence[TranslationRow]) -> TitledGrid:
    """Return every reference beside the best machine, as in table 4 of the paper."""
    several = len({(row.test_set, row.pair) for row in rows}) > 1
    headings = [*_LEAD_LABELS, "Score", "95 %", "Lead", "Lead 95 %", "Machines below", "Above all"]
    title = "References against each other"
    if several:
        headings.insert(0, "Set")
    else:
        first = rows[0]
        title = f"{first.test_set} {first.pair}: references against each other, "
        title += f"{counted(first.units, first.unit[:-1])} drawn"
    cells = []
    metrics = list(dict.fromkeys(row.metric for row in rows))
    # Stable: places and references keep their order.
    for row in sorted(rows, key=lambda row: metrics.index(row.metric)):
        lead = row.lead
        if lead is None:
            continue
        cells.append(
            (
                *([f"{row.test_set} {row.pair}"] if several else []),
                *(row.metric, row.translation, _joined(row.against), lead.best),
                *(number_text(row.score, row.decimals), interval_text(row.ci, row.decimals)),
                signed_text(lead.gap.value, row.decimals),
                interval_text(lead.gap.ci, row.decimals, signed=True),
                *(f"{lead.below} of {lead.machines}", f"{lead.above:.1%}"),
            )
        )
    return TitledGrid(title, labeled_grid(headings, cells, labels=len(_LEAD_LABELS) + several))


def score_grids(rows: Sequence[TranslationRow]) -> list[TitledGrid]:
    """Return all translations by score, one grid per language pair and metric."""
    groups: dict[tuple[str, str, str], list[TranslationRow]] = {}
    for row in rows:
        groups.setdefault((row.test_set, row.pair, row.metric), []).append(row)
    return [
        TitledGrid(f"{test_set} {pair}: {metric} of all translations", _score_grid(group))
        for (test_set, pair, metric), group in groups.items()
    ]


def _title(study: Study, rows: Sequence[CorrelationRow]) -> str:
    first = rows[0]
    title = (
        f"{first.test_set} {first.pair} against {first.human}: {counted(first.systems, 'system')}, "
    )
    if study in {Study.RANKING, Study.LENGTHS}:
        title += f"{_joined(first.references)}, "
    return f"{title}{counted(first.units, first.unit[:-1])} drawn"


def _correlation_grid(study: Study, rows: Sequence[CorrelationRow]) -> Grid:
    headings = _headings(study)
    labels = len(headings)
    compared = any(row.difference is not None for row in rows)
    headings += ["rho", "95 %", "of the mean", "whole"]
    headings += ["Δ", "Δ 95 %"] if compared else []
    headings += ["In phrases", "Alone", "More"] if study is Study.LENGTHS else []
    plain = next((r.shares for r in rows if r.min_length == 0), None)
    cells = []
    for row in rows:
        line = [row.metric, _setting(study, row)][:labels]
        line += [
            number_text(row.value),
            interval_text(row.ci),
            interval_text(row.ci_mean, _OF_MEAN_DIGITS),
        ]
        line.append(number_text(row.whole))
        if compared:
            gap = row.difference
            line += (
                ["", ""]
                if gap is None
                else [signed_text(gap.value), interval_text(gap.ci, signed=True)]
            )
        if row.shares is not None and plain is not None:
            more = row.shares.phrases + row.shares.words - plain.phrases - plain.words
            line += [_share(row.shares.phrases), _share(row.shares.words), f"{more:+.1%}"]
        cells.append(tuple(line))
    return labeled_grid(headings, cells, labels=labels)


def _headings(study: Study) -> list[str]:
    """Return what says what a row is about."""
    if study in _GROUPED:
        return ["Metric", "References"]
    return ["Metric", "Words"] if study is Study.LENGTHS else ["Metric"]


def _setting(study: Study, row: CorrelationRow, *, counted: bool = False) -> str:
    """Return what distinguishes the rows of one metric, if something does."""
    if study in _GROUPED:
        return str(len(row.references)) if counted else _joined(row.references)
    if study is Study.LENGTHS:
        return f"{row.min_length}+" if row.min_length else "none"
    return ""


def _score_grid(rows: Sequence[TranslationRow]) -> Grid:
    groups = list(dict.fromkeys(row.against for row in rows))
    by_name: dict[str, dict[tuple[str, ...], TranslationRow]] = {}
    for row in rows:
        by_name.setdefault(row.translation, {})[row.against] = row
    ordered = sorted(by_name.items(), key=lambda item: _mean_rank(item[1].values()))
    kind = next((row.human for row in rows if row.human), None)
    headings = ["Translation", "By", *([kind] if kind else [])]
    headings += [f"against {_joined(group)}" for group in groups]
    cells = []
    for name, found in ordered:
        any_row = next(iter(found.values()))
        line = [name, "human" if any_row.is_human else "machine"]
        if kind:
            line.append(number_text(any_row.human_score))
        for group in groups:
            one = found.get(group)
            line.append(
                ""
                if one is None
                else f"{number_text(one.score, one.decimals)} {interval_text(one.ci, one.decimals)}"
            )
        cells.append(tuple(line))
    return labeled_grid(headings, cells, labels=2)


def _mean_rank(rows: Iterable[TranslationRow]) -> float:
    return _mean([row.rank for row in rows])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _share(value: float) -> str:
    return f"{value:.1%}"
