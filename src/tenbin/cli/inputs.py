"""The test set that the options of a command describe."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenbin.api.files import (
    lacking_columns,
    open_files,
    open_set,
    open_tables,
    reading_options,
    target_language,
)
from tenbin.api.inspection import inspect_files, inspect_set, inspect_tables
from tenbin.api.scoring import check_given_texts, read_references
from tenbin.core.errors import UsageError

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet, ReadingOptions
    from tenbin.api.inspection import Inspection


def required_language(options: argparse.Namespace) -> str:
    """Return the target language, which must be given."""
    language = chosen_language(options)
    if language is None:
        raise UsageError(
            "the target language is missing: it decides how text is cut into words. Give -l en "
            "(or ja, zh, ...), or --pair de-en."
        )
    return language


def open_inputs(options: argparse.Namespace, metrics: Sequence[str]) -> tuple["FileTestSet", str]:
    """Return the test set and the target language that the options describe.

    Args:
        options: What the user typed.
        metrics: What is to read the texts; where none of them reads references, none are needed.
    """
    language = required_language(options)
    absent = options.empty_references == "absent"
    if options.table is not None or options.folder is not None:
        # What texts there are is not known yet; all else is said before any of them is read.
        check_given_texts(metrics, language=language)
    if options.table is not None:
        return _open_table_files(options, metrics, empty_means_absent=absent), language
    if options.folder is not None:
        check_plain_set(options)
        _check_set(options)
        ignored = not options.references and not read_references(metrics)
        opened = open_set(
            options.folder,
            options.pair,
            references=[] if ignored else options.references,
            systems=options.systems,
            empty_means_absent=absent,
        )
        return opened, language
    if not options.systems:
        lacks_references = not options.references and read_references(metrics)
        missing = "-r REF and -t SYS" if lacks_references else "-t SYS"
        raise UsageError(f"missing {missing} (or --input FILE, or --set DIR --pair de-en).")
    check_given_texts(
        metrics,
        language=language,
        references=bool(options.references),
        source=options.source is not None,
    )
    opened = open_files(
        options.systems,
        options.references or [],
        options.source,
        documents=options.documents,
        empty_means_absent=absent,
        reading=chosen_reading(options),
    )
    return opened, language


def _open_table_files(
    options: argparse.Namespace, metrics: Sequence[str], *, empty_means_absent: bool
) -> "FileTestSet":
    check_table_files(options)
    opened = open_tables(
        options.table,
        documents=options.documents,
        empty_means_absent=empty_means_absent,
        reading=chosen_reading(options),
    )
    try:
        check_given_texts(metrics, references=opened.has_references, source=opened.has_source)
    except UsageError as fault:
        columns = lacking_columns(options.table[0], opened, chosen_reading(options))
        raise UsageError(f"{fault}\n{columns}".strip()) from fault
    return opened


def check_table_files(options: argparse.Namespace) -> None:
    """Raise if texts are named beside files that hold them all."""
    beside = {"-r": options.references, "-t": options.systems, "-s": options.source}
    beside["--set"] = options.folder
    given = [flag for flag, value in beside.items() if value]
    if given:
        raise UsageError(
            f"{', '.join(given)}: not with --input, whose files hold all texts. Files that hold "
            "one text each are given without it, as in -r reviewed.xlf -t mt.xlf."
        )


def check_plain_set(options: argparse.Namespace) -> None:
    """Raise if what says how files are read is given with a test set."""
    names = ("columns", "input_format", "encoding", "tags", "sheet")
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(options, name)]
    if given:
        raise UsageError(f"{', '.join(given)}: not with --set, whose files are plain UTF-8.")
    _refuse_documents(options)


def _refuse_documents(options: argparse.Namespace) -> None:
    if options.documents is not None:
        raise UsageError("--documents: not with --set, which has its own.")


def chosen_reading(options: argparse.Namespace) -> "ReadingOptions":
    """Return how files are read."""
    return reading_options(
        columns=options.columns or (),
        input_format=options.input_format,
        encoding=options.encoding,
        tags=options.tags,
        sheet=options.sheet,
    )


def inspect_inputs(options: argparse.Namespace) -> "Inspection":
    """Return what is found about the installation and the texts that the options describe."""
    language = chosen_language(options)
    if options.table is not None:
        check_table_files(options)
        return inspect_tables(options.table, language=language, reading=chosen_reading(options))
    if options.folder is None:
        return inspect_files(
            options.systems or [],
            options.references or [],
            options.source,
            language=language,
            documents=options.documents,
            reading=chosen_reading(options),
        )
    check_plain_set(options)
    _refuse_documents(options)
    _check_set(options)
    return inspect_set(
        options.folder,
        options.pair,
        references=options.references,
        systems=options.systems,
        language=language,
    )


def chosen_language(options: argparse.Namespace) -> str | None:
    """Return the target language of ``-l`` or ``--pair``, which must not contradict each other."""
    return target_language(options.language, options.pair)


def _check_set(options: argparse.Namespace) -> None:
    if not options.pair:
        raise UsageError("--set needs --pair, for example --set wmt20 --pair en-de.")
    if options.source is not None:
        raise UsageError("-s is not needed with --set, which has its own source text.")
