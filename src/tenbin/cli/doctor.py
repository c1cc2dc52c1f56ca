"""``tenbin doctor``."""

import argparse

from tenbin.annotation.languages import target_language
from tenbin.cli.options import add_input_options
from tenbin.cli.terminal import emit
from tenbin.core.errors import InputError, UsageError
from tenbin.evaluation.inspection import Finding, Level, inspect_installation, inspect_texts
from tenbin.reports.grid import Align, Cell, Grid, render_text
from tenbin.reports.payload import render_json
from tenbin.reports.render import Format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_input_options(parser)
    forms = [str(Format.TEXT), str(Format.JSON)]
    parser.add_argument(
        "-f",
        "--format",
        choices=forms,
        default=str(Format.TEXT),
        help="form of the result (default: text)",
    )


def run(options: argparse.Namespace) -> int:
    """Report on the installation and, where texts are given, on them."""
    if options.folder is not None:
        raise UsageError("doctor reads single files: give them with -r REF and -t SYS.")
    findings = inspect_installation()
    texts: list[Finding] = []
    language = options.language or (target_language(options.pair) if options.pair else None)
    if options.references or options.systems or options.source:
        texts = inspect_texts(
            options.references or [], options.systems or [], options.source, language
        )
    if options.format == Format.JSON:
        listed = [
            {"level": str(one.level), "where": one.where, "message": one.message}
            for one in [*findings, *texts]
        ]
        emit(render_json({"findings": listed}), None)
    else:
        emit(_rendered("Installation", findings), None)
        if texts:
            emit("\n" + _rendered("Texts", texts), None)
    broken = any(one.level is Level.ERROR for one in texts)
    return InputError.exit_code if broken else 0


def _rendered(title: str, findings: list[Finding]) -> str:
    rows = tuple((Cell(str(one.level)), Cell(one.where), Cell(one.message)) for one in findings)
    return render_text(Grid(headings=("", title, ""), alignments=(Align.LEFT,) * 3, rows=rows))
