"""``tenbin study grid``."""

import argparse
from collections.abc import Sequence

from tenbin.api.model_grid import (
    BASELINES,
    IDFS,
    MEASURES,
    NAMES,
    GridOptions,
    NameSource,
    SamplingUnit,
    study_grid,
)
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_set_options,
    check_run_options,
    worker_count,
)
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

SUMMARY = "score by BERTScore with every model, idf dictionary and penalty"
EPILOG = """\
examples:
  tenbin study grid --set wmt24 --pair en-ja --model novel=novel-bert vectors=static:vectors-ja \\
    --layer novel=1 --idf none wordfreq 'novels=novels.{model}.idf' --names rare propn --by-domain
  tenbin study grid --set wmt24 --pair en-ja --model static:vectors-ja --idf wordfreq -m chrf

A setting whose model or dictionary is missing has a row that says so. A dictionary has the subwords
of one model: in its file name {model} stands for the name of the model. The experiment is that of
Tanahashi et al. (2020), Improving Semantic Similarity Calculation of Japanese Text for MT
Evaluation.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the experiment, but those of bootstrap and output."""
    group = parser.add_argument_group("texts and judgments")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout",
        pairs="language pairs, such as en-ja; 'all' for all that will do",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="NAME",
        help="references that take part, such as refA refB (default: all)",
    )
    add_list_option(
        group,
        "--human",
        metavar="KIND",
        help="kinds of judgment: da-z, mqm, esa ... (default: the most reliable one)",
    )
    add_list_option(
        group,
        "--measure",
        metavar="NAME",
        dest="measures",
        help=f"measures of agreement; 'tenbin meta --list' (default: {' '.join(MEASURES)})",
    )
    group.add_argument(
        "--by-domain",
        action="store_true",
        help="a column for each domain, where documents/ names them, beside all segments",
    )
    _add_grid_options(parser)


def _add_grid_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("grid")
    add_list_option(
        group,
        "--model",
        metavar="NAME=MODEL",
        dest="models",
        help="models: a folder of transformers, a resource, or static:VECTORS; NAME is what the "
        "table calls it and may be left out",
    )
    add_list_option(
        group,
        "--layer",
        metavar="NAME=N",
        dest="layers",
        help="the layer of a model, by its name (default: that of 'bertscore')",
    )
    add_list_option(
        group,
        "--idf",
        metavar="NAME=FILE",
        dest="idfs",
        help="idf dictionaries of 'tenbin build idf'; in FILE {model} stands for the name of the "
        f"model. Without a file: {', '.join(IDFS)} (default: none)",
    )
    add_list_option(
        group,
        "--names",
        choices=[str(source) for source in NameSource],
        metavar="SOURCE",
        help="what the penalty takes for a name; each is compared with no penalty: "
        f"{', '.join(NameSource)} (default: {' '.join(NAMES)}, as in the paper)",
    )
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help=f"metrics beside the grid (default: {' '.join(BASELINES)})",
    )
    add_cache_options(group)


def run(options: argparse.Namespace) -> int:
    """Measure every setting and print the grid."""
    check_run_options(options)
    if not options.folders or not options.pairs or not options.models:
        raise UsageError("a grid needs --set DIR --pair PAIR and --model NAME=MODEL.")
    with progress("grid: scoring", None, quiet=options.quiet):
        wanted = _grid_options(options)
        found = study_grid(list(dict.fromkeys(options.folders)), options.pairs, wanted)
    tell(found.notes, quiet=options.quiet)
    form, width = Format(options.format), page_width(options.output)
    emit(render(found, form, width=width), options.output)
    return 0


def _grid_options(options: argparse.Namespace) -> GridOptions:
    named = options.idfs or ["none"]
    layers = _named(options.layers or (), "--layer")
    return GridOptions(
        models=_named(options.models, "--model"),
        layers={name: _layer(number) for name, number in layers.items()},
        idfs={name: IDFS.get(file, file) for name, file in _named(named, "--idf").items()},
        names=tuple(map(NameSource, dict.fromkeys(options.names or NAMES))),
        metrics=tuple(BASELINES if options.metrics is None else dict.fromkeys(options.metrics)),
        measures=tuple(dict.fromkeys(options.measures or MEASURES)),
        by_domain=options.by_domain,
        references=None if options.references is None else tuple(dict.fromkeys(options.references)),
        human=tuple(dict.fromkeys(options.human or ())),
        unit=SamplingUnit(options.by),
        resamples=options.resamples,
        seed=options.seed,
        cache=not options.no_cache,
        jobs=worker_count(options.jobs),
    )


def _named(texts: Sequence[str], option: str) -> dict[str, str]:
    """Return what is named NAME=VALUE; a value alone is its own name."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or (equals and not value):
            raise UsageError(f"{option} {text}: give NAME=VALUE, or a value alone.")
        if name in found:
            raise UsageError(f"{option} {text}: there are two of the name {name}.")
        found[name] = value if equals else name
    return found


def _layer(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"--layer {text}: give NAME=N, such as novel=1.")
    return int(text)
