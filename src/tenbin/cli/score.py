"""``tenbin score``."""

import argparse

from tenbin.api.scoring import BASELINE_METRICS, DEFAULT_RESAMPLES, main_metric, score_test_set
from tenbin.cli.inputs import open_inputs, required_language
from tenbin.cli.options import (
    add_input_options,
    add_metric_options,
    add_table_input_options,
    check_run_options,
    chosen_metrics,
    positive,
    worker_count,
)
from tenbin.cli.page_options import (
    add_report_options,
    add_texts_option,
    check_report_options,
    write_report,
)
from tenbin.cli.results import (
    add_result_options,
    add_worst_options,
    asked_worst,
    check_form,
    check_worst,
    emit_result,
    is_wide,
    settle_format,
)
from tenbin.cli.score_columns import add_scores_option, check_scores_option, imported_columns
from tenbin.cli.score_table import add_table_options, check_no_table_options, is_table, run_on_table
from tenbin.cli.terminal import progress, tell
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format

_EPILOG = """\
examples:
  one system, by the metrics that suit the language:
    tenbin score -r ref.txt -t system.txt -l en
  several systems, two references per segment, intervals:
    tenbin score -r refA.txt refB.txt -t a.txt b.txt -l de -m bleu chrf++ ter --ci
  Japanese, with parameters:
    tenbin score -r ref.txt -t sys.txt -l ja -m 'bleu(tokenizer="ja-mecab")' ribes
  the ten segments of each system that need a reader most, with texts:
    tenbin score -s src.txt -r ref.txt -t a.txt b.txt -l en -m chrf++ --worst 10
  a spreadsheet, one row per segment with texts and scores, the worst first:
    tenbin score -s src.txt -r ref.txt -t a.txt b.txt -l en -m chrf++ --worst all -o scores.xlsx
  the number alone, for a script:
    tenbin score -r ref.txt -t system.txt -l en -m bleu -f score -q
  segment scores as a table for other programs:
    tenbin score -r ref.txt.gz -t - -l en -m chrf --segments -f tsv -o scores.tsv < sys.txt
  without a reference, by the source:
    tenbin score -s source.txt -t sys.txt -l ja \\
      -m 'yisi2(vectors="ja.bin", source_vectors="en.bin")'
  names of your own, and scores of COMET beside ours:
    tenbin score -r ref.txt -t old=a/out.txt new=b/out.txt -l de \\
      -m 'words=chrf(word_order=2, beta=3)' --scores comet=comet.json
  a spreadsheet with a column for each system:
    tenbin score --input translations.xlsx --columns source=en,reference=ja,system=mt1 -l ja
  files of a translation program:
    tenbin score -r reviewed.xliff -t mt.xliff -l ja
  a WMT test set:
    tenbin score --set wmt20 --pair en-de -m bleu chrf
  a page to look at, beside the table:
    tenbin score -r ref.txt -t a.txt b.txt -l en --ci --report report.html
  a table of any size, on all cores or on a cluster:
    tenbin score --input in.parquet -o out.parquet -l en -m chrf --jobs 0
    tenbin score --input in.parquet -o out.parquet -l en --engine spark

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""
_PARQUET = (
    "a Parquet file, or a folder of them, is scored row by row and written with -o: it has the "
    "columns hypothesis and reference (or references: lists of texts), if need be source and "
    "system, others are carried over, and without -m it gets scores of "
    f"{' and '.join(BASELINE_METRICS)}, whatever is installed; with --columns it is read like the "
    "other files"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin score [-r REF ...] [-s SRC] -t SYS ... -l LANG [-m SPEC ...]\n"
        "                    [options]"
    )
    parser.epilog = _EPILOG
    add_input_options(parser)
    add_table_input_options(parser, parquet=_PARQUET)
    add_table_options(parser)
    add_metric_options(parser)
    group = parser.add_argument_group("results")
    group.add_argument("--ci", action="store_true", help="95 %% bootstrap confidence intervals")
    group.add_argument(
        "--resamples",
        type=int,
        metavar="N",
        help=f"bootstrap resamples for --ci (default: {DEFAULT_RESAMPLES})",
    )
    group.add_argument("-sl", "--segments", action="store_true", help="segment scores too")
    add_worst_options(
        group,
        "the N worst segments of each system (or all) too, with texts; csv and xlsx have their "
        "rows alone, the worst first",
    )
    add_scores_option(group)
    add_texts_option(group)
    add_result_options(parser, bare=True)
    add_report_options(parser)


def run(options: argparse.Namespace) -> int:
    """Score systems and print the table."""
    with_table = is_table(options)
    if with_table and options.format is None and str(options.output).endswith(".parquet"):
        # The file is the table; what is printed beside it has the usual form.
        options.format = str(Format.TEXT)
    settle_format(options)
    if with_table:
        return run_on_table(options)
    check_no_table_options(options)
    resamples = _resamples(options)
    check_worst(options)
    jobs = worker_count(options.jobs)
    check_run_options(options)
    check_report_options(options)
    check_scores_option(options)
    metrics, advice = chosen_metrics(options, required_language(options))
    test_set, language = open_inputs(options, metrics)
    imported = imported_columns(options, test_set, metrics)
    check_form(options, test_set, [*metrics, *(scores.label for scores in imported)])
    is_listed = options.worst is not None and not is_wide(options)
    with progress("scoring", test_set.segment_count * len(metrics), quiet=options.quiet) as advance:
        table = score_test_set(
            test_set,
            metrics,
            language,
            imported=imported,
            segments=is_wide(options)
            or options.segments
            or options.texts
            or options.report_file is not None,
            worst=asked_worst(options, test_set) if is_listed else None,
            worst_by=main_metric(metrics, options.worst_by, given=bool(options.metrics)),
            resamples=resamples,
            seed=options.seed,
            by_document=options.by == "documents",
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    tell((*table.notes, *advice), quiet=options.quiet)
    emit_result(options, table, test_set, metrics, segments=options.segments or options.texts)
    write_report(options, table, test_set)
    return 0


def _resamples(options: argparse.Namespace) -> int:
    if options.resamples is not None and not options.ci:
        raise UsageError("--resamples says how intervals are drawn; add --ci to get them.")
    if not options.ci:
        return 0
    chosen = DEFAULT_RESAMPLES if options.resamples is None else options.resamples
    return positive(chosen, "--resamples")
