"""The part of ``tenbin score`` that scores a table in Parquet."""

import argparse
from pathlib import Path

from tenbin.api.scoring import BASELINE_METRICS
from tenbin.api.tables import TableEngine, score_columns
from tenbin.cli.inputs import chosen_language
from tenbin.cli.options import worker_count
from tenbin.cli.results import is_wide, print_table
from tenbin.cli.terminal import progress, tell
from tenbin.core.errors import UsageError

# Options of score that read or write something else; none of them would have an effect.
_FOR_TEXT_FILES = {
    "references": "-r",
    "systems": "-t",
    "source": "-s",
    "documents": "--documents",
    "imported": "--scores",
    "folder": "--set",
    "columns": "--columns",
    "input_format": "--input-format",
    "encoding": "--encoding",
    "tags": "--tags",
    "sheet": "--sheet",
    "ci": "--ci",
    "resamples": "--resamples",
    "segments": "--segments",
    "worst": "--worst",
    "worst_by": "--worst-by",
    "texts": "--texts",
    "report_file": "--report",
    "report_language": "--report-language",
}
_FOR_TABLES = {
    "engine": "--engine",
    "master": "--master",
    "ship_resources": "--ship-resources",
    "hypothesis_column": "--hypothesis-column",
    "reference_column": "--reference-column",
    "source_column": "--source-column",
    "system_column": "--system-column",
    "drop_texts": "--drop-texts",
}


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a table and what scores it."""
    group = parser.add_argument_group(
        "tables",
        "A Parquet table after --input; -o is the same table with scores.",
    )
    for what in ("hypothesis", "reference", "source", "system"):
        group.add_argument(
            f"--{what}-column", metavar="NAME", help=f"the column of each row's {what}"
        )
    group.add_argument(
        "--drop-texts", action="store_true", help="leave these columns out of the result"
    )
    group.add_argument(
        "--engine",
        choices=[str(engine) for engine in TableEngine],
        help="what scores: this machine with --jobs processes (local, the default), or spark",
    )
    group.add_argument(
        "--master",
        metavar="URL",
        help="Spark's cluster: spark://HOST:7077, yarn, k8s://... (default: this machine)",
    )
    group.add_argument(
        "--ship-resources",
        action="store_true",
        help="send Spark's workers the dictionaries, tables and models that are installed here",
    )


def is_table(options: argparse.Namespace) -> bool:
    """Return whether a Parquet table is scored row by row, and not read as texts of systems."""
    if options.table is None or options.columns or options.input_format:
        return False
    return any(path.endswith(".parquet") or Path(path).is_dir() for path in options.table)


def check_no_table_options(options: argparse.Namespace) -> None:
    """Raise `UsageError` if an option for tables is there without a table."""
    given = [flag for name, flag in _FOR_TABLES.items() if getattr(options, name)]
    if given:
        raise UsageError(f"{', '.join(given)}: only with a table (--input FILE.parquet).")


def run_on_table(options: argparse.Namespace) -> int:
    """Score a table, write it and print the corpus scores."""
    given = [flag for name, flag in _FOR_TEXT_FILES.items() if getattr(options, name)]
    if given:
        raise UsageError(f"{', '.join(given)}: not with a table (--input), which has its own.")
    if len(options.table) > 1:
        raise UsageError("--input: give one table, or the folder of several.")
    if is_wide(options):
        raise UsageError(
            f"-f {options.format}: the rows of a table in Parquet are written to -o FILE.parquet; "
            "with --columns it is read as texts, and can be written so."
        )
    if options.output is None:
        raise UsageError("name the table of scores with -o FILE.parquet.")
    language = chosen_language(options)
    if language is None:
        raise UsageError("the target language is missing: give -l en (or ja, zh, ...).")
    # Not what is installed here: other machines, and the next part of the table, may lack it.
    metrics = list(dict.fromkeys(options.metrics or BASELINE_METRICS))
    with progress("scoring", None, quiet=options.quiet):
        table = score_columns(
            options.table[0],
            options.output,
            metrics,
            language,
            columns={
                "hypothesis": options.hypothesis_column,
                "reference": options.reference_column,
                "source": options.source_column,
                "system": options.system_column,
            },
            keep_texts=not options.drop_texts,
            jobs=worker_count(options.jobs),
            cache=not options.no_cache,
            engine=options.engine or TableEngine.LOCAL,
            master=options.master,
            ship_resources=options.ship_resources,
        )
    tell(table.notes, quiet=options.quiet)
    print_table(options, table)
    return 0
