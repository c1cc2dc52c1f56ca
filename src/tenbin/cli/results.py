"""The result of ``score`` and ``compare``: its form, its files, and where its signatures go."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tenbin.api.scoring import check_chosen, main_metric
from tenbin.cli.forms import form_by_ending
from tenbin.cli.options import add_file_options, positive
from tenbin.cli.page_options import with_texts
from tenbin.cli.terminal import STANDARD_OUTPUT, emit, has_color, page_width, tell
from tenbin.core.errors import OutputError, UsageError
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.formats.output import check_target, text_stream, write_text
from tenbin.reports.bare_scores import bare_scores, check_bare_segments
from tenbin.reports.data import tsv_text
from tenbin.reports.formats import PRINTED, WIDE, Format
from tenbin.reports.render import render

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet

ALL = "all"
_MOST_DECIMALS = 15  # what a floating point number has
# Forms that do not carry signatures themselves, or not in every case.
_UNSIGNED = (Format.TSV, Format.CSV, Format.SCORE)
_FULL_PRECISION = (Format.JSON, Format.TSV, Format.CSV)


def add_result_options(parser: argparse.ArgumentParser, *, bare: bool) -> None:
    """Add the options that say in which form results are, and where they go.

    Args:
        parser: Where they are added.
        bare: Whether there is the form of bare numbers.
    """
    forms = [*PRINTED, *([Format.SCORE] if bare else []), *WIDE]
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f",
        "--format",
        choices=[str(form) for form in forms],
        metavar="FORM",
        help=f"form of the result: {', '.join(forms)} (default: by the ending of -o, else text); "
        "csv and xlsx have one row per segment, with its texts"
        f"{', score is the bare number' if bare else ''}",
    )
    add_file_options(group)
    group.add_argument(
        "-w",
        "--decimals",
        type=int,
        metavar="N",
        help="decimals of scores (default: those usual for the metric; json, tsv and csv have all)",
    )
    group.add_argument(
        "--signatures",
        nargs="?",
        const="",
        metavar="FILE",
        help="with -f tsv: a column of signatures; with FILE: signatures into a file of their own "
        "(default: tsv, csv and score show them on stderr)",
    )


def add_worst_options(group: argparse._ActionsContainer, what: str) -> None:
    """Add the options that ask for the worst segments; ``what`` is the help."""
    group.add_argument(
        "--worst",
        type=worst_count,
        metavar="N",
        help=what,
    )
    group.add_argument(
        "--worst-by",
        metavar="SPEC",
        help="which of the metrics chooses them (default: the first of -m; without -m the metric "
        "of meaning)",
    )


def check_worst(options: argparse.Namespace) -> None:
    """Raise if the number of worst segments is no such number."""
    if options.worst is None and options.worst_by is not None:
        raise UsageError("--worst-by says by which metric segments are worst; add --worst N.")
    if isinstance(options.worst, int):
        positive(options.worst, "--worst")


def worst_count(text: str) -> int | str:
    """Return the value of ``--worst``: a number, or all."""
    try:
        return text if text == ALL else int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("expected a number of segments, or all") from error


def settle_format(options: argparse.Namespace) -> None:
    """Put the form of the result into the options: what was said, or what the file is called.

    Raises:
        UsageError: The result has no place to go, or an option has no effect on this form.
    """
    path = options.output
    named = path is not None and path != STANDARD_OUTPUT
    if options.format is None:
        options.format = form_by_ending(path, [*PRINTED, *WIDE], Format.TEXT)
    form = Format(options.format)
    if form is Format.XLSX and not named:
        raise UsageError("-f xlsx: a workbook is no text for a terminal; add -o FILE.xlsx.")
    if form is Format.SCORE:
        given = [flag for flag in ("--ci", "--worst") if getattr(options, flag[2:], None)]
        if given:
            raise UsageError(f"{', '.join(given)}: -f score prints the scores alone.")
    _check_decimals(options, form)
    _check_signatures(options, form)


def _check_decimals(options: argparse.Namespace, form: Format) -> None:
    if options.decimals is None:
        return
    if form in _FULL_PRECISION:
        raise UsageError(f"--decimals: {form} has every number with all its decimals.")
    if not 0 <= options.decimals <= _MOST_DECIMALS:
        raise UsageError(
            f"--decimals {options.decimals}: give a number from 0 to {_MOST_DECIMALS}."
        )


def _check_signatures(options: argparse.Namespace, form: Format) -> None:
    if options.signatures is None:
        return
    if not options.signatures:
        if form is not Format.TSV:
            raise UsageError(
                "--signatures puts the signature into every row of -f tsv; with this form name a "
                "file for them: --signatures FILE."
            )
        return
    if options.signatures == STANDARD_OUTPUT:
        raise UsageError("--signatures -: name a file, such as signatures.tsv.")
    check_target(options.signatures)


def is_wide(options: argparse.Namespace) -> bool:
    """Return whether the result has one row per segment, with texts."""
    return options.format in WIDE


def check_form(
    options: argparse.Namespace, test_set: "FileTestSet", metrics: Sequence[str]
) -> None:
    """Raise if the form cannot hold the result, before anything is scored."""
    if options.format == Format.SCORE and options.segments:
        check_bare_segments(len(test_set.systems), len(metrics))
    if not is_wide(options):
        return
    from tenbin.api.wide_tables import check_wide_table  # noqa: PLC0415 - only for tables

    check_wide_table(test_set, Format(options.format), len(metrics))
    if options.worst is not None:
        check_chosen(metrics, asked_worst(options, test_set), options.worst_by, "worst")


def asked_worst(options: argparse.Namespace, test_set: "FileTestSet") -> int:
    """Return how many of the worst segments of each system were asked for."""
    if options.worst == ALL:
        return test_set.segment_count
    return positive(options.worst, "--worst")


def emit_result(
    options: argparse.Namespace,
    result: ScoreTable | Comparison,
    test_set: "FileTestSet",
    metrics: Sequence[str],
    *,
    segments: bool,
) -> None:
    """Print or write a result, and say what its scores mean where it does not say so itself.

    Args:
        options: What the user typed.
        result: The scores.
        test_set: The texts.
        metrics: The metrics of the run.
        segments: Whether segment scores are shown in forms without texts.
    """
    table = _scores_of(result)
    shown = result if options.decimals is None else result.with_decimals(options.decimals)
    if is_wide(options):
        _write_wide(options, shown, test_set, metrics)
    else:
        emit(_drawn(options, shown, test_set, segments=segments), options.output)
    _emit_signatures(options, table)


def _scores_of(result: ScoreTable | Comparison) -> ScoreTable:
    return result.scores if isinstance(result, Comparison) else result


def _drawn(
    options: argparse.Namespace,
    result: ScoreTable | Comparison,
    test_set: "FileTestSet",
    *,
    segments: bool,
) -> str:
    if isinstance(result, ScoreTable):
        table = with_texts(result, options, test_set)
        shown = table if segments else table.without_segments()
        return _drawn_table(options, shown, options.output)
    compared = replace(result, scores=with_texts(result.scores, options, test_set))
    return render(
        compared if segments else compared.without_segments().without_intervals(),
        options.format,
        width=page_width(options.output),
        color=has_color(options.output),
        signatures=options.signatures == "",
    )


def _drawn_table(options: argparse.Namespace, table: ScoreTable, output: str | None) -> str:
    if options.format == Format.SCORE:
        return bare_scores(table)
    return render(
        table, options.format, width=page_width(output), signatures=options.signatures == ""
    )


def print_table(options: argparse.Namespace, table: ScoreTable) -> None:
    """Print the scores of a table in Parquet, which is itself the file of the result."""
    shown = table if options.decimals is None else table.with_decimals(options.decimals)
    emit(_drawn_table(options, shown, None))
    _emit_signatures(options, table)


def _write_wide(
    options: argparse.Namespace,
    result: ScoreTable | Comparison,
    test_set: "FileTestSet",
    metrics: Sequence[str],
) -> None:
    from tenbin.api.wide_tables import (  # noqa: PLC0415 - only here
        wide_table,
        write_csv,
        write_workbook_file,
    )

    worst = None if options.worst is None else asked_worst(options, test_set)
    by = main_metric(metrics, options.worst_by, given=bool(options.metrics))
    if options.format == Format.XLSX:
        write_workbook_file(result, options.output, test_set, worst=worst, worst_by=by)
        return
    wide = wide_table(result, test_set, worst=worst, worst_by=by)
    if options.output is not None and options.output != STANDARD_OUTPUT:
        with text_stream(options.output) as stream:
            write_csv(stream, wide)
    elif sys.stdout is None:
        raise OutputError("standard output is closed; name a file with -o.")
    else:
        sys.stdout.writelines(wide.csv())
    tell(wide.notes, quiet=options.quiet)


def _emit_signatures(options: argparse.Namespace, table: ScoreTable) -> None:
    if options.signatures:
        rows = [(scores.label, str(scores.signature)) for scores in table.results]
        write_text(options.signatures, tsv_text(("metric", "signature"), rows))
    elif options.format in _UNSIGNED and options.signatures is None and not options.quiet:
        # As they are, however long: they are copied into papers.
        for scores in table.results:
            print(f"signature: {scores.signature}", file=sys.stderr)
