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
    ColumnRole.SOURCE: (
        *("source", "src", "source text", "source segment", "original", "原文", "ソース"),
        "源文",
    ),
    ColumnRole.REFERENCE: (
        *("reference", "ref", "references", "human", "gold", "post edit", "pe"),
        *("参照訳", "確定訳", "正解訳", "人手翻訳", "人手訳", "参考译文"),
    ),
    ColumnRole.SYSTEM: (
        *("hypothesis", "hyp", "mt", "system", "output", "prediction", "candidate"),
        *("machine translation", "translation", "機械翻訳", "機械訳", "システム訳", "机器翻译"),
    ),
    ColumnRole.DOCUMENT: (
        *("document", "doc", "document id", "doc id", "file", "file name", "speaker", "chapter"),
        *("scene", "文書", "文書名", "ファイル", "ファイル名", "話者", "章", "文档", "文件"),
    ),
    ColumnRole.ID: ("id", "segment id", "seg id", "segment", "key", "unit", "string id", "番号"),
    ColumnRole.TARGET: (
        *("target", "tgt", "target text", "target segment", "text", "訳文", "翻訳", "译文"),
    ),
}
"""Names by which columns are found, alone or in brackets behind another name.

Capitals, blanks, ``_`` and ``-`` make no difference.
"""

_SEVERAL = {
    ColumnRole.REFERENCE: re.compile(r"(?:reference|ref)s?(?:[ _:.\-]+\S.*|[A-Za-z0-9])$", re.I),
    ColumnRole.SYSTEM: re.compile(
        r"(?:hypothesis|hyp|mt|system|output|機械翻訳|機械訳)(?:[ _:\uff1a.\-]+\S.*|\d+)$", re.I
    ),
}
_BRACKETED = re.compile(r"[(（\[]([^()（）\[\]]+)[)）\]]\s*$")  # English (source)
_SINGLE = (ColumnRole.SOURCE, ColumnRole.DOCUMENT, ColumnRole.ID)
_MOST_SHOWN = 40
_MOST_OFFERED = 3
_HEADER_BELOW = " If the names of the columns stand further down, remove the rows above them."


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
        role = table.roles.get(column) or _role(column)
        if column not in taken and role is not None and role not in chosen:
            found[role] = (*found.get(role, ()), column)
    for role in found.keys() - chosen.keys():
        _refuse_unclear(table, role, found[role])
    used = [name for names in found.values() for name in names]
    twice = [name for name in used if table.columns.count(name) > 1]
    if twice:
        raise UsageError(f"{table.name}: the column {twice[0]!r} occurs twice. Rename one of them.")
    return found


def listed(table: TextTable) -> str:
    """Return the columns that are there, for messages."""
    names = ", ".join(repr(name) for name in table.columns[:_MOST_SHOWN]) or "none"
    return f"the columns there are: {shortened(names, 600)}"


def lacking(table: TextTable, found: Columns, role: ColumnRole) -> str:
    """Return a message on a role that no column has: what there is, and how to name a column."""
    held = "the output of a system" if role is ColumnRole.SYSTEM else f"the {role}"
    used = {name for names in found.values() for name in names}
    left = [name for name in table.columns if name and name not in used]
    several = role is ColumnRole.SYSTEM and 1 < len(left) <= _MOST_OFFERED
    items = [f"{role}={name}" for name in (left if several else left[:1] or ["NAME"])]
    value = ",".join(f'"{item}"' if "," in item else item for item in items)
    value = value if re.fullmatch(r"[\w=,.:+-]+", value) else f"'{value}'"
    below = _HEADER_BELOW if len(table.columns) == 1 else ""
    problem = f"{table.name}: no column holds {held}; {listed(table)}."
    return f"{problem} Name one: `columns={value}`.{below}"


def _role(column: str) -> ColumnRole | None:
    bracketed = _BRACKETED.search(column)
    for plain in (_plain(column), *([_plain(bracketed[1])] if bracketed else [])):
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
