"""Options that several commands share."""

import argparse
import os
from collections.abc import Sequence
from typing import Any

from tenbin.api.catalog import language_metrics
from tenbin.api.files import Tags, TextFormat
from tenbin.api.scoring import DEFAULT_SEED
from tenbin.cli.terminal import STANDARD_OUTPUT
from tenbin.core.errors import UsageError, shortened
from tenbin.formats.output import check_target
from tenbin.reports.formats import PRINTED

_MOST_JOBS = 1_000
_MOST_DRAWS = 1_000_000
_SEED_BITS = 64
_OTHERS = "; -r, -t and -s take them as well"


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name texts and language."""
    group = parser.add_argument_group(
        "texts", "One segment per line, UTF-8; .gz, .xz and .bz2 are unpacked; - is stdin."
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="REF",
        help="reference texts, for metrics that read them; with --set names such as refA (default "
        "there: the first)",
    )
    add_list_option(
        group,
        "-t",
        "-i",
        "--systems",
        metavar="SYS",
        dest="systems",
        help="system outputs, named like their files or NAME=FILE; with --set names, or patterns "
        "such as 'Online-*' (default there: all)",
    )
    group.add_argument(
        "-s", "--source", metavar="SRC", help="source text, for metrics that read it"
    )
    group.add_argument(
        "--documents",
        metavar="FILE",
        help="the document of each segment, one name per line (default: what the files say)",
    )
    group.add_argument(
        "-l",
        "--language",
        metavar="LANG",
        help="target language: en, ja, zh, sr-Latn ... (or take it from --pair)",
    )
    group.add_argument(
        "--set",
        metavar="DIR",
        dest="folder",
        help="a test set: its folder in the mt-metrics-eval layout, its name in 'tenbin sets "
        "list', or bundled:example; with a set of sacrebleu -t names files",
    )
    group.add_argument("--pair", metavar="PAIR", help="language pair, such as de-en")
    group.add_argument(
        "--empty-references",
        choices=("keep", "absent"),
        default="keep",
        help="an empty reference line is an empty reference (keep, the default), or means that "
        "this segment has no such reference (absent)",
    )


def add_table_input_options(
    parser: argparse.ArgumentParser,
    *,
    parquet: str = "Parquet tables as well",
    help_of_columns: str = "",
    candidates: bool = False,
) -> None:
    """Add the options that name files with several texts, and say how they are read.

    Args:
        parser: Where they are added.
        parquet: What is said of Parquet.
        help_of_columns: What is said of columns, where they are more than those of texts.
        candidates: Whether systems are candidates to choose among.
    """
    others = "" if help_of_columns else "; -s takes them as well" if candidates else _OTHERS
    group = parser.add_argument_group(
        "files", f"Tables, spreadsheets and translation files{others}."
    )
    systems = "each system is a candidate" if candidates else "each of several is a document"
    add_list_option(
        group,
        "--input",
        metavar="FILE",
        dest="table",
        help="files that hold all texts, in place of -r, -t and -s: .csv, .tsv, .jsonl, .xlsx, "
        f".xliff, .tmx, .po; {systems}; {parquet}",
    )
    add_list_option(
        group,
        "--columns",
        metavar="ROLE=NAME",
        help=help_of_columns
        or "columns of a table: source=en,reference=ja,system=mt1,system=mt2; also document, id, "
        "and name, of the system in each row (default: found by names such as src, ref, mt, doc)",
    )
    group.add_argument(
        "--input-format",
        choices=[str(form) for form in TextFormat],
        metavar="FORM",
        help=f"format of the files: {', '.join(TextFormat)} (default: by ending and content)",
    )
    group.add_argument(
        "--encoding",
        metavar="NAME",
        help="encoding of the texts: CP932, EUC-JP, UTF-16, GB18030, CP1252 ... (default: UTF-8)",
    )
    group.add_argument(
        "--tags",
        choices=[str(way) for way in Tags],
        help="inline tags and placeholders such as <b>, {0} and %%s: keep, hide, or hide and count "
        "those that differ from the source (default: markup of XLIFF, TMX and subtitles is hidden, "
        "what the characters of a text spell is kept)",
    )
    group.add_argument(
        "--sheet", metavar="NAME", help="sheet of a spreadsheet (default: the first)"
    )


def add_metric_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose metrics and how they run."""
    group = parser.add_argument_group("metrics")
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help="metrics, with parameters in quotes: bleu chrf++ 'chrf(word_order=1)'; "
        "'words=chrf(word_order=1)' gives one a name (default: chrf++, or chrf for a language "
        "without spaces, and the best metric of meaning that is installed for the language, see "
        "'tenbin metrics -l LANG'; 'tenbin metrics' lists all)",
    )
    add_glossary_option(group)
    add_seed_option(group)
    group.add_argument(
        "--by",
        choices=("documents", "segments"),
        default="documents",
        help="what resampling draws: whole documents where they are known (default), or segments",
    )
    add_cache_options(group)


def add_glossary_option(group: argparse._ActionsContainer) -> None:
    """Add the option that names terms and names."""
    group.add_argument(
        "--glossary",
        metavar="FILE",
        help="terms and names (.csv, .tsv, .xlsx, .tbx, or names one per line), for the metric "
        "terms, the penalty for wrong names, and marks in explanations and reports",
    )


def add_list_option(
    group: argparse._ActionsContainer,
    *names: str,
    **settings: Any,  # noqa: ANN401 - those of argparse
) -> None:
    """Add an option that takes several values, and may be given again to add more."""
    group.add_argument(*names, nargs="+", action="extend", **settings)


def add_seed_option(group: argparse._ActionsContainer, drawn: str = "every random draw") -> None:
    """Add the option that fixes what is drawn at random."""
    group.add_argument(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of {drawn} (default: {DEFAULT_SEED})",
    )


def add_set_options(group: argparse._ActionsContainer, *, sets: str, pairs: str) -> None:
    """Add the options that name test sets and language pairs, several of each.

    Args:
        group: Where they stand in the help.
        sets: What is said of sets.
        pairs: What is said of pairs.
    """
    add_list_option(group, "--set", metavar="DIR", dest="folders", help=sets)
    add_list_option(group, "--pair", metavar="PAIR", dest="pairs", help=pairs)


def check_pairs(pairs: Sequence[str] | None) -> None:
    """Raise if what is named as a language pair is a path."""
    for pair in pairs or ():
        if not pair or "/" in pair:
            raise UsageError(f"--pair {pair}: give a language pair, such as de-en.")


def add_jobs_option(group: argparse._ActionsContainer) -> None:
    """Add the option that says how many processes work."""
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="worker processes; 0 for one per core (default: 1)",
    )


def add_cache_options(group: argparse._ActionsContainer) -> None:
    """Add the options of commands that score: not to use caches, and worker processes."""
    add_no_cache_option(group)
    add_jobs_option(group)


def add_no_cache_option(group: argparse._ActionsContainer) -> None:
    """Add the option that leaves the caches on disk alone."""
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="compute everything anew: read no scores and no encodings from the caches on disk, "
        "and write none",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where results go."""
    group = parser.add_argument_group("output")
    add_format_option(group, [str(form) for form in PRINTED])
    add_file_options(group)


def add_file_options(group: argparse._ActionsContainer) -> None:
    """Add the options that name the file of a result, and keep quiet about it."""
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the result to a file, whole or not at all"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def add_format_option(
    parser: argparse._ActionsContainer, forms: list[str], *, printed: bool = False
) -> None:
    """Add the option that chooses the form of the result.

    Args:
        parser: What gets the option.
        forms: The forms; the first one is the usual one.
        printed: Whether the command has no file for its result, whose ending could tell the form.
    """
    parser.set_defaults(forms=tuple(forms))
    usual = forms[0] if printed else f"as the ending of its file says, else {forms[0]}"
    parser.add_argument(
        "-f",
        "--format",
        choices=forms,
        metavar="FORM",
        help=f"form of the result: {', '.join(forms)} (default: {usual})",
    )


def chosen_metrics(options: argparse.Namespace, language: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the metrics asked for, each once; without any, those of the target language.

    With them come notes on what could be installed for the language.
    """
    if options.metrics:
        return list(dict.fromkeys(options.metrics)), ()
    found = language_metrics(language)
    return list(found.chosen), found.notes


def check_run_options(options: argparse.Namespace) -> None:
    """Raise if a run would fail at its end: bad numbers, or a result that has no place to go."""
    if options.seed < 0:
        raise UsageError(f"--seed {shortened(str(options.seed))}: give a number of at least 0.")
    if options.seed.bit_length() > _SEED_BITS:
        raise UsageError(f"--seed: give a number below 2^{_SEED_BITS}.")
    check_pairs(getattr(options, "pairs", None))
    if options.output is not None and options.output != STANDARD_OUTPUT:
        check_target(options.output)


def worker_count(jobs: int) -> int:
    """Return the number of worker processes."""
    if jobs < 0:
        raise UsageError(f"--jobs {jobs}: give a number of processes, or 0 for one per core.")
    if jobs > _MOST_JOBS:
        raise UsageError(f"--jobs {jobs}: give at most {_MOST_JOBS:,} processes.")
    return jobs or os.cpu_count() or 1


def positive(value: int, option: str) -> int:
    """Return a number of draws, rounds or words, which must be at least 1."""
    if value < 1:
        raise UsageError(f"{option} {value}: give a number of at least 1.")
    if value > _MOST_DRAWS:
        raise UsageError(f"{option} {value}: give a number of at most {_MOST_DRAWS:,}.")
    return value
