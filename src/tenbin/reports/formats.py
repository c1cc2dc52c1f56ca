"""The forms a result can be printed in."""

from enum import StrEnum


class Format(StrEnum):
    """The forms a result can be printed in."""

    TEXT = "text"
    JSON = "json"
    TSV = "tsv"
    MARKDOWN = "markdown"
    LATEX = "latex"
