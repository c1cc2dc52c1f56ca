"""Catalogs of gettext (PO), read with polib."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, MissingExtra, UnreadableFile
from tenbin.formats.encodings import checked_encoding
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import TextTable

COLUMNS = ("id", "source", "target")
_CHARSET = re.compile(rb"charset=([\w.\-]+)")
_LINE = re.compile(r"line (\d+)")
_START_BYTES = 2**14
_MOST_BYTES = 256 * 2**20  # a catalog is held in memory
_SEPARATOR = "\x04"  # between context and text, as in compiled catalogs


def read_catalog(file: TextFile) -> TextTable:
    """Read the entries of a catalog, in their order.

    Each plural form is a row of its own: the first one translates the singular where the language
    has several forms, all others the plural. Obsolete entries are left out; fuzzy ones are read.

    Raises:
        MissingExtra: polib is not installed.
        MalformedLine: The file is not a catalog.
    """
    try:
        polib = import_module("polib")
    except ImportError as error:
        raise MissingExtra("reading catalogs of gettext", "formats") from error
    notes: list[str] = []
    entries = _entries(polib, file)
    fuzzy = sum(entry.fuzzy and not entry.obsolete for entry in entries)
    if fuzzy:
        notes.append(f"{file.name}: {counted(fuzzy, 'entry')} marked fuzzy, read like others.")
    return TextTable(file.name, COLUMNS, _rows(entries), notes=notes)


def _entries(polib: Any, file: TextFile) -> Any:  # noqa: ANN401 - polib ships no types
    if file.encoding is None:
        found = _CHARSET.search(file.start(_START_BYTES))
        declared = found[1].decode("ascii") if found else "UTF-8"
        if declared.upper() not in {"UTF-8", "CHARSET"}:
            file = TextFile(file.path, encoding=checked_encoding(declared))
    lines, size = [], 0
    for line in file.lines():
        size += len(line)
        if size > _MOST_BYTES:
            problem = f"the catalog is longer than {_MOST_BYTES:,} characters"
            raise UnreadableFile(file.name, problem, "Split it.")
        lines.append(line)
    if not any(line.lstrip().startswith("msgid") for line in lines):
        advice = "Give a catalog of gettext: msgid and msgstr."
        raise UnreadableFile(file.name, "there is no entry in the file", advice)
    try:
        # A text of several lines is never taken for the name of a file.
        return polib.pofile("#\n" + "\n".join(lines) + "\n")
    except (OSError, ValueError, IndexError) as error:
        place = _LINE.search(str(error))
        number = int(place[1]) - 1 if place else 1
        problem = f"this is not a catalog of gettext ({str(error).partition(':')[2].strip()})"
        raise MalformedLine(file.name, number, problem, "Check it: msgfmt -c.") from error


def _rows(entries: Any) -> Iterator[tuple[str, Sequence[str]]]:  # noqa: ANN401
    for entry in entries:
        if entry.obsolete:
            continue
        key = f"{entry.msgctxt}{_SEPARATOR}{entry.msgid}" if entry.msgctxt else entry.msgid
        place = f"entry {entry.msgid[:60]!r} (line {max(entry.linenum - 1, 1):,})"
        if not entry.msgid_plural:
            yield place, [key, entry.msgid, entry.msgstr]
            continue
        forms = sorted(entry.msgstr_plural.items())
        for number, text in forms:
            single = number == 0 and len(forms) > 1
            yield place, [f"{key}[{number}]", entry.msgid if single else entry.msgid_plural, text]
