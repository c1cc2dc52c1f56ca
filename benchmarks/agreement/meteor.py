"""METEOR with vectors at many thresholds, beside the published table (Servan et al. 2016)."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.agreement.columns import Column
from benchmarks.agreement.measuring import PairResults
from benchmarks.agreement.page import MARKS, render_table
from benchmarks.agreement.sets import INSTALLED, Entry

SET = "wmt14"
# Of half of one plus the cosine.
THRESHOLDS = (0.75, 0.8, 0.85, 0.9, 0.95)
BASE = "meteor"

# Table 4 of the paper, threshold 0.80 and, in brackets, its oracle.
_PUBLISHED = {
    "meteor": {"fr-en": "0.406", "de-en": "0.334"},
    "meteor-dbnary": {"fr-en": "0.408", "de-en": "0.334"},
    "meteor-vector": {"fr-en": "0.407 (0.411)", "de-en": "0.332 (0.333)"},
    "meteor+vector": {"fr-en": "0.407 (0.412)", "de-en": "0.343 (0.343)"},
    "meteor-dbnary+vector": {"fr-en": "0.407 (0.413)", "de-en": "0.337 (0.338)"},
}


def meteor_entries(lexicons: Path) -> list[Entry]:
    """Return METEOR, and its presets with vectors at every threshold."""
    lexicon = lexicons / "en.synsets"
    found = [
        Entry(BASE, "meteor"),
        Entry("meteor-dbnary", f'meteor-dbnary(lexicon="{lexicon}")'),
    ]
    table = INSTALLED["en"]
    for threshold in THRESHOLDS:
        chosen = f'vectors="{table}", threshold={threshold}'
        for name, more in (
            ("meteor-vector", ""),
            ("meteor+vector", ""),
            ("meteor-dbnary+vector", f', lexicon="{lexicon}"'),
        ):
            found.append(Entry(_label(name, threshold), f"{name}({chosen}{more})"))
    return found


def render_meteor(results: Sequence[PairResults]) -> str:
    """Return the table: a row for each preset and threshold, a column for each language pair."""
    header = ["metric", "threshold"]
    for one in results:
        header += [one.pair, f"{one.pair}<br>published"]
    rows = []
    for name, published in _PUBLISHED.items():
        for threshold in THRESHOLDS if "vector" in name else (None,):
            label = name if threshold is None else _label(name, threshold)
            row = [name, "" if threshold is None else f"{threshold:.2f}"]
            for one in results:
                column = Column(one.main, (one,))
                value = column.value(label)
                mark = MARKS[column.verdict(label, BASE)]
                row += ["" if value is None else f"{value:.3f}{mark}"]
                row += [published.get(one.pair, "") if threshold in (None, 0.8) else ""]
            rows.append(row)
    return render_table(header, rows)


def _label(name: str, threshold: float) -> str:
    return f"{name} {threshold:.2f}"
