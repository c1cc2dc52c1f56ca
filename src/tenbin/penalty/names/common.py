"""Common names, words that look like names and are none, and characters of names."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple


@cache
def common_names() -> frozenset[str]:
    """Return names that are known to be names wherever they stand, in lower case."""
    return _listed("common-names.txt") | _listed("names.txt", "wordnet")


@cache
def not_names() -> frozenset[str]:
    """Return words that have a capital and name nobody, in lower case."""
    return _listed("not-names.txt")


@cache
def title_words() -> frozenset[str]:
    """Return the words that have no capital in a headline."""
    return _listed("title-words.txt")


@cache
def place_groups() -> dict[str, frozenset[int]]:
    """Return for names of places and peoples the numbers of the groups they are in: China, Chinese.

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
def kanji_variants() -> dict[int, str]:
    """Return for each older or rarer form of a kanji in names the usual one, for `str.translate`.

    >>> "髙橋と濵﨑".translate(kanji_variants())
    '高橋と浜崎'
    """
    rows = [line.split("\t") for line in _text("kanji-variants.tsv").splitlines()[1:]]
    return {ord(written): usual for written, usual in rows}


@cache
def entity_kinds() -> frozenset[str]:
    """Return the kinds of GiNZA's entities that have names: Person, but not Position_Vocation."""
    return _listed("ja-entities.txt")


class ChineseNames(NamedTuple):
    """What is known about names in Chinese.

    Attributes:
        surnames: Family names, of one character or two.
        sounds: Characters that write the sounds of foreign names.
        titles: What follows a name and is no part of it.
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
    """Return what is known about names in Chinese, in simplified characters."""
    files_of = ("surnames", "sounds", "titles", "names", "not-names")
    return ChineseNames(*(_listed(f"zh-{name}.txt") for name in files_of))


def _listed(name: str, folder: str = "names") -> frozenset[str]:
    lines = _text(name, folder).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _text(name: str, folder: str = "names") -> str:
    file = files("tenbin.resources").joinpath("bundled", folder, name)
    return file.read_text(encoding="utf-8")
