"""Metrics over word vectors as a user calls them: each of them, WMD beside gensim, and sweeps."""

from functools import partial
from importlib import import_module

import numpy as np

import tenbin
from benchmarks.tables import Row, Section
from benchmarks.vectors.texts import Texts
from benchmarks.vectors.timing import Task, turns
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.sweeps import sweep
from tenbin.metrics.registry import load

METRICS = Section(
    "Metrics over word vectors",
    "Microseconds of processor time per pair of `tenbin.score(texts, references, metrics=[...], "
    "language='en', segments=True)`, kernels loaded and tables open, all else included; medians of "
    "seven. *Tokens given* are lower-cased and joined by blanks (`tokenizer='none'`), *texts* are "
    "cut by 13a. The first row is what comes before any metric, splitting and numbering the words; "
    "the targets are those of the kernels above.",
    "compiled kernels and opened tables; no scores",
)
MOVERS = Section(
    "WMD and gensim",
    "Microseconds of processor time per pair, taking turns, medians of seven. Tenbin as a user "
    "calls it, `load_metric('wmd(form=\"negative\", ...)').score(texts, references)`, from texts "
    "of blank-separated tokens; gensim as `KeyedVectors.wmdistance(words, words)`, from lists of "
    "words, with the same vectors.",
    "compiled kernels and opened tables; no scores",
)
SWEEPS = Section(
    "Threshold sweeps",
    "Processor time of `tenbin.evaluation.sweeps.sweep` at 41 thresholds from 0 to 1 beside one "
    "threshold, in microseconds per pair, tokens given, all else included, taking turns. "
    "`zero_first` matches words anew at each threshold and has no target.",
    "compiled kernels and opened tables; no scores",
)

_OVER_VECTORS = ("sv", "was", "mas", "has", "wmd", "we_wpi", "yisi1", "mee")
_TOGETHER = ("was", "mas"), ("was", "mas", "has", "we_wpi", "yisi1", "mee")
_GRID = tuple(np.linspace(0, 1, 41).tolist())
_SWEPT = ("was", "mas", "has", 'has(rejected="survivors")', 'has(order="zero_first")')


def run_metrics(texts: Texts) -> list[Row]:
    """Return a row for each metric, and for some together."""
    chosen = [("onehot",), ("yisi0",), *((name,) for name in _OVER_VECTORS), *_TOGETHER]
    return [_batch_row(texts), *(_metric_row(names, texts) for names in chosen)]


def _batch_row(texts: Texts) -> Row:
    tasks: dict[str, Task] = {}
    for kind, tokenized in (("tokens", True), ("texts", False)):
        metric = load(_spec("onehot", texts, tokenized=tokenized)).bind("en")
        test_set = texts.test_set(tokenized=tokenized)
        tasks[kind] = partial(build_batch, test_set, metric.needs.annotations)
    return _timed_row("none: words numbered", tasks, texts)


def _metric_row(names: tuple[str, ...], texts: Texts) -> Row:
    tasks: dict[str, Task] = {}
    for kind, tokenized in (("tokens", True), ("texts", False)):
        specs = [_spec(name, texts, tokenized=tokenized) for name in names]
        tasks[kind] = partial(
            tenbin.score,
            *texts.sides(tokenized=tokenized),
            metrics=specs,
            language="en",
            segments=True,
        )
    title = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return _timed_row(title, tasks, texts)


def _timed_row(title: str, tasks: dict[str, Task], texts: Texts) -> Row:
    times = turns(tasks, len(texts.tokens))
    return {
        "metric": title,
        "tokens given, µs": times["tokens"],
        "texts, µs": times["texts"],
    }


def _spec(name: str, texts: Texts, *, tokenized: bool) -> str:
    """Return a metric with the vectors, with its other parameters kept."""
    bare, _, given = name.rstrip(")").partition("(")
    parameters = [given] if given else []
    if bare not in {"onehot", "yisi0"}:
        parameters.append(f"vectors={str(texts.table)!r}")
    parameters.append(f"tokenizer={'none' if tokenized else '13a'!r}")
    return f"{bare}({', '.join(parameters)})"


def run_movers(texts: Texts) -> list[Row]:
    """Return WMD beside gensim."""
    hypotheses, references = texts.sides(tokenized=True)
    spec = _spec('wmd(form="negative")', texts, tokenized=True)
    metric = tenbin.load_metric(spec, language="en")
    own = partial(metric.score, hypotheses, references)
    row: dict[str, str | float | None] = {
        "metric": "wmd",
        "peer": "gensim wmdistance",
        "Tenbin, µs": None,
        "peer, µs": None,
        "ratio": None,
        "target": ">= 8",
    }
    try:
        vectors = import_module("gensim.models").KeyedVectors(texts.units.shape[1])
    except ImportError:
        return [row | {"peer": "gensim: not installed"}]
    vectors.add_vectors(list(texts.words), texts.units)
    vectors.fill_norms()
    pairs = [(one.split(), other.split()) for one, other in texts.tokens]

    def theirs() -> list[float]:
        return [vectors.wmdistance(one, other) for one, other in pairs]

    times = turns({"own": own, "peer": theirs}, len(pairs))
    return [
        row
        | {
            "Tenbin, µs": times["own"],
            "peer, µs": times["peer"],
            "ratio": times["peer"] / times["own"],
            "difference": float(np.max(np.abs(own().segments + np.array(theirs())))),
        }
    ]


def run_sweeps(texts: Texts) -> list[Row]:
    """Return what a grid of thresholds costs beside one threshold."""
    test_set = texts.test_set(tokenized=True)
    rows: list[Row] = []
    for name in _SWEPT:
        spec = _spec(name, texts, tokenized=True)
        tasks: dict[str, Task] = {
            "one": partial(sweep, test_set, spec, "en", _GRID[:1]),
            "all": partial(sweep, test_set, spec, "en", _GRID),
        }
        times = turns(tasks, test_set.segment_count)
        rows.append(
            {
                "metric": name,
                "one threshold, µs": times["one"],
                "41 thresholds, µs": times["all"],
                "ratio": times["all"] / times["one"],
                "target": None if "zero_first" in name else "< 3",
            }
        )
    return rows
