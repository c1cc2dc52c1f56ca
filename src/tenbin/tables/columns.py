"""The columns of a table that hold the texts."""

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
    """What a column holds."""

    TEXT = "texts"
    TEXTS = "lists of texts"
    OTHER = "values other than texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnNames:
    """The columns named by the user; None: the default one, if it exists."""

    hypothesis: str | None = None
    reference: str | None = None
    source: str | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextColumns:
    """The columns of one table.

    Attributes:
        hypothesis: Column of hypotheses.
        reference: Column of references, or of lists of one or more, if a metric reads them.
        source: Column of source texts, if a metric reads them.
        system: Column of system names, if there is one.
        unread_reference: Column of references, if there is one and no metric reads it; it may hold
            anything, missing values too.
    """

    hypothesis: str
    reference: str | None
    source: str | None = None
    system: str | None = None
    unread_reference: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of which every row must have a value."""
        names = (self.hypothesis, self.reference, self.source, self.system)
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def copied(self, names: Sequence[str], *, keep_texts: bool) -> list[str]:
        """Return which columns of a table the result has too.

        Args:
            names: All columns.
            keep_texts: Whether those of texts and systems are among them.
        """
        texts = {*self.texts, self.unread_reference}
        return [name for name in names if keep_texts or name not in texts]


def find_columns(
    named: ColumnNames,
    kinds: Mapping[str, ColumnKind],
    table: str,
    *,
    reads_source: bool,
    reads_references: bool = True,
    readers: Mapping[str, Sequence[str]] | None = None,
) -> TextColumns:
    """Return the columns of a table.

    Args:
        named: The columns named by the user.
        kinds: The kind of each column of the table.
        table: The table, as error messages show it.
        reads_source: Whether a metric reads source texts.
        reads_references: Whether a metric reads references.
        readers: The metrics that read each column, by its parameter, as error messages name them.

    Raises:
        InputError: A column is missing or of another kind; all errors are reported.
        UsageError: Two columns could be the references.
    """
    defaults = [name for name in REFERENCE_NAMES if name in kinds]
    if reads_references and named.reference is None and len(defaults) > 1:
        raise UsageError(
            f"{table} has the columns {' and '.join(map(repr, defaults))}; say which one has the "
            "references (`reference_column`)."
        )
    reference = named.reference or (defaults[0] if defaults else REFERENCE_NAMES[0])
    columns = TextColumns(
        hypothesis=named.hypothesis or HYPOTHESIS,
        reference=reference if reads_references else None,
        source=(named.source or SOURCE) if reads_source else None,
        system=named.system or (SYSTEM if kinds.get(SYSTEM) is ColumnKind.TEXT else None),
        unread_reference=None if reads_references or reference not in kinds else reference,
    )
    text = (ColumnKind.TEXT,)
    expected = [
        (columns.hypothesis, "hypothesis_column", text),
        (columns.reference, "reference_column", (ColumnKind.TEXT, ColumnKind.TEXTS)),
        (columns.source, "source_column", text),
        (columns.system, "system_column", text),
    ]
    read_by = readers or {}
    problems = [
        _problem(name, parameter, allowed, kinds, table, read_by.get(parameter, ()))
        for name, parameter, allowed in expected
        if name is not None and kinds.get(name) not in allowed
    ]
    if named.reference is not None and not reads_references and named.reference not in kinds:
        # No metric reads it, and a name that does not exist is told all the same.
        problems.append(_problem(named.reference, "reference_column", (), kinds, table, ()))
    if problems:
        raise InputError("\n".join(problems))
    return columns


def _problem(
    name: str,
    parameter: str,
    allowed: Collection[ColumnKind],
    kinds: Mapping[str, ColumnKind],
    table: str,
    readers: Sequence[str],
) -> str:
    if name in kinds:
        wanted = " or ".join(allowed)
        return (
            f"{table}: the column {name!r} holds {kinds[name]}, expected {wanted}. Name another "
            f"column ({parameter}), or convert it."
        )
    near = get_close_matches(name, list(kinds), n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(kinds) or "none"
    reads = "read" if len(readers) > 1 else "reads"
    needed = f", which {', '.join(readers)} {reads}" if readers else ""
    return (
        f"{table}: there is no column {name!r}{needed}.{hint} Name one ({parameter}); it has: "
        f"{listed}."
    )


def check_score_columns(copied: Collection[str], specs: Sequence[str], table: str) -> None:
    """Raise `InputError` if a score column would have the name of an existing column."""
    taken = [spec for spec in specs if spec in copied]
    if taken:
        raise InputError(
            f"{table} has a column {taken[0]!r} already, which is the name of the scores of that "
            "metric. Rename or drop it first."
        )
