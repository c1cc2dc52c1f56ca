"""``tenbin rerank``."""

import argparse

from tenbin.api.choosing import rerank
from tenbin.cli.candidate_options import (
    add_candidate_options,
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
  by the scores of the model, the last column of an n-best list:
    tenbin rerank -t nbest.txt -l de --given
  by a metric that reads the source and no reference:
    tenbin rerank -t nbest.txt -s source.txt -l de -m 'sentence-source'
  by a weighted sum of both; the given scores are the last feature:
    tenbin rerank -t nbest.txt -s source.txt -l de -m 'sentence-source' --given --weights 10 1
  all candidates in the new order, as an n-best list:
    tenbin rerank -t nbest.txt -l de --given --all

Scores are added as they are, in their own units; those of error metrics are subtracted. Of
candidates with equal scores the first is chosen.

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin rerank -t FILE ... -l LANG [-m SPEC ...] [--given] [-s SRC]\n"
        "                     [--weights W ...] [options]"
    )
    parser.epilog = _EPILOG
    add_candidate_options(parser)
    group = parser.add_argument_group("features")
    add_list_option(group, "-m", "--metrics", metavar="SPEC", help="metrics that read no reference")
    group.add_argument(
        "--given",
        action="store_true",
        help="the scores that the candidates came with are a feature too, the last",
    )
    group.add_argument(
        "--weights",
        nargs="+",
        type=float,
        metavar="W",
        help="a factor for each feature, in their order; needed for more than one",
    )
    add_run_options(parser)
    add_selection_options(parser)


def run(options: argparse.Namespace) -> int:
    """Order candidates and print the best ones."""
    check_choice_options(options)
    jobs = worker_count(options.jobs)
    check_all_option(options)
    texts = given_texts(options)
    candidates = texts.candidates
    metrics = list(dict.fromkeys(options.metrics or ()))
    total = sum(candidates.counts) * len(metrics)
    with progress("scoring", total, quiet=options.quiet) as advance:
        found = rerank(
            candidates,
            language=options.language,
            metrics=metrics,
            given=options.given,
            weights=options.weights,
            source=texts.source,
            jobs=jobs,
            cache=not options.no_cache,
            advance=advance,
        )
    emit_selection(found, texts.notes, options)
    return 0
