"""The tables of docs/howto/differences.md and docs/measurements, from fitted curves."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tenbin.core.difference_curve import CurveTable, DifferenceCurve
from tenbin.reports.difference_curves import SHARES

# Kocmi et al. (2024), Navigating the Metrics Maze, fitted on MT systems of other test sets: the
# difference that 80 % agreement takes. PyPI mt-thresholds 1.0.4 computes the same.
PUBLISHED = {"bleu": 2.34, "chrf": 1.63}


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """Return a page with the text between its markers replaced.

    Raises:
        ValueError: A marker is missing.
    """
    for name, text in blocks.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = page.partition(start)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"there is no block {name!r} in the page")
        page = f"{before}{start}\n{text}\n{end}{after}"
    return page


def curve_rows(table: CurveTable) -> str:
    """Return the difference that each share takes, metric by metric, as Markdown."""
    shares = " | ".join(f"{share * 100:.0f} %" for share in SHARES)
    lines = [
        f"| metric | {shares} | all | ceiling | pairs | language pairs |",
        "|---|" + "---:|" * (len(SHARES) + 4),
    ]
    for curve in table.curves:
        cells = [f"`{curve.metric}`", *(_needed(curve, share) for share in SHARES)]
        cells += [f"{100 * curve.agreement:.0f} %", f"{100 * curve.ceiling:.0f} %"]
        cells += [f"{curve.pairs:,}", _targets(curve)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def published_rows(table: CurveTable) -> str:
    """Return our differences beside published ones, as Markdown."""
    lines = ["| metric | 80 %, here | 80 %, Kocmi et al. |", "|---|---:|---:|"]
    for metric, published in PUBLISHED.items():
        curve = next(one for one in table.curves if one.metric == metric)
        lines.append(f"| `{metric}` | {_needed(curve, 0.8)} | {published:.2f} |")
    return "\n".join(lines) + "\n"


def form_rows(losses: Mapping[str, Mapping[str, float]]) -> str:
    """Return the held-out loss of each form, metric by metric, as Markdown."""
    forms = list(next(iter(losses.values())))
    lines = [f"| metric | {' | '.join(forms)} |", "|---|" + "---:|" * len(forms)]
    for metric, own in losses.items():
        lines.append(f"| `{metric}` | {_with_best(list(own.values()))} |")
    means = [sum(own[form] for own in losses.values()) / len(losses) for form in forms]
    lines.append(f"| mean | {_with_best(means)} |")
    return "\n".join(lines) + "\n"


def write_points(path: Path, table: CurveTable) -> None:
    """Write what the curves were fitted on, a row per metric and language pair."""
    columns = ("metric", "set", "pair", "human", "systems", "system_pairs", "agreement")
    lines = ["\t".join(columns)]
    for one in table.points:
        test_set, _, pair = one.place.partition(" ")
        counts = (str(one.systems), str(one.pairs), f"{one.agreement:.4f}")
        lines.append("\t".join((one.metric, test_set, pair, one.human, *counts)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _with_best(values: Sequence[float]) -> str:
    shown = [f"{value:.4f}" for value in values]
    best = min(shown)
    return " | ".join(f"**{one}**" if one == best else one for one in shown)


def _needed(curve: DifferenceCurve, share: float) -> str:
    needed = curve.needed(share)
    if not needed.value < curve.largest:
        return "–"
    low, high = (f"{end:.3g}" if end < curve.largest else "∞" for end in (needed.low, needed.high))
    return f"{needed.value:.3g} [{low}, {high}]"


def _targets(curve: DifferenceCurve) -> str:
    into = sum(place.endswith("-en") for place in curve.places)
    return f"{into} into English, {len(curve.places) - into} others"
