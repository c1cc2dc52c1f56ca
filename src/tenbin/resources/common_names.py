"""Common names, capitalised words that are none, and kanji that names are written with."""

from functools import cache
from importlib.resources import files


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


def _listed(name: str, folder: str = "names") -> frozenset[str]:
    lines = _text(name, folder).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _text(name: str, folder: str = "names") -> str:
    file = files("tenbin.resources").joinpath("bundled", folder, name)
    return file.read_text(encoding="utf-8")
