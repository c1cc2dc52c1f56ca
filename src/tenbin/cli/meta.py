"""``tenbin meta``."""

import argparse

from tenbin.api.scoring import DEFAULT_METRICS
from tenbin.cli.meta_options import add_meta_options
from tenbin.cli.options import (
    add_output_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.terminal import STANDARD_OUTPUT, Advance, emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.evaluation.run import DEFAULT_RESAMPLES
from tenbin.formats.output import check_target
from tenbin.formats.score_table import Columns
from tenbin.meta.evaluation import evaluate_files, evaluate_sets
from tenbin.meta.inputs import MetricSources
from tenbin.meta.options import (
    PROTOCOLS,
    HumanSystems,
    MetaOptions,
    MetricTest,
    Unit,
    human_systems_of,
    listed_measures,
)
from tenbin.meta.significance.permutation import ROUNDS
from tenbin.reports.formats import Format
from tenbin.reports.meta_list import render_measures
from tenbin.reports.meta_table import MetaTable, render_meta
from tenbin.reports.ranking_plot import render_rankings

_EPILOG = """\
examples:
  do BLEU and chrF agree with people?
    tenbin meta --set wmt20 --pair en-de -m bleu chrf
  the segment measure of WMT20, with intervals, and ranks of metrics:
    tenbin meta --set wmt20 --pair en-de -m sentbleu chrf --measure darr-tau --ci --compare
  beside the scores that others submitted:
    tenbin meta --set wmt23 --pair he-en -m chrf --import-scores wmt23 --measure system-pearson
  every language pair of a test set:
    tenbin meta --set wmt14 --pair all -m meteor --measure wmt14-tau
  scores of your own:
    tenbin meta --scores mymetric.tsv --human-scores judges.csv --measure segment-kendall
  what can be measured:
    tenbin meta --list

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin meta --set DIR --pair PAIR ... [-m SPEC ...] [--measure NAME ...]"
    parser.epilog = _EPILOG
    add_meta_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure metrics and print the table."""
    form, width = Format(options.format), page_width(options.output)
    if options.list:
        emit(render_measures(listed_measures(), form, width), options.output)
        return 0
    check_run_options(options)
    _check_plot(options.plot)
    table = _from_files(options) if options.scores else _from_sets(options)
    tell(table.notes, quiet=options.quiet)
    emit(render_meta(table, form, width), options.output)
    if options.plot is not None:
        emit(render_rankings(table.rankings), options.plot)
    return 0


def _from_sets(options: argparse.Namespace) -> MetaTable:
    if options.human_scores or options.columns or options.human_columns:
        raise UsageError("--human-scores and columns go with --scores; give both files.")
    if not options.folders:
        raise UsageError("missing --set DIR --pair PAIR, or --scores FILE --human-scores FILE.")
    if not options.pairs:
        raise UsageError("--set needs --pair, for example --pair en-de, or --pair all.")
    if not options.import_scores and (options.imported or options.negate):
        raise UsageError("--imported and --negate go with --import-scores.")
    specs = options.metrics or ([] if options.import_scores else DEFAULT_METRICS)
    with progress("measuring", None, quiet=options.quiet) as advance:
        sources = MetricSources(
            specs=tuple(dict.fromkeys(specs)),
            references=_tuple(options.references) or None,
            folder=options.import_scores,
            patterns=_tuple(options.imported),
            negate=_tuple(options.negate),
            export=options.export_scores,
            cached=not options.no_cache,
            jobs=worker_count(options.jobs),
            advance=advance,
        )
        wanted = _meta_options(options, advance)
        return evaluate_sets(_tuple(options.folders), _tuple(options.pairs), sources, wanted)


def _from_files(options: argparse.Namespace) -> MetaTable:
    if options.human_scores is None:
        raise UsageError("--scores needs --human-scores FILE, the judgements to set them against.")
    foreign = {
        "--set": options.folders,
        "--pair": options.pairs,
        "-m": options.metrics,
        "-r": options.references,
        "--import-scores": options.import_scores,
        "--export-scores": options.export_scores,
    }
    if given := [name for name, value in foreign.items() if value]:
        raise UsageError(f"{', '.join(given)}: not with --scores, which brings all there is.")
    columns = _columns(options.columns, "--columns")
    human_columns = _columns(options.human_columns, "--human-columns")
    with progress("measuring", None, quiet=options.quiet) as advance:
        return evaluate_files(
            options.scores,
            options.human_scores,
            _meta_options(options, advance),
            columns=columns,
            human_columns=human_columns,
            negate=_tuple(options.negate),
        )


def _meta_options(options: argparse.Namespace, advance: Advance | None) -> MetaOptions:
    draws = options.ci or options.plot or options.test == MetricTest.BOOTSTRAP
    if options.resamples is not None and not (
        draws or set(PROTOCOLS) & set(options.measures or ())
    ):
        raise UsageError("--resamples says how intervals are drawn; add --ci to get them.")
    resamples = DEFAULT_RESAMPLES if options.resamples is None else options.resamples
    rounds = ROUNDS if options.rounds is None else options.rounds
    if (options.test or options.rounds is not None) and not options.compare:
        raise UsageError("--test and --rounds say how metrics are compared; add --compare.")
    return MetaOptions(
        measures=_tuple(options.measures),
        human=_tuple(options.human),
        task=options.task,
        human_systems=HumanSystems(options.human_systems or human_systems_of(options.task)),
        intervals=options.ci,
        resamples=positive(resamples, "--resamples"),
        unit=None if options.by is None else Unit(options.by),
        compare=options.compare,
        test=None if options.test is None else MetricTest(options.test),
        rounds=positive(rounds, "--rounds"),
        rankings=options.plot is not None,
        outliers=None if options.outliers is None else tuple(options.outliers),
        epsilon=options.epsilon,
        seed=options.seed,
        advance=advance,
    )


def _columns(text: str | None, option: str) -> Columns | None:
    """Return the columns of ``system=NAME,segment=NAME,score=NAME``; those not named as usual."""
    if text is None:
        return None
    given = dict(part.partition("=")[::2] for part in text.split(","))
    unknown = [name for name in given if name not in {"system", "segment", "score"}]
    if unknown or "" in (given.get("system", "-"), given.get("score", "-")):
        raise UsageError(f"{option} {text}: expected system=NAME,segment=NAME,score=NAME.")
    usual = Columns()
    return Columns(
        system=given.get("system", usual.system),
        segment=given.get("segment", usual.segment) or None,
        score=given.get("score", usual.score),
    )


def _check_plot(path: str | None) -> None:
    if path is None:
        return
    if path == STANDARD_OUTPUT or not path.lower().endswith(".svg"):
        raise UsageError(f"--plot {path}: give the name of a file that ends in .svg.")
    check_target(path)


def _tuple(names: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names or ()))
