"""The test set that the options of a command describe."""

import argparse
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from tenbin.annotation.languages import parse_language, target_language
from tenbin.core.errors import UsageError
from tenbin.formats.test_files import FileTestSet, open_test_set, system_names
from tenbin.formats.wmt_layout import WmtFiles, find_wmt_files, open_wmt_set

BUNDLED_PREFIX = "bundled:"


def open_inputs(options: argparse.Namespace) -> tuple[FileTestSet, str]:
    """Return the test set and the target language that the options describe."""
    language = chosen_language(options)
    if language is None:
        raise UsageError(
            "the target language is missing: it decides how text is cut into words. Give -l en "
            "(or ja, zh, ...), or --pair de-en."
        )
    absent = options.empty_references == "absent"
    if options.folder is not None:
        with _folder(options) as folder:
            opened = open_wmt_set(
                folder,
                options.pair,
                references=options.references,
                systems=options.systems,
                empty_means_absent=absent,
            )
        return opened, language
    missing = [
        flag
        for flag, value in (("-r REF", options.references), ("-t SYS", options.systems))
        if not value
    ]
    if missing:
        raise UsageError(f"missing {' and '.join(missing)} (or --set DIR --pair de-en).")
    systems = system_names(options.systems)
    opened = open_test_set(systems, options.references, options.source, empty_means_absent=absent)
    return opened, language


def find_inputs(options: argparse.Namespace) -> WmtFiles | None:
    """Return the files of the folder that the options name, unread; None without a folder."""
    if options.folder is None:
        return None
    with _folder(options) as folder:
        return find_wmt_files(
            folder, options.pair, references=options.references, systems=options.systems
        )


def chosen_language(options: argparse.Namespace) -> str | None:
    """Return the target language of ``-l`` or ``--pair``, which must not contradict each other."""
    own: str | None = options.language
    if not options.pair:
        return own
    target = target_language(options.pair)
    if own is None:
        return target
    if parse_language(own).code != parse_language(target).code:
        raise UsageError(
            f"-l {own} contradicts --pair {options.pair}, whose target language is {target}. "
            "Leave one of them out."
        )
    return own


@contextmanager
def named_folder(name: str) -> Iterator[str]:
    """Give the folder of a test set: a path as it is, or what ``bundled:NAME`` stands for."""
    if not name.startswith(BUNDLED_PREFIX):
        yield name
        return
    bundled = files("tenbin.resources") / "bundled" / name.removeprefix(BUNDLED_PREFIX)
    with as_file(bundled) as folder:
        if not (Path(folder) / "references").is_dir():
            raise UsageError(f"there is no bundled test set {name!r}; there is bundled:example.")
        yield str(folder)


def _folder(options: argparse.Namespace) -> AbstractContextManager[str]:
    if not options.pair:
        raise UsageError("--set needs --pair, for example --set wmt20 --pair en-de.")
    if options.source is not None:
        raise UsageError("-s is not needed with --set, which has its own source text.")
    return named_folder(options.folder)
