"""``tenbin build idf``."""

import argparse
import sys

from tenbin.api.building import build_idf
from tenbin.cli.building.options import add_corpus_options, add_target_options, shown_steps
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "count in how many documents each token stands, to weight rare ones more"
EPILOG = """\
examples:
  tenbin build idf novels.txt.xz -l ja --document blank-line -o novels.idf
  tenbin build idf wiki/*.txt -l en --tokenizer models/minilm --document file -o wiki.idf
  tenbin score -r ref.txt -t out.txt -l ja -m 'bertscore(idf="novels.idf")'

The file says in its first line from what and how it was made.
"""
_UNITS = ("line", "blank-line", "file")  # tenbin.building.idf.DocumentUnit, which is slow to load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = add_corpus_options(parser, auto="the words of the language")
    group.add_argument(
        "--document",
        choices=_UNITS,
        default=_UNITS[0],
        help="what a document is: a line (the default), the lines up to a blank line, or a file",
    )
    group.add_argument("--lowercase", action="store_true", help="lower-case the text")
    add_target_options(parser)


def run(options: argparse.Namespace) -> int:
    """Count documents and say how many there are."""
    built = build_idf(
        options.corpus,
        options.language,
        options.output,
        tokenizer=options.tokenizer,
        document=options.document,
        lowercase=options.lowercase,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
    )
    tell(built.notes, quiet=options.quiet)
    if not options.quiet:
        size = f"{counted(built.tokens, 'token')} in {counted(built.documents, 'document')}"
        print(f"{options.output}: {size}", file=sys.stderr)
    return 0
