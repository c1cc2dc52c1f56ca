"""The report page of a command: its options, and how it is written."""

import argparse
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tenbin.cli.terminal import STANDARD_OUTPUT, progress
from tenbin.cli.wording import in_options
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.reports.formats import Format
from tenbin.reports.page.words import DEFAULT_LANGUAGE, page_languages

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet
    from tenbin.api.page import Result
    from tenbin.core.scores import ScoreTable


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for a page beside the result."""
    group = parser.add_argument_group("report")
    group.add_argument(
        "--report",
        metavar="FILE",
        dest="report_file",
        help="write a report to look at too: one HTML file, such as report.html, that opens "
        "without a network",
    )
    add_page_language_option(group)


def add_page_language_option(group: argparse._ActionsContainer) -> None:
    """Add the option that chooses the language of the page."""
    group.add_argument(
        "--report-language",
        metavar="LANG",
        choices=page_languages(),
        help=f"language of the page: {', '.join(page_languages())} (default: {DEFAULT_LANGUAGE})",
    )


def add_texts_option(group: argparse._ActionsContainer) -> None:
    """Add the option that puts texts into JSON."""
    group.add_argument(
        "--texts",
        action="store_true",
        help="with -f json: the texts and the segment scores too, for 'tenbin report'",
    )


def check_report_options(options: argparse.Namespace) -> None:
    """Raise if the page of a run would have no place to go."""
    if getattr(options, "texts", False) and options.format != Format.JSON:
        raise UsageError("--texts puts the texts into JSON; add -f json.")
    if options.report_file is None:
        if options.report_language is not None:
            raise UsageError("--report-language is about the page; add --report FILE.")
        return
    if options.report_file == STANDARD_OUTPUT:
        raise UsageError("--report -: the page needs a file of its own, such as report.html.")
    check_target(options.report_file)


def write_report(
    options: argparse.Namespace, result: "Result", test_set: "FileTestSet | None" = None
) -> None:
    """Write the page of a result, if it was asked for."""
    if options.report_file is None:
        return
    from tenbin.api.page import write_page  # noqa: PLC0415 - only for pages

    with progress("writing the report", None, quiet=options.quiet):
        write_page(
            result,
            options.report_file,
            test_set=test_set,
            page_language=options.report_language or DEFAULT_LANGUAGE,
            command=typed_command(options),
            folder=getattr(options, "folder", None),
            pair=getattr(options, "pair", None),
            explain_command=None if test_set is None else explaining_command(options),
            cache=not getattr(options, "no_cache", False),
            wording=in_options,
        )


def with_texts(
    table: "ScoreTable", options: argparse.Namespace, test_set: "FileTestSet"
) -> "ScoreTable":
    """Return scores with the texts, if these were asked for."""
    if not options.texts:
        return table
    whole = next(test_set.chunks(test_set.segment_count))
    return replace(table, texts=whole)


def typed_command(options: argparse.Namespace) -> str:
    """Return the command as it was typed, quoted for a shell."""
    return shlex.join(["tenbin", *options.typed])


def explaining_command(options: argparse.Namespace) -> str:
    """Return a command that explains a segment; the page puts in which, and by which metric."""
    words = ["tenbin", "explain"]
    if options.folder is not None:
        words += ["--set", options.folder, "--pair", options.pair]
    if options.references:
        words += ["-r", *options.references]
    if options.source is not None:
        words += ["-s", options.source]
    if options.documents is not None:
        words += ["--documents", options.documents]
    if options.language is not None:
        words += ["-l", options.language]
    if options.empty_references != "keep":
        words += ["--empty-references", options.empty_references]
    words += _reading_words(options)
    # Systems of files are all explained: their names are not those of the files.
    systems = "-t '{system}'" if options.folder is not None else ""
    if options.systems and options.folder is None:
        systems = f"-t {shlex.join(options.systems)}"
    return f"{shlex.join(words)} {systems and f'{systems} '}-n {{segment}} -m '{{metric}}'"


def _reading_words(options: argparse.Namespace) -> list[str]:
    """Return the options that say how files are read, as they were typed."""
    words = [] if options.table is None else ["--input", *options.table]
    if options.columns:
        words += ["--columns", *options.columns]
    for name in ("input_format", "encoding", "tags", "sheet"):
        value = getattr(options, name)
        words += [] if value is None else [f"--{name.replace('_', '-')}", value]
    return words
