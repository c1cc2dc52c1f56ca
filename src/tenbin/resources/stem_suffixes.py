"""The suffixes that the Snowball stemmers remove, by language and group."""

from functools import cache
from importlib.resources import files

SuffixGroup = dict[str, str]


@cache
def load_stem_suffixes(language: str) -> dict[str, SuffixGroup]:
    """Return the groups of suffixes of a language; each suffix with its replacement.

    >>> load_stem_suffixes("en")["third"]["alize"]
    'al'
    """
    table = files("tenbin.resources").joinpath("bundled", "snowball-2014.tsv")
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    return {group: _parsed(suffixes) for code, group, suffixes in rows if code == language}


def _parsed(suffixes: str) -> SuffixGroup:
    pairs = (suffix.partition(">") for suffix in suffixes.split(" "))
    return {suffix: replacement for suffix, _, replacement in pairs}
