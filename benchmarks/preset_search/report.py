"""What a search for a preset found, as text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from pathlib import Path

import numpy as np

from benchmarks.agreement.page import render_table
from benchmarks.preset_search.settings import (
    FoldKind,
    HeldOut,
    Rule,
    Setting,
    chosen,
    without_parts,
)
from tenbin.core.arrays import FloatArray

_MOST_NAMED = 3
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Found:
    """What a search found.

    Attributes:
        sets: Name, measure and number of judgements of each set.
        settings: The settings.
        values: Of each setting on each set.
        plain: Place of plain BERTScore.
        preset: Place of today's preset.
        intervals: 95 % intervals of what the preset gains on each set.
        held_out: What is gained on sets left out, by what is left out and the rule.
    """

    sets: Sequence[tuple[str, str, int]]
    settings: Sequence[Setting]
    values: FloatArray
    plain: int
    preset: int
    intervals: Sequence[Interval]
    held_out: Mapping[tuple[FoldKind, Rule], HeldOut]

    @property
    def gains(self) -> FloatArray:
        """What each setting is above plain BERTScore, on each set."""
        above: FloatArray = self.values - self.values[self.plain]
        return above


def summary(label: str, gains: FloatArray) -> str:
    """Return on how many sets something is ahead, and by how much.

    >>> summary("preset", np.array([0.01, -0.002]))
    'preset: ahead on 1 of 2 sets, smallest gain -0.0020, mean +0.0040'
    """
    ahead = int((gains > 0).sum())
    least, mean = float(gains.min()), float(gains.mean())
    ahead_of = f"ahead on {ahead} of {len(gains)} sets"
    return f"{label}: {ahead_of}, smallest gain {least:+.4f}, mean {mean:+.4f}"


def render_sets(found: Found) -> str:
    """Return a table with a line for each set; the last columns are gains on the set left out."""
    header = ["test set", "measure", "n", "bertscore", "tenbin", "gain", "95 % interval"]
    header += [f"gain, {kind} left out,<br>{rule} gain" for kind, rule in found.held_out]
    rows = []
    for place, (name, measure, count) in enumerate(found.sets):
        plain, own = found.values[found.plain, place], found.values[found.preset, place]
        low, high = found.intervals[place]
        row = [name, measure, f"{count:,}", f"{plain:.4f}", f"{own:.4f}", f"{own - plain:+.4f}"]
        row.append(f"{low:+.4f} to {high:+.4f}")
        row += [f"{one.gains[place]:+.4f}" for one in found.held_out.values()]
        rows.append(row)
    return render_table(header, rows)


def render_parts(found: Found) -> str:
    """Return a table of the preset without each of its parts."""
    place_of = {setting: place for place, setting in enumerate(found.settings)}
    preset = found.settings[found.preset]
    rows = []
    for label, setting in {"nothing": preset, **without_parts(preset)}.items():
        if setting in place_of:
            gains = found.gains[place_of[setting]]
            ahead = int((gains > 0).sum())
            rows.append([label, f"{gains.min():+.4f}", f"{gains.mean():+.4f}", str(ahead)])
    return render_table(["tenbin without", "smallest gain", "mean gain", "sets ahead"], rows)


def closing_lines(found: Found) -> list[str]:
    """Return what the tables come to: in sample first, then on sets left out."""
    gains = found.gains
    everything = range(gains.shape[1])
    clear = sum(low > 0 for low, _ in found.intervals)
    behind = sum(high < 0 for _, high in found.intervals)
    everywhere = int((gains.min(axis=1) > 0).sum())
    lines = [
        f"{len(gains):,} settings, {everywhere:,} of them ahead of plain BERTScore on every set",
        summary("tenbin as it is, in sample", gains[found.preset])
        + f"; beyond chance ahead on {clear}, behind on {behind}",
    ]
    for rule in Rule:
        best = chosen(gains, everything, rule)
        label = f"best {rule} gain, in sample ({found.settings[best]})"
        lines.append(summary(label, gains[best]))
    for (kind, rule), one in found.held_out.items():
        lines.append(summary(f"best {rule} gain, {kind} left out", one.gains))
        times = Counter(one.choices).most_common(_MOST_NAMED)
        named = [f"{found.settings[place]} ({count})" for place, count in times]
        lines.append(f"  chosen most: {'; '.join(named)}")
    return lines


def write_settings(path: Path, found: Found) -> None:
    """Store the value of every setting on every set, as a table with tabs."""
    fields = [field.name for field in dataclass_fields(Setting)]
    header = [*fields, *(name for name, _, _ in found.sets)]
    lines = ["\t".join(header)]
    for setting, values in zip(found.settings, found.values, strict=True):
        layers = "+".join(map(str, setting.layers))
        said = [layers, *(str(getattr(setting, name)) for name in fields[1:])]
        lines.append("\t".join([*said, *(f"{value:.5f}" for value in values)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def mean_interval(samples: FloatArray) -> Interval:
    """Return between what 95 % of the samples lie."""
    low, high = np.nanpercentile(samples, [2.5, 97.5])
    return float(low), float(high)
