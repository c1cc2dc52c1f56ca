"""Renders a check against a baseline: the verdict, and a row for each metric."""

from collections.abc import Iterable, Sequence
from typing import Any

from tenbin.core.baseline_check import BaselineCheck, CheckOutcome, MetricCheck, TestedUnits
from tenbin.core.counting import counted
from tenbin.reports.comparison import p_text
from tenbin.reports.data import Row, defined
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.markdown import escape_markdown
from tenbin.reports.signed import SignedGrid, draw_signed
from tenbin.version import __version__

_COLUMNS = (
    "metric",
    "baseline",
    "new",
    "drop",
    "max_drop",
    "p_value",
    "level",
    "outcome",
    "tested",
    "signature",
)
_WORDS = {
    CheckOutcome.PASSED: "no drop",
    CheckOutcome.ALLOWED: "drop within what is allowed",
    CheckOutcome.UNPROVEN: "drop, not significant",
    CheckOutcome.FAILED: "SIGNIFICANT DROP",
    CheckOutcome.UNDEFINED: "UNDEFINED",
}


def payload(check: BaselineCheck) -> dict[str, Any]:
    """Return what was found by each metric."""
    return {
        "tenbin": __version__,
        "passed": check.passed,
        "baseline": {"file": check.file, "system": check.baseline},
        "system": check.system,
        "language": check.language,
        "segment_count": check.segment_count,
        "test": {"name": "ar", "rounds": check.rounds, "seed": check.seed, "unit": check.unit},
        "metrics": [
            {
                "metric": one.metric,
                "baseline": defined(one.baseline),
                "new": defined(one.new),
                "drop": defined(one.drop),
                "max_drop": one.max_drop,
                "p_value": defined(one.p_value),
                "level": one.level,
                "outcome": str(one.outcome),
                "tested": str(one.tested),
                "signature": str(one.signature),
            }
            for one in check.metrics
        ],
        "notes": list(check.notes),
    }


def tidy(check: BaselineCheck) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a row for each metric."""
    rows = (
        (
            one.metric,
            one.baseline,
            one.new,
            one.drop,
            one.max_drop,
            one.p_value,
            one.level,
            str(one.outcome),
            str(one.tested),
            str(one.signature),
        )
        for one in check.metrics
    )
    return _COLUMNS, rows


def draw(check: BaselineCheck, form: Format, page: Page) -> str:
    """Return the verdict in a sentence, then the table."""
    signatures = tuple(str(one.signature) for one in check.metrics)
    table = draw_signed([SignedGrid(check_grid(check), signatures)], _caption(check), form, page)
    if form is Format.TEXT:
        return f"{verdict(check)}\n\n{table}"
    if form is Format.MARKDOWN:
        mark = "✅" if check.passed else "❌"
        return f"### {mark} {escape_markdown(verdict(check))}\n\n{table}"
    return table


def verdict(check: BaselineCheck) -> str:
    """Return what was found in one sentence."""
    failed = [
        one for one in check.metrics if one.outcome in {CheckOutcome.FAILED, CheckOutcome.UNDEFINED}
    ]
    systems = f"{check.system} against {check.baseline}"
    if not failed:
        return f"Passed: {systems}, no significant drop by {_listed(check.metrics)}."
    return f"Failed: {systems}, {'; '.join(sentence(one) for one in failed)}."


def sentence(one: MetricCheck) -> str:
    """Return what was found by a metric."""
    if one.outcome is CheckOutcome.UNDEFINED:
        return f"{one.metric} is not defined"
    before, now, drop = (
        f"{value:.{one.decimals}f}" for value in (one.baseline, one.new, abs(one.drop))
    )
    change = "dropped by" if one.drop > 0 else "rose by"
    if not one.higher_is_better:
        change = "got worse by" if one.drop > 0 else "got better by"
    p_value = p_text(one.p_value)
    shown = f"p {p_value}" if p_value.startswith("<") else f"p = {p_value}"
    return f"{one.metric} {change} {drop} ({before} to {now}, {shown})"


def check_grid(check: BaselineCheck) -> Grid:
    """Return a row for each metric."""
    return Grid(
        headings=("Metric", "Baseline", "New", "Δ", "Allowed", "p", "Verdict"),
        alignments=(Align.LEFT, *[Align.RIGHT] * 5, Align.LEFT),
        rows=tuple(
            (
                Cell(f"{one.title} {'↑' if one.higher_is_better else '↓'}"),
                Cell(f"{one.baseline:.{one.decimals}f}"),
                Cell(f"{one.new:.{one.decimals}f}"),
                Cell(f"{one.new - one.baseline:+.{one.decimals}f}"),
                Cell(f"{one.max_drop:g}"),
                Cell(p_text(one.p_value)),
                Cell(_WORDS[one.outcome]),
            )
            for one in check.metrics
        ),
        labels=6,
    )


def _listed(metrics: Sequence[MetricCheck]) -> str:
    return ", ".join(one.metric for one in metrics)


def _caption(check: BaselineCheck) -> str:
    level = check.metrics[0].level
    texts = f"{counted(check.segment_count, 'segment')}, target language {check.language}"
    test = f"{counted(check.rounds, 'round')} over {check.unit}, seed {check.seed}"
    caption = (
        f"{texts}; baseline {check.file}. Paired approximate randomization, two-sided: {test}; "
        f"significant at p ≤ {level:g}."
    )
    if any(one.tested is TestedUnits.SCORES for one in check.metrics):
        caption += " The mean of segment scores was tested, as the baseline has no texts."
    return caption
