"""No result replaces a file that the same command reads, or another result of it."""

import argparse
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from tenbin.core.errors import UsageError

OUTPUTS = {
    "output": "-o",
    "report_file": "--report",
    "signatures": "--signatures",
    "junit": "--junit",
    "markdown": "--markdown",
    "write_baseline": "--write-baseline",
    "chosen": "--chosen",
    "plot": "--plot",
    "curve_output": "--curve-output",
    "meteor": "--meteor",
    "source_output": "--source-output",
}
"""The options that name a file to write."""
# Words that a file may be called like: ``-m bleu -o bleu``.
_NO_FILES = {
    *("typed", "command", "study", "action", "kind", "forms", "format", "metrics", "metric"),
    *("language", "languages", "pair", "pairs", "measures", "title", "sheet", "encoding"),
}


def check_outputs(options: argparse.Namespace) -> None:
    """Raise `UsageError` if a file to write is also read, or written twice."""
    values = vars(options)
    given = {name: values[name] for name in OUTPUTS if isinstance(values.get(name), str)}
    written = {name: Path(path).resolve() for name, path in given.items() if path not in {"", "-"}}
    for one, other in combinations(written, 2):
        if written[one] == written[other] and not _is_special(written[one]):
            raise UsageError(
                f"{OUTPUTS[other]} {given[other]}: {OUTPUTS[one]} names the same file; choose "
                "another."
            )
    existing = {name: path for name, path in written.items() if path.is_file()}
    if not existing:
        return
    others = [value for name, value in values.items() if name not in {*OUTPUTS, *_NO_FILES}]
    read = {path.resolve() for path in _named_files(others)}
    for name, path in existing.items():
        if path in read:
            raise UsageError(
                f"{OUTPUTS[name]} {given[name]}: this command reads that file, which the result "
                "would replace. Choose another name."
            )


def _is_special(path: Path) -> bool:
    """Return whether it is a device or a pipe, which may take several results."""
    return path.exists() and not path.is_file()


def _named_files(values: list[object]) -> Iterator[Path]:
    """Yield the files that values name, alone or behind a name: ``FILE``, ``NAME=FILE``."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _named_files(list(value))
        elif isinstance(value, str):
            for text in {value, value.partition("=")[2]}:
                if text and "\0" not in text and _is_file(text):
                    yield Path(text)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # no name that a file could have
        return False
