"""``tenbin meta``."""

import argparse
from collections.abc import Sequence

from tenbin.api.meta import DEFAULT_RESAMPLES, ROUNDS, MetricTest, list_measures, meta_evaluate
from tenbin.api.scoring import DEFAULT_METRICS
from tenbin.cli.meta_options import add_meta_options
from tenbin.cli.options import (
    add_output_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.terminal import Advance, emit, page_width, progress, tell
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target, whole_file
from tenbin.reports.formats import Format
from tenbin.reports.plots import check_plot, plot_bytes, plot_rankings
from tenbin.reports.render import render

_EPILOG = """\
examples:
  do BLEU and chrF agree with human judgment?
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
        emit(render(list_measures(), form, width=width), options.output)
        return 0
    check_run_options(options)
    _check_plot(options.plot)
    with progress("measuring", None, quiet=options.quiet) as advance:
        table = _measured(options, advance)
    tell(table.notes, quiet=options.quiet)
    emit(render(table, form, width=width), options.output)
    if options.plot is not None:
        with whole_file(options.plot) as temporary:
            temporary.write_bytes(plot_bytes(plot_rankings(table.rankings), options.plot))
    return 0


def _measured(options: argparse.Namespace, advance: Advance | None) -> MetaTable:
    (_check_files if options.scores else _check_sets)(options)
    _check_draws(options)
    specs = options.metrics or ([] if options.import_scores else DEFAULT_METRICS)
    resamples = DEFAULT_RESAMPLES if options.resamples is None else options.resamples
    rounds = ROUNDS if options.rounds is None else options.rounds
    return meta_evaluate(
        _distinct(options.folders),
        _distinct(options.pairs),
        scores=options.scores or (),
        human_scores=options.human_scores,
        columns=_columns(options.columns, "--columns"),
        human_columns=_columns(options.human_columns, "--human-columns"),
        metrics=_distinct(specs),
        references=_distinct(options.references) or None,
        import_scores=options.import_scores,
        imported=_distinct(options.imported),
        negate=_distinct(options.negate),
        export_scores=options.export_scores,
        measures=_distinct(options.measures),
        task=options.task,
        human=_distinct(options.human),
        human_systems=options.human_systems,
        ci=options.ci,
        resamples=positive(resamples, "--resamples"),
        by=options.by,
        compare=options.compare,
        test=options.test,
        rounds=positive(rounds, "--rounds"),
        outliers=options.outliers,
        epsilon=options.epsilon,
        rankings=options.plot is not None,
        seed=options.seed,
        jobs=worker_count(options.jobs),
        cache=not options.no_cache,
        advance=advance,
    )


def _check_sets(options: argparse.Namespace) -> None:
    if options.human_scores or options.columns or options.human_columns:
        raise UsageError("--human-scores and columns go with --scores; give both files.")
    if not options.folders:
        raise UsageError("missing --set DIR --pair PAIR, or --scores FILE --human-scores FILE.")
    if not options.pairs:
        raise UsageError("--set needs --pair, for example --pair en-de, or --pair all.")
    if not options.import_scores and (options.imported or options.negate):
        raise UsageError("--imported and --negate go with --import-scores.")


def _check_files(options: argparse.Namespace) -> None:
    if options.human_scores is None:
        raise UsageError("--scores needs --human-scores FILE, the judgments to compare with.")
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


def _check_draws(options: argparse.Namespace) -> None:
    """Raise if samples or rounds are asked for that nothing would draw."""
    named = set(options.measures or ())
    draws = (
        options.ci
        or options.plot
        or options.test == MetricTest.BOOTSTRAP
        or any(one.mean_of is not None for one in list_measures().measures if one.name in named)
    )
    if options.resamples is not None and not draws:
        raise UsageError("--resamples says how intervals are drawn; add --ci to get them.")
    if (options.test or options.rounds is not None) and not options.compare:
        raise UsageError("--test and --rounds say how metrics are compared; add --compare.")


def _columns(text: str | None, option: str) -> dict[str, str | None] | None:
    """Return the columns that ``system=NAME,segment=NAME,score=NAME`` names."""
    if text is None:
        return None
    given = dict(part.partition("=")[::2] for part in text.split(","))
    unknown = [name for name in given if name not in {"system", "segment", "score"}]
    if unknown or "" in (given.get("system", "-"), given.get("score", "-")):
        raise UsageError(f"{option} {text}: expected system=NAME,segment=NAME,score=NAME.")
    return {name: column or None for name, column in given.items()}


def _check_plot(path: str | None) -> None:
    if path is None:
        return
    check_plot(path)
    check_target(path)


def _distinct(names: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names or ()))
