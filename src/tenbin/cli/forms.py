"""The form of a result: what was said, or what the ending of its file says."""

import argparse
from collections.abc import Collection
from pathlib import PurePath

from tenbin.cli.terminal import STANDARD_OUTPUT
from tenbin.core.errors import UsageError
from tenbin.reports.formats import ENDINGS

# Endings of documents that we do not write; under them a table of text would open as garbage.
_NOT_WRITTEN = frozenset(
    {
        *(".xls", ".xlsb", ".xlsm", ".ods", ".doc", ".docx", ".odt", ".pdf", ".html", ".htm"),
        *(".gz", ".xz", ".bz2", ".zst", ".zip", ".parquet", ".jsonl"),
    }
)


def form_by_ending(path: str | None, forms: Collection[str], usual: str) -> str:
    """Return the form that the name of a file asks for; the usual one where it asks for none.

    Args:
        path: The file; None or ``-`` for standard output.
        forms: The forms that the command writes.
        usual: One of them.

    Raises:
        UsageError: It asks for a form that the command does not write.

    >>> form_by_ending("a.json", ["text", "json"], "text"), form_by_ending("a", ["text"], "text")
    ('json', 'text')
    """
    ending = "" if path in {None, STANDARD_OUTPUT} else PurePath(str(path)).suffix.lower()
    form = ENDINGS.get(ending)
    if ending in _NOT_WRITTEN or (form is not None and form not in forms):
        spreadsheet = " Call a spreadsheet .xlsx, name a page with --report, or say" * (
            "xlsx" in forms
        )
        raise UsageError(
            f"-o {path}: no result of this command has the form that this ending says."
            f"{spreadsheet or ' Say'} with -f which form it is to have: {', '.join(forms)}."
        )
    return usual if form is None else str(form)


def settle_form(options: argparse.Namespace) -> None:
    """Put the form of the result into the options of a command that has a usual one.

    Raises:
        UsageError: The file is called like a form that the command does not write.
    """
    forms = getattr(options, "forms", None)
    if forms is not None and options.format is None:
        path = getattr(options, "output", None)
        options.format = form_by_ending(path, forms, forms[0])
