"""``tenbin check``."""

import argparse
from typing import TYPE_CHECKING

from tenbin.api.checking import (
    DEFAULT_CHECK_ROUNDS,
    DEFAULT_LEVEL,
    check,
    read_baseline,
    write_baseline,
)
from tenbin.api.files import open_files
from tenbin.cli.inputs import chosen_language, chosen_reading, open_inputs, required_language
from tenbin.cli.options import (
    add_input_options,
    add_metric_options,
    add_output_options,
    add_table_input_options,
    check_run_options,
    chosen_metrics,
    positive,
    worker_count,
)
from tenbin.cli.terminal import STANDARD_OUTPUT, emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.reports.junit import junit_text
from tenbin.reports.render import render

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet
    from tenbin.core.scores import ScoreTable

_FAILED = 1
_EPILOG = """\
examples:
  store the system that later ones must not be worse than:
    tenbin check --write-baseline base.json -r ref.txt -t system.txt -l en -m chrf bleu
  fail if chrF drops by more than 0.3 points, and not by chance:
    tenbin check --baseline base.json --max-drop chrf=0.3 --p 0.05 -r ref.txt -t new.txt
  all metrics of the baseline, reports for continuous integration:
    tenbin check --baseline base.json -t new.txt --junit check.xml --markdown check.md
  the texts are scored anew, after Tenbin or a model was updated:
    tenbin check --baseline base.json -t new.txt --rescore

A check fails where a score drops by more than is allowed and the paired test finds p at most --p.
References may be left out if the baseline has them, as those of --write-baseline do.

exit codes: 0 passed, 1 significant drop or result not written, 2 wrong usage, 3 bad input or a
baseline that does not fit, 4 something to install, 130 interrupted, 143 terminated, 129 terminal
closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin check --baseline FILE [-r REF ...] -t SYS\n"
        "                    [--max-drop SPEC=X ...] [options]\n"
        "       tenbin check --write-baseline FILE -r REF ... -t SYS -l LANG\n"
        "                    [-m SPEC ...]"
    )
    parser.epilog = _EPILOG
    group = parser.add_argument_group("baseline")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="what --write-baseline wrote, or 'tenbin score -f json --segments'",
    )
    group.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="score the system and store scores, segment scores and texts; nothing is checked",
    )
    group.add_argument(
        "--baseline-system", metavar="NAME", help="the system of the baseline, if it has several"
    )
    group.add_argument(
        "--rescore",
        action="store_true",
        help="score the texts of the baseline anew, where it was made with other settings or "
        "versions (default: such a baseline is refused)",
    )
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--max-drop",
        nargs="+",
        action="extend",
        metavar="SPEC=X",
        help="check these metrics; each may get worse by X points (default: all metrics of the "
        "baseline, by 0)",
    )
    group.add_argument(
        "--p",
        type=float,
        default=DEFAULT_LEVEL,
        metavar="P",
        help=f"p-value from which down a drop is significant (default: {DEFAULT_LEVEL})",
    )
    group.add_argument(
        "--rounds",
        type=int,
        default=DEFAULT_CHECK_ROUNDS,
        metavar="N",
        help=f"rounds of the paired test (default: {DEFAULT_CHECK_ROUNDS})",
    )
    add_input_options(parser)
    add_table_input_options(parser)
    add_metric_options(parser)
    add_output_options(parser)
    group = parser.add_argument_group("reports")
    group.add_argument("--junit", metavar="FILE", help="JUnit XML, a test case for each metric")
    group.add_argument("--markdown", metavar="FILE", help="summary for a pull request")


def run(options: argparse.Namespace) -> int:
    """Check a system against a baseline, or store one."""
    if (options.baseline is None) == (options.write_baseline is None):
        raise UsageError("give --baseline FILE to check, or --write-baseline FILE to store one.")
    jobs = worker_count(options.jobs)
    positive(options.rounds, "--rounds")
    check_run_options(options)
    for path in (options.junit, options.markdown, options.write_baseline):
        if path is not None:
            check_target(path)
    if options.write_baseline is not None:
        return _write(options, jobs)
    limits = max_drops(options.max_drop or [])
    limits |= {spec: 0.0 for spec in options.metrics or [] if spec not in limits}
    stored = read_baseline(options.baseline)
    test_set = _opened(options, stored)
    with progress("checking", None, quiet=options.quiet):
        found = check(
            stored,
            test_set,
            max_drops=limits,
            p=options.p,
            language=chosen_language(options),
            baseline_system=options.baseline_system,
            rescore=options.rescore,
            rounds=options.rounds,
            seed=options.seed,
            by_document=options.by == "documents",
            jobs=jobs,
            cache=not options.no_cache,
            file=options.baseline,
        )
    tell(found.notes, quiet=options.quiet)
    if options.junit is not None:
        emit(junit_text(found), options.junit)
    if options.markdown is not None:
        emit(render(found, "markdown"), options.markdown)
    emit(render(found, options.format, width=page_width(options.output)), options.output)
    return 0 if found.passed else _FAILED


def max_drops(given: list[str]) -> dict[str, float]:
    """Return the drops that are allowed, by spec.

    >>> max_drops(["chrf=0.3", "chrf(word_order=2)=1"])
    {'chrf': 0.3, 'chrf(word_order=2)': 1.0}
    """
    found: dict[str, float] = {}
    for text in given:
        spec, _, number = text.rpartition("=")
        try:
            drop = float(number)
        except ValueError:
            drop = -1.0
        if not spec or not 0 <= drop < float("inf"):
            raise UsageError(
                f"--max-drop {text}: give a metric and the points that it may get worse by, such "
                "as chrf=0.3."
            )
        if spec in found:
            raise UsageError(f"--max-drop names {spec} twice.")
        found[spec] = drop
    return found


def _write(options: argparse.Namespace, jobs: int) -> int:
    unused = {"--max-drop": options.max_drop, "--junit": options.junit}
    unused |= {"--markdown": options.markdown, "--rescore": options.rescore}
    unused |= {"--baseline-system": options.baseline_system, "-o": options.output}
    for name, value in unused.items():
        if value:
            raise UsageError(f"{name} is for a check; --write-baseline only stores a system.")
    if options.write_baseline == STANDARD_OUTPUT:
        raise UsageError("--write-baseline -: a baseline needs a file, such as baseline.json.")
    metrics, advice = chosen_metrics(options, required_language(options))
    test_set, language = open_inputs(options, metrics)
    if len(test_set.systems) != 1:
        raise UsageError("a baseline is one system: give one with -t.")
    with progress("scoring", test_set.segment_count * len(metrics), quiet=options.quiet) as advance:
        table = write_baseline(
            options.write_baseline,
            test_set,
            metrics,
            language,
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    tell((*table.notes, *advice), quiet=options.quiet)
    emit(render(table.without_segments(), options.format, width=page_width()))
    return 0


def _opened(options: argparse.Namespace, stored: "ScoreTable") -> "FileTestSet":
    """Return the new system; references may come with the baseline."""
    needs_references = options.folder is not None or options.table is not None
    if not needs_references and stored.texts is not None and not options.references:
        if not options.systems:
            raise UsageError("missing -t SYS: the new system.")
        return open_files(
            options.systems,
            [],
            options.source,
            documents=options.documents,
            reading=chosen_reading(options),
        )
    options.language = chosen_language(options) or stored.language
    metrics = [result.metric for result in stored.results if not result.imported]
    return open_inputs(options, metrics)[0]
