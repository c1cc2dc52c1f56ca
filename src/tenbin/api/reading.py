"""How files of texts are read, in the words of a user."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from tenbin.core.errors import UsageError
from tenbin.formats.encodings import checked_encoding
from tenbin.formats.texts.columns import parse_columns
from tenbin.formats.texts.detection import TextFormat
from tenbin.formats.texts.opening import ReadingOptions
from tenbin.formats.texts.tags import Tags

__all__ = ["ReadingOptions", "column_items", "reading_options"]

_Choice = TypeVar("_Choice", bound=StrEnum)


def column_items(columns: Mapping[str, str | Sequence[str]] | None) -> list[str]:
    """Return the columns of each role as ``ROLE=NAME`` texts, as `reading_options` takes them.

    >>> column_items({"source": "en", "system": ["a", "b, c"]})
    ['"source=en"', '"system=a"', '"system=b, c"']
    """
    return [
        f'"{role}={name.replace(chr(34), chr(34) * 2)}"'
        for role, names in (columns or {}).items()
        for name in ([names] if isinstance(names, str) else names)
    ]


def reading_options(
    *,
    columns: Sequence[str] = (),
    input_format: str | None = None,
    encoding: str | None = None,
    tags: str | None = None,
    sheet: str | None = None,
) -> ReadingOptions:
    """Return how files are read, from the words of a user; see `read_texts`.

    Raises:
        UsageError: A word that is not known.
    """
    return ReadingOptions(
        columns=parse_columns(columns),
        format=None if input_format is None else _chosen(TextFormat, "input_format", input_format),
        encoding=None if encoding is None else checked_encoding(encoding),
        tags=None if tags is None else _chosen(Tags, "tags", tags),
        sheet=sheet,
    )


def _chosen(choices: type[_Choice], parameter: str, word: str) -> _Choice:
    try:
        return choices(word)
    except ValueError as error:
        listed = ", ".join(choices)
        raise UsageError(f"`{parameter}={word}`: expected one of {listed}.") from error
