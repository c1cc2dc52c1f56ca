"""Which columns of a table are the source, the references and the systems.

Named by the user, or found by their names; see `found_columns` for the names.
"""

import csv
import re
from collections.abc import Mapping, Sequence

from tenbin.core.counting import counted
from tenbin.core.errors import UsageError, shortened
from tenbin.formats.texts.table import ColumnRole, TextTable

Columns = Mapping[ColumnRole, tuple[str, ...]]

NAMES: Mapping[ColumnRole, tuple[str, ...]] = {
    ColumnRole.SOURCE: (
        *("source", "src", "source text", "source segment", "original", "原文", "ソース"),
        *(
            "源文",
            "Quelle",
            "Quelltext",
            "Ausgangstext",
            "fuente",
            "texto fuente",
            "texto original",
        ),
        *("texte source", "исходный текст", "исходник", "оригинал", "원문"),
    ),
    ColumnRole.REFERENCE: (
        *("reference", "ref", "references", "human", "gold", "post edit", "pe"),
        *("参照訳", "確定訳", "正解訳", "人手翻訳", "人手訳", "参考译文", "Referenz", "referencia"),
        *("référence", "эталон", "референс", "эталонный перевод", "참조", "참조 번역"),
    ),
    ColumnRole.SYSTEM: (
        *("hypothesis", "hyp", "mt", "system", "output", "prediction", "candidate"),
        *("machine translation", "translation", "機械翻訳", "機械訳", "システム訳", "机器翻译"),
        *("MÜ", "maschinelle Übersetzung", "traducción automática", "traduction automatique"),
        *("машинный перевод", "МП", "기계 번역", "기계번역"),
    ),
    ColumnRole.DOCUMENT: (
        *("document", "doc", "document id", "doc id", "file", "file name", "speaker", "chapter"),
        *("scene", "文書", "文書名", "ファイル", "ファイル名", "話者", "章", "文档", "文件"),
    ),
    ColumnRole.ID: ("id", "segment id", "seg id", "segment", "key", "unit", "string id", "番号"),
    ColumnRole.TARGET: (
        *("target", "tgt", "target text", "target segment", "text", "訳文", "翻訳", "译文"),
        *("Übersetzung", "Zieltext", "traducción", "texto meta", "traduction", "перевод", "번역"),
    ),
    ColumnRole.NAME: ("system name", "system id", "name of system", "mt system", "model name"),
    ColumnRole.HUMAN: (
        *("human score", "human rating", "human", "score", "rating", "judgment", "judgement"),
        *("mqm", "mqm score", "esa", "esa score", "da", "da score", "da raw", "raw", "raw score"),
        *("da z", "z", "z score"),
    ),
}
"""Names by which columns are found, alone or in brackets behind another name.

Capitals, blanks, ``_`` and ``-`` make no difference.
"""

SYSTEM_PREFIX = "system:"
"""What the column of a system's texts begins with in the tables that we write."""

_SEVERAL = {
    # What else a heading may go on with is mostly about the reference: its status, who checked it.
    ColumnRole.REFERENCE: re.compile(
        r"(?:reference|ref)s?(?:\s*:\s*\S.*|[ _.\-]*(?:[A-Z]?\d{1,3}|[A-Z]|human\w*|pe))$",
        re.I | re.S,
    ),
    ColumnRole.SYSTEM: re.compile(
        r"(?:hypothes[ei]s|hyps?|mt|systems?|outputs?|機械翻訳|機械訳)(?:[ _:\uff1a.\-]+\S.*|\d+)$",
        re.I | re.S,
    ),
}
_BRACKETED = re.compile(r"[(（\[]([^()（）\[\]]+)[)）\]]\s*$")  # English (source)
_SINGLE = (ColumnRole.SOURCE, ColumnRole.DOCUMENT, ColumnRole.ID, ColumnRole.NAME)
_PREFIX = re.compile(r"(?:hypothes[ei]s|hyps?|mt|systems?|outputs?)[ _:.\-]+", re.I)
_KINDS = {
    **dict.fromkeys(("mqm", "mqmscore"), "mqm"),
    **dict.fromkeys(("esa", "esascore"), "esa"),
    **dict.fromkeys(("daz", "z", "zscore"), "da-z"),
    **dict.fromkeys(("da", "dascore", "daraw", "raw", "rawscore"), "da-raw"),
}
# What a column says about a system's output when its name ends so: ``MT time``, ``mt_comment``.
_ABOUT = re.compile(
    r"(?:^|[ _.\-])(?:accepted|approved|bleu|cache|changed|chars|characters|checked|chrf|comet|"
    r"comments?|confidence|cost|count|date|dur(?:ation)?|edited|edits?|engine|errors?|id|ids|"
    r"issues?|lang(?:uage)?|latency|len(?:gth)?|link|locale|match|matches|model|ms|name|notes?|"
    r"number|path|price|prob(?:ability)?|quality|rating|remarks?|review(?:er|ed)?|scores?|"
    r"seconds|severity|size|status|tags?|ter|time(?:stamp)?|tokens?|type|url|user|version|words)$",
    re.I,
)
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


def found_columns(
    table: TextTable, chosen: Columns, *, judged: bool = False
) -> dict[ColumnRole, tuple[str, ...]]:
    """Return the columns of each role: those chosen, and for other roles those found by name.

    Args:
        table: The table.
        chosen: What the user named.
        judged: Whether human scores are looked for; in a table with a column for each system there
            is one for each, in the same order.

    Raises:
        UsageError: A chosen column is not there, there twice, or it is not clear what a column is.
    """
    _refuse_absent(table, chosen)
    if ColumnRole.HUMAN in chosen and not judged:
        raise UsageError("`columns=human=...`: human scores are for a meta-evaluation.")
    taken = {name for names in chosen.values() for name in names}
    found = dict(chosen)
    scores = _scores_of_systems(table, chosen) if judged else {}
    for column in table.columns:
        role = table.roles.get(column) or column_role(column, judged=judged)
        if column not in taken and column not in scores and role is not None and role not in chosen:
            found[role] = (*found.get(role, ()), column)
    exact = [name for name in found.get(ColumnRole.ID, ()) if _plain(name) == "id"]
    if ColumnRole.ID not in chosen and len(exact) == 1:
        found[ColumnRole.ID] = (exact[0],)  # beside it others, such as the number of the segment
    _take_names(table, found, chosen)
    if scores and ColumnRole.NAME not in found:
        found[ColumnRole.HUMAN] = _in_order(table, scores, found.get(ColumnRole.SYSTEM, ()))
    for role in found.keys() - chosen.keys():
        _refuse_unclear(table, role, found[role])
    used = [name for names in found.values() for name in names]
    twice = [name for name in used if table.columns.count(name) > 1]
    if twice:
        raise UsageError(f"{table.name}: the column {_named(twice[:1])} occurs twice. Rename one.")
    if judged:
        _refuse_unjudged(table, found)
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


def kind_of_judgment(column: str) -> str:
    """Return the kind of human scores that a column is called after.

    >>> kind_of_judgment("MQM score"), kind_of_judgment("z"), kind_of_judgment("rating")
    ('mqm', 'da-z', 'rating')
    """
    return _KINDS.get(_plain(column), column.strip())


def _take_names(
    table: TextTable, found: dict[ColumnRole, tuple[str, ...]], chosen: Columns
) -> None:
    """Decide whether a column holds the names of systems: a row for each segment and system."""
    systems = found.get(ColumnRole.SYSTEM, ())
    if ColumnRole.NAME in chosen:
        texts = systems or found.get(ColumnRole.TARGET, ())
        if len(texts) != 1:
            raise UsageError(
                f"{table.name}: with names of systems in {chosen[ColumnRole.NAME][0]!r}, one "
                f"column holds all their texts; {listed(table)}. Name it: `columns=system=NAME`."
            )
        return
    labels = [name for name in systems if _plain(name) == "system"]
    others = [name for name in systems if name not in labels]
    if ColumnRole.SYSTEM in chosen:
        if ColumnRole.NAME in found and len(systems) > 1:
            del found[ColumnRole.NAME]
    elif len(labels) == len(others) == 1 and ColumnRole.NAME not in found:
        found[ColumnRole.NAME], found[ColumnRole.SYSTEM] = tuple(labels), tuple(others)
    elif ColumnRole.NAME in found and len(systems or found.get(ColumnRole.TARGET, ())) != 1:
        del found[ColumnRole.NAME]


def _scores_of_systems(table: TextTable, chosen: Columns) -> dict[str, str]:
    """Return the column of a system by that of its human scores: ``mt1 score``, ``human_mt1``."""
    if ColumnRole.HUMAN in chosen:
        return {}
    words = {_plain(word) for word in NAMES[ColumnRole.HUMAN]}
    plain = {column: _plain(column) for column in table.columns}
    found: dict[str, str] = {}
    for system in table.columns:
        stems = {plain[system], _plain(_PREFIX.sub("", system))}
        forms = {form for stem in stems for word in words for form in (stem + word, word + stem)}
        found |= {c: system for c in table.columns if c != system and plain[c] in forms}
    return found


def _in_order(
    table: TextTable, scores: Mapping[str, str], systems: Sequence[str]
) -> tuple[str, ...]:
    by_system = {system: column for column, system in scores.items()}
    absent = [name for name in systems if name not in by_system]
    if absent:
        raise UsageError(
            f"{table.name}: no column holds human scores of {_named(absent)}; "
            f"{listed(table)}. Name one for each system, in their order: `columns=human=NAME`."
        )
    return tuple(by_system[name] for name in systems)


def _refuse_unjudged(table: TextTable, found: Columns) -> None:
    human, systems = found.get(ColumnRole.HUMAN, ()), found.get(ColumnRole.SYSTEM, ())
    if not human:
        raise UsageError(
            f"{table.name}: no column holds human scores; {listed(table)}. Name one: "
            "`columns=human=NAME`."
        )
    if ColumnRole.NAME not in found and len(systems) > 1 and len(human) != len(systems):
        raise UsageError(
            f"{table.name}: {counted(len(human), 'column')} of human scores for "
            f"{counted(len(systems), 'system')}. Name one for each system, in their order: "
            "`columns=human=NAME`."
        )


def unread_note(table: TextTable, found: Columns) -> tuple[str, ...]:
    """Return a note on the columns of a table that nothing is taken from, if there are some."""
    used = {name for names in found.values() for name in names}
    left = [name for name in table.columns if name and name not in used]
    if not left:
        return ()
    shown = _named(left[:_MOST_OFFERED])
    more = f" and {len(left) - _MOST_OFFERED} more" if len(left) > _MOST_OFFERED else ""
    return (f"{table.name}: not read: {shown}{more}. What they hold can be said: `columns`.",)


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


def column_role(column: str, *, judged: bool = False) -> ColumnRole | None:
    """Return what a column is by its name; None where the name does not say it.

    Args:
        column: Its name.
        judged: Whether human scores are looked for.

    >>> column_role("Ref_A").value, column_role("system:new").value, column_role("chrf:new")
    ('reference', 'system', None)
    """
    plain = _plain(column)
    bracketed = _BRACKETED.search(column)
    if judged and plain in {_plain(name) for name in NAMES[ColumnRole.HUMAN]}:
        return ColumnRole.HUMAN
    for written in (plain, *([_plain(bracketed[1])] if bracketed else [])):
        for role, names in NAMES.items():
            if role is not ColumnRole.HUMAN and written in {_plain(name) for name in names}:
                return role
    name = column.strip()
    several = next((role for role, form in _SEVERAL.items() if form.match(name)), None)
    about = several is ColumnRole.SYSTEM and ":" not in name and _ABOUT.search(name) is not None
    return None if about else several


def _named(names: Sequence[str]) -> str:
    return shortened(", ".join(map(repr, names)), 600)


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).casefold()


def _refuse_absent(table: TextTable, chosen: Columns) -> None:
    absent = [name for names in chosen.values() for name in names if name not in table.columns]
    if absent:
        raise UsageError(f"{table.name}: there is no column {_named(absent)}; {listed(table)}.")


def _refuse_unclear(table: TextTable, role: ColumnRole, names: Sequence[str]) -> None:
    several = len(names) > 1
    labels = [name for name in names if _plain(name) == "system"]
    if role is ColumnRole.SYSTEM and several and labels:
        other = next(name for name in names if name not in labels)
        raise UsageError(
            f"{table.name}: the column {labels[0]!r} may hold texts or the names of systems. Say "
            f"which columns hold texts, `columns=system={other}`, and which names: "
            f"`columns=name={labels[0]}`."
        )
    if several and role in {*_SINGLE, ColumnRole.TARGET}:
        named = ColumnRole.SYSTEM if role is ColumnRole.TARGET else role
        raise UsageError(
            f"{table.name}: several columns may be the {role}: {_named(names)}. Name one: "
            f"`columns={named}={shortened(names[0])}`."
        )
