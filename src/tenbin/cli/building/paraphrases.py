"""``tenbin build paraphrases``."""

import argparse
import sys
from typing import Any

from tenbin.api.building import build_paraphrases, convert_paraphrases
from tenbin.cli.building.options import add_target_options, shown_steps
from tenbin.cli.options import worker_count
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "make a table of paraphrases from translated text, for ParaEval and METEOR"
EPILOG = """\
examples:
  tenbin build paraphrases en-de.tsv.xz -l en --pivot de -o en.paraphrases
  tenbin build paraphrases en-de.tsv.xz en-fr.tsv.xz -l en --pivot de fr --min-share 0.01 \\
      -o en.paraphrases --meteor en.meteor.gz
  tenbin build paraphrases text.en -l en --pivot de --other text.de --links text.links \\
      -o en.paraphrases
  tenbin build paraphrases ppdb-2.0-s-all.gz -l en --from ppdb -o ppdb.paraphrases

What an interrupted build had finished lies in FILE.work, and the same command goes on from there.
"""
# The values of enumerations in tenbin.building and tenbin.kernels, which are slow to load.
_ALIGNERS = ("fast-align", "hmm", "ibm4")
_METHODS = ("grow-diag-final", "grow-diag-final-and", "grow-diag", "union", "intersect")
_ENGINES = ("duckdb", "spark")
_FORMATS = ("bitext", "meteor", "ppdb", "sets")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    _add_text_options(parser)
    _add_alignment_options(parser)
    _add_filters(parser)
    group = parser.add_argument_group("computation")
    group.add_argument(
        "--engine",
        choices=_ENGINES,
        default=_ENGINES[0],
        help="what groups the phrases: duckdb in this process (default), or spark",
    )
    group.add_argument(
        "--master", metavar="URL", default="local[*]", help="Spark's master (default: local[*])"
    )
    group.add_argument(
        "--memory",
        metavar="SIZE",
        default="4GB",
        help="memory of the engine; what does not fit goes to disk (default: 4GB)",
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="processes that align words, up to two, and threads of DuckDB; 0 (default): as many "
        "as there are cores",
    )
    group.add_argument(
        "--work",
        metavar="DIR",
        help="folder for finished stages, kept afterwards (default: FILE.work, removed at the end)",
    )
    add_target_options(parser)
    group = parser.add_argument_group("also")
    group.add_argument(
        "--meteor", metavar="FILE", help="write the pairs in METEOR's own format, too (.gz)"
    )


def _add_text_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "text",
        "Two languages with a tab between them, one segment per line, UTF-8; .gz, .xz and .bz2 are "
        "unpacked.",
    )
    group.add_argument("bitext", nargs="+", metavar="BITEXT", help="translated text")
    group.add_argument(
        "-l", "--language", metavar="LANG", required=True, help="language of the paraphrases"
    )
    group.add_argument(
        "--pivot",
        nargs="+",
        metavar="LANG",
        default=[],
        help="the other language of each BITEXT, or of all",
    )
    group.add_argument(
        "--pivot-first", action="store_true", help="the pivot language is in the first column"
    )
    group.add_argument(
        "--other",
        nargs="+",
        metavar="FILE",
        default=[],
        help="text in the pivot language, if each BITEXT has one language only",
    )
    group.add_argument(
        "--tokenizer", metavar="NAME", default="auto", help="how the language is cut into words"
    )
    group.add_argument(
        "--pivot-tokenizer", metavar="NAME", default="auto", help="how pivot languages are cut"
    )
    group.add_argument(
        "--max-words",
        type=int,
        default=100,
        metavar="N",
        help="longer segments are left out (default: 100)",
    )
    group.add_argument(
        "--from",
        dest="source",
        choices=_FORMATS,
        default=_FORMATS[0],
        help="what BITEXT is: bitext (default); or paraphrases that are ready: METEOR's table, a "
        "package of PPDB, or lines of a set's name, a tab and a phrase",
    )


def _add_alignment_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("word alignment")
    group.add_argument(
        "--aligner",
        choices=_ALIGNERS,
        default=_ALIGNERS[0],
        help="what learns the links between words (default: fast-align)",
    )
    group.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        default=[],
        help="links of each BITEXT, made by another aligner: 0-0 1-2 ...; the first number is of "
        "the first column",
    )
    group.add_argument(
        "--reverse-links",
        nargs="+",
        metavar="FILE",
        default=[],
        help="links of the direction from LANG to the pivot, if --links are of the other only",
    )
    group.add_argument(
        "--symmetrise",
        choices=_METHODS,
        default=_METHODS[0],
        help="how links of two directions become one set (default: grow-diag-final)",
    )


def _add_filters(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("phrases")
    numbers = {
        "--max-length": (int, 7, "N", "most words of a phrase"),
        "--min-count": (int, 1, "N", "least number of times a phrase is translated so"),
        "--min-share": (float, 0.0, "X", "least p(phrase | pivot phrase)"),
        "--min-pair": (float, 0.01, "X", "least p(paraphrase | phrase) that is kept as a number"),
    }
    for option, (kind, default, name, meaning) in numbers.items():
        group.add_argument(
            option, type=kind, default=default, metavar=name, help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--drop-punctuation", action="store_true", help="no phrases of punctuation alone"
    )
    group.add_argument(
        "--drop-function-pivots",
        action="store_true",
        help="no pivot phrases of function words and punctuation alone",
    )
    group.add_argument(
        "--merge", action="store_true", help="make one set of sets that share a phrase"
    )


def run(options: argparse.Namespace) -> int:
    """Build or convert the table and say how large it is."""
    if options.source == _FORMATS[0]:
        facts = _built(options)
    else:
        facts = convert_paraphrases(
            options.bitext,
            options.source,
            options.output,
            language=options.language,
            tokenizer=options.tokenizer,
            force=options.force,
            meteor=options.meteor,
        )
    if not options.quiet:
        counts = f"{counted(facts['phrases'], 'phrase')} in {counted(facts['sets'], 'set')}"
        print(f"{options.output}: {counts}, {counted(facts['pairs'], 'pair')}", file=sys.stderr)
    return 0


def _built(options: argparse.Namespace) -> dict[str, Any]:
    facts, reused = build_paraphrases(
        options.bitext,
        options.language,
        options.output,
        pivots=options.pivot,
        pivot_first=options.pivot_first,
        others=options.other,
        links=options.links,
        reverse_links=options.reverse_links,
        tokenizer=options.tokenizer,
        pivot_tokenizer=options.pivot_tokenizer,
        max_words=options.max_words,
        aligner=options.aligner,
        symmetrization=options.symmetrise,
        max_length=options.max_length,
        min_count=options.min_count,
        min_share=options.min_share,
        min_pair=options.min_pair,
        drop_punctuation=options.drop_punctuation,
        drop_function_pivots=options.drop_function_pivots,
        merge=options.merge,
        engine=options.engine,
        master=options.master,
        memory=options.memory,
        jobs=worker_count(options.jobs),
        work=options.work,
        force=options.force,
        meteor=options.meteor,
        phase=shown_steps(quiet=options.quiet),
    )
    tell([f"already there: {', '.join(reused)}"] if reused else [], quiet=options.quiet)
    return facts
