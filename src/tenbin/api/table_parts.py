"""A table or a translation file taken apart: plain texts of one segment per line."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tenbin.api.texts import TextDescription, describe_text
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.formats.texts.detection import TextFormat, format_by_name
from tenbin.formats.texts.opening import ReadingOptions, store_tables, store_texts
from tenbin.formats.texts.stored import StoredTexts
from tenbin.formats.texts.table import ColumnRole

__all__ = ["PARTS", "TextPart", "is_table", "table_parts"]

PARTS = ("source", "references", "systems")
"""What a plain text can be."""

_ADVICE = re.compile(r"(?:Name one|Say which columns)[^`]*`columns.*", re.S)
_COLUMNS = (
    "Call the columns source, reference and system (several: system_1, system_2), or name them on "
    "the command line: tenbin score --columns."
)
_LINE_END = re.compile(r"\s*[\r\n]+\s*")
_ROLES = {"source": ColumnRole.SOURCE, "references": ColumnRole.REFERENCE}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A text of a table.

    Attributes:
        role: One of `PARTS`.
        system: What the system is called, for the output of one.
        name: What the text is called.
        path: Where it is now, one segment per line.
        text: What a first look at it found.
    """

    role: str
    system: str
    name: str
    path: Path
    text: TextDescription


def is_table(name: str) -> bool:
    """Return whether a file is called like a table or a translation file.

    >>> is_table("out.txt"), is_table("all.xlsx")
    (False, True)
    """
    return format_by_name(name) is not TextFormat.LINES


def table_parts(
    path: str, name: str, role: str, place: Callable[[], Path], most_bytes: int
) -> list[TextPart]:
    """Write the texts of a table to files of one segment per line.

    Of what is given as systems, source and references beside them are taken too. Line ends inside a
    segment become blanks, and a note counts them.

    Args:
        path: The table.
        name: What its owner calls it; its ending names the format.
        role: What it was given as, one of `PARTS`.
        place: Returns a new path for each text.
        most_bytes: How large a text may be.

    Raises:
        InputError: The table cannot be read, or a text is too large.
        UsageError: Its columns do not say what they are.
    """
    try:
        found = list(_texts(path, name, role))
    except InputError as error:
        raise InputError(str(error).replace(path, name)) from error
    except UsageError as error:
        message = _ADVICE.sub(_COLUMNS, str(error).replace(path, name))
        raise UsageError(message) from error
    parts = []
    for kind, label, texts, notes in found:
        target = place()
        joined = _written(texts, target, name, most_bytes)
        ends = f"{name}: {counted(joined, 'segment')} with line ends inside; read as blanks."
        called = f"{PurePath(name).stem}.{label}.txt"
        text = describe_text(str(target), called)
        text = replace(text, notes=(*notes, *([ends] if joined else []), *text.notes))
        system = label if kind == "systems" else ""
        parts.append(TextPart(role=kind, system=system, name=called, path=target, text=text))
    return parts


_Found = tuple[str, str, StoredTexts, tuple[str, ...]]


def _texts(path: str, name: str, role: str) -> Iterator[_Found]:
    form = format_by_name(name)
    options = ReadingOptions(format=form)
    if role in _ROLES:
        table = store_texts(path, _ROLES[role], form, options)
    else:
        table = store_tables([path], options)
    notes = tuple(note.replace(path, name) for note in table.notes)
    if table.source is not None:
        yield "source", "source", table.source, notes
    for number, texts in enumerate(table.references, start=1):
        label = "reference" if len(table.references) == 1 else f"reference-{number}"
        yield "references", label, texts, notes
    for label, texts in table.systems.items():
        yield "systems", label, texts, notes


def _written(texts: StoredTexts, target: Path, name: str, most_bytes: int) -> int:
    """Write a text, and return how many of its segments had line ends in them."""
    size = joined = 0
    with target.open("wb") as stream:
        for text in texts.lines():
            line = _LINE_END.sub(" ", text).encode() + b"\n"
            joined += "\n" in text or "\r" in text
            size += len(line)
            if size > most_bytes:
                problem = f"a text of it has more than {counted(most_bytes, 'byte')}"
                raise UnreadableFile(name, problem, "Split it, or allow larger files.")
            stream.write(line)
    return joined
