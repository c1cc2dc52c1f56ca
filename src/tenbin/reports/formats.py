"""The formats a result can be printed in, and the page it is printed on."""

from dataclasses import dataclass
from enum import StrEnum


class Format(StrEnum):
    """The formats a result can be printed in."""

    TEXT = "text"
    JSON = "json"
    TSV = "tsv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"  # the tables of a notebook
    SCORE = "score"  # bare numbers
    CSV = "csv"  # one row per segment
    XLSX = "xlsx"  # the same, as a workbook


PRINTED = (Format.TEXT, Format.JSON, Format.TSV, Format.MARKDOWN, Format.LATEX)
"""The formats of files and of the command line."""

WIDE = (Format.CSV, Format.XLSX)
"""The formats of the wide table: texts and scores, one row per segment."""

ENDINGS = {
    ".json": Format.JSON,
    ".tsv": Format.TSV,
    ".md": Format.MARKDOWN,
    ".tex": Format.LATEX,
    ".csv": Format.CSV,
    ".xlsx": Format.XLSX,
}
"""The format that the name of a file asks for."""


@dataclass(frozen=True, slots=True)
class Page:
    """What plain text is printed on.

    Attributes:
        width: Columns of the terminal that it must fit in; None for a file or pipe.
        color: Whether the terminal shows colors.
        fold: The number below which cells of a matrix of links are left out; None for one that
            suits the links.
    """

    width: int | None = None
    color: bool = False
    fold: float | None = None
