"""``tenbin explain``."""

import argparse
import re

from tenbin.api.scoring import (
    DEFAULT_EXPLAINED,
    check_explainable,
    explain_test_set,
    explain_worst_of,
)
from tenbin.cli.inputs import open_inputs
from tenbin.cli.options import (
    add_format_option,
    add_glossary_option,
    add_input_options,
    add_no_cache_option,
    add_table_input_options,
    positive,
)
from tenbin.cli.terminal import STANDARD_OUTPUT, emit, has_color, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_MOST_SEGMENTS = 1_000
_NUMBERS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_EPILOG = """\
examples:
  why segment 17 of a system got its score:
    tenbin explain -r ref.txt -t system.txt -l en -n 17
  two systems, three segments, without paraphrases:
    tenbin explain -r ref.txt -t a.txt b.txt -l en -n 3-5 -m 'meteor(paraphrases="none")'
  the three worst segments of a system, with the source beside them:
    tenbin explain -s src.txt -r ref.txt -t system.txt -l en --worst 3
  as data:
    tenbin explain --set wmt14 --pair fr-en -t rbmt1 -n 17 -f json -o segment17.json

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "tenbin explain [-r REF ...] [-s SRC] -t SYS ... -l LANG\n"
        "                      -n N ... | --worst N [-m SPEC] [options]"
    )
    parser.epilog = _EPILOG
    add_input_options(parser)
    add_table_input_options(parser)
    group = parser.add_argument_group("explanation")
    group.add_argument(
        "-n",
        "--segment",
        nargs="+",
        action="extend",
        metavar="N",
        dest="segments",
        help="segments to explain, counted from 1: numbers, or ranges such as 3-5",
    )
    group.add_argument(
        "-m",
        "--metric",
        default=DEFAULT_EXPLAINED,
        metavar="SPEC",
        help=f"a metric that matches words with words (default: {DEFAULT_EXPLAINED})",
    )
    group.add_argument(
        "--worst",
        type=int,
        metavar="N",
        help="explain the N segments of each system with the worst scores, in place of -n",
    )
    add_glossary_option(group)
    add_no_cache_option(group)
    output = parser.add_argument_group("output")
    add_format_option(output, [str(Format.TEXT), str(Format.JSON)])
    output.add_argument(
        "-o", "--output", metavar="FILE", help="write the result to a file, whole or not at all"
    )
    output.add_argument(
        "--fold",
        type=float,
        metavar="X",
        help="leave numbers below X out of a table of words against words, but for the best of "
        "each word; 0 shows all (default: 0.5, or what the best link of an average word reaches; "
        "0.005 of the weight that moves); -f json has all",
    )
    output.add_argument("-q", "--quiet", action="store_true", help="no notes on stderr")


def run(options: argparse.Namespace) -> int:
    """Explain segments and print drawings and arithmetic."""
    segments = _chosen_segments(options)
    fold = _fold(options.fold)
    check_explainable(options.metric)
    if options.output is not None and options.output != STANDARD_OUTPUT:
        check_target(options.output)
    test_set, language = open_inputs(options, [options.metric])
    if options.worst is None:
        explanations = explain_test_set(
            test_set, options.metric, language, segments, cache=not options.no_cache
        )
    else:
        with progress("scoring", test_set.segment_count, quiet=options.quiet) as advance:
            explanations = explain_worst_of(
                test_set,
                options.metric,
                language,
                options.worst,
                cache=not options.no_cache,
                advance=advance,
            )
    tell(test_set.notes, quiet=options.quiet)
    text = render(
        explanations,
        options.format,
        width=page_width(options.output),
        color=has_color(options.output),
        fold=fold,
    )
    emit(text, options.output)
    return 0


def _chosen_segments(options: argparse.Namespace) -> list[int]:
    if options.worst is None:
        return segment_numbers(options.segments)
    if options.segments:
        raise UsageError("-n and --worst both say which segments to explain; give one of them.")
    if positive(options.worst, "--worst") > _MOST_SEGMENTS:
        raise UsageError(
            f"--worst {options.worst}: explain at most {_MOST_SEGMENTS:,} segments at a time."
        )
    return []


def _fold(given: float | None) -> float | None:
    if given is not None and not 0 <= given <= 1:
        raise UsageError(f"--fold {given}: give a number from 0 (show all) to 1.")
    return given


def segment_numbers(given: list[str] | None) -> list[int]:
    """Return the numbers that ``-n`` names, each once, in the order given."""
    if not given:
        raise UsageError("say which segment, counted from 1: -n 17 (or -n 3 8-10, or --worst 3).")
    numbers: list[int] = []
    for text in given:
        found = _NUMBERS.fullmatch(text)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else 0
        if not 1 <= first <= last:
            raise UsageError(f"-n {text}: give a number from 1, or a range such as 3-5.")
        if last - first >= _MOST_SEGMENTS:
            raise UsageError(f"-n {text}: explain at most {_MOST_SEGMENTS:,} segments at a time.")
        numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))
