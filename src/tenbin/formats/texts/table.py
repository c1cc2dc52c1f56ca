"""What every reader of texts gives: named columns, and rows with the place each comes from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tenbin.core.errors import InputError, MalformedLine, MalformedUnit, shortened

_LONGEST = 600


class ColumnRole(StrEnum):
    """What a column of texts is."""

    SOURCE = "source"
    REFERENCE = "reference"
    SYSTEM = "system"
    DOCUMENT = "document"
    ID = "id"
    NAME = "name"  # of the system whose output is in the row: a row for each segment and system
    HUMAN = "human"  # a human score of the output
    TARGET = "target"  # a reference or a system, as the file is used


Place = int | str
"""A line by its number, or any other place in words: ``row 7``, ``unit 'a12'``."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """The content of a file, read while it is iterated over.

    Attributes:
        name: The file, as messages show it.
        columns: The names of the columns.
        rows: The place and the cells of each row; as many cells as there are columns.
        roles: What columns are, where the format says so.
        notes: What a reader of the scores should know; complete when all rows are read.
        size: How much there is to read, in rows or, where `position` says how far, in its unit.
        position: Returns how much was read; None where rows are counted.
    """

    name: str
    columns: tuple[str, ...]
    rows: Iterator[tuple[Place, Sequence[str]]]
    roles: Mapping[str, ColumnRole] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    size: int | None = None
    position: Callable[[], int] | None = None


def malformed(name: str, place: Place, problem: str, advice: str) -> InputError:
    """Return the error for what is wrong at a place of a file."""
    short = shortened(problem, _LONGEST)
    if isinstance(place, int):
        return MalformedLine(name, place, short, advice)
    return MalformedUnit(name, shortened(place, _LONGEST), short, advice)
