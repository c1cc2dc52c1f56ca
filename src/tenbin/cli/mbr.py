"""``tenbin mbr``."""

import argparse

from tenbin.api.choosing import mbr, read_candidates
from tenbin.cli.candidate_options import (
    add_candidate_options,
    add_metric_option,
    add_run_options,
    add_selection_options,
    check_all_option,
    check_choice_options,
    emit_selection,
    given_texts,
)
from tenbin.cli.options import add_list_option, worker_count
from tenbin.cli.terminal import progress

_EPILOG = """\
examples:
  samples in files, one candidate of each segment in each:
    tenbin mbr -t sample1.txt sample2.txt sample3.txt -l en -o chosen.txt
  an n-best list of Moses, Marian or fairseq's scripts:
    tenbin mbr -t nbest.txt -l de -m 'chrf(word_order=2)'
  one file, 100 lines for each segment:
    tenbin mbr -t samples.txt --per-segment 100 -l ja -m tenbin
  in linear time, by the mean of all candidates:
    tenbin mbr -t samples.txt --per-segment 1000 -l de --aggregate
  compared with other samples:
    tenbin mbr -t beam1.txt beam2.txt --pool sample1.txt sample2.txt sample3.txt -l en
  all candidates with their scores:
    tenbin mbr -t sample1.txt sample2.txt sample3.txt -l en -f tsv

Of candidates with equal scores the first is chosen.

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin mbr -t FILE ... -l LANG [-m SPEC] [options]"
    parser.epilog = _EPILOG
    group = add_candidate_options(parser)
    add_list_option(
        group,
        "--pool",
        metavar="FILE",
        help="pseudo-references to compare with, in the same forms (default: the candidates)",
    )
    group = parser.add_argument_group("utility")
    add_metric_option(group)
    group.add_argument(
        "--with-self",
        action="store_true",
        help="a candidate is also its own reference, as in mbrs (default: it is compared with the "
        "others, as in comet-mbr)",
    )
    group.add_argument(
        "--aggregate",
        action="store_true",
        help="compare with the mean n-gram counts of all references at once (chrf, bleu, "
        "sentbleu): linear time, an approximation",
    )
    add_run_options(parser)
    add_selection_options(parser)


def run(options: argparse.Namespace) -> int:
    """Choose the candidates with the best mean utility."""
    check_choice_options(options)
    jobs = worker_count(options.jobs)
    check_all_option(options)
    texts = given_texts(options)
    candidates = texts.candidates
    pool = (
        None
        if options.pool is None
        else read_candidates(
            options.pool, per_segment=options.per_segment if len(options.pool) == 1 else None
        )
    )
    with progress("comparing", len(candidates), quiet=options.quiet) as advance:
        found = mbr(
            candidates,
            metric=options.metric,
            language=options.language,
            source=texts.source,
            pool=pool,
            with_self=options.with_self,
            aggregate=options.aggregate,
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    emit_selection(found, texts.notes, options)
    return 0
