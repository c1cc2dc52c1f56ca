"""Tables of the page that helps to choose a metric, from measurements and from the registry.

Measured agreement is that of ``benchmarks/results/agreement.tsv``: the main measure of each test
set, as the difference from chrF, on every language pair into a target language.
"""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from benchmarks.agreement.sets import IN_CONTEXT, PLANS, SURFACE

from tenbin.core.metric import AggregatingMetric, ExplainableMetric
from tenbin.metrics.catalogue import MetricDescription, describe_all
from tenbin.metrics.registry import load

_RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
_BASE = "chrf"
_TIERS = ("nothing to install", "vectors or lexicons", "a model")
_AT_MOST = 2
_VISIBLE = 0.0005
_FOR_ANALYSIS = ("mup", "gm", "bp-bleu", "per")
_MAIN = {plan.name: plan.main for plan in PLANS}
SYSTEM_LEVEL = "system-pearson"


@dataclass(frozen=True, slots=True)
class Gain:
    """How far a metric is from chrF on the language pairs into a language.

    Attributes:
        metric: Label of the metric.
        mean: Mean difference of the main measures.
        above: Number of pairs on which it is above chrF by more than chance.
        below: Number of pairs on which it is below it by more than chance.
        pairs: Number of pairs on which it was measured.
    """

    metric: str
    mean: float
    above: int
    below: int
    pairs: int


def with_chooser_tables(page: str) -> str:
    """Return a page with the tables between its markers, or as it is if it has none."""
    for name, table in {
        "measured by language": _language_table,
        "what metrics can do": _ability_table,
        "speed of metrics": _speed_table,
    }.items():
        page = _replaced(page, name, table)
    return page


def _replaced(page: str, name: str, table: Callable[[], str]) -> str:
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = page.partition(start)
    return f"{before}{start}\n{table()}\n{end}{rest.partition(end)[2]}" if found else page


def _language_table() -> str:
    headings = ("into", *_TIERS, "best for ranking systems", "measured on")
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    systems = measured_values(SYSTEM_LEVEL)
    for language, gains in sorted(measured_gains().items()):
        tiers = [[one for one in gains if tier_of(one.metric, language) == tier] for tier in _TIERS]
        cells = [_best(tier) or "not measured" for tier in tiers]
        pairs = max(one.pairs for one in gains)
        on = "1 language pair" if pairs == 1 else f"{pairs} language pairs"
        row = (f"`{language}`", *cells, _best_of_systems(systems.get(language, {})), on)
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


def _best_of_systems(values: dict[str, list[float]]) -> str:
    """Return the metric with the highest mean system-level Pearson, beside chrF's."""
    if not values:
        return "not measured"
    means = {name: fmean(found) for name, found in values.items() if name not in _FOR_ANALYSIS}
    name = max(sorted(means), key=lambda one: means[one])
    beside = "" if name == _BASE else f", `{_BASE}` {_short(means[_BASE])}"
    return f"`{name}` r = {_short(means[name])}{beside}"


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def _best(gains: list[Gain]) -> str:
    """Return the metrics of a tier with the largest gain; chrF alone where nothing is above it."""
    able = [one for one in gains if one.metric not in _FOR_ANALYSIS]
    ordered = sorted(able, key=lambda one: (-one.mean, one.metric))
    kept = [one for one in ordered[:_AT_MOST] if one.mean >= _VISIBLE] or ordered[:1]
    return "; ".join(_cell(one) for one in kept)


def _cell(one: Gain) -> str:
    if one.mean < _VISIBLE and tier_of(one.metric, "") == _TIERS[0]:
        return f"`{_BASE}`"
    return f"`{one.metric}` {one.mean:+.3f} ({one.above} ▲ {one.below} ▼)"


def tier_of(label: str, language: str) -> str:
    """Return what a metric of the measurements needs.

    >>> tier_of("eed", "de"), tier_of("we_wpi, installed", "ja"), tier_of("tenbin, static", "ja")
    ('nothing to install', 'vectors or lexicons', 'vectors or lexicons')
    """
    name, _, variant = label.partition(", ")
    if label in {*SURFACE, "meteor"} or (variant == "embedded" and language == "en"):
        return _TIERS[0]
    return _TIERS[2] if name in IN_CONTEXT and not variant else _TIERS[1]


@cache
def measured_gains() -> dict[str, tuple[Gain, ...]]:
    """Return the difference of every metric from chrF by target language, at segment level.

    Metrics that were not measured on all language pairs into a language are left out.
    """
    verdicts: dict[tuple[str, str], list[int]] = {}
    for row in _rows():
        if row[_MAIN[row["set"]]]:
            key = (row["pair"].partition("-")[2], row["metric"])
            verdicts.setdefault(key, []).append(_verdict(row))
    return {
        language: tuple(
            Gain(
                metric,
                fmean(own - base for own, base in zip(values, by_metric[_BASE], strict=True)),
                sum(verdict > 0 for verdict in verdicts[language, metric]),
                sum(verdict < 0 for verdict in verdicts[language, metric]),
                len(values),
            )
            for metric, values in by_metric.items()
        )
        for language, by_metric in measured_values(None).items()
    }


@cache
def measured_values(measure: str | None) -> dict[str, dict[str, list[float]]]:
    """Return what was measured by target language and metric, pair by pair.

    Metrics that were not measured on all language pairs into a language are left out.

    Args:
        measure: The measure; None for the main one of each test set.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row in _rows():
        value = row[measure or _MAIN[row["set"]]]
        if value:
            by_metric = found.setdefault(row["pair"].partition("-")[2], {})
            by_metric.setdefault(row["metric"], []).append(float(value))
    return {
        language: {
            metric: values
            for metric, values in by_metric.items()
            if len(values) == len(by_metric[_BASE])
        }
        for language, by_metric in found.items()
    }


def _rows() -> Iterator[dict[str, str]]:
    with (_RESULTS / "agreement.tsv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        yield from (row for row in rows if row["by"] == "tenbin")


def _verdict(row: dict[str, str]) -> int:
    """Return 1 or -1 where the interval of the difference from chrF is above or below 0."""
    if not row["chrf from"] or not row["chrf to"]:
        return 0
    return int(float(row["chrf from"]) > 0) - int(float(row["chrf to"]) < 0)


def _ability_table() -> str:
    metrics = [one for one in describe_all() if one.package == "tenbin"]
    abilities: dict[str, list[MetricDescription]] = {
        "lower is better": [one for one in metrics if not one.info.higher_is_better],
        "reads no reference, but the source": [one for one in metrics if not one.needs.references],
        "drawn by `tenbin explain`": [
            one for one in metrics if isinstance(load(one.name), ExplainableMetric)
        ],
        'takes `penalty="names+numbers"`': [
            one for one in metrics if any(each.name == "penalty" for each in one.parameters)
        ],
        "`tenbin mbr --aggregate`": [
            one for one in metrics if isinstance(load(one.name), AggregatingMetric)
        ],
    }
    lines = ["| metrics that … | |", "|---|---|"]
    for ability, able in abilities.items():
        lines.append(f"| {ability} | {', '.join(f'`{one.name}`' for one in able)} |")
    return "\n".join(lines) + "\n"


def _speed_table() -> str:
    measured = json.loads((_RESULTS / "latest.json").read_text(encoding="utf-8"))
    sizes = {one["metric"]: one["segments/s"] for one in measured["tables"]["Sizes"]}
    lines = ["| segments per second | |", "|---|---|"]
    for low, high, text in (
        (20_000, float("inf"), "20,000 and more"),
        (10_000, 20_000, "10,000 to 20,000"),
        (0, 10_000, "below 10,000"),
    ):
        names = sorted(name for name, speed in sizes.items() if low <= speed < high)
        lines.append(f"| {text} | {', '.join(f'`{name}`' for name in names)} |")
    return "\n".join(lines) + "\n"
