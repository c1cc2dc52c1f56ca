"""Glossaries in CSV and TSV: one entry a row; columns by name, or by position without a header."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from tenbin.core.errors import MalformedLine, UnreadableFile, shortened
from tenbin.core.glossary import Term
from tenbin.formats.glossaries.languages import LanguagePair, language_of, source_and_target

Rows = Iterator[tuple[int, list[str]]]
"""The cells of each row, with its line."""


class _Column(StrEnum):
    SOURCE = "source term"
    TARGET = "target term"
    FORBIDDEN = "forbidden forms"
    CASE = "case"
    NAME = "name"
    NOTE = "note"


NAMES: Mapping[str, tuple[str, ...]] = {
    _Column.SOURCE: (
        *("source", "source term", "src", "term", "source text", "original", "source language"),
        *("原語", "原文", "原文用語", "ソース", "用語", "見出し語", "訳前", "原用語"),
    ),
    _Column.TARGET: (
        *("target", "target term", "tgt", "translation", "target text", "rendering"),
        *(
            "target language",
            "訳語",
            "訳",
            "対訳",
            "訳文",
            "翻訳",
            "ターゲット",
            "訳後",
            "訳語候補",
        ),
    ),
    _Column.FORBIDDEN: (
        *("forbidden", "forbidden forms", "forbidden term", "forbidden terms", "do not use"),
        *("prohibited", "avoid", "deprecated", "not", "wrong", "banned"),
        *("禁止", "禁止語", "禁止訳", "使用禁止", "不可", "ng", "ng訳", "ngワード", "禁止表記"),
        "使用不可",
    ),
    _Column.CASE: (
        *("case", "case sensitive", "match case", "casing"),
        *("大文字小文字", "大文字小文字の区別", "大文字・小文字", "大小文字"),
    ),
    _Column.NAME: (
        *("name", "is name", "proper noun", "type", "term type", "kind", "category"),
        *("part of speech", "pos", "固有名詞", "名前", "種類", "種別", "分類", "カテゴリ", "品詞"),
        "カテゴリー",
    ),
    _Column.NOTE: (
        *("note", "notes", "comment", "comments", "remark", "remarks", "definition"),
        *("description", "context", "備考", "注", "注記", "メモ", "コメント", "説明", "定義"),
    ),
}
"""Names by which columns are found; capitals, blanks, ``_`` and ``-`` make no difference."""

POSITIONS = (_Column.SOURCE, _Column.TARGET, _Column.FORBIDDEN, _Column.CASE, _Column.NOTE)
"""The columns of a file without a header."""

_BETWEEN_FORMS = re.compile(r"\s*[|;；]\s*")  # noqa: RUF001 - as Japanese writes it
_YES = frozenset(
    (
        *("yes", "y", "true", "t", "1", "x", "exact", "sensitive", "case sensitive"),
        *("case-sensitive", "\u25cb", "\u25ef", "\u3007", "はい", "有", "あり", "区別", "区別する"),
    )
)
_NO = frozenset(
    (
        *("", "no", "n", "false", "f", "0", "-", "any", "ignore", "insensitive"),
        *("case insensitive", "case-insensitive", "\u00d7", "いいえ", "無", "なし", "区別しない"),
    )
)
_NAME_KINDS = frozenset(
    (
        *("name", "names", "proper noun", "propernoun", "proper name", "propn", "person", "place"),
        *("organization", "organisation", "company", "product", "character", "location", "brand"),
        *("名前", "固有名詞", "人名", "地名", "組織", "組織名", "会社名", "製品名", "キャラクター"),
        *("キャラクター名", "商品名", "作品名"),
    )
)
_MOST_SHOWN = 12
_PAIR = 2


class TermRows:
    """The entries of a table.

    Attributes:
        source_language: The language that heads the source column; else empty.
        target_language: The language that heads the target column; else empty.
    """

    def __init__(self, name: str, rows: Rows, wanted: LanguagePair) -> None:
        """Look at the first row.

        Args:
            name: The file, for messages.
            rows: Its rows.
            wanted: The languages of the run, where columns are headed by languages.

        Raises:
            UnreadableFile: The columns are not clear.
        """
        self._name = name
        self._rows = rows
        self.source_language = self.target_language = ""
        self._first: list[tuple[int, list[str]]] = []
        line, cells = next(
            ((line, cells) for line, cells in rows if any(map(str.strip, cells))), (1, [])
        )
        self._columns = self._headed(cells, wanted)
        if self._columns is None:
            self._first = [(line, cells)]

    def terms(self) -> Iterator[Term]:
        """Yield the entries.

        Raises:
            MalformedLine: A row cannot be understood.
        """
        for line, cells in (*self._first, *self._rows):
            if any(map(str.strip, cells)):
                term = self._term(line, cells)
                # Each of several source terms is an entry.
                for source in _forms(term.source) or ("",):
                    yield replace(term, source=source)

    def _headed(self, cells: Sequence[str], wanted: LanguagePair) -> dict[str, int] | None:
        """Return the place of each column by the header; None if there is none."""
        found: dict[str, int] = {}
        for place, cell in enumerate(cells):
            role = _role(cell)
            if role is not None and role in found:
                problem = f"two columns may be the {role}: {cells[found[role]]!r} and {cell!r}"
                raise UnreadableFile(self._name, problem, "Rename one of them.")
            if role is not None:
                found[role] = place
        if _Column.TARGET in found or (_Column.SOURCE in found and len(cells) == 1):
            return self._with_source(cells, found)
        if list(found) == [_Column.NAME] and len(cells) == 1:
            return {_Column.SOURCE: 0}
        languages = {
            tag: place
            for place, cell in enumerate(cells)
            if place not in found.values() and (tag := language_of(cell))
        }
        if len(languages) < _PAIR:
            self._refuse_half_a_header(found, cells)
            return None
        source, target = source_and_target(self._name, tuple(languages), wanted)
        self.source_language, self.target_language = source, target
        return {**found, _Column.SOURCE: languages[source], _Column.TARGET: languages[target]}

    def _with_source(self, cells: Sequence[str], found: dict[str, int]) -> dict[str, int]:
        if _Column.SOURCE not in found:
            problem = "there is a column of target terms and none of source terms"
            advice = f"Name it 'source'; found: {_shown(cells)}."
            raise UnreadableFile(self._name, problem, advice)
        return found

    def _refuse_half_a_header(self, found: Mapping[str, int], cells: Sequence[str]) -> None:
        if _Column.SOURCE in found or _Column.FORBIDDEN in found:
            problem = "there is no column of target terms"
            advice = f"Name it 'target'; found: {_shown(cells)}."
            raise UnreadableFile(self._name, problem, advice)

    def _term(self, line: int, cells: list[str]) -> Term:
        if self._columns is None:
            if len(cells) > len(POSITIONS) and any(map(str.strip, cells[len(POSITIONS) :])):
                problem = f"found {len(cells)} fields, expected at most {len(POSITIONS)}"
                listed = ", ".join(POSITIONS)
                advice = (
                    f"Without a header the columns are: {listed}. Or name them in the first row."
                )
                raise MalformedLine(self._name, line, problem, advice)
            columns: Mapping[str, int] = {role: place for place, role in enumerate(POSITIONS)}
        else:
            columns = self._columns
        texts = {
            role: cells[place].strip() if place < len(cells) else ""
            for role, place in columns.items()
        }
        alone = len(columns) == 1 or (self._columns is None and len(cells) == 1)
        source, targets = texts[_Column.SOURCE], _forms(texts.get(_Column.TARGET, ""))
        is_name = alone or _is_name(texts.get(_Column.NAME, ""))
        if is_name and not targets and not texts.get(_Column.FORBIDDEN):
            # A name alone is one of the target language.
            source, targets = "", (source,) if source else ()
        return Term(
            source=source,
            targets=targets,
            forbidden=_forms(texts.get(_Column.FORBIDDEN, "")),
            matches_case=self._matches_case(line, texts.get(_Column.CASE, "")),
            is_name=is_name,
            note=texts.get(_Column.NOTE, ""),
            line=line,
        )

    def _matches_case(self, line: int, text: str) -> bool:
        plain = text.casefold()
        if plain in _YES or plain in _NO:
            return plain in _YES
        problem = f"found {shortened(text, 40)!r} as case, expected yes or no"
        advice = "yes: capitals must be as written; no, or nothing: they may differ."
        raise MalformedLine(self._name, line, problem, advice)


def _is_name(text: str) -> bool:
    plain = text.casefold()
    return plain in _YES or any(kind.strip() in _NAME_KINDS for kind in plain.split(","))


def _shown(cells: Sequence[str]) -> str:
    return ", ".join(repr(shortened(cell, 40)) for cell in cells[:_MOST_SHOWN])


def _forms(cell: str) -> tuple[str, ...]:
    """Return the forms of a cell, with ``|`` or ``;`` between them."""
    return tuple(dict.fromkeys(form for form in _BETWEEN_FORMS.split(cell.strip()) if form))


def _role(heading: str) -> str | None:
    plain = _plain(heading)
    return next((role for role, names in NAMES.items() if plain in map(_plain, names)), None)


def _plain(heading: str) -> str:
    return re.sub(r"[\s_\-]+", "", heading).casefold()
