"""METEOR with vectors at many thresholds, beside the published table (Servan et al. 2016)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.agreement.columns import Column
from benchmarks.agreement.measuring import PairResults
from benchmarks.agreement.page import MARKS, render_table
from benchmarks.agreement.sets import INSTALLED, PARAPHRASES, Entry

SET = "wmt14"
# Of half of one plus the cosine; 1 is the end of the range.
THRESHOLDS = (0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
BASE = "meteor"
GLOVE, CBOW = "GloVe", "CBOW"

_DBNARY = "meteor-dbnary"
_PRESETS = ("meteor-vector", "meteor+vector", "meteor-dbnary+vector")
_PUBLISHED_AT = 0.8
# Table 4 of the paper, threshold 0.80 and, in brackets, its oracle.
_PUBLISHED = {
    "meteor": {"fr-en": "0.406", "de-en": "0.334"},
    "meteor-dbnary": {"fr-en": "0.408", "de-en": "0.334"},
    "meteor-vector": {"fr-en": "0.407 (0.411)", "de-en": "0.332 (0.333)"},
    "meteor+vector": {"fr-en": "0.407 (0.412)", "de-en": "0.343 (0.343)"},
    "meteor-dbnary+vector": {"fr-en": "0.407 (0.413)", "de-en": "0.337 (0.338)"},
}


def meteor_entries(lexicons: Path, trained: Path | None) -> list[Entry]:
    """Return METEOR, and its presets with vectors at every threshold.

    Args:
        lexicons: Folder of DBnary's synonym sets.
        trained: Vectors that were trained as in the paper, if there are any.
    """
    lexicon = lexicons / "en.synsets"
    known = f'paraphrases="{PARAPHRASES}"'
    found = [
        Entry(BASE, f"meteor({known})"),
        Entry(_DBNARY, f'meteor-dbnary(lexicon="{lexicon}", {known})'),
    ]
    for which, table in _tables(trained).items():
        for name in _PRESETS:
            more = f', lexicon="{lexicon}"' if "dbnary" in name else ""
            for threshold in THRESHOLDS:
                chosen = f'vectors="{table}", threshold={threshold}, {known}{more}'
                found.append(Entry(_label(name, which, threshold), f"{name}({chosen})"))
    return found


def render_meteor(results: Sequence[PairResults]) -> str:
    """Return the table: a row for each preset, vectors and threshold, columns by language pair."""
    header = ["metric", "vectors", "threshold"]
    for one in results:
        header += [one.pair, f"{one.pair}<br>published"]
    rows = [_row(name, ["", ""], name, results, is_published=True) for name in (BASE, _DBNARY)]
    for which in (GLOVE, CBOW):
        for name in _PRESETS:
            for threshold in THRESHOLDS:
                label = _label(name, which, threshold)
                if any(label in one.values for one in results):
                    own = [which, f"{threshold:.2f}"]
                    like = which == CBOW and threshold == _PUBLISHED_AT
                    rows.append(_row(name, own, label, results, is_published=like))
    return render_table(header, rows)


def _row(
    name: str, own: list[str], label: str, results: Sequence[PairResults], *, is_published: bool
) -> list[str]:
    row = [name, *own]
    for one in results:
        column = Column(one.main, (one,))
        value = column.value(label)
        mark = MARKS[column.verdict(label, BASE)]
        row += ["" if value is None else f"{value:.3f}{mark}"]
        row += [_PUBLISHED[name].get(one.pair, "") if is_published else ""]
    return row


def _tables(trained: Path | None) -> Mapping[str, str]:
    known = {GLOVE: INSTALLED["en"]}
    return known if trained is None else {**known, CBOW: str(trained)}


def _label(name: str, which: str, threshold: float) -> str:
    return f"{name}, {which} {threshold:.2f}"
