"""Word lists: common names, words that look like names but are not, and characters of names."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple


@cache
def common_names() -> frozenset[str]:
    """Return words that are names in any position, in lower case."""
    return _listed("common-names.txt") | _listed("names.txt", "wordnet")


@cache
def not_names() -> frozenset[str]:
    """Return capitalized words that are not names, in lower case."""
    return _listed("not-names.txt")


@cache
def word_names() -> frozenset[str]:
    """Return names that are English words as well, in lower case."""
    return _listed("word-names.txt")


@cache
def title_words() -> frozenset[str]:
    """Return the words that stay in lower case in a headline."""
    return _listed("title-words.txt")


@cache
def place_groups() -> dict[str, frozenset[int]]:
    """Return the groups of each name of a place or people: China and Chinese share one.

    >>> bool(place_groups()["chinese"] & place_groups()["china"])
    True
    """
    lines = [line for line in _text("place-groups.txt").splitlines() if not line.startswith("#")]
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for word in line.split():
            groups.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


@cache
def country_groups() -> dict[str, tuple[str, ...]]:
    """Return for each name of a country in Japanese all its names, its sign last.

    >>> country_groups()["米国"][0], country_groups()["アメリカ"][-1]
    ('アメリカ', '米')
    """
    lines = [line for line in _text("ja-places.txt").splitlines() if not line.startswith("#")]
    groups = [tuple(line.split()) for line in lines]
    return {name: group for group in groups for name in group}


@cache
def kanji_variants() -> dict[int, str]:
    """Return the usual form of older and rarer kanji in names, for `str.translate`.

    >>> "髙橋と濵﨑".translate(kanji_variants())
    '高橋と浜崎'
    """
    rows = [line.split("\t") for line in _text("kanji-variants.tsv").splitlines()[1:]]
    return {ord(written): usual for written, usual in rows}


@cache
def ordinary_loanwords() -> frozenset[str]:
    """Return Japanese words in katakana that are no names: ゲーム, but not リンク."""
    return _listed("ja-loanwords.txt")


@cache
def entity_kinds() -> frozenset[str]:
    """Return the entity types of GiNZA that are names: Person, but not Position_Vocation."""
    return _listed("ja-entities.txt")


class ChineseNames(NamedTuple):
    """Word lists for names in Chinese.

    Attributes:
        surnames: Family names, of one character or two.
        sounds: Characters that write the sounds of foreign names.
        titles: Titles that follow a name.
        names: Short names that look like words.
        words: Words that look like names.
    """

    surnames: frozenset[str]
    sounds: frozenset[str]
    titles: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


@cache
def chinese_names() -> ChineseNames:
    """Return the word lists for names in Chinese, in simplified characters."""
    files_of = ("surnames", "sounds", "titles", "names", "not-names")
    return ChineseNames(*(_listed(f"zh-{name}.txt") for name in files_of))


def _listed(name: str, folder: str = "names") -> frozenset[str]:
    lines = _text(name, folder).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _text(name: str, folder: str = "names") -> str:
    file = files("tenbin.resources").joinpath("bundled", folder, name)
    return file.read_text(encoding="utf-8")
