"""Which columns of a table are the texts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from tenbin.core.errors import InputError, UsageError

HYPOTHESIS = "hypothesis"
REFERENCE_NAMES = ("reference", "references")
SOURCE = "source"
SYSTEM = "system"


class ColumnKind(StrEnum):
    """What a column holds, as far as it matters here."""

    TEXT = "texts"
    TEXTS = "lists of texts"
    OTHER = "values that are no texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnNames:
    """The columns that somebody named; None: the usual one, where there is one."""

    hypothesis: str | None = None
    reference: str | None = None
    source: str | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextColumns:
    """The columns of one table.

    Attributes:
        hypothesis: Of texts.
        reference: Of texts, or of lists of one or more texts; None where there is none and no
            metric reads it.
        source: Of texts, where a metric reads them.
        system: Of names of systems, where there is one.
    """

    hypothesis: str
    reference: str | None
    source: str | None = None
    system: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of which every row must have a value."""
        names = (self.hypothesis, self.reference, self.source, self.system)
        return tuple(dict.fromkeys(name for name in names if name is not None))


def find_columns(
    asked: ColumnNames,
    kinds: Mapping[str, ColumnKind],
    table: str,
    *,
    reads_source: bool,
    reads_references: bool = True,
) -> TextColumns:
    """Return the columns of a table.

    Args:
        asked: What somebody named.
        kinds: What each column of the table holds.
        table: The table, as messages name it.
        reads_source: Whether a metric reads source texts.
        reads_references: Whether a metric reads references.

    Raises:
        InputError: A column is not there or holds something else; all faults are named.
        UsageError: Two columns could be the references.
    """
    usual = [name for name in REFERENCE_NAMES if name in kinds]
    if asked.reference is None and len(usual) > 1:
        raise UsageError(
            f"{table} has the columns {' and '.join(map(repr, usual))}; say which one has the "
            "references with --reference-column."
        )
    missing = REFERENCE_NAMES[0] if reads_references else None
    columns = TextColumns(
        hypothesis=asked.hypothesis or HYPOTHESIS,
        reference=asked.reference or (usual[0] if usual else missing),
        source=(asked.source or SOURCE) if reads_source else None,
        system=asked.system or (SYSTEM if kinds.get(SYSTEM) is ColumnKind.TEXT else None),
    )
    text = (ColumnKind.TEXT,)
    expected = [
        (columns.hypothesis, "--hypothesis-column", text),
        (columns.reference, "--reference-column", (ColumnKind.TEXT, ColumnKind.TEXTS)),
        (columns.source, "--source-column", text),
        (columns.system, "--system-column", text),
    ]
    faults = [
        _fault(name, option, fitting, kinds, table)
        for name, option, fitting in expected
        if name is not None and kinds.get(name) not in fitting
    ]
    if faults:
        raise InputError("\n".join(faults))
    return columns


def _fault(
    name: str,
    option: str,
    fitting: Collection[ColumnKind],
    kinds: Mapping[str, ColumnKind],
    table: str,
) -> str:
    if name in kinds:
        wanted = " or ".join(fitting)
        return (
            f"{table}: the column {name!r} holds {kinds[name]}, expected {wanted}. Name another "
            f"column with {option}, or convert it."
        )
    near = get_close_matches(name, list(kinds), n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(kinds) or "none"
    return f"{table}: there is no column {name!r}.{hint} Name one with {option}; it has: {listed}."


def check_score_columns(kept: Collection[str], specs: Sequence[str], table: str) -> None:
    """Raise `InputError` if a column of scores would have the name of one that is there."""
    taken = [spec for spec in specs if spec in kept]
    if taken:
        raise InputError(
            f"{table} has a column {taken[0]!r} already, which is the name of the scores of that "
            "metric. Rename or drop it first."
        )
