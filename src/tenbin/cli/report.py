"""``tenbin report``."""

import argparse
from typing import TYPE_CHECKING

from tenbin.api.files import open_files, open_set, open_tables
from tenbin.cli.inputs import check_plain_set, check_table_files, chosen_reading
from tenbin.cli.options import (
    add_glossary_option,
    add_input_options,
    add_no_cache_option,
    add_table_input_options,
)
from tenbin.cli.page_options import add_page_language_option, typed_command
from tenbin.cli.score_columns import add_scores_option, check_scores_option
from tenbin.cli.terminal import STANDARD_OUTPUT, progress
from tenbin.cli.wording import in_options
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.reports.page.words import DEFAULT_LANGUAGE

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet

_MOST_EXPLAINED = 1_000
_EPILOG = """\
examples:
  scores now, the page later or elsewhere:
    tenbin score -r ref.txt -t a.txt b.txt -l en -f json --texts -o scores.json
    tenbin report scores.json -o report.html
  scores without texts, which are given again:
    tenbin compare -r ref.txt -t a.txt b.txt -l en -f json -o compared.json
    tenbin report compared.json -r ref.txt -t a.txt b.txt -o report.html
  for readers of Japanese:
    tenbin report scores.json -o report.html --report-language ja

exit codes: 0 done, 1 result not written, 2 wrong usage, 3 bad input, 4 something to install,
130 interrupted, 143 terminated, 129 terminal closed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin report SCORES.json -o FILE.html [-r REF ...] [-s SRC] [-t SYS ...]"
    parser.epilog = _EPILOG
    parser.add_argument(
        "scores",
        metavar="SCORES",
        help="what 'tenbin score' or 'tenbin compare' wrote with -f json; with --texts it holds "
        "the texts too",
    )
    add_input_options(parser)
    add_table_input_options(parser)
    group = parser.add_argument_group("page")
    group.add_argument("-o", "--output", metavar="FILE", help="the page, such as report.html")
    add_scores_option(group)
    add_page_language_option(group)
    group.add_argument("--title", default="", metavar="TEXT", help="what the page is called")
    group.add_argument(
        "--explained",
        type=int,
        metavar="N",
        help="segments that are explained, the worst and most disputed first (default: as many as "
        "keep the file small)",
    )
    add_glossary_option(group)
    add_no_cache_option(group)
    group.add_argument("-q", "--quiet", action="store_true", help="no progress on stderr")


def run(options: argparse.Namespace) -> int:
    """Write the page of scores in a file."""
    from tenbin.api.page import report_file  # noqa: PLC0415 - only for pages

    if options.output is None or options.output == STANDARD_OUTPUT:
        raise UsageError("name the page: -o report.html.")
    if options.explained is not None and not 0 <= options.explained <= _MOST_EXPLAINED:
        raise UsageError(
            f"--explained {options.explained}: give a number of segments from 0 to "
            f"{_MOST_EXPLAINED:,}."
        )
    check_target(options.output)
    check_scores_option(options)
    with progress("writing the report", None, quiet=options.quiet):
        report_file(
            options.scores,
            options.output,
            test_set=_texts(options),
            imported=options.imported or (),
            page_language=options.report_language or DEFAULT_LANGUAGE,
            command=typed_command(options),
            title=options.title,
            explained=options.explained,
            folder=options.folder,
            pair=options.pair,
            cache=not options.no_cache,
            wording=in_options,
        )
    return 0


def _texts(options: argparse.Namespace) -> "FileTestSet | None":
    """Return the texts that the options name; None where the file is to have them."""
    absent = options.empty_references == "absent"
    if options.table is not None:
        check_table_files(options)
        return open_tables(
            options.table,
            documents=options.documents,
            empty_means_absent=absent,
            reading=chosen_reading(options),
        )
    if options.folder is not None:
        check_plain_set(options)
        if not options.pair:
            raise UsageError("--set needs --pair, for example --pair de-en.")
        return open_set(
            options.folder,
            options.pair,
            references=options.references,
            systems=options.systems,
            empty_means_absent=absent,
        )
    if options.systems:
        return open_files(
            options.systems,
            options.references or [],
            options.source,
            documents=options.documents,
            empty_means_absent=absent,
            reading=chosen_reading(options),
        )
    if options.references or options.source or options.documents:
        raise UsageError("texts need systems: add -t SYS ..., in the order of the scores.")
    return None
