"""``tenbin oracle``."""

import argparse

from tenbin.api.choosing import oracle
from tenbin.cli.candidate_options import (
    add_candidate_options,
    add_metric_option,
    add_run_options,
    check_choice_options,
    given_texts,
)
from tenbin.cli.options import add_list_option, add_output_options, worker_count
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.reports.render import render

_EPILOG = """\
examples:
  how much a better choice among the n best could gain:
    tenbin oracle -r ref.txt -t nbest.txt -l de
  by another metric, with the texts of the oracle:
    tenbin oracle -r ref.txt -t a.txt b.txt c.txt -l en -m meteor --chosen oracle.txt
  every candidate with its score:
    tenbin oracle -r ref.txt -t nbest.txt -l de -f tsv -o candidates.tsv

The first candidate of each segment is what the system would give out. Candidates are chosen
segment by segment; of equal ones the first.

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin oracle -r REF ... -t FILE ... -l LANG [-m SPEC] [options]"
    parser.epilog = _EPILOG
    group = add_candidate_options(parser)
    add_list_option(group, "-r", "--references", metavar="REF", help="reference texts")
    group = parser.add_argument_group("metric")
    add_metric_option(group)
    add_run_options(parser)
    group = parser.add_argument_group("chosen texts")
    group.add_argument(
        "--chosen", metavar="FILE", help="write the best candidate of each segment to a file too"
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Find the best candidates by the reference and print how far the first ones are."""
    check_choice_options(options)
    if not options.references and not options.table:
        raise UsageError("missing -r REF: an oracle sees the reference.")
    if options.chosen is not None:
        check_target(options.chosen)
    jobs = worker_count(options.jobs)
    texts = given_texts(options)
    candidates = texts.candidates
    total = sum(candidates.counts)
    with progress("scoring", total, quiet=options.quiet) as advance:
        found = oracle(
            candidates,
            texts.references,
            metric=options.metric,
            language=options.language,
            source=texts.source,
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    tell((*texts.notes, *found.notes), quiet=options.quiet)
    if options.chosen is not None:
        emit(render(found.selection, "text"), options.chosen)
    emit(render(found, options.format, width=page_width(options.output)), options.output)
    return 0
