"""``tenbin build``."""

import argparse
from importlib import import_module

_EPILOG = """\
examples:
  tenbin build bert novels.txt.xz -l ja --valid valid.txt.xz -o novel-bert
  tenbin build combination -m chrf eed ribes --set wmt24 --pair en-ja -o ja.combination
  tenbin build context --set wmt20 --pair en-de
  tenbin build encoder en-de.tsv.xz en-ja.tsv.xz --languages de ja -o encoder
  tenbin build function-words corpus.sw.gz -l sw -o function-words.sw.txt
  tenbin build idf novels.txt.xz -l ja --document blank-line -o novels.idf
  tenbin build metric --table judgments.csv -l en --from tenbin-large -o ours.safetensors
  tenbin build paraphrases en-de.tsv.xz -l en --pivot de -o en.paraphrases
  tenbin build vectors corpus.sw.gz -l sw -o vectors.sw.bin --lowercase
  tenbin build vectors --help
"""
# One module of tenbin.cli.building each.
_KINDS = (
    "bert",
    "combination",
    "context",
    "encoder",
    "function-words",
    "idf",
    "metric",
    "paraphrases",
    "vectors",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be built, and the options of each."""
    parser.epilog = _EPILOG
    kinds = parser.add_subparsers(
        dest="kind", metavar="KIND", required=True, title="what to build", help="what to build"
    )
    for name in _KINDS:
        module = import_module(f"tenbin.cli.building.{name.replace('-', '_')}")
        summary = module.SUMMARY
        kind = kinds.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=module.EPILOG,
        )
        kind.allow_abbrev = False
        module.add_arguments(kind)
        kind.set_defaults(build=module.run)


def run(options: argparse.Namespace) -> int:
    """Build what was asked for."""
    code: int = options.build(options)
    return code
