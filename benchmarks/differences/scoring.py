"""System scores of Tenbin's metrics on the judged test sets, stored as they are computed."""

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.left_out_years.folds import Fold, Kind, year_of
from benchmarks.left_out_years.measuring import preset
from tenbin.annotation.languages import target_language
from tenbin.core.caching import caching
from tenbin.core.errors import ResourceError, UsageError
from tenbin.evaluation.run import Options, evaluate
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.judgments import reference_names
from tenbin.meta.scoring import read_texts
from tenbin.metrics.registry import load

SETS = ("wmt14", "wmt20", "wmt21", "wmt22", "wmt23", "wmt24")
"""Sets with human scores of whole systems and with texts."""

SURFACE = (
    *("chrf", "chrf++", "bleu", "ter", "meteor", "sentbleu", "yisi0", "eed", "character", "ribes"),
    *("impact", "nist", "wer", "per", "chrf+", "onehot", "mup", "gm", "bp-bleu"),
)
OVER_VECTORS = ("has", "mas", "was", "we_wpi", "yisi1", "sv", "wmd", "mee")
IN_CONTEXT = ("bertscore", "tenbin", "yisi1-context", "moverscore")
# In the order of usefulness; names that are not registered are left out.
LEARNED = ("tenbin-large", "tenbin-fast")
METRICS = (*SURFACE, *OVER_VECTORS, *IN_CONTEXT, *LEARNED)

SPLIT_AT_SPACES = ("ter", "chrf+", "chrf++")
"""Metrics that take a whole sentence for a word where words are not separated by spaces."""

_COLUMNS = ("metric", "set", "pair", "system", "score")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One language pair of a test set."""

    test_set: str
    pair: str

    @property
    def language(self) -> str:
        """The target language."""
        return target_language(self.pair)


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The score of one system by one metric, in the metric's own direction."""

    metric: str
    place: Place
    system: str
    score: float


def judged_places(data: Path) -> Iterator[Place]:
    """Yield the language pairs that have texts and human scores of whole systems."""
    for name in SETS:
        for path in sorted((data / name / "system-outputs").glob("*")):
            if list((data / name / "human-scores").glob(f"{path.name}.*.sys.score")):
                yield Place(name, path.name)


def read_scores(path: Path) -> list[SystemScore]:
    """Return what is stored; nothing where there is no file yet."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return [
            SystemScore(
                row["metric"], Place(row["set"], row["pair"]), row["system"], float(row["score"])
            )
            for row in rows
        ]


def write_scores(path: Path, scores: Sequence[SystemScore]) -> None:
    """Write the scores, by metric and place."""
    order = {name: number for number, name in enumerate(METRICS)}
    last = len(order)
    rows = sorted(scores, key=lambda one: (order.get(one.metric, last), one.metric, one.place))
    temporary = path.with_suffix(".partial")
    with temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
        writer.writerow(_COLUMNS)
        for one in rows:
            own = (one.metric, one.place.test_set, one.place.pair, one.system)
            writer.writerow((*own, f"{one.score:.8g}"))
    temporary.replace(path)


def score_places(
    data: Path,
    path: Path,
    specs: Sequence[str],
    adapters: Path,
    tell: Callable[[str], None],
    *,
    again: bool = False,
) -> list[SystemScore]:
    """Score what is not stored yet, and store it after each language pair.

    Args:
        data: Folder of the test sets.
        path: Where scores are stored.
        specs: The metrics.
        adapters: Folder of the adapters of learned metrics that saw nothing of a year.
        tell: Called with a line after each language pair.
        again: Whether what is stored is scored again, and replaced.

    Raises:
        UsageError: The adapter without a year is not there.
    """
    stored = read_scores(path)
    for place in judged_places(data):
        known = set() if again else {one.metric for one in stored if one.place == place}
        missing = [spec for spec in specs if spec not in known and runs(spec, place.language)]
        if missing:
            found = score_place(data, place, missing, adapters)
            others = [one for one in stored if one.place != place or one.metric not in missing]
            stored = others + found
            write_scores(path, stored)
            tell(f"{place.test_set} {place.pair}: {', '.join(missing)}")
    return stored


def of_left_out_year(spec: str, place: Place, adapters: Path) -> str:
    """Return a metric that saw nothing of the year; other than learned ones see nothing anyway.

    Args:
        spec: The metric.
        place: Of which year nothing is to be known.
        adapters: Folder of the adapters that saw nothing of a year.

    Raises:
        UsageError: The adapter is not there.
    """
    if spec not in LEARNED:
        return spec
    kind = Kind(spec.rpartition("-")[2])
    return preset(Fold(kind, year_of(place.test_set)), adapters, {})


def runs(spec: str, language: str) -> bool:
    """Return whether a metric exists and has all that it needs for a target language."""
    try:
        load(spec).bind(language).signature()
    except (ResourceError, UsageError):
        return False
    return True


def score_place(
    data: Path, place: Place, specs: Sequence[str], adapters: Path
) -> list[SystemScore]:
    """Score every machine system of a language pair on all its segments, by the first reference.

    Args:
        data: Folder of the test sets.
        place: The language pair.
        specs: The metrics.
        adapters: Folder of the adapters of learned metrics that saw nothing of a year.

    Raises:
        UsageError: The adapter without the year is not there.
    """
    unseeing = [of_left_out_year(spec, place, adapters) for spec in specs]
    folder = data / place.test_set
    references = reference_names(str(folder), place.pair)
    outputs = sorted(path.stem for path in (folder / "system-outputs" / place.pair).glob("*.txt"))
    human = {*references, *human_translations(outputs)}
    systems = [name for name in outputs if name not in human]
    texts = read_texts(str(folder), place.pair, references[:1], systems)
    with caching(enabled=True):
        table = evaluate(texts, unseeing, place.language, Options())
    return [
        SystemScore(spec, place, system, float(score))
        for spec, result in zip(specs, table.results, strict=True)
        for system, score in zip(result.systems, result.scores, strict=True)
        if np.isfinite(score)
    ]
