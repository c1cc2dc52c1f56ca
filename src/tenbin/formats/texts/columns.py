"""Which columns of a table are the source, the references and the systems.

Named by the user, or found by their names; see `found_columns` for the names.
"""

import csv
import re
from collections.abc import Mapping, Sequence

from tenbin.core.errors import UsageError, shortened
from tenbin.formats.texts.table import ColumnRole, TextTable

Columns = Mapping[ColumnRole, tuple[str, ...]]

NAMES: Mapping[ColumnRole, tuple[str, ...]] = {
    ColumnRole.SOURCE: ("source", "src", "source text", "source segment", "original"),
    ColumnRole.REFERENCE: ("reference", "ref", "references", "human", "gold", "post edit", "pe"),
    ColumnRole.SYSTEM: (
        *("hypothesis", "hyp", "mt", "system", "output", "prediction", "candidate"),
        *("machine translation", "translation"),
    ),
    ColumnRole.DOCUMENT: (
        *("document", "doc", "document id", "doc id", "file", "file name", "speaker", "chapter"),
        "scene",
    ),
    ColumnRole.ID: ("id", "segment id", "seg id", "segment", "key", "unit", "string id"),
    ColumnRole.TARGET: ("target", "tgt", "target text", "target segment", "text"),
}
"""Names by which columns are found; capitals, blanks, ``_`` and ``-`` make no difference."""

SYSTEM_PREFIX = "system:"
"""What the column of a system's texts begins with in the tables that we write."""

_SEVERAL = {
    ColumnRole.REFERENCE: re.compile(
        r"(?:reference|ref)s?(?:[ _:.\-]+\S.*|[A-Za-z0-9])$", re.I | re.S
    ),
    ColumnRole.SYSTEM: re.compile(
        r"(?:hypothesis|hyp|mt|system|output)(?:[ _:.\-]+\S.*|\d+)$", re.I | re.S
    ),
}
_SINGLE = (ColumnRole.SOURCE, ColumnRole.DOCUMENT, ColumnRole.ID)
_MOST_SHOWN = 40


def parse_columns(items: Sequence[str]) -> Columns:
    """Return the columns that ``ROLE=NAME`` texts name; several with commas between them.

    >>> parse_columns(["source=en,system=a", '"system=b, new"'])[ColumnRole.SYSTEM]
    ('a', 'b, new')

    Raises:
        UsageError: Not of that form, no such role, or one of a kind named twice.
    """
    found: dict[ColumnRole, tuple[str, ...]] = {}
    roles = [role for role in ColumnRole if role is not ColumnRole.TARGET]
    for item in (part for text in items for part in next(csv.reader([text]), [])):
        written, equals, name = item.partition("=")
        if not equals or not name or written.strip() not in roles:
            raise UsageError(
                f"`columns={shortened(item)}`: expected ROLE=NAME with one of the roles "
                f"{', '.join(roles)}, as in source=en,reference=ja,system=mt1,system=mt2."
            )
        role = ColumnRole(written.strip())
        found[role] = (*found.get(role, ()), name)
    for role in _SINGLE:
        if len(found.get(role, ())) > 1:
            raise UsageError(f"`columns`: there can be one column of the kind {role}, not several.")
    return found


def found_columns(table: TextTable, chosen: Columns) -> dict[ColumnRole, tuple[str, ...]]:
    """Return the columns of each role: those chosen, and for other roles those found by name.

    Raises:
        UsageError: A chosen column is not there, there twice, or it is not clear what a column is.
    """
    _refuse_absent(table, chosen)
    taken = {name for names in chosen.values() for name in names}
    found = dict(chosen)
    for column in table.columns:
        role = table.roles.get(column) or column_role(column)
        if column not in taken and role is not None and role not in chosen:
            found[role] = (*found.get(role, ()), column)
    exact = [name for name in found.get(ColumnRole.ID, ()) if _plain(name) == "id"]
    if ColumnRole.ID not in chosen and len(exact) == 1:
        found[ColumnRole.ID] = (exact[0],)  # beside it others, such as the number of the segment
    for role in found.keys() - chosen.keys():
        _refuse_unclear(table, role, found[role])
    used = [name for names in found.values() for name in names]
    twice = [name for name in used if table.columns.count(name) > 1]
    if twice:
        raise UsageError(f"{table.name}: the column {twice[0]!r} occurs twice. Rename one of them.")
    return found


def systems_of_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return what the systems of columns are called: like the column, or NAME of ``system:NAME``.

    >>> systems_of_columns(["system:new", "mt"]), systems_of_columns(["system:mt", "mt"])
    (('new', 'mt'), ('system:mt', 'mt'))
    """
    names = tuple(
        column.removeprefix(SYSTEM_PREFIX).strip() if column.startswith(SYSTEM_PREFIX) else column
        for column in columns
    )
    return names if all(names) and len(set(names)) == len(names) else tuple(columns)


def listed(table: TextTable) -> str:
    """Return the columns that are there, for messages."""
    names = ", ".join(repr(name) for name in table.columns[:_MOST_SHOWN]) or "none"
    return f"the columns there are: {shortened(names, 600)}"


def column_role(column: str) -> ColumnRole | None:
    """Return what a column is by its name; None where the name does not say it.

    >>> column_role("Ref_A").value, column_role("system:new").value, column_role("chrf:new")
    ('reference', 'system', None)
    """
    plain = _plain(column)
    for role, names in NAMES.items():
        if plain in {_plain(name) for name in names}:
            return role
    return next((role for role, form in _SEVERAL.items() if form.match(column.strip())), None)


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).casefold()


def _refuse_absent(table: TextTable, chosen: Columns) -> None:
    absent = [name for names in chosen.values() for name in names if name not in table.columns]
    if absent:
        raise UsageError(
            f"{table.name}: there is no column {', '.join(map(repr, absent))}; {listed(table)}."
        )


def _refuse_unclear(table: TextTable, role: ColumnRole, names: Sequence[str]) -> None:
    several = len(names) > 1
    labels = [name for name in names if _plain(name) == "system"]
    if role is ColumnRole.SYSTEM and several and labels:
        other = next(name for name in names if name not in labels)
        raise UsageError(
            f"{table.name}: the column {labels[0]!r} may hold texts or the names of systems. Say "
            f"which columns hold texts: `columns=system={other}`."
        )
    if several and role in {*_SINGLE, ColumnRole.TARGET}:
        named = ColumnRole.SYSTEM if role is ColumnRole.TARGET else role
        raise UsageError(
            f"{table.name}: several columns may be the {role}: {', '.join(map(repr, names))}. Name "
            f"one: `columns={named}={names[0]}`."
        )
