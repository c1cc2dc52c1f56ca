"""Names in Japanese: proper nouns of the Sudachi dictionary, and names that it does not list.

Sudachi splits a name that it does not list into single characters, some of them proper nouns (魔,
晄, 炉). Such characters are one name together. Unknown words in katakana (カービィ) and titles of
works (小説「雪国」) are names too, but less certain ones.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from tenbin.penalty.names.forms import readable
from tenbin.penalty.names.katakana import (
    is_repeated,
    katakana_runs,
    possible_names,
    whole_names,
)
from tenbin.penalty.names.span import NameSpan
from tenbin.penalty.numbers.numerals import load_number_words
from tenbin.penalty.numbers.recognition import numbers
from tenbin.resources.lexicons.sudachi import bounded_parts, load_sudachi

_PROPER = "固有名詞"
_KANJI = re.compile("[\u3400-\u9fff々]+")
_KATAKANA = re.compile("[\u30a1-\u30fa][\u30a1-\u30fa\u30fc]{2,}")
# Parts of a name that Sudachi splits, by their parts of speech.
_PARTS = frozenset(
    (
        ("名詞", "普通名詞", "一般"),
        ("名詞", "普通名詞", "サ変可能"),
        ("接尾辞", "名詞的", "一般"),
        ("名詞", "普通名詞", "助数詞可能"),
    )
)
# Of numbers and what is counted, not of names: 二桁, 年半.
_COUNTED = frozenset("一二三四五六七八九十百千万億兆〇零年歳数倍半何")
_YEARS = frozenset("0123456789０１２３４５６７８９一二三四五六七八九十元〇") | {""}  # noqa: RUF001
# Characters that make a word of any noun; a name ends in others.
_AFFIXES = frozenset(
    "者的化性学法人力部会長員家所場物品書費率量線機器車船店屋室館院校園県市町村区国州省庁局課社団党軍派系"
    "型式用製産発行着前後中内外間時期日月代世界感観論説権業税金額値点面側式案件戦士師手主新旧元前全各非不"
    "無再最大小高低長短多少両片同別本当約計版号名目次第薬食剤液体形状態色音声語文字画像図表地域帯圏層"
)
_HONORIFICS = frozenset(("さん", "くん", "君", "ちゃん", "氏", "様", "殿", "先輩", "選手"))
_HONORED = re.compile("さん|くん|君|ちゃん|氏|様|殿|先輩|選手")
_ORGANIZATION = re.compile(
    "[㐀-鿿々]{2,8}?(省|庁|党|大学|新聞|銀行|高校|高等学校|病院|連盟|神社)(?![㐀-鿿々])"
)
_FULL_NAME = 2  # fewest characters of a coined name
_WORKS = "小説|映画|曲|歌|本|書籍|番組|ドラマ|漫画|アニメ|雑誌|詩|絵本|ゲーム|論文|戯曲|著書|作品"
_LONGEST_TITLE = 30
_TITLE = re.compile(
    rf"(?:『(?P<work>[^『』「」。！？]{{1,{_LONGEST_TITLE}}})』"
    rf"|(?:{_WORKS})「(?P<named>[^『』「」。！？]{{1,{_LONGEST_TITLE}}})」"
    rf"|「(?P<called>[^『』「」。！？]{{1,{_LONGEST_TITLE}}})」という(?:{_WORKS}))"
)


class Piece(NamedTuple):
    """A morpheme of a text, with what tells whether it is a name.

    Attributes:
        start: Its first character.
        stop: The character after it.
        text: As written.
        kind: Its part of speech, three levels.
        unknown: Whether the dictionary lacks it.
        proper: Whether it is a proper noun.
    """

    start: int
    stop: int
    text: str
    kind: tuple[str, ...]
    unknown: bool
    proper: bool

    @property
    def joins(self) -> bool:
        """Whether it may be a part of a coined name."""
        nominal = self.proper or self.unknown or self.kind in _PARTS
        nominal = nominal and self.text not in _HONORIFICS
        return nominal and _KANJI.fullmatch(self.text) is not None

    @property
    def single(self) -> bool:
        """Whether it is one character that stands for a name in part."""
        return self.joins and len(self.text) == 1 and self.kind[0] == "名詞"


class JapaneseNames(NamedTuple):
    """The names of a text.

    Attributes:
        spans: Its names.
        possible: Words in katakana that may be names (リンク), each in exchange for another alone.
    """

    spans: tuple[NameSpan, ...]
    possible: tuple[NameSpan, ...]


@lru_cache(maxsize=16)
def japanese_names(text: str) -> JapaneseNames:
    """Return the names of a text, and the words that may be names.

    >>> [name.text for name in japanese_names("齊藤さんは東京で魔晄炉を見た。").spans]
    ['齊藤', '東京', '魔晄炉']
    >>> [name.text for name in japanese_names("リンクはゲームの中で齊藤に会う。").possible]
    ['リンク']

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
    """
    eras = load_number_words("ja").eras
    pieces = list(_pieces(text))
    coined = list(_coined(pieces))
    inside = {place for one in coined for place in range(one.start, one.stop)}
    spans = list(coined)
    for piece in pieces:
        if piece.start in inside:
            continue
        # Sudachi lists 八千 and 十人 as names; numbers are compared elsewhere.
        era = piece.text in eras and text[piece.stop : piece.stop + 1] not in _YEARS
        if piece.proper and (era or (piece.text not in eras and not is_number(piece.text))):
            spans.append(NameSpan(piece.start, piece.stop, piece.text))
        elif piece.unknown and _is_foreign_name(piece.text):
            spans.append(NameSpan(piece.start, piece.stop, piece.text, firm=False))
    runs = list(katakana_runs(text, pieces))
    spans = whole_names(spans, runs)
    spans += _titles(text)
    spans += _organizations(text, inside)
    spans += _honored(pieces, {span.start for span in spans})
    found = tuple(sorted(spans))
    return JapaneseNames(found, possible_names(text, runs, found))


def _pieces(text: str) -> Iterator[Piece]:
    usual = readable(text)
    first = 0
    kinds: dict[int, tuple[tuple[str, ...], bool]] = {}
    for part in bounded_parts(usual):
        for one in load_sudachi().analyze(part):
            start, stop = first + one.begin(), first + one.end()
            number = one.part_of_speech_id()
            if number not in kinds:
                kind = tuple(one.part_of_speech()[:3])
                kinds[number] = kind, kind[1] == _PROPER
            yield Piece(
                start, stop, text[start:stop], kinds[number][0], one.is_oov(), kinds[number][1]
            )
        first += len(part)


def _coined(pieces: Iterable[Piece]) -> Iterator[NameSpan]:
    """Yield the names that the dictionary splits into characters."""
    for joins, run in groupby(pieces, key=lambda piece: piece.joins):
        parts = list(run)
        if not joins or not _is_coined(parts):
            continue
        name = "".join(part.text for part in parts)
        if len(name) >= _FULL_NAME and _COUNTED.isdisjoint(name):
            firm = any(part.proper and part.single for part in parts)
            yield NameSpan(parts[0].start, parts[-1].stop, name, firm)


def _is_coined(parts: list[Piece]) -> bool:
    """Return whether nouns in a row are a name: two single characters, or an unknown one."""
    singles = [part.single for part in parts]
    if any(one and other for one, other in pairwise(singles)):
        return True
    if any(part.proper and len(part.text) > 1 for part in parts):
        return False  # 東京駅
    rare = [part.unknown or (len(part.text) == 1 and part.text not in _AFFIXES) for part in parts]
    return len(parts) > 1 and any(rare)


def is_number(surface: str) -> bool:
    """Return whether a noun is a number: 八千."""
    found = numbers(surface, "ja")
    return any(one.firm or one.text == surface for one in found)


def _is_foreign_name(word: str) -> bool:
    return _KATAKANA.fullmatch(word) is not None and not is_repeated(word)


def organization_kind(name: str) -> str:
    """Return the word at the end of the name of an organization: 省 of 文部科学省."""
    found = _ORGANIZATION.fullmatch(name)
    return found[1] if found else ""


def _organizations(text: str, inside: set[int]) -> Iterator[NameSpan]:
    for found in _ORGANIZATION.finditer(text):
        if found.start() not in inside:
            yield NameSpan(found.start(), found.end(), found[0], firm=False)


def _honored(pieces: list[Piece], known: set[int]) -> Iterator[NameSpan]:
    """Yield nouns that have an honorific, as names have: 翔くん."""
    for piece, after in pairwise(pieces):
        noun = piece.kind[0] == "名詞" and piece.start not in known
        if noun and after.text in _HONORIFICS and after.kind[0] == "接尾辞":
            yield NameSpan(piece.start, piece.stop, piece.text, firm=False)


@lru_cache(maxsize=20_000)
def honored_ends(text: str) -> frozenset[int]:
    """Return where an honorific begins in a text."""
    return frozenset(one.start() for one in _HONORED.finditer(text))


def _titles(text: str) -> Iterator[NameSpan]:
    for found in _TITLE.finditer(text):
        group = found.lastgroup or "work"
        yield NameSpan(found.start(group), found.end(group), found[group], firm=False)
