"""Numbers that papers print, for the experiments that repeat them."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

ENGLISH_TARGET = "into en"
ENGLISH_SOURCE = "from en"


class Paper(StrEnum):
    """Papers whose tables are at hand, by the name of the file that has them."""

    METEOR_VECTORS = "meteor-vectors"
    WE_WPI_ATTENTION = "we-wpi-attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedValue:
    """A number in a table of a paper.

    Attributes:
        table: Number of the table.
        metric: What the row is called there.
        pair: Language pair; `ENGLISH_TARGET` and `ENGLISH_SOURCE` for means of the paper.
        value: The number.
        measure: What it measures; empty where the paper has one measure only.
        system: The system that was scored, where it is a score.
        threshold: The threshold behind it.
    """

    table: str
    metric: str
    pair: str
    value: float
    measure: str = ""
    system: str = ""
    threshold: float | None = None


@cache
def published_values(paper: Paper) -> tuple[PublishedValue, ...]:
    """Return every number of the tables of a paper.

    >>> found = published_values(Paper.METEOR_VECTORS)
    >>> [one.value for one in found if (one.table, one.metric) == ("6", "mono")]
    [0.356, 0.322]
    """
    table = files("tenbin.resources").joinpath("bundled", "published", f"{paper}.tsv")
    heading, *lines = table.read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(heading.split("\t"), line.split("\t"), strict=True)) for line in lines]
    return tuple(
        PublishedValue(
            table=row["table"],
            metric=row["metric"],
            pair=row["pair"],
            value=float(row["value"]),
            measure=row.get("measure", ""),
            system=row.get("system", ""),
            threshold=float(row["threshold"]) if row.get("threshold") else None,
        )
        for row in rows
    )
