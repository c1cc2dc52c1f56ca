"""``tenbin build function-words``."""

import argparse
import sys

from tenbin.api.building import build_function_words
from tenbin.cli.building.options import add_corpus_options, add_target_options, shown_steps
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "list the commonest words of a text, for METEOR in any language"
EPILOG = """\
examples:
  tenbin build function-words corpus.sw.gz -l sw -o function-words.sw.txt
  tenbin score -r ref.txt -t out.txt -l sw \\
      -m 'meteor(task="universal", function_words="function-words.sw.txt")'
"""
_SHARE = 0.001  # tenbin.resources.function_words.FREQUENCY, which help need not load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_corpus_options(parser, auto="the one METEOR has for the language")
    group = parser.add_argument_group("list")
    group.add_argument(
        "--share",
        type=float,
        default=_SHARE,
        metavar="X",
        help=f"words are listed that make up more than this share of all (default: {_SHARE})",
    )
    add_target_options(parser)


def run(options: argparse.Namespace) -> int:
    """Count words, write the list, say how long it is."""
    built = build_function_words(
        options.corpus,
        options.language,
        options.output,
        tokenizer=options.tokenizer,
        share=options.share,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
    )
    tell(built.notes, quiet=options.quiet)
    if not options.quiet:
        words = f"{len(built.words):,} of {counted(built.distinct, 'distinct word')}"
        print(f"{options.output}: {words}, in {counted(built.tokens, 'token')}", file=sys.stderr)
    return 0
