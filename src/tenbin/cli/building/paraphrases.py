"""``tenbin build paraphrases``."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.cli.building.options import add_target_options, shown_steps
from tenbin.cli.options import worker_count
from tenbin.core.errors import UsageError

if TYPE_CHECKING:
    from tenbin.building.paraphrases.bitext import BitextFile
    from tenbin.resources.paraphrase_sets import PhraseSets

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
    from tenbin.building.paraphrases.conversion import (  # noqa: PLC0415 - slow
        convert_paraphrases,
        export_to_meteor,
    )

    if options.source == _FORMATS[0]:
        table, facts = _built(options)
    else:
        table, facts = convert_paraphrases(
            options.bitext,
            options.source,
            options.output,
            language=options.language,
            tokenizer=options.tokenizer,
            force=options.force,
        )
    if options.meteor:
        export_to_meteor(table, options.meteor, language=options.language, force=options.force)
    if not options.quiet:
        counts = f"{facts['phrases']:,} phrases in {facts['sets']:,} sets"
        print(f"{options.output}: {counts}, {facts['pairs']:,} pairs", file=sys.stderr)
    return 0


def _built(options: argparse.Namespace) -> tuple["PhraseSets", dict[str, Any]]:
    from tenbin.building.paraphrases.alignment import Aligner  # noqa: PLC0415
    from tenbin.building.paraphrases.pivot import Engine, EngineName, Pivoting  # noqa: PLC0415
    from tenbin.building.paraphrases.table import Recipe, build_paraphrase_table  # noqa: PLC0415
    from tenbin.kernels.alignment.symmetrization import Symmetrization  # noqa: PLC0415

    recipe = Recipe(
        language=options.language,
        tokenizer=options.tokenizer,
        pivot_tokenizer=options.pivot_tokenizer,
        most_words=options.max_words,
        aligner=Aligner(options.aligner),
        symmetrisation=Symmetrization(options.symmetrise),
        longest=options.max_length,
        drop_function_pivots=options.drop_function_pivots,
        drop_punctuation=options.drop_punctuation,
        merge=options.merge,
        pivoting=Pivoting(
            least_count=options.min_count,
            least_share=options.min_share,
            least_pair=options.min_pair,
        ),
    )
    jobs = worker_count(options.jobs)
    engine = Engine(
        name=EngineName(options.engine),
        memory=options.memory,
        threads=jobs,
        master=options.master,
    )
    built = build_paraphrase_table(
        _bitexts(options),
        options.output,
        recipe,
        engine=engine,
        jobs=jobs,
        work=None if options.work is None else Path(options.work),
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
    )
    if built.reused and not options.quiet:
        print(f"note: already there: {', '.join(built.reused)}", file=sys.stderr)
    return built.table, built.facts


def _bitexts(options: argparse.Namespace) -> "list[BitextFile]":
    from tenbin.building.paraphrases.bitext import BitextFile  # noqa: PLC0415 - slow

    count = len(options.bitext)
    pivots = options.pivot * count if len(options.pivot) == 1 else options.pivot
    listed = {"pivot": pivots}
    for name in ("other", "links", "reverse_links"):
        listed[name] = getattr(options, name) or [""] * count
    for name, values in listed.items():
        if len(values) != count:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option}: {len(values)} given, expected one for each BITEXT.")
    if any(listed["reverse_links"]) and not any(listed["links"]):
        raise UsageError("--reverse-links: give the links of the other direction with --links.")
    return [
        BitextFile(
            path,
            **{name: values[number] for name, values in listed.items()},
            pivot_first=options.pivot_first,
        )
        for number, path in enumerate(options.bitext)
    ]
